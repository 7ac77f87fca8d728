import { beforeEach, describe, expect, test } from "bun:test";
import { browserOf } from "./browser.ts";
import { ALICE, BOB, identityWorld } from "./identity_world.ts";

const LOGIN = { email: ALICE.email, password: ALICE.password };
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";
const YEAR = 365 * 24 * 3600;

let world: ReturnType<typeof identityWorld>;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  await world.identity.register(BOB, { ip: "203.0.113.9" });
});

type Browser = ReturnType<typeof browserOf>;
type Listed = { sessions: { id: string; current: boolean; browser: string | null; system: string | null }[] };

async function signIn(visitor: Browser, account = ALICE): Promise<Awaited<ReturnType<Browser["post"]>>> {
  await visitor.post("/api/login", { email: account.email, password: account.password });
  return visitor.post("/api/verify-code", { code: await world.code() });
}
async function signedIn(agent = FIREFOX, account = ALICE): Promise<Browser> {
  const visitor = browserOf(world);
  visitor.agent(agent);
  await signIn(visitor, account);
  return visitor;
}
const sessionsOf = async (visitor: Browser) => ((await visitor.get("/api/sessions")).body as Listed).sessions;
const attributesOf = (setCookie = "") => setCookie.split("; ").slice(1).toSorted();

describe("the cookie of a known device", () => {
  test("is set with the full session, for a year, with every protection", async () => {
    const visitor = browserOf(world);
    expect((await visitor.post("/api/login", LOGIN)).setCookies).toHaveLength(1);
    const { setCookies } = await visitor.post("/api/verify-code", { code: await world.code() });
    const device = setCookies.find((cookie) => cookie.startsWith("__Host-device="));
    expect(setCookies).toHaveLength(2);
    expect(attributesOf(device)).toEqual(["HttpOnly", `Max-Age=${YEAR}`, "Path=/", "SameSite=Lax", "Secure"]);
  });

  test("is a plain cookie on plain http", async () => {
    const visitor = browserOf(world, false);
    const { setCookies } = await signIn(visitor);
    expect(setCookies.map((cookie) => cookie.split("=")[0])).toEqual(["session", "device"]);
    expect(setCookies.join()).not.toContain("Secure");
  });

  test("survives logging out, and prevents a mail about the next log-in", async () => {
    const visitor = await signedIn();
    await visitor.post("/api/logout");
    expect(visitor.cookieOf("__Host-session")).toBeUndefined();
    await signIn(visitor);
    await signIn(browserOf(world));
    const news = (await world.mails()).filter(({ template }) => template === "new_sign_in");
    expect(news).toHaveLength(1);
  });

  test("is never adopted when it was planted or belongs to somebody else", async () => {
    const bob = await signedIn(FIREFOX, BOB);
    const stolen = bob.cookieOf("__Host-device") ?? "";
    const [bobsId = "", , bobsMark = ""] = stolen.split(".");
    for (const planted of ["planted", `${crypto.randomUUID()}.${bobsMark}`, `${bobsId}.planted.${bobsMark}`]) {
      const visitor = browserOf(world);
      visitor.plant(`__Host-device=${planted}`);
      await signIn(visitor);
      expect(visitor.cookieOf("__Host-device")).not.toContain(planted.split(".")[0] ?? "");
    }
  });
});

