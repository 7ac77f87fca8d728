import { TERMS } from "../../src/shared/terms.ts";
import { PAGES, type Page } from "../../web/app/page_table.ts";
import { TITLES } from "../../web/pages/error_kind.ts";
import { EVERY_SCREEN } from "./every_screen.ts";
import { type Scene, scene } from "./fake_api.ts";
import { person } from "./fake_domains.ts";
import { STAFF_ID } from "./fake_staff.ts";
import { listed } from "./incident_screens.ts";
import type { Screen } from "./screen.ts";
import { STAFF_ANSWERS } from "./staff_screens.ts";

/** A screen to visit, by its name. */
export type Stop = Screen & { name: string };

const me = scene().me;
const stranger: Partial<Scene> = { level: "unauthenticated" };

/** The visitor of a page. */
const VISITORS: Record<Page["access"], Partial<Scene>> = {
  public: stranger,
  noLogin: stranger,
  partialLogin: { level: "partial" },
  fullLogin: {},
  staff: { me: { ...me, staff: true }, answers: { ...listed().answers, ...STAFF_ANSWERS } },
};

/** Pages that need more than their path. */
const MORE: Record<string, Partial<Screen>> = {
  "reset-password": { path: "/reset-password#t=token" },
  "sign-in/:provider": EVERY_SCREEN["register from a provider"] ?? {},
  "confirm-email": { path: "/confirm-email#t=token" },
  "update-track/:association_id": { path: "/update-track/a2" },
  "screen-track/:child_email": { path: "/screen-track/alice.archer%40example.com" },
  "confirm-alias": { path: "/confirm-alias#t=token" },
  "letters/:alert_id": { path: "/letters/b1" },
  "domains/:id": { path: "/domains/d1" },
  "own-domain": { scene: { ownDomain: person() } },
  "domain-notice": { path: "/domain-notice#t=token" },
  "success-order": { path: "/success-order#t=cs_1" },
  "manage-invitation": { path: "/manage-invitation#t=token" },
  "manage-contact": { path: "/manage-contact#t=token" },
  "accept-terms": { scene: { me: { ...me, terms: { current: TERMS.version, accepted: null } } } },
  "staff/users/:account_id": { path: `/staff/users/${STAFF_ID}` },
  "staff/tickets/:reference": { path: "/staff/tickets/BB-7K3F-92QX" },
  "error-page": { path: "/error-page?err=USER_INSUFFICIENT" },
};

/** Every route of the page table, as shown to those who may open it. */
export const ROUTES: Stop[] = PAGES.map(({ path, access }) => ({
  name: path,
  path: `/${path}`,
  scene: VISITORS[access],
  ...MORE[path],
}));

const ERRORS: Stop[] = Object.keys(TITLES).map((kind) => ({
  name: `error-page of ${kind}`,
  path: `/error-page?err=${kind}`,
}));

/** Every state of every screen. */
export const STATES: Stop[] = [
  ...Object.entries(EVERY_SCREEN).map(([name, screen]) => ({ name, ...screen })),
  ...ERRORS,
];
