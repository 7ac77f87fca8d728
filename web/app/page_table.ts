import type { ComponentType } from "react";
import { kindOf, TITLES } from "../pages/error_kind.ts";
import {
  type Access,
  activeSubscription,
  authorisedMonitoring,
  type Condition,
  type Existence,
  freeCapacity,
  ownAssociation,
} from "./guards.ts";
import { hasPlans } from "./has_plans.ts";
import type { Topic } from "./i18n.tsx";
import type { Handle } from "./route_handle.ts";
import type { TextId } from "./text_id.ts";

/** One screen: its path, who may open it, and what it consists of. */
export type Page = {
  path: string;
  title: TextId;
  titleOf?: Handle["titleOf"];
  /** The path of the parent page, for pages below the sidebar's entries; its title appears in the breadcrumbs. */
  parent?: string;
  access: Access;
  conditions?: Condition[];
  /** For pages that only some installations have. */
  isThere?: Existence;
  /** Topics that the page needs beyond the common ones. */
  topics?: Topic[];
  /** The login or the registration: it loads only the texts of these pages, since it is often a visitor's first. */
  isEntrance?: boolean;
  /** Shows the operator's incident notices at the top. */
  announces?: boolean;
  /**
   * Prerendered for signed-out visitors, once with each of these queries or fragments (`prerender_entry.tsx`). The page's file
   * is named like its path.
   */
  prerendered?: readonly string[];
  page: () => Promise<{ default: ComponentType }>;
};

const ALONE = [""];
/** As it is while a link is being checked. */
const WITH_LINK = ["#t=link"];
const EACH_ERROR = Object.keys(TITLES).map((kind) => `?err=${kind}`);

/** Topics of every staff page. */
const STAFF: Topic[] = ["staff"];

