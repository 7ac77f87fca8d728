import { beforeEach, describe, expect, test } from "bun:test";
import { type MemoryProvider, memoryProvider } from "../memory/identity/provider.ts";
import { type Ground, memoryGround, settle, worldOn } from "../support/world.ts";
import { AT_GOOGLE } from "./provider_world.ts";

const EMAIL = "alice@example.com";
const PASSWORD = "Tranquil-Harbour-42";

let ground: Ground;
let google: MemoryProvider;
let world: ReturnType<typeof worldOn>;

beforeEach(() => {
  google = memoryProvider("google");
  ground = { ...memoryGround(), providers: [google] };
  world = worldOn(ground);
});

/** A browser with its own cookies. */
function browser(origin = "same-origin") {
  const jar = new Map<string, string>();
  async function send(method: string, path: string, body?: object) {
    const headers = new Headers({
      "Sec-Fetch-Site": origin,
      Cookie: [...jar].map((pair) => pair.join("=")).join("; "),
    });
    if (body) headers.set("Content-Type", "application/json");
    const answer = await world.app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const cookies = answer.headers.getSetCookie();
    for (const cookie of cookies) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split("=") ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text), text, cookies };
  }
  const post = (path: string, body: object = {}) => send("POST", path, body);
  const visitor = {
    jar,
    send,
    post,
    async signIn() {
      await post("/api/login", { email: EMAIL, password: PASSWORD });
      return post("/api/verify-code", { code: "123456" });
    },
    /** Starts a visit; returns what the provider would redirect back with. */
    async leave(purpose: "sign_in" | "link" = "sign_in") {
      const { body } = await post("/api/providers/google/start", { purpose });
      return google.consent(body.url, AT_GOOGLE);
    },
  };
  return visitor;
}

async function register() {
  const names = { firstName: "Alice", lastName: "Meyer", language: "en", terms: true };
  await browser().post("/api/register", { ...names, email: EMAIL, password: PASSWORD, confirmPassword: PASSWORD });
  await browser().signIn();
  await settle(world);
  ground.clock.pass(120_000);
}

