import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { allOperations, isScope } from "../../src/http/operations.ts";
import { API_SCOPES, type ApiScope } from "../../src/shared/api_scopes.ts";
import { aBreach } from "../support/builders.ts";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { makeToken, narrowToken, program } from "./token_world.ts";

const ALICE = "alice@example.com";
/** A name that occurs nowhere else in the world. */
const MARK = "Zqmarkedleak";
const CALLS = allOperations().filter(([, { access }]) => isScope(access));

let world: ReturnType<typeof worldOn>;
let restore: () => void;
let associationId: string;
let alert: { id: string; version: number };
const tokens = {} as Record<ApiScope | "both" | "all", string>;

beforeAll(async () => {
  const ground = memoryGround();
  const breach = aBreach({ name: MARK, title: MARK });
  ground.feed.publish(breach);
  ground.feed.expose(ALICE, MARK);
  world = worldOn(ground);
  const call = await signedUp(world, ALICE);
  await call("POST", "/api/associations", {
    address: ALICE,
    owner: true,
    language: "en",
    contacts: { email: [ALICE] },
  });
  await settle(world);
  const confirmed = await call("POST", "/api/confirm-password", { password: "Tranquil-Harbour-42" });
  expect(confirmed.ok).toBe(true);
  for (const scope of API_SCOPES) tokens[scope] = await narrowToken({ ground, world, email: ALICE }, scope);
  tokens.both = (await makeToken(call, ["addresses:read", "alerts:read"])).token;
  tokens.all = (await makeToken(call, API_SCOPES)).token;
  const list = (await (await call("GET", "/api/associations")).json()) as {
    items: { id: string; status: string; pendingAlerts: number }[];
  };
  expect(list.items).toMatchObject([{ status: "breached", pendingAlerts: 1 }]);
  associationId = list.items[0]?.id ?? "";
  const alerts = (await (await call("GET", "/api/alerts")).json()) as { items: { id: string; version: number }[] };
  alert = alerts.items[0] ?? { id: "", version: 0 };
  restore = ground.snapshot();
});

beforeEach(() => restore());

/** A call that would succeed, by its route. */
function requestOf(route: string): [method: string, path: string, body?: object | undefined] {
  const [method = "", pattern = ""] = route.split(" ");
  const id = pattern.includes("/alerts/") ? alert.id : associationId;
  const query = pattern === "/api/monitoring" ? `?child_email=${encodeURIComponent(ALICE)}` : "";
  const path = pattern.replace(":id", id) + query;
  const contacts = { email: [ALICE] };
  const bodies: Record<string, object> = {
    "POST /api/associations": { address: "new@example.com", owner: false, language: "en", contacts },
    "POST /api/associations/bulk/preview": { text: ALICE },
    "POST /api/associations/remove": { ids: [associationId] },
    "POST /api/associations/keep": { ids: [associationId] },
    "PUT /api/associations/:id": { owner: true, language: "en", contacts, paused: false },
    "POST /api/associations/:id/pause": { paused: false },
    "POST /api/alerts/handle": { alerts: [alert], reason: "done" },
    "POST /api/alerts/reopen": { alerts: [alert] },
    "POST /api/alerts/:id/handle": { version: alert.version, reason: "done" },
    "POST /api/alerts/:id/reopen": { version: alert.version },
    "POST /api/bell/seen": { until: new Date(0).toISOString() },
  };
  return [method, path, ["POST", "PUT"].includes(method) ? (bodies[route] ?? {}) : undefined];
}

/** What reveals a finding: names, ids, states, and non-zero counts of any kind. */
function findingsIn(text: string): string[] {
  const signs = [
    ...[MARK, MARK.toLowerCase(), alert.id, '"breached"', '"safe"'],
    ...['"pendingAlerts":1', '"pending":1', '"fresh":1', '"open":1', '"breaches":1', '"counts":{'],
  ];
  return signs.filter((sign) => text.includes(sign));
}

describe.each(CALLS)("%s", (route) => {
  test.each(API_SCOPES.filter((scope) => scope !== "alerts:read"))(
    "shows no finding to a token with only %s",
    async (scope) => {
      const answer = await program(world, tokens[scope])(...requestOf(route));
      expect(findingsIn(await answer.text())).toEqual([]);
    },
  );
});

test("the list of addresses shows a program with both scopes the same as a person", async () => {
  const answer = await program(world, tokens.both)("GET", "/api/associations");
  expect(await answer.json()).toMatchObject({
    items: [{ address: ALICE, status: "breached", pendingAlerts: 1 }],
    counts: { all: 1, breached: 1 },
  });
});

test("the list of addresses cannot be filtered by findings without the scope for them", async () => {
  const ask = (token: string) => program(world, token)("GET", "/api/associations?status=breached");
  const refused = await ask(tokens["addresses:read"]);
  expect(refused.status).toBe(403);
  expect(refused.headers.get("WWW-Authenticate")).toContain('scope="addresses:read alerts:read"');
  expect((await ask(tokens.both)).status).toBe(200);
  const open = await program(world, tokens["addresses:read"])("GET", "/api/associations");
  expect(await open.json()).toMatchObject({
    items: [{ address: ALICE, status: null, pendingAlerts: null }],
    counts: null,
    total: 1,
  });
});

test("the monitoring of an address requires both scopes", async () => {
  const route = requestOf("GET /api/monitoring");
  const found = await program(world, tokens.both)(...route);
  expect(findingsIn(await found.text())).toContain(MARK);
  for (const scope of ["addresses:read", "alerts:read"] as const)
    expect((await program(world, tokens[scope])(...route)).status).toBe(403);
});
