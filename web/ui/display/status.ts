import { IconAlertTriangle, IconPlayerPause, IconShieldCheck, IconShieldSearch } from "@tabler/icons-react";
import type { AssociationStatus } from "../../api/api.ts";
import type { TextId } from "../../app/text_id.ts";

/** Icon, colour and texts of each status of an association. */
export const STATUS = {
  safe: { tone: "safe", icon: IconShieldCheck, label: "status.safe", meaning: "status.safe_meaning" },
  active: { tone: "accent", icon: IconShieldSearch, label: "status.active", meaning: "status.active_meaning" },
  breached: { tone: "alarm", icon: IconAlertTriangle, label: "status.breached", meaning: "status.breached_meaning" },
  inactive: { tone: "quiet", icon: IconPlayerPause, label: "status.inactive", meaning: "status.inactive_meaning" },
} as const satisfies Record<AssociationStatus, { label: TextId; meaning: TextId; [look: string]: unknown }>;