describe("providerRoutes()", () => {
  test("providerRoutes() lead to the provider, back, through the second step, and list the link", async () => {
    await register();
    const visitor = browser();
    const start = await visitor.post("/api/providers/google/start");
    expect(start.status).toBe(200);
    expect(start.body.url).toStartWith("https://google.example/");
    const attributes = start.cookies[0]?.replace(/=[\w-]+;/, "=SEALED;").split("; ");
    expect(attributes?.toSorted()).toEqual([
      ...["HttpOnly", "Max-Age=600", "Path=/", "SameSite=Lax", "Secure", "__Host-provider=SEALED"],
    ]);
    const { state } = google.consent(start.body.url, AT_GOOGLE);
    expect(atob(start.cookies[0]?.split(/[=;]/)[1]?.replaceAll("-", "+").replaceAll("_", "/") ?? "")).not.toContain(
      state,
    );

    const answer = google.consent(start.body.url, AT_GOOGLE);
    const finish = await visitor.post("/api/providers/google/finish", answer);
    expect(finish).toMatchObject({ status: 200, body: { outcome: "second_step", email: EMAIL, methods: ["email"] } });
    expect(finish.text).not.toContain("token");
    expect(visitor.jar.has("__Host-provider")).toBe(false);
    expect((await visitor.send("GET", "/api/sign-in")).body).toMatchObject({ email: EMAIL });
    expect((await visitor.send("GET", "/api/providers")).status).toBe(401);

    expect((await visitor.post("/api/verify-code", { code: "123456" })).status).toBe(200);
    const linkedAt = ground.clock.now().toISOString();
    expect((await visitor.send("GET", "/api/providers")).body).toEqual({
      links: [{ provider: "google", label: "Google", email: EMAIL, linkedAt, canConfirm: false }],
      available: ["google"],
    });
    // The password was not typed when logging in with a provider.
    expect(await visitor.send("DELETE", "/api/providers/google")).toMatchObject({
      status: 403,
      body: { code: "REAUTHENTICATION_REQUIRED" },
    });
  });

  test("providerRoutes() link and unlink a logged-in account", async () => {
    await register();
    const visitor = browser();
    await visitor.signIn();
    const answer = await visitor.leave("link");
    expect(await visitor.post("/api/providers/google/finish", answer)).toMatchObject({
      status: 200,
      body: { outcome: "linked", provider: "google" },
    });
    expect(await visitor.send("DELETE", "/api/providers/google")).toMatchObject({ status: 200, body: {} });
    expect((await visitor.send("DELETE", "/api/providers/google")).status).toBe(404);
    expect((await visitor.send("GET", "/api/providers")).body).toEqual({ links: [], available: ["google"] });
  });

  test("providerRoutes() report an unknown identity for registration, and open no session", async () => {
    const visitor = browser();
    const finish = await visitor.post("/api/providers/google/finish", await visitor.leave());
    const profile = { email: EMAIL, firstName: "Alice", lastName: "Meyer" };
    expect(finish).toMatchObject({ status: 200, body: { outcome: "no_account", profile } });
    expect([...visitor.jar.keys()]).toEqual([]);
  });

  test("providerRoutes() tell clients to retry when the limiter is busy, as password log-ins do", async () => {
    await register();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { identify } = google;
    google.identify = async (asked) => {
      await gate;
      return identify(asked);
    };
    const visitors = Array.from({ length: 11 }, () => browser());
    const answers = await Promise.all(visitors.map((visitor) => visitor.leave()));
    const finish = (at: number) => visitors[at]?.post("/api/providers/google/finish", answers[at]);
    const ten = answers.slice(1).map((_, at) => finish(at));
    const busy = await finish(10);
    expect(busy).toMatchObject({ status: 503, body: { code: "BUSY", retryAfter: 1 } });
    open();
    await Promise.all(ten);
    expect(await finish(10)).toMatchObject({ status: 200, body: { outcome: "second_step" } });
  });

  test("providerRoutes() delete the visit's cookie when it is used or refused", async () => {
    const visitor = browser();
    const { state, code } = await visitor.leave();
    const refused = { status: 401, body: { code: "PROVIDER_REFUSED" } };
    expect(await visitor.post("/api/providers/google/finish", { state: "another", code })).toMatchObject(refused);
    expect(visitor.jar.has("__Host-provider")).toBe(false);
    expect(await visitor.post("/api/providers/google/finish", { state, code })).toMatchObject(refused);
    expect(google.asked()).toBe(0);
  });

  test("providerRoutes() accept the response for the tab that started last", async () => {
    await register();
    const visitor = browser();
    const first = await visitor.leave();
    const second = await visitor.leave();
    expect((await visitor.post("/api/providers/google/finish", second)).status).toBe(200);
    expect((await visitor.post("/api/providers/google/finish", first)).status).toBe(401);
  });

  test("providerRoutes() log nobody in with a response that an attacker initiated", async () => {
    await register();
    const [attacker, victim] = [browser(), browser()];
    const answer = await attacker.leave();
    expect((await victim.post("/api/providers/google/finish", answer)).status).toBe(401);
    await victim.leave();
    expect((await victim.post("/api/providers/google/finish", answer)).status).toBe(401);
    expect([...victim.jar.keys()]).toEqual([]);
  });

  test("providerRoutes() refuse cross-site requests, and change nothing on a GET", async () => {
    const stranger = browser("cross-site");
    for (const path of ["start", "finish"]) {
      const answer = await stranger.post(`/api/providers/google/${path}`, { state: "s", code: "c" });
      expect(answer).toMatchObject({ status: 403, body: { code: "CROSS_SITE" }, cookies: [] });
      expect((await browser().send("GET", `/api/providers/google/${path}?code=c&state=s`)).status).toBe(404);
    }
    expect((await stranger.send("DELETE", "/api/providers/google")).status).toBe(403);
  });

  test("providerRoutes() require a full session and recent reauthentication to link", async () => {
    await register();
    const visitor = browser();
    const start = () => visitor.post("/api/providers/google/start", { purpose: "link" });
    expect(await start()).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" }, cookies: [] });
    await visitor.signIn();
    expect((await start()).status).toBe(200);
    ground.clock.pass(15 * 60_000);
    expect(await start()).toMatchObject({ status: 403, body: { code: "REAUTHENTICATION_REQUIRED" }, cookies: [] });
  });

  test.each([
    ["facebook/start", {}, 404],
    ["github/start", {}, 404],
    ["google/start", { purpose: "admin" }, 422],
    ["google/start", { redirect: "https://evil.example" }, 422],
    ["google/finish", {}, 422],
    ["google/finish", { state: "s", code: "" }, 422],
    ["google/finish", { state: "s".repeat(201), code: "c" }, 422],
    ["google/finish", { state: ["s"], code: { c: 1 } }, 422],
    ["__proto__/finish", { state: "s", code: "c" }, 404],
  ])("providerRoutes() reject %s with %j", async (path, body, status) => {
    expect((await browser().post(`/api/providers/${path}`, body)).status).toBe(status);
  });

  test("GET /api/instance lists the configured providers and channels", async () => {
    expect((await browser().send("GET", "/api/instance")).body).toMatchObject({
      providers: [{ name: "google", label: "Google", icon: "key", singleLogout: false }],
      channels: ["email"],
    });
  });
});
