import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../src/shared/language.ts";
import { guard } from "../../web/app/guards.ts";
import { NAVIGATION } from "../../web/app/navigation.ts";
import { PAGES, type Page, trailOf } from "../../web/app/page_table.ts";
import { kindOf, TITLES } from "../../web/pages/error_kind.ts";
import { memoryStorage } from "./memory_storage.ts";

const ORIGIN = "https://watch.example";
const AUTHENTICATION = "GET /api/check-user-authentication/";
const SUBSCRIPTION = "GET /api/check-subscription/";
const CAPACITY = "GET /api/check-aggiungere-email/";
const ASSOCIATION = "GET /api/check-user-belong-association/?association_id=a1";
const MONITORING = "GET /api/check-user-autorizzato-monitoraggio/?child_email=kid%40example.org";

/** Section 2 of the specification: who may open a route, and which checks follow the session check. */
const SPECIFIED: Record<string, { access: Page["access"]; asks?: string[] }> = {
  login: { access: "noLogin" },
  register: { access: "noLogin" },
  "forgot-password": { access: "noLogin" },
  "reset-password": { access: "noLogin" },
  "verify-code": { access: "partialLogin" },
  dashboard: { access: "fullLogin" },
  "new-track": { access: "fullLogin", asks: [SUBSCRIPTION, CAPACITY] },
  "screen-track/:child_email": { access: "fullLogin", asks: [MONITORING] },
  "update-track/:association_id": { access: "fullLogin", asks: [ASSOCIATION] },
  alerts: { access: "fullLogin" },
  "test-alerts": { access: "fullLogin" },
  subscription: { access: "fullLogin" },
  profile: { access: "fullLogin" },
  "profile-edit": { access: "fullLogin" },
  support: { access: "fullLogin" },
  suggestions: { access: "fullLogin" },
  "terms-service": { access: "public" },
  "success-order": { access: "public" },
  "manage-invitation": { access: "public" },
  "error-page": { access: "public" },
};

const LEVELS = ["unauthenticated", "partial", "authenticated", "unknown"] as const;
type Level = (typeof LEVELS)[number];

/** Section 4 of the specification: where each access level is redirected. */
const DETOURS: Record<Page["access"], Partial<Record<Level, "login" | "dashboard">>> = {
  public: {},
  noLogin: { authenticated: "dashboard" },
  partialLogin: { unauthenticated: "login", unknown: "login", authenticated: "dashboard" },
  fullLogin: { unauthenticated: "login", partial: "login", unknown: "login" },
  staff: { unauthenticated: "login", partial: "login", unknown: "login" },
};

let asked: string[];
let answers: Record<string, { status: number; body: unknown }>;
const realFetch = globalThis.fetch;

/** The visitor at the guards. */
function somebody(level: Level) {
  answers[AUTHENTICATION] =
    level === "unknown" ? { status: 500, body: { code: "GENERIC" } } : { status: 200, body: { auth_level: level } };
}

beforeEach(() => {
  asked = [];
  answers = {
    "GET /api/instance": { status: 200, body: { billing: "sandbox" } },
    "GET /api/me": { status: 200, body: { staff: true } },
    [SUBSCRIPTION]: { status: 200, body: { status: "trial" } },
    [CAPACITY]: { status: 200, body: { can_add_more: true } },
  };
  globalThis.sessionStorage = memoryStorage();
  globalThis.localStorage = memoryStorage();
  Object.assign(globalThis, { document: { hidden: false }, location: new URL(`${ORIGIN}/en/dashboard`) });
  globalThis.fetch = (async (url: string, { method, body }: RequestInit) => {
    const call = `${method} ${url}`;
    asked.push(call);
    expect(body).toBeUndefined();
    const { status, body: answer } = answers[call] ?? { status: 200, body: {} };
    return Response.json(answer, { status });
  }) as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = realFetch;
  for (const name of ["sessionStorage", "document", "location"]) Reflect.deleteProperty(globalThis, name);
});

const rowOf = (path: string) => PAGES.find((page) => page.path === path);

/** Opens a page; returns where its guard redirects. */
async function open(page: Page, query = ""): Promise<string | undefined> {
  const path = page.path.replace(":association_id", "a1").replace(":child_email", "kid@example.org");
  const request = new Request(`${ORIGIN}/de/${path}${query}`);
  const params = { lang: "de", association_id: "a1", child_email: "kid@example.org" };
  const admit = guard(page.access, page);
  const answer = await admit({ request, params } as unknown as Parameters<typeof admit>[0]);
  return answer instanceof Response ? (answer.headers.get("Location") ?? "") : undefined;
}

const guardCalls = () => asked.filter((call) => call !== "GET /api/instance");

test("the specification's 20 routes all exist, with their access", () => {
  const rows = Object.fromEntries(Object.keys(SPECIFIED).map((path) => [path, rowOf(path)?.access]));
  expect(rows).toEqual(Object.fromEntries(Object.entries(SPECIFIED).map(([path, { access }]) => [path, access])));
  expect(Object.keys(SPECIFIED)).toHaveLength(20);
});

