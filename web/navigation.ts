import {
  type Icon,
  IconBell,
  IconLayoutDashboard,
  IconMailPlus,
  IconUserCircle,
  IconUserEdit,
} from "@tabler/icons-react";
import type { TextId } from "./text_id.ts";

export type NavigationEntry = { path: string; label: TextId; icon: Icon };

/** The sidebar, in its order. Logout follows it. */
export const NAVIGATION: NavigationEntry[] = [
  { path: "dashboard", label: "nav.dashboard", icon: IconLayoutDashboard },
  { path: "new-track", label: "nav.new_track", icon: IconMailPlus },
  { path: "alerts", label: "nav.alerts", icon: IconBell },
  { path: "profile", label: "nav.profile", icon: IconUserCircle },
  { path: "profile-edit", label: "nav.profile_edit", icon: IconUserEdit },
];
