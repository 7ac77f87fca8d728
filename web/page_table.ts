import type { ComponentType } from "react";
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
import type { TextId } from "./text_id.ts";

/** One screen: where it is, who may open it, and what it is made of. */
export type Page = {
  path: string;
  title: TextId;
  access: Access;
  conditions?: Condition[];
  /** Not every installation has it. */
  isThere?: Existence;
  /** What the page shows beyond the words of the screens. */
  topics?: Topic[];
  page: () => Promise<{ default: ComponentType }>;
};

/** The specification's route table. Its further screens are one row each. */
export const PAGES: Page[] = [
  { path: "login", title: "login.title", access: "noLogin", page: () => import("./identity/login.tsx") },
  { path: "register", title: "register.title", access: "noLogin", page: () => import("./identity/register.tsx") },
  {
    path: "forgot-password",
    title: "forgot.title",
    access: "noLogin",
    page: () => import("./identity/forgot_password.tsx"),
  },
  {
    path: "reset-password",
    title: "reset.title",
    access: "noLogin",
    page: () => import("./identity/reset_password.tsx"),
  },
  {
    path: "verify-code",
    title: "verify.page",
    access: "partialLogin",
    page: () => import("./identity/verify_code.tsx"),
  },
  {
    path: "sign-in/:provider",
    title: "provider.page",
    access: "public",
    page: () => import("./identity/provider_return.tsx"),
  },
  {
    path: "confirm-email",
    title: "confirm_email.title",
    access: "public",
    page: () => import("./identity/confirm_email.tsx"),
  },
  {
    path: "dashboard",
    title: "dashboard.title",
    access: "fullLogin",
    topics: ["tracking", "billing"],
    page: () => import("./tracking/dashboard.tsx"),
  },
  {
    path: "new-track",
    title: "track.title",
    access: "fullLogin",
    conditions: [activeSubscription, freeCapacity],
    topics: ["tracking"],
    page: () => import("./tracking/track.tsx"),
  },
  {
    path: "update-track/:association_id",
    title: "update.title",
    access: "fullLogin",
    conditions: [ownAssociation],
    topics: ["tracking"],
    page: () => import("./tracking/update.tsx"),
  },
  {
    path: "alerts",
    title: "alerts.title",
    access: "fullLogin",
    topics: ["alerts", "data_classes", "data_groups", "seriousness", "handling", "flags", "advice", "contacts"],
    page: () => import("./breaches/alerts.tsx"),
  },
  {
    path: "test-alerts",
    title: "test_alerts.title",
    access: "fullLogin",
    topics: ["contacts", "drill"],
    page: () => import("./notifications/test_alerts.tsx"),
  },
  {
    path: "screen-track/:child_email",
    title: "monitor.title",
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
      "contacts",
    ],
    page: () => import("./breaches/screen_track.tsx"),
  },
  {
    path: "contacts",
    title: "contact_list.title",
    access: "fullLogin",
    topics: ["contacts"],
    page: () => import("./notifications/contacts.tsx"),
  },
  {
    path: "subscription",
    title: "plans.title",
    access: "fullLogin",
    isThere: hasPlans,
    topics: ["billing"],
    page: () => import("./billing/subscription.tsx"),
  },
  {
    path: "success-order",
    title: "order.title",
    access: "public",
    isThere: hasPlans,
    topics: ["billing"],
    page: () => import("./billing/success_order.tsx"),
  },
  {
    path: "profile",
    title: "profile.title",
    access: "fullLogin",
    topics: ["profile", "billing"],
    page: () => import("./identity/profile.tsx"),
  },
  {
    path: "profile-edit",
    title: "edit.title",
    access: "fullLogin",
    topics: ["profile"],
    page: () => import("./identity/profile_edit.tsx"),
  },
  {
    path: "manage-invitation",
    title: "consent.title",
    access: "public",
    topics: ["consent"],
    page: () => import("./invitations/manage_invitation.tsx"),
  },
  {
    path: "manage-contact",
    title: "contact.title",
    access: "public",
    page: () => import("./notifications/manage_contact.tsx"),
  },
  {
    path: "terms-service",
    title: "terms.title",
    access: "public",
    topics: ["terms"],
    page: () => import("./pages/terms_service.tsx"),
  },
  {
    path: "service-status",
    title: "service_status.title",
    access: "public",
    topics: ["service_status"],
    page: () => import("./service_status/service_status.tsx"),
  },
  { path: "error-page", title: "error_page.title", access: "public", page: () => import("./pages/error_page.tsx") },
];