describe.each(PAGES.map((page) => [page.path, page] as const))("the route %s", (path, page) => {
  test.each(LEVELS)("redirects a visitor who is %s as specified, after exactly the specified checks", async (level) => {
    somebody(level);
    const elsewhere = DETOURS[page.access][level];
    expect(await open(page)).toBe(elsewhere && `/de/${elsewhere}`);
    const own = page.access === "staff" ? ["GET /api/me"] : (SPECIFIED[path]?.asks ?? []);
    const asks = level === "authenticated" && elsewhere === undefined ? own : [];
    expect(guardCalls()).toEqual([AUTHENTICATION, ...asks]);
  });

  test("has a title in every language among the texts that it loads", () => {
    // The registration's own texts are a part of `ui.json`.
    const topics = ["ui", ...(page.topics ?? []).filter((topic) => topic !== "registration")];
    for (const language of LANGUAGES) {
      const words: Record<string, string> = Object.assign(
        {},
        ...topics.map((topic) =>
          JSON.parse(readFileSync(join(import.meta.dirname, `../../locales/${language}/${topic}.json`), "utf8")),
        ),
      );
      for (const { title } of [page, ...trailOf(page)])
        expect(words[title] ?? `${language} ${title}`).not.toContain(title);
    }
  });
});

test.each([
  ["new-track", SUBSCRIPTION, { status: 200, body: { status: "inactive" } }, "USER_INACTIVE", [SUBSCRIPTION]],
  [
    "new-track",
    CAPACITY,
    { status: 200, body: { can_add_more: false } },
    "USER_INSUFFICIENT",
    [SUBSCRIPTION, CAPACITY],
  ],
  ["new-track", SUBSCRIPTION, { status: 500, body: { code: "GENERIC" } }, "GENERIC", [SUBSCRIPTION]],
  ["new-track", SUBSCRIPTION, { status: 502, body: "<html>" }, "GENERIC", [SUBSCRIPTION]],
  [
    "update-track/:association_id",
    ASSOCIATION,
    { status: 403, body: { code: "ACCESS_DENIED" } },
    "ACCESS_DENIED",
    [ASSOCIATION],
  ],
  ["update-track/:association_id", ASSOCIATION, { status: 503, body: { code: "BUSY" } }, "BUSY", [ASSOCIATION]],
  ...["MONITORING_NOT_AUTHORISED", "MONITORING_SUSPENDED", "INVITATION_PENDING", "SESSION_EXPIRED"].map(
    (code) => ["screen-track/:child_email", MONITORING, { status: 403, body: { code } }, code, [MONITORING]] as const,
  ),
] as const)("%s, refused by %s, leads to the error page with its code", async (path, call, answer, err, calls) => {
  somebody("authenticated");
  answers[call] = answer;
  const page = rowOf(path);
  expect(page && (await open(page, "?from=mail"))).toBe(`/de/error-page?err=${err}`);
  expect(guardCalls()).toEqual([AUTHENTICATION, ...calls]);
  const filled = path.replace(":association_id", "a1").replace(":child_email", "kid@example.org");
  expect(sessionStorage.getItem("refused")).toBe(`/de/${filled}?from=mail`);
  expect(sessionStorage.getItem("returnTo") !== null).toBe(err === "SESSION_EXPIRED");
});

test("the requested page is kept with its query across the login", async () => {
  somebody("unauthenticated");
  const alerts = rowOf("alerts");
  expect(alerts && (await open(alerts, "?state=pending&search=%C3%A4"))).toBe("/de/login");
  expect(sessionStorage.getItem("returnTo")).toBe("/de/alerts?state=pending&search=%C3%A4");
  somebody("authenticated");
  const login = rowOf("login");
  expect(login && (await open(login))).toBe("/de/alerts?state=pending&search=%C3%A4");
  expect(login && (await open(login))).toBe("/de/dashboard");
});

test("kindOf() returns the specification's values, groups related codes, and treats everything else as general", () => {
  for (const kind of Object.keys(TITLES)) expect(kindOf(kind) as string).toBe(kind);
  expect(kindOf("NOT_FOUND")).toBe("404");
  expect(kindOf("UNAUTHENTICATED")).toBe("SESSION");
  expect(kindOf("SESSION_EXPIRED")).toBe("SESSION");
  expect(kindOf("RATE_LIMITED")).toBe("BUSY");
  for (const other of [null, "", "toString", "__proto__", "user_inactive", "<b>"])
    expect(kindOf(other)).toBe("GENERIC");
  expect(new Set(Object.values(TITLES)).size).toBe(Object.keys(TITLES).length);
});

test("trailOf() leads from the top level to deeper pages", () => {
  expect(trailOf({ parent: "profile" })).toEqual([{ path: "profile", title: "profile.title" }]);
  expect(trailOf({})).toEqual([]);
  const broken = PAGES.filter(({ parent }) => parent !== undefined && rowOf(parent) === undefined);
  expect(broken.map(({ path }) => path)).toEqual([]);
});

test("a page's title equals its entry in the sidebar, in every language", () => {
  for (const language of LANGUAGES) {
    const folder = join(import.meta.dir, "../../locales", language);
    const words: Record<string, string> = {};
    for (const name of readdirSync(folder)) Object.assign(words, JSON.parse(readFileSync(join(folder, name), "utf8")));
    const titles = NAVIGATION.map(({ path }) => words[PAGES.find((page) => page.path === path)?.title ?? ""]);
    expect(titles).toEqual(NAVIGATION.map(({ label }) => words[label]));
  }
});