describe("a log-in on a new device", () => {
  test("is mailed to the owner with browser, system and approximate location, except the first one", async () => {
    const first = await signedIn(SAFARI);
    expect((await world.mails()).map(({ template }) => template)).toEqual(["login_code"]);
    await first.post("/api/logout");
    await signedIn(FIREFOX);
    const [mail, ...more] = (await world.mails()).filter(({ template }) => template === "new_sign_in");
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: ALICE.email,
      language: "de",
      params: { at: world.now().toISOString(), browser: "Firefox", system: "Linux", ipPrefix: "192.0.2.0/24" },
    });
  });

  test.each([
    ["Your account is closed, call 0900 123 456 now/1 x"],
    ["<b>hello</b>/1.0 (nowhere)"],
    ["\u202Eevil/2 (X11)"],
    ["x".repeat(10_000)],
  ])("puts no attacker-controlled text of %p into a mail", async (agent) => {
    await signedIn();
    await signedIn(agent.replace(/[^\x20-\x7e]/g, "?"));
    const mail = (await world.mails()).find(({ template }) => template === "new_sign_in");
    expect(Object.keys(mail?.params ?? {}).toSorted()).toEqual(["at", "ipPrefix"]);
  });
});

describe("sessionRoutes()", () => {
  test("sessionRoutes() lists two browsers, ends the other one and then itself", async () => {
    const [here, there] = [await signedIn(FIREFOX), await signedIn(SAFARI)];
    const listed = await sessionsOf(here);
    expect(listed.map(({ browser, system, current }) => [browser, system, current]).toSorted()).toEqual([
      ["Firefox", "Linux", true],
      ["Safari", "macOS", false],
    ]);
    const other = listed.find(({ current }) => !current);
    expect(await here.delete(`/api/sessions/${other?.id}`)).toMatchObject({ status: 200, body: {}, setCookies: [] });
    expect(await there.get("/api/me")).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
    expect((await here.get("/api/me")).status).toBe(200);

    const [own] = await sessionsOf(here);
    const gone = await here.delete(`/api/sessions/${own?.id}`);
    expect(gone.setCookie).toContain("__Host-session=; Max-Age=0");
    expect(gone.headers.get("Clear-Site-Data")).toBe('"cache"');
    expect(await here.get("/api/me")).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
  });

  test("sessionRoutes() responds the same to another account's session, an unknown one and a malformed id", async () => {
    const [alice, bob] = [await signedIn(), await signedIn(FIREFOX, BOB)];
    const [bobs] = await sessionsOf(bob);
    for (const id of [bobs?.id, crypto.randomUUID(), "1", "..%2f", "'--"])
      expect(await alice.delete(`/api/sessions/${id}`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect((await bob.get("/api/me")).status).toBe(200);
  });

  test("sessionRoutes() ends all other sessions", async () => {
    const [here, ...others] = [await signedIn(), await signedIn(SAFARI), await signedIn(SAFARI)];
    expect(await here?.post("/api/sessions/end-others")).toMatchObject({ status: 200, body: { ended: 2 } });
    for (const other of others) expect((await other.get("/api/me")).status).toBe(401);
    expect((await here?.get("/api/me"))?.status).toBe(200);
  });

  test("sessionRoutes() reauthenticates under a new cookie, which replaces the old one", async () => {
    const visitor = await signedIn();
    const before = visitor.cookieOf("__Host-session") ?? "";
    world.pass({ minutes: 30 });
    expect(await visitor.post("/api/confirm-password", { password: "Wr0ng-Password" })).toMatchObject({
      status: 403,
      body: { code: "PASSWORD_WRONG", fields: { password: "PASSWORD_WRONG" } },
      setCookies: [],
    });
    const confirmed = await visitor.post("/api/confirm-password", { password: ALICE.password });
    expect(confirmed).toMatchObject({ status: 200, body: {} });
    const maxAge = `Max-Age=${7 * 24 * 3600 - 1800}`;
    expect(attributesOf(confirmed.setCookies[0])).toEqual(["HttpOnly", maxAge, "Path=/", "SameSite=Lax", "Secure"]);
    expect((await visitor.get("/api/me")).status).toBe(200);
    visitor.plant(`__Host-session=${before}`);
    expect(await visitor.get("/api/me")).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
  });

  test("sessionRoutes() locks reauthentication and returns the wait", async () => {
    const visitor = await signedIn();
    for (let i = 0; i < 10; i++) await visitor.post("/api/confirm-password", { password: "Wr0ng-Password" });
    const locked = await visitor.post("/api/confirm-password", { password: ALICE.password });
    expect(locked).toMatchObject({ status: 429, body: { code: "LOCKED", retryAfter: 3600 } });
    expect(locked.headers.get("Retry-After")).toBe("3600");
    expect((await visitor.get("/api/me")).status).toBe(200);
  });

  test("sessionRoutes() lists the account's events", async () => {
    const visitor = await signedIn();
    const { body } = await visitor.get("/api/activity");
    const { events } = body as { events: unknown[] };
    expect(events[0]).toMatchObject({ event: "signed_in", browser: "Firefox", current: true, detail: { by: "email" } });
  });

  test.each([
    ["GET", "/api/sessions"],
    ["GET", "/api/activity"],
    ["DELETE", `/api/sessions/${crypto.randomUUID()}`],
    ["POST", "/api/sessions/end-others"],
    ["POST", "/api/confirm-password"],
  ])("sessionRoutes() requires a full session for %s %s", async (method, path) => {
    const visitor = browserOf(world);
    const call = () =>
      method === "POST" ? visitor.post(path, {}) : method === "GET" ? visitor.get(path) : visitor.delete(path);
    expect(await call()).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    await visitor.post("/api/login", LOGIN);
    expect(await call()).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    visitor.plant("__Host-session=planted");
    expect(await call()).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
  });
});

describe("a token", () => {
  test("of a partial session, a device or a link is not accepted as a session token", async () => {
    const visitor = await signedIn();
    await world.forgot();
    const partial = await world.login();
    const device = visitor.cookieOf("__Host-device") ?? "";
    const full = visitor.cookieOf("__Host-session") ?? "";
    for (const token of [partial, device, await world.resetToken(), await world.code(), world.hashToken(full), ""]) {
      visitor.plant(`__Host-session=${token}`);
      expect((await visitor.get("/api/sessions")).status).toBe(401);
    }
    for (const token of [full, partial, device])
      expect(await visitor.post("/api/reset-password/check", { token })).toMatchObject({
        status: 410,
        body: { code: "RESET_LINK_INVALID" },
      });
  });

  test("of a partial session is void once the full one is open, and cannot be planted again", async () => {
    const visitor = browserOf(world);
    await visitor.post("/api/login", LOGIN);
    const partial = visitor.cookie();
    await visitor.post("/api/verify-code", { code: await world.code() });
    const full = visitor.cookieOf("__Host-session") ?? "";
    expect(partial).not.toContain(full);
    const attacker = browserOf(world);
    attacker.plant(partial);
    expect(await attacker.get("/api/check-user-authentication/")).toMatchObject({
      body: { auth_level: "unauthenticated" },
    });
    expect(await attacker.post("/api/verify-code", { code: await world.code() })).toMatchObject({ status: 401 });
  });

  test("planted by an attacker never becomes the victim's session", async () => {
    const attacker = browserOf(world);
    await attacker.post("/api/login", { email: BOB.email, password: BOB.password });
    const planted = attacker.cookieOf("__Host-session") ?? "";
    const victim = browserOf(world);
    victim.plant(`__Host-session=${planted}`);
    await signIn(victim);
    expect(victim.cookieOf("__Host-session")).not.toBe(planted);
    expect(await attacker.get("/api/check-user-authentication/")).toMatchObject({
      body: { auth_level: "unauthenticated" },
    });
    expect(await world.identity.sessionOf(victim.cookieOf("__Host-session") ?? "")).toMatchObject({
      accountId: (await world.userOf(ALICE.email))?.id ?? "",
    });
  });

  test("replayed after logging out is refused", async () => {
    const visitor = await signedIn();
    const replayed = visitor.cookie();
    await visitor.post("/api/logout");
    visitor.plant(replayed);
    expect(await visitor.get("/api/sessions")).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
    expect(await world.identity.sessionOf("planted")).toBeUndefined();
  });
});
