import {
  type Icon,
  IconActivityHeartbeat,
  IconAddressBook,
  IconBell,
  IconBulb,
  IconCreditCard,
  IconLayoutDashboard,
  IconLifebuoy,
  IconMailPlus,
  IconSend,
  IconTool,
  IconUserCircle,
  IconUserEdit,
} from "@tabler/icons-react";
import type { Instance, Me } from "../api/api.ts";
import { hasPlans } from "./has_plans.ts";
import type { TextId } from "./text_id.ts";

export type NavigationEntry = {
  path: string;
  label: TextId;
  icon: Icon;
  /** Whether this installation has it at all; every one has the others. */
  isThere?: (instance: Instance) => boolean;
  /** Who has it; everybody has the others. */
  isFor?: (me: Me) => boolean;
  /** An address outside that an installation may have instead of the page. */
  elsewhere?: (instance: Instance) => string | null;
};
/** An entry as this installation has it; `url` where it leads outside. */
export type ShownEntry = NavigationEntry & { url: string | null };

/** The sidebar: the specification's entries in its order, then further ones. Logout follows it. */
export const NAVIGATION: NavigationEntry[] = [
  { path: "dashboard", label: "nav.dashboard", icon: IconLayoutDashboard },
  { path: "new-track", label: "nav.new_track", icon: IconMailPlus },
  { path: "alerts", label: "nav.alerts", icon: IconBell },
  { path: "test-alerts", label: "nav.test_alerts", icon: IconSend },
  { path: "subscription", label: "nav.subscription", icon: IconCreditCard, isThere: hasPlans },
  { path: "profile", label: "nav.profile", icon: IconUserCircle },
  { path: "profile-edit", label: "nav.profile_edit", icon: IconUserEdit },
  { path: "support", label: "nav.support", icon: IconLifebuoy },
  { path: "suggestions", label: "nav.suggestions", icon: IconBulb },
  {
    path: "service-status",
    label: "nav.service_status",
    icon: IconActivityHeartbeat,
    elsewhere: ({ statusPageUrl }) => statusPageUrl,
  },
  { path: "contacts", label: "nav.contacts", icon: IconAddressBook },
  { path: "staff", label: "nav.staff", icon: IconTool, isFor: ({ staff }) => staff },
];

/** The entries of this installation for this person; as long as either is unknown, those that everybody has. */
export function navigationOf(instance: Instance | undefined, me?: Me | undefined): ShownEntry[] {
  return NAVIGATION.filter(
    ({ isThere, isFor }) =>
      (isThere === undefined || (instance !== undefined && isThere(instance))) &&
      (isFor === undefined || (me !== undefined && isFor(me))),
  ).map((entry) => ({ ...entry, url: (instance && entry.elsewhere?.(instance)) ?? null }));
}
