import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { allOperations, isScope } from "../../src/http/operations.ts";
import { memoryGround, signedUp, worldOn } from "../support/world.ts";
import { HALF_WAY, WITHOUT_SESSION } from "./route_kinds.ts";

const ALICE = { email: "alice@example.com", password: "Tranquil-Harbour-42" };
const SOMETHING = "00000000-0000-4000-8000-000000000000";

const ROUTES = allOperations()
  .filter(([route, { access }]) => route.includes(" /api/") && (access === "website" || isScope(access)))
  .map(([route]) => route);
const GUARDED = ROUTES.filter((route) => !WITHOUT_SESSION.includes(route) && !HALF_WAY.includes(route));

const ground = memoryGround();
const world = worldOn(ground);
let restore: () => void;
let halfWay = "";

beforeAll(async () => {
  const call = await signedUp(world, ALICE.email);
  await call("POST", "/api/logout", {});
  const started = await call("POST", "/api/login", ALICE);
  halfWay = started.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  restore = ground.snapshot();
});
beforeEach(() => restore());

/** The status and the code for an empty object as body. */
async function answerTo(route: string, cookie: string): Promise<[number, string]> {
  const [method = "", pattern = ""] = route.split(" ");
  const isSent = method === "POST" || method === "PUT";
  const answer = await world.app.request(pattern.replaceAll(/:\w+/g, SOMETHING), {
    method,
    headers: { "Sec-Fetch-Site": "same-origin", Cookie: cookie, ...(isSent && { "Content-Type": "application/json" }) },
    ...(isSent && { body: "{}" }),
  });
  const { code = "" } = (await answer.json().catch(() => ({}))) as { code?: string };
  return [answer.status, code];
}

describe("Every route that acts for a person", () => {
  test("has a guard, or is on a list of those that need no session", () => {
    expect([...WITHOUT_SESSION, ...HALF_WAY].filter((route) => !ROUTES.includes(route))).toEqual([]);
    expect(GUARDED.length).toBeGreaterThan(80);
  });

  test.each(GUARDED)("refuses requests without a session and with a partial one: %s", async (route) => {
    expect(await answerTo(route, "")).toEqual([401, "UNAUTHENTICATED"]);
    expect(await answerTo(route, "__Host-session=forged")).toEqual([401, "SESSION_EXPIRED"]);
    expect(await answerTo(route, halfWay)).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("detects a partial session where only the second step is allowed", async () => {
    expect((await answerTo("GET /api/sign-in", halfWay))[0]).toBe(200);
    expect((await answerTo("GET /api/sign-in", ""))[0]).toBe(401);
  });
});
