import type {
  Alert,
  AlertPage,
  Association,
  AssociationPage,
  AuthLevel,
  Contact,
  Instance,
  Me,
  Method,
} from "../../web/api.ts";
import { type Account, account, accountAnswer, type Given } from "./fake_account.ts";

/** What the faked server answers; a test changes what it is about. */
export type Scene = {
  level: AuthLevel;
  instance: Instance;
  me: Me;
  associations: Association[];
  alerts: Alert[];
  cap: number | null;
  daysLeft: number | null;
  /** How the sign-in under way may be completed, and when a new code may be asked for. */
  methods: Method[];
  resendAfter: number;
  account: Account;
  /** Answers instead of the usual ones, by "METHOD /path". */
  answers: Record<string, Given>;
};

const ALICE = "alice.archer@example.com";
const HOUR = 3_600_000;

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

function contact(value: string, state: Contact["state"] = "active"): Contact {
  return { channel: "email", value, state };
}

function association(id: string, address: string, more: Partial<Association>): Association {
  return {
    ...{ id, address, status: "safe", language: "en", pendingAlerts: 0, contacts: [contact(ALICE)] },
    checkedAt: ago(3 * HOUR),
    nextCheckAt: ago(-21 * HOUR),
    ...more,
  };
}

function alert(id: string, title: string, more: Partial<Alert["breach"]>, state: Alert["state"] = "pending"): Alert {
  return {
    ...{ id, associationId: "a1", address: ALICE, state, baseline: true, version: 1 },
    raisedAt: ago(5 * HOUR),
    handledAt: state === "handled" ? ago(2 * HOUR) : null,
    breach: {
      name: title.replaceAll(/\W/g, ""),
      title,
      domain: `${title.toLowerCase().replaceAll(/\W/g, "")}.example`,
      breachDate: "2024-03-12",
      addedDate: "2024-04-02T07:15:00Z",
      dataClasses: ["Email addresses", "Passwords"],
      flags: [],
      pwnCount: 1_234_567,
      ...more,
    },
  };
}

const MANY = ["Dates of birth", "Email addresses", "Genders", "IP addresses", "Names", "Passwords", "Phone numbers"];

function alerts(): Alert[] {
  return [
    alert("b1", "Northwind Cinemas", { dataClasses: MANY, breachDate: "2021-01-05" }),
    alert("b2", "Combolists Posted to Telegram", {
      dataClasses: ["Email addresses", "Passwords"],
      flags: ["unverified"],
    }),
    alert("b3", "Stealer Logs, Jan 2025", { flags: ["stealerLog", "malware"], domain: "" }),
    alert("b4", "Contoso", { dataClasses: ["Email addresses", "Credit cards", "Purchases"] }),
    alert("b5", "Ünïcode Söciety", { dataClasses: ["Email addresses"] }, "handled"),
    alert(
      "b6",
      "99 Bottles",
      { dataClasses: ["Usernames", "Email addresses", "Passwords"], flags: ["spamList"] },
      "handled",
    ),
  ];
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
      association("a2", "bob@example.org", { contacts: [contact("bob@example.org", "unconfirmed")] }),
      association("a3", "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example", {
        ...{ status: "inactive", contacts: bounced, nextCheckAt: null },
      }),
      association("a4", "new@example.net", { status: "active", checkedAt: null }),
    ],
    alerts: alerts(),
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

function pageOf<Item>(items: Item[]) {
  return { items, total: items.length, page: 1, pageSize: 25 };
}

function associationsOf({ associations, cap }: Scene, query: URLSearchParams): AssociationPage {
  const search = query.get("search") ?? "";
  const status = query.get("status") ?? "all";
  const found = associations.filter(
    (one) => one.address.includes(search) && (status === "all" || one.status === status),
  );
  return { ...pageOf(found), capacity: { used: associations.length, cap } };
}

function alertsOf({ alerts: all }: Scene, query: URLSearchParams): AlertPage {
  const state = query.get("state") ?? "all";
  const search = (query.get("search") ?? "").toLowerCase();
  const found = all.filter(
    (one) =>
      (state === "all" || one.state === state) && `${one.breach.title} ${one.address}`.toLowerCase().includes(search),
  );
  return { ...pageOf(found), pending: all.filter((one) => one.state === "pending").length };
}

function toggled({ alerts: all }: Scene, id: string, state: Alert["state"]): Alert | undefined {
  const one = all.find((candidate) => candidate.id === id);
  if (one) Object.assign(one, { state, version: one.version + 1, handledAt: state === "handled" ? ago(0) : null });
  return one;
}

/** The answer to a call of the browser, by the API's table. */
export function answer(stage: Scene, method: string, { pathname, searchParams }: URL): Given {
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
    "GET /api/instance": () => stage.instance,
    "GET /api/me": () => stage.me,
    "GET /api/subscription": () => ({
      ...{ status: "trial", plan: "trial", daysLeft: stage.daysLeft, cap: stage.cap },
      trialEndsAt: ago(-9 * 24 * HOUR),
    }),
    "GET /api/associations": () => associationsOf(stage, searchParams),
    "POST /api/associations": () => ({ id: "a9" }),
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
  const body = fixed[call]?.();
  return body === undefined ? { status: 404, body: { code: "NOT_FOUND" } } : { status: 200, body };
}