/** The route table of the specification, followed by further screens. */
export const PAGES: Page[] = [
  {
    path: "login",
    title: "login.title",
    access: "noLogin",
    announces: true,
    isEntrance: true,
    prerendered: ALONE,
    page: () => import("../identity/sign_in/login.tsx"),
  },
  {
    path: "register",
    title: "register.title",
    access: "noLogin",
    isEntrance: true,
    topics: ["registration"],
    prerendered: ALONE,
    page: () => import("../identity/sign_in/register.tsx"),
  },
  {
    path: "forgot-password",
    title: "forgot.title",
    access: "noLogin",
    prerendered: ALONE,
    page: () => import("../identity/sign_in/forgot_password.tsx"),
  },
  {
    path: "reset-password",
    title: "reset.title",
    access: "noLogin",
    prerendered: WITH_LINK,
    page: () => import("../identity/sign_in/reset_password.tsx"),
  },
  {
    path: "verify-code",
    title: "verify.page",
    access: "partialLogin",
    page: () => import("../identity/sign_in/verify_code.tsx"),
  },
  {
    path: "sign-in/:provider",
    title: "provider.page",
    access: "public",
    page: () => import("../identity/sign_in/provider_return.tsx"),
  },
  {
    path: "confirm-email",
    title: "confirm_email.title",
    access: "public",
    prerendered: WITH_LINK,
    page: () => import("../identity/sign_in/confirm_email.tsx"),
  },
  {
    path: "dashboard",
    title: "dashboard.title",
    access: "fullLogin",
    topics: ["tracking", "billing", "figures", "data_groups"],
    announces: true,
    page: () => import("../tracking/dashboard.tsx"),
  },
  {
    path: "new-track",
    title: "track.title",
    access: "fullLogin",
    conditions: [activeSubscription, freeCapacity],
    topics: ["tracking", "contacts"],
    page: () => import("../tracking/track.tsx"),
  },
  {
    path: "update-track/:association_id",
    title: "update.title",
    parent: "dashboard",
    access: "fullLogin",
    conditions: [ownAssociation],
    topics: ["tracking", "contacts", "aliases"],
    page: () => import("../tracking/update.tsx"),
  },
  {
    path: "alerts",
    title: "alerts.title",
    access: "fullLogin",
    topics: ["alerts", "data_classes", "data_groups", "seriousness", "handling", "flags", "advice", "contacts"],
    page: () => import("../breaches/alerts.tsx"),
  },
  {
    path: "letters",
    title: "letters.title",
    parent: "alerts",
    access: "fullLogin",
    topics: ["alerts", "letters"],
    page: () => import("../breaches/letters.tsx"),
  },
  {
    path: "letters/:alert_id",
    title: "letter.title",
    parent: "letters",
    access: "fullLogin",
    topics: ["alerts", "letters"],
    page: () => import("../breaches/letter.tsx"),
  },
  {
    path: "test-alerts",
    title: "test_alerts.title",
    access: "fullLogin",
    topics: ["contacts", "drill"],
    page: () => import("../notifications/test_alerts.tsx"),
  },
  {
    path: "screen-track/:child_email",
    title: "monitor.title",
    parent: "dashboard",
    access: "fullLogin",
    conditions: [authorisedMonitoring],
    topics: [
      "alerts",
      "data_classes",
      "data_groups",
      "seriousness",
      "handling",
      "flags",
      "advice",
      "together",
      "monitoring",
      "figures",
      "contacts",
    ],
    page: () => import("../breaches/screen_track.tsx"),
  },
  {
    path: "contacts",
    title: "contact_list.title",
    access: "fullLogin",
    topics: ["contacts"],
    page: () => import("../notifications/contacts.tsx"),
  },
  {
    path: "domains",
    title: "domains.title",
    access: "fullLogin",
    topics: ["domains"],
    page: () => import("../domains/domains.tsx"),
  },
  {
    path: "domains/:id",
    title: "domain.title",
    parent: "domains",
    access: "fullLogin",
    topics: ["domains", "alerts", "data_classes", "flags", "figures"],
    page: () => import("../domains/domain.tsx"),
  },
  {
    path: "own-domain",
    title: "domain_notice.title",
    parent: "dashboard",
    access: "fullLogin",
    topics: ["domains", "alerts", "data_classes", "flags"],
    page: () => import("../domains/own_domain.tsx"),
  },
  {
    path: "domain-notice",
    title: "domain_notice.title",
    access: "public",
    topics: ["domains", "alerts", "data_classes", "flags"],
    prerendered: WITH_LINK,
    page: () => import("../domains/domain_notice.tsx"),
  },
  {
    path: "subscription",
    title: "plans.title",
    access: "fullLogin",
    isThere: hasPlans,
    topics: ["billing"],
    page: () => import("../billing/subscription.tsx"),
  },
  {
    path: "success-order",
    title: "order.title",
    access: "public",
    isThere: hasPlans,
    topics: ["billing"],
    prerendered: WITH_LINK,
    page: () => import("../billing/success_order.tsx"),
  },
  {
    path: "profile",
    title: "profile.title",
    access: "fullLogin",
    topics: ["profile", "billing"],
    page: () => import("../identity/profile/profile.tsx"),
  },
  {
    path: "profile-edit",
    title: "edit.title",
    parent: "profile",
    access: "fullLogin",
    topics: ["profile", "contacts"],
    page: () => import("../identity/profile/profile_edit.tsx"),
  },
  {
    path: "support",
    title: "support.title",
    access: "fullLogin",
    topics: ["support"],
    page: () => import("../support/support.tsx"),
  },
  {
    path: "suggestions",
    title: "suggestions.title",
    access: "fullLogin",
    topics: ["support"],
    page: () => import("../support/suggestions.tsx"),
  },
  {
    path: "api-tokens",
    title: "api_tokens.title",
    parent: "profile",
    access: "fullLogin",
    topics: ["api_tokens", "profile"],
    page: () => import("../identity/profile/api_tokens.tsx"),
  },
  {
    path: "developers",
    title: "developers.title",
    access: "public",
    topics: ["developers"],
    prerendered: ALONE,
    page: () => import("../developers/developers.tsx"),
  },
  {
    path: "manage-invitation",
    title: "consent.title",
    access: "public",
    topics: ["consent"],
    prerendered: WITH_LINK,
    page: () => import("../invitations/manage_invitation.tsx"),
  },
  {
    path: "manage-contact",
    title: "contact.title",
    access: "public",
    prerendered: WITH_LINK,
    page: () => import("../notifications/manage_contact.tsx"),
  },
  {
    path: "confirm-alias",
    title: "alias.confirm_title",
    access: "public",
    topics: ["aliases"],
    prerendered: WITH_LINK,
    page: () => import("../tracking/confirm_alias.tsx"),
  },
  {
    path: "terms-service",
    title: "terms.title",
    access: "public",
    topics: ["terms"],
    prerendered: ALONE,
    page: () => import("../pages/terms_service.tsx"),
  },
  {
    path: "privacy-notice",
    title: "privacy.title",
    access: "public",
    topics: ["privacy"],
    prerendered: ALONE,
    page: () => import("../pages/privacy_notice.tsx"),
  },
  {
    path: "accept-terms",
    title: "terms.title",
    access: "fullLogin",
    topics: ["acceptance", "profile"],
    page: () => import("../identity/sign_in/accept_terms.tsx"),
  },
  {
    path: "service-status",
    title: "service_status.title",
    access: "public",
    topics: ["service_status"],
    prerendered: ALONE,
    page: () => import("../service_status/service_status.tsx"),
  },
  {
    path: "staff",
    title: "staff.title",
    access: "staff",
    topics: STAFF,
    page: () => import("../staff/overview.tsx"),
  },
  {
    path: "staff/users",
    title: "staff.users",
    parent: "staff",
    access: "staff",
    topics: STAFF,
    page: () => import("../staff/users.tsx"),
  },
  {
    path: "staff/users/:account_id",
    title: "staff.user",
    parent: "staff/users",
    access: "staff",
    topics: [...STAFF, "billing", "contacts"],
    page: () => import("../staff/user.tsx"),
  },
  {
    path: "staff/tickets",
    title: "tickets.title",
    parent: "staff",
    access: "staff",
    topics: [...STAFF, "support"],
    page: () => import("../staff/tickets.tsx"),
  },
  {
    path: "staff/tickets/:reference",
    title: "tickets.one",
    parent: "staff/tickets",
    access: "staff",
    topics: [...STAFF, "support"],
    page: () => import("../staff/ticket.tsx"),
  },
  {
    path: "staff/incidents",
    title: "incidents.title",
    parent: "staff",
    access: "staff",
    topics: [...STAFF, "incidents", "service_status"],
    page: () => import("../staff/incidents.tsx"),
  },
  {
    path: "staff/mails",
    title: "staff.mails",
    parent: "staff",
    access: "staff",
    topics: STAFF,
    page: () => import("../staff/mails.tsx"),
  },
  {
    path: "staff/settings",
    title: "staff.settings",
    parent: "staff",
    access: "staff",
    topics: STAFF,
    page: () => import("../staff/settings.tsx"),
  },
  {
    path: "staff/audit",
    title: "staff.audit",
    parent: "staff",
    access: "staff",
    topics: STAFF,
    page: () => import("../staff/audit.tsx"),
  },
  {
    path: "error-page",
    title: "error_page.generic",
    titleOf: (query) => TITLES[kindOf(query.get("err"))],
    access: "public",
    prerendered: EACH_ERROR,
    page: () => import("../pages/error_page.tsx"),
  },
];

/** All topics that a page needs. */
export function topicsOf({ isEntrance = false, topics = [] }: Page): Topic[] {
  return ["entrance", ...(isEntrance ? [] : (["registration", "ui", "errors", "sources"] as const)), ...topics];
}

/** The ancestors of a page, from the top. */
export function trailOf({ parent }: Pick<Page, "parent">): Handle["trail"] {
  const above = PAGES.find(({ path }) => path === parent);
  return above ? [...trailOf(above), { path: above.path, title: above.title }] : [];
}
