import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { TERMS } from "../../src/shared/terms.ts";
import type {
  Association,
  AssociationPage,
  AuthLevel,
  ConsentLink,
  Contact,
  Dashboard,
  Instance,
  Managed,
  Me,
  Method,
} from "../../web/api/api.ts";
import type { ServiceNotice, ServiceStatus } from "../../web/api/service_api.ts";
import { type Account, account, accountAnswer, type Given } from "./fake_account.ts";
import { type AlertScene, answerAlerts } from "./fake_alert_calls.ts";
import { ALICE, ago, alerts, details, HOUR } from "./fake_alerts.ts";
import { type AliasScene, aliases, answerAliases } from "./fake_aliases.ts";
import { answerBilling, type BillingScene, billing } from "./fake_billing.ts";
import { answerConsent, consentLink, monitoring } from "./fake_consent.ts";
import { answerContacts, type ContactScene, contactScene } from "./fake_contacts.ts";
import { answerDomains, type DomainScene, domainScene } from "./fake_domains.ts";
import { answerDrill, type DrillScene } from "./fake_drill.ts";
import { answerLetters, type LetterScene, letters } from "./fake_letters.ts";
import { openApiDocument } from "./fake_openapi.ts";
import { pageOf } from "./fake_page.ts";
import { serviceStatus } from "./fake_service_status.ts";
import { answerSupport, type SupportScene, someTickets } from "./fake_support.ts";
import { answerTraces, found, type TraceScene, traces } from "./fake_traces.ts";
import { answerTracking, permissions, type TrackingScene } from "./fake_tracking.ts";

/** The state of the fake server; a test changes the part it is about. */
export type Scene = TrackingScene &
  AlertScene &
  BillingScene &
  ContactScene &
  DrillScene &
  TraceScene &
  AliasScene &
  LetterScene &
  DomainScene &
  SupportScene & {
    level: AuthLevel;
    instance: Instance;
    me: Me;
    /** The target of the mailed link. */
    consentLink: ConsentLink;
    serviceStatus: ServiceStatus;
    serviceNotice: ServiceNotice | null;
    cap: number | null;
    managed: Managed | null;
    /** Overdue checks. */
    stale: AssociationPage["stale"];
    /** The available second steps of the current log-in, and when a new code may be requested. */
    methods: Method[];
    resendAfter: number;
    /** No mail can be sent at the moment. */
    mailDelayed: boolean;
    account: Account;
    /** Responses that replace the usual ones, by "METHOD /path". */
    answers: Record<string, Given>;
  };

function contact(value: string, state: Contact["state"] = "active"): Contact {
  return { channel: "email", value, state };
}

function association(id: string, address: string, more: Partial<Association>): Association {
  return {
    id,
    address,
    status: "safe",
    language: "en",
    pendingAlerts: 0,
    contacts: [contact(ALICE)],
    owner: true,
    consent: "own",
    scope: FULL_SCOPE,
    paused: false,
    suspended: false,
    preferred: false,
    checkedAt: ago(3 * HOUR),
    nextCheckAt: ago(-21 * HOUR),
    ...more,
  };
}

/** A sign-in provider as the instance describes it. */
export function provider(
  name: string,
  changed: Partial<Instance["providers"][number]> = {},
): Instance["providers"][number] {
  const label = { google: "Google", github: "GitHub", microsoft: "Microsoft" }[name] ?? "Home";
  const icon = name === "google" || name === "github" || name === "microsoft" ? name : "key";
  return { name, label, icon, singleLogout: false, ...changed };
}

export function scene(change: Partial<Scene> = {}): Scene {
  const bounced = [contact(ALICE), contact("security-operations@long-company-name.example", "broken")];
  return {
    level: "authenticated",
    instance: {
      demonstration: true,
      mailbox: true,
      inbox: ["email"],
      billing: "sandbox",
      registration: { mode: "open", domains: [] },
      providers: [],
      providersOnly: false,
      channels: ["email"],
      sources: ["bundled"],
      operator: { name: "Example Operator", canton: "Zürich", supportEmail: "support@example.com" },
      statusPageUrl: null,
      exampleAddresses: ["account-exists@hibp-integration-tests.com", "multiple-breaches@hibp-integration-tests.com"],
    },
    me: {
      firstName: "Alice",
      lastName: "Archer",
      email: ALICE,
      language: "en",
      companyName: null,
      staff: false,
      terms: { current: TERMS.version, accepted: TERMS.version },
    },
    associations: [
      association("a1", ALICE, { status: "breached", pendingAlerts: 4 }),
      association("a2", "bob@example.org", {
        owner: false,
        consent: "granted",
        scope: { details: false, sensitive: false },
        contacts: [contact("bob@example.org", "unconfirmed")],
      }),
      association("a3", "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example", {
        status: "inactive",
        suspended: true,
        contacts: bounced,
        nextCheckAt: null,
      }),
      association("a4", "new@example.net", { status: "active", checkedAt: null }),
    ],
    ...permissions(),
    ...contactScene(),
    drill: null,
    alerts: alerts(),
    details: details(),
    seenAt: null,
    monitoring: monitoring(),
    traces: traces(),
    aliases: aliases(),
    letters: letters(),
    ...domainScene(),
    found: found(),
    consentLink: consentLink(),
    serviceStatus: serviceStatus(),
    serviceNotice: null,
    cap: 10,
    managed: null,
    stale: null,
    ...billing(),
    tickets: someTickets(),
    methods: ["email"],
    resendAfter: 0,
    mailDelayed: false,
    answers: {},
    ...change,
    // Responses change the account, not the scene, which several tests share.
    account: structuredClone(change.account ?? account()),
  };
}

