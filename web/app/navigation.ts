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
  IconWorld,
} from "@tabler/icons-react";
import type { Instance, Me } from "../api/api.ts";
import { hasPlans } from "./has_plans.ts";
import type { TextId } from "./text_id.ts";

export type NavigationEntry = {
  path: string;
  label: TextId;
  icon: Icon;
  /** Whether this installation has the page; by default every installation does. */
  isThere?: (instance: Instance) => boolean;
  /** Who sees the entry; by default everybody does. */
  isFor?: (me: Me) => boolean;
  /** An external address that replaces the page on some installations. */
  elsewhere?: (instance: Instance) => string | null;
};
/** An entry as this installation shows it; `url` is set when it leads to an external page. */
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
  { path: "domains", label: "nav.domains", icon: IconWorld },
  { path: "staff", label: "nav.staff", icon: IconTool, isFor: ({ staff }) => staff },
];

/** The entries that this installation shows to this user; while either is unknown, only the common ones. */
export function navigationOf(instance: Instance | undefined, me?: Me | undefined): ShownEntry[] {
  return NAVIGATION.filter(
    ({ isThere, isFor }) =>
      (isThere === undefined || (instance !== undefined && isThere(instance))) &&
      (isFor === undefined || (me !== undefined && isFor(me))),
  ).map((entry) => ({ ...entry, url: (instance && entry.elsewhere?.(instance)) ?? null }));
}
