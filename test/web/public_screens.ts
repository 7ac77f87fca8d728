import { TERMS } from "../../src/shared/terms.ts";
import { ago, HOUR } from "./fake_alerts.ts";
import { type Scene, scene as usualScene } from "./fake_api.ts";
import { consentLink, grantedLink, longStory, managed, monitoring, undisclosed, unexplained } from "./fake_consent.ts";
import { asked } from "./fake_traces.ts";
import { openFolds } from "./folds.ts";
import type { Screen } from "./screen.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };
const notAsked = { ...usualScene().me, terms: { current: TERMS.version, accepted: null } };
const unsubscribe = {
  purpose: "unsubscribe",
  channel: "email",
  value: "b•••@example.org",
  state: "active",
  language: "en",
};
const deadLink = { status: 410, body: { code: "INVITATION_INVALID" } };

const SCREEN = "/screen-track/alice.archer%40example.com";
const CONSENT = "/manage-invitation#t=token";

/** An address, consent to track it, and the public pages, in every state. */
export const PUBLIC_SCREENS: Record<string, Screen> = {
  "screen-track": {
    path: SCREEN,
    act: async (page) => {
      await page.getByRole("slider").focus();
      await openFolds(page.locator("main"));
    },
  },
  "screen-track of a long story": {
    path: SCREEN,
    scene: { monitoring: longStory() },
    act: (page) => openFolds(page.locator("main")),
  },
  "screen-track of breaches that nobody explains": {
    path: SCREEN,
    scene: { monitoring: unexplained() },
  },
  "screen-track without details": { path: SCREEN, scene: { monitoring: undisclosed() } },
  "screen-track of a watched person": { path: SCREEN, scene: { monitoring: managed() } },
  "screen-track with pastes and a stealer log": { path: SCREEN, scene: { traces: asked() } },
  "screen-track with neither pastes nor a stealer log": {
    path: SCREEN,
    scene: { traces: asked({ pastes: [], sites: [] }) },
  },
  "screen-track without stealer logs for its domain": {
    path: SCREEN,
    scene: { traces: asked({ sites: null, sitesRefused: true, askAgainAt: ago(-HOUR) }) },
  },
  "screen-track of a safe address": {
    path: SCREEN,
    scene: { monitoring: monitoring({ findings: [], pending: 0, status: "safe" }) },
  },
  "screen-track before the first check": {
    path: SCREEN,
    scene: { monitoring: monitoring({ findings: [], pending: 0, status: "active", checkedAt: null }) },
  },
  "screen-track of a paused address": {
    path: SCREEN,
    scene: { monitoring: monitoring({ findings: [], pending: 0, status: "inactive", nextCheckAt: null }) },
  },
  "screen-track that failed": {
    path: SCREEN,
    scene: { answers: { "GET /api/monitoring": { status: 500, body: { code: "GENERIC" } } } },
  },
  "manage-invitation": { path: CONSENT, scene: stranger },
  "manage-invitation before declining": {
    path: CONSENT,
    scene: stranger,
    act: async (page) => {
      await page.locator("main button").nth(1).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  "manage-invitation after accepting": {
    path: CONSENT,
    scene: stranger,
    act: async (page) => {
      await page.locator("main button").first().click();
      await page.locator("input[readonly]").waitFor();
      await page.locator("main summary").first().click();
    },
  },
  "manage-invitation for what was agreed to": { path: CONSENT, scene: { consentLink: grantedLink() } },
  "manage-invitation for one's own address": {
    path: CONSENT,
    scene: { ...stranger, consentLink: consentLink({ kind: "ownership" }) },
  },
  "manage-invitation for one's own confirmed address": {
    path: CONSENT,
    scene: { ...stranger, consentLink: grantedLink({ kind: "ownership" }) },
  },
  "manage-invitation after withdrawing": {
    path: CONSENT,
    scene: { ...stranger, consentLink: grantedLink() },
    act: async (page) => {
      await page.locator("main section button").last().click();
      await page.getByRole("dialog").locator("button").last().click();
      await page.locator("main button").first().waitFor({ state: "detached" });
    },
  },
  "manage-invitation with a dead link": {
    path: CONSENT,
    scene: { ...stranger, answers: { "POST /api/invitation-links/inspect": deadLink } },
  },
  "manage-invitation that failed": {
    path: CONSENT,
    scene: { ...stranger, answers: { "POST /api/invitation-links/inspect": { status: 500, body: {} } } },
  },
  "manage-contact": { path: "/manage-contact#t=token", scene: stranger },
  "manage-invitation with half a link": { path: "/manage-invitation", scene: stranger },
  "manage-contact with half a link": { path: "/manage-contact", scene: stranger },
  "manage-contact to stop": {
    path: "/manage-contact#t=token",
    scene: { ...stranger, answers: { "POST /api/contact-links/inspect": { status: 200, body: unsubscribe } } },
  },
  "terms-service": { path: "/terms-service", scene: stranger },
  "privacy-notice": { path: "/privacy-notice", scene: stranger },
  "accept-terms": { path: "/accept-terms", scene: { me: notAsked } },
  "accept-terms once it is done": { path: "/accept-terms" },
  "error-page": { path: "/error-page?err=USER_INSUFFICIENT" },
};
