import { beforeEach, describe, expect, test } from "bun:test";
import { MINUTE } from "../support/clock.ts";
import { type Ground, memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { makeToken, program } from "./token_world.ts";

const ALICE = "alice@example.com";
const PASSWORD = "Tranquil-Harbour-42";
type Call = Awaited<ReturnType<typeof signedUp>>;

let ground: Ground;
let world: ReturnType<typeof worldOn>;
let alice: Call;
let cookie: string;

beforeEach(async () => {
  ground = memoryGround();
  world = worldOn(ground);
  alice = await signedUp(world, ALICE);
  const confirmed = await alice("POST", "/api/confirm-password", { password: PASSWORD });
  cookie = confirmed.headers.get("Set-Cookie")?.split(";")[0] ?? "";
});

async function told(answer: Response) {
  return { status: answer.status, ...((await answer.json()) as { code?: string; fields?: object }) };
}

describe("Creating a token", () => {
  const input = { name: "Home server", scopes: ["alerts:read"], days: 90 };

  test("requires recent reauthentication", async () => {
    ground.clock.pass(16 * MINUTE);
    expect(await told(await alice("POST", "/api/tokens", input))).toMatchObject({
      status: 403,
      code: "REAUTHENTICATION_REQUIRED",
    });
  });

  test("shows it once, and is reported by mail and in the activity", async () => {
    const { token, id } = await makeToken(alice, ["alerts:read"], 90);
    expect(token).toMatch(/^bb_[0-9A-Za-z]{49}$/);
    const list = await (await alice("GET", "/api/tokens")).json();
    expect(list).toEqual({
      items: [
        {
          id,
          name: "Home server",
          scopes: ["alerts:read"],
          createdAt: "2026-11-20T12:00:00.000Z",
          expiresAt: "2027-02-18T12:00:00.000Z",
          expired: false,
          lastUsedAt: null,
          lastIpPrefix: null,
        },
      ],
      max: 20,
    });
    expect(JSON.stringify(list)).not.toContain(token);
    await settle(world);
    const mail = ground.sender.sent.at(-1);
    expect(mail?.content.subject).toBe("Personal token created for your Breachbell account");
    expect(JSON.stringify(mail)).toContain("Home server");
    expect(JSON.stringify(mail)).not.toContain(token);
    const { events } = (await (await alice("GET", "/api/activity")).json()) as { events: { event: string }[] };
    expect(events[0]).toMatchObject({ event: "api_token_created", detail: { name: "Home server" } });
  });

  test("names invalid fields of the form", async () => {
    const answers = [
      [{ ...input, name: " " }, { name: "TOKEN_NAME_REQUIRED" }],
      [{ ...input, scopes: [] }, { scopes: "SCOPE_REQUIRED" }],
      [{ ...input, scopes: ["everything"] }, { "scopes.0": "SCOPE_REQUIRED" }],
      [{ ...input, scopes: ["alerts:write"] }, { scopes: "SCOPE_INCOMPLETE" }],
      [{ ...input, scopes: ["addresses:read", "events:read"] }, { scopes: "SCOPE_INCOMPLETE" }],
      [{ ...input, days: 31 }, { days: "FIELD_REQUIRED" }],
      [{ ...input, admin: true }, { admin: "INVALID_INPUT" }],
    ] as const;
    for (const [body, fields] of answers)
      expect(await told(await alice("POST", "/api/tokens", body))).toEqual({
        status: 422,
        code: "INVALID_INPUT",
        fields,
      });
  });

  test("stops at twenty, even if many are created concurrently", async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => alice("POST", "/api/tokens", input)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused && (await told(refused))).toEqual({ status: 422, code: "TOO_MANY_TOKENS" });
    expect(await (await alice("POST", "/api/tokens/revoke-all", {})).json()).toEqual({ revoked: 20 });
    expect((await alice("POST", "/api/tokens", input)).status).toBe(201);
  });
});

describe("A request with a token", () => {
  test("needs no origin, but the type of a body is still checked", async () => {
    const { token } = await makeToken(alice);
    const ask = program(world, token, { "Sec-Fetch-Site": "cross-site", Origin: "https://elsewhere.example" });
    const body = { address: ALICE, owner: true, language: "en", contacts: { email: [ALICE] } };
    expect((await ask("POST", "/api/associations", body)).status).toBe(201);
    const form = await world.app.request("/api/associations", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/x-www-form-urlencoded" },
      body: "address=a",
    });
    expect(await told(form)).toMatchObject({ status: 415, code: "MEDIA_TYPE_UNSUPPORTED" });
  });

  test("does not allow other sites' pages to use the API", async () => {
    const headers = { Origin: "https://elsewhere.example", "Access-Control-Request-Headers": "authorization" };
    const preflight = await world.app.request("/api/alerts", { method: "OPTIONS", headers });
    expect(preflight.status).toBe(405);
    const { token } = await makeToken(alice);
    const answer = await program(world, token, { Origin: "https://elsewhere.example" })("GET", "/api/alerts");
    expect(
      [...preflight.headers.keys(), ...answer.headers.keys()].filter((name) => name.startsWith("access-")),
    ).toEqual([]);
  });

  test("acts for its account, whoever the cookie belongs to", async () => {
    const bob = await signedUp(world, "bob@example.net");
    await bob("POST", "/api/confirm-password", { password: PASSWORD });
    const { token } = await makeToken(bob, ["addresses:read"]);
    const body = { address: ALICE, owner: true, language: "en", contacts: { email: [ALICE] } };
    await alice("POST", "/api/associations", body);
    const seen = await program(world, token, { Cookie: cookie })("GET", "/api/associations");
    expect(await seen.json()).toMatchObject({ total: 0 });
  });

  test.each([
    "",
    "Bearer",
    "Bearer ",
    "bearer x",
    "Bearer a b",
    "Token bb_x",
    "bb_x",
    "Bearer bb_",
    "Bearer,",
    "Bearer\tx",
  ])("with %p never falls back to the cookie", async (header) => {
    const headers = { Authorization: header, Cookie: cookie };
    expect((await world.app.request("/api/me", { headers: { Cookie: cookie } })).status).toBe(200);
    for (const path of ["/api/me", "/api/associations", "/api/service-status"]) {
      const answer = await world.app.request(path, { headers });
      expect({ path, ...(await told(answer)) }).toEqual({ path, status: 401, code: "TOKEN_INVALID" });
      expect(answer.headers.get("WWW-Authenticate")).toStartWith('Bearer realm="Breachbell", error="invalid_');
    }
  });

  test("ignores the password of a proxy in front of the website", async () => {
    const headers = { Authorization: "Basic YTpi", Cookie: cookie };
    expect((await world.app.request("/api/me", { headers })).status).toBe(200);
    // Which does not prove where a request comes from.
    const change = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: "{}" };
    expect(await told(await world.app.request("/api/logout", change))).toMatchObject({ code: "CROSS_SITE" });
  });

  test("is told what would help: to log in, if it has no credentials", async () => {
    const answer = await world.app.request("/api/alerts");
    expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([401, 'Bearer realm="Breachbell"']);
  });

  test("counts no path that does not exist", async () => {
    const { token } = await makeToken(alice);
    expect(await told(await program(world, token)("GET", "/api/nothing"))).toMatchObject({ status: 404 });
  });
});