function associationsOf({ associations, cap, stale }: Scene, query: URLSearchParams): AssociationPage {
  const search = query.get("search") ?? "";
  const status = query.get("status") ?? "all";
  const found = associations.filter(
    (one) => one.address.includes(search) && (status === "all" || one.status === status),
  );
  const count = (wanted: Association["status"]) => associations.filter((one) => one.status === wanted).length;
  const counts = {
    all: associations.length,
    safe: count("safe"),
    active: count("active"),
    breached: count("breached"),
    inactive: count("inactive"),
  };
  const pending = associations.map(({ pendingAlerts }) => pendingAlerts);
  const waiting = {
    addresses: pending.filter((alerts) => alerts > 0).length,
    alerts: pending.reduce((sum, alerts) => sum + alerts, 0),
  };
  return { ...pageOf(found, query), capacity: { used: associations.length, cap }, counts, waiting, stale };
}

function dashboardOf(stage: Scene, query: URLSearchParams): Dashboard {
  const { sent, requests, grants, managed, alerts } = stage;
  const paged = <Item>(items: Item[], name: string) =>
    pageOf(items, new URLSearchParams({ page: query.get(name) ?? "1" }));
  return {
    tracked: associationsOf(stage, query),
    managed,
    urgentAlertId: alerts.find(({ state }) => state === "pending")?.id ?? null,
    sent: paged(sent, "sentPage"),
    requests: paged(requests, "requestsPage"),
    mayWatch: paged(grants.mayWatch, "mayWatchPage"),
    watchedBy: paged(grants.watchedBy, "watchedByPage"),
  };
}

type Call = { method: string; url: URL; body: unknown };

/** The response to a browser's call, according to the API's table. */
export function answer(stage: Scene, { method, url: { pathname, searchParams }, body: sent }: Call): Given {
  const call = `${method} ${pathname}`;
  const other = stage.answers[call];
  if (other) return other;
  const own = accountAnswer(stage.account, call, sent);
  if (own) return own;
  const fixed: Record<string, () => unknown> = {
    "GET /api/check-user-authentication/": () => ({ auth_level: stage.level }),
    "GET /api/check-subscription/": () => ({ status: "trial" }),
    "GET /api/check-aggiungere-email/": () => ({ can_add_more: true }),
    "GET /api/check-user-autorizzato-monitoraggio/": () => ({}),
    "GET /api/monitoring": () => stage.monitoring,
    "GET /api/instance": () => stage.instance,
    "GET /api/openapi.json": () => openApiDocument(stage.instance.channels),
    "GET /api/service-status": () => stage.serviceStatus,
    "GET /api/service-notice": () => ({ notice: stage.serviceNotice }),
    "GET /api/me": () => stage.me,
    "POST /api/terms/accept": () => {
      stage.me = { ...stage.me, terms: { current: TERMS.version, accepted: TERMS.version } };
      return stage.me.terms;
    },
    "GET /api/associations": () => associationsOf(stage, searchParams),
    "GET /api/dashboard": () => dashboardOf(stage, searchParams),
    "POST /api/login": () => ({ email: ALICE, methods: stage.methods }),
    "GET /api/sign-in": () => ({
      email: ALICE,
      methods: stage.methods,
      resendAfter: stage.resendAfter,
      mailDelayed: stage.mailDelayed,
    }),
    "POST /api/email-change/inspect": () => ({
      email: "alice.new@example.org",
      account: { name: "Alice Archer", email: "a…@example.com" },
    }),
    "POST /api/email-change/confirm": () => ({ email: "alice.new@example.org" }),
    "POST /api/resend-code": () => ({ retryAfter: 60 }),
    "POST /api/forgot-password": () => ({ email: ALICE }),
    "POST /api/reset-password/check": () => ({}),
    "POST /api/reset-password": () => ({}),
    "POST /api/logout": () => ({ url: null }),
    "POST /api/contact-links/inspect": () => ({
      purpose: "confirm",
      channel: "email",
      value: "b•••@example.org",
      state: "unconfirmed",
      language: "en",
    }),
    "POST /api/contact-links/confirm": () => ({ state: "active" }),
  };
  const body =
    fixed[call]?.() ??
    answerDrill(stage, call, sent) ??
    answerTraces(stage, call, sent) ??
    answerAliases(stage, { call, sent }) ??
    answerLetters(stage, call, sent) ??
    answerDomains(stage, call, sent) ??
    answerContacts(stage, { call, query: searchParams, sent }) ??
    answerAlerts(stage, { call, query: searchParams, sent }) ??
    answerBilling(stage, call, sent) ??
    answerSupport(stage, call, { query: searchParams, sent }) ??
    answerTracking(stage, { call, sent }) ??
    answerConsent(stage.consentLink, call, sent);
  return body === undefined ? { status: 404, body: { code: "NOT_FOUND" } } : { status: 200, body };
}
