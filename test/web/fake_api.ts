import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type {
  Alert,
  AlertPage,
  Association,
  AssociationPage,
  AuthLevel,
  ConsentLink,
  Contact,
  Instance,
  Me,
  Method,
  Monitoring,
} from "../../web/api.ts";
import { type Account, account, accountAnswer, type Given } from "./fake_account.ts";
import { ALICE, ago, alerts, HOUR } from "./fake_alerts.ts";
import { answerConsent, consentLink, monitoring } from "./fake_consent.ts";
import { pageOf } from "./fake_page.ts";
import { answerTracking, permissions, type TrackingScene } from "./fake_tracking.ts";

/** What the faked server answers; a test changes what it is about. */
export type Scene = TrackingScene & {
  level: AuthLevel;
  instance: Instance;
  me: Me;
  alerts: Alert[];
  /** Of the one address whose screen is opened, and what the mailed link is about. */
  monitoring: Monitoring;
  consentLink: ConsentLink;
  cap: number | null;
  daysLeft: number | null;
  /** How the sign-in under way may be completed, and when a new code may be asked for. */
  methods: Method[];
  resendAfter: number;
  account: Account;
  /** Answers instead of the usual ones, by "METHOD /path". */
  answers: Record<string, Given>;
};

function contact(value: string, state: Contact["state"] = "active"): Contact {
  return { channel: "email", value, state };
}

function association(id: string, address: string, more: Partial<Association>): Association {
  return {
    ...{ id, address, status: "safe", language: "en", pendingAlerts: 0, contacts: [contact(ALICE)] },
    ...{ owner: true, consent: "own", scope: FULL_SCOPE, paused: false, suspended: false, preferred: false },
    checkedAt: ago(3 * HOUR),
    nextCheckAt: ago(-21 * HOUR),
    ...more,
  };
}

export function scene(change: Partial<Scene> = {}): Scene {
  const bounced = [contact(ALICE), contact("security-operations@long-company-name.example", "broken")];
  return {
    level: "authenticated",
    instance: {
      demonstration: true,
      mailbox: true,
      billing: "sandbox",
      providers: [],
      channels: ["email"],
      operator: { name: "Example Operator", canton: "Zürich", supportEmail: "support@example.com" },
      exampleAddresses: ["account-exists@hibp-integration-tests.com", "multiple-breaches@hibp-integration-tests.com"],
    },
    me: { firstName: "Alice", lastName: "Archer", email: ALICE, language: "en", companyName: null },
    associations: [
      association("a1", ALICE, { status: "breached", pendingAlerts: 4 }),
      association("a2", "bob@example.org", {
        ...{ owner: false, consent: "granted", scope: { details: false, sensitive: false } },
        contacts: [contact("bob@example.org", "unconfirmed")],
      }),
      association("a3", "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example", {
        ...{ status: "inactive", suspended: true, contacts: bounced, nextCheckAt: null },
      }),
      association("a4", "new@example.net", { status: "active", checkedAt: null }),
    ],
    ...permissions(),
    alerts: alerts(),
    monitoring: monitoring(),
    consentLink: consentLink(),
    cap: 10,
    daysLeft: 9,
    methods: ["email"],
    resendAfter: 0,
    answers: {},
    ...change,
    // Answers change the account, not the scene that several tests share.
    account: structuredClone(change.account ?? account()),
  };
}

function associationsOf({ associations, cap }: Scene, query: URLSearchParams): AssociationPage {
  const search = query.get("search") ?? "";
  const status = query.get("status") ?? "all";
  const found = associations.filter(
    (one) => one.address.includes(search) && (status === "all" || one.status === status),
  );
  const count = (wanted: Association["status"]) => associations.filter((one) => one.status === wanted).length;
  const counts = {
    ...{ all: associations.length, safe: count("safe"), active: count("active") },
    ...{ breached: count("breached"), inactive: count("inactive") },
  };
  return { ...pageOf(found, query), capacity: { used: associations.length, cap }, counts };
}

function alertsOf({ alerts: all }: Scene, query: URLSearchParams): AlertPage {
  const state = query.get("state") ?? "all";
  const search = (query.get("search") ?? "").toLowerCase();
  const found = all.filter(
    (one) =>
      (state === "all" || one.state === state) &&
      `${one.breach?.title ?? ""} ${one.address}`.toLowerCase().includes(search),
  );
  return { ...pageOf(found, query), pending: all.filter((one) => one.state === "pending").length };
}

function toggled(
  { alerts: all, monitoring: { findings } }: Scene,
  id: string,
  state: Alert["state"],
): Alert | undefined {
  for (const finding of findings) if (finding.alertId === id) Object.assign(finding, { state });
  const one = all.find((candidate) => candidate.id === id);
  if (one) Object.assign(one, { state, version: one.version + 1, handledAt: state === "handled" ? ago(0) : null });
  return one;
}

type Call = { method: string; url: URL; body: unknown };

/** The answer to a call of the browser, by the API's table. */
export function answer(stage: Scene, { method, url: { pathname, searchParams }, body: sent }: Call): Given {
  const call = `${method} ${pathname}`;
  const other = stage.answers[call];
  if (other) return other;
  const own = accountAnswer(stage.account, call);
  if (own) return own;
  const [, id = "", verb] = /^\/api\/alerts\/(\w+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  const fixed: Record<string, () => unknown> = {
    "GET /api/check-user-authentication/": () => ({ auth_level: stage.level }),
    "GET /api/check-subscription/": () => ({ status: "trial" }),
    "GET /api/check-aggiungere-email/": () => ({ can_add_more: true }),
    "GET /api/check-user-autorizzato-monitoraggio/": () => ({}),
    "GET /api/monitoring": () => stage.monitoring,
    "GET /api/instance": () => stage.instance,
    "GET /api/me": () => stage.me,
    "GET /api/subscription": () => ({
      ...{ status: "trial", plan: "trial", daysLeft: stage.daysLeft, cap: stage.cap },
      trialEndsAt: ago(-9 * 24 * HOUR),
    }),
    "GET /api/associations": () => associationsOf(stage, searchParams),
    "GET /api/alerts": () => alertsOf(stage, searchParams),
    "POST /api/login": () => ({ email: ALICE, methods: stage.methods }),
    "GET /api/sign-in": () => ({ email: ALICE, methods: stage.methods, resendAfter: stage.resendAfter }),
    "POST /api/email-change/inspect": () => ({ email: "alice.new@example.org" }),
    "POST /api/email-change/confirm": () => ({ email: "alice.new@example.org" }),
    "POST /api/resend-code": () => ({ retryAfter: 60 }),
    "POST /api/forgot-password": () => ({ email: ALICE }),
    "POST /api/reset-password/check": () => ({}),
    "POST /api/reset-password": () => ({}),
    "POST /api/logout": () => ({}),
    "POST /api/contact-links/inspect": () => ({
      ...{ purpose: "confirm", value: "b•••@example.org", state: "unconfirmed", language: "en" },
    }),
    "POST /api/contact-links/confirm": () => ({ state: "active" }),
    [`GET /api/alerts/${id}`]: () => stage.alerts.find((one) => one.id === id),
    [`POST /api/alerts/${id}/${verb}`]: () => toggled(stage, id, verb === "handle" ? "handled" : "pending"),
  };
  const body =
    fixed[call]?.() ??
    answerTracking(stage, { call, query: searchParams, sent }) ??
    answerConsent(stage.consentLink, call, sent);
  return body === undefined ? { status: 404, body: { code: "NOT_FOUND" } } : { status: 200, body };
}
