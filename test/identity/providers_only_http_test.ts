import { beforeEach, describe, expect, test } from "bun:test";
import { type MemoryProvider, memoryProvider } from "../memory/identity/provider.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle } from "../support/world.ts";
import { AT_HOME, HOME_ISSUER } from "./provider_world.ts";

let ground: Ground;
let home: MemoryProvider;
let world: ReturnType<typeof composed>;
beforeEach(() => {
  home = memoryProvider("oidc", { key: HOME_ISSUER, label: "Home" });
  ground = { ...memoryGround(), providers: [home] };
  world = composed(adaptersOn(ground), { providersOnly: true });
});

/** A browser with its own cookies. */
function browser() {
  const jar = new Map<string, string>();
  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await world.app.request(path, {
      method,
      headers: {
        "Sec-Fetch-Site": "same-origin",
        Cookie: [...jar].map((pair) => pair.join("=")).join("; "),
        ...(body && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";")[0]?.split("=") ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return { status: answer.status, body: JSON.parse((await answer.text()) || "null"), headers: answer.headers };
  }
  const post = (path: string, body: object = {}) => send("POST", path, body);
  return {
    jar,
    send,
    post,
    async visit(profile = AT_HOME, purpose = "sign_in") {
      const { body } = await post("/api/providers/oidc/start", { purpose });
      return post("/api/providers/oidc/finish", { ...home.consent(body.url, profile), language: "fr" });
    },
  };
}
type Browser = ReturnType<typeof browser>;

async function signedIn(): Promise<Browser> {
  const visitor = browser();
  expect((await visitor.visit()).body).toMatchObject({ outcome: "second_step", email: "alice@example.com" });
  expect(await visitor.post("/api/verify-code", { code: "123456" })).toMatchObject({
    status: 200,
    body: { language: "fr" },
  });
  await settle(world);
  return visitor;
}

const PASSWORD = "Tranquil-Harbour-42";
const NEW = { password: PASSWORD, confirmPassword: PASSWORD };
const NAMES = { firstName: "Alice", lastName: "Meyer", language: "en", terms: true };
const off = { status: 403, body: { code: "PASSWORDS_OFF" } };

describe("With OIDC_ONLY", () => {
  test.each([
    ["/api/register", { ...NAMES, ...NEW, email: "alice@example.com" }],
    ["/api/login", { email: "alice@example.com", password: PASSWORD }],
    ["/api/forgot-password", { email: "alice@example.com" }],
    ["/api/reset-password/check", { token: "t" }],
    ["/api/reset-password", { token: "t", ...NEW }],
  ])("POST %s is refused, also with a wrong body, and does nothing", async (path, body) => {
    const visitor = browser();
    expect(await visitor.post(path, body)).toMatchObject(off);
    expect(await visitor.post(path, {})).toMatchObject(off);
    expect([...visitor.jar.keys()]).toEqual([]);
    expect(await world.dispatcher.drain()).toBe(0);
  });

  test("a signed-in user can neither type nor choose a password", async () => {
    const visitor = await signedIn();
    expect(await visitor.post("/api/confirm-password", { password: PASSWORD })).toMatchObject(off);
    expect(await visitor.send("PUT", "/api/profile/password", NEW)).toMatchObject(off);
  });

  test("the instance says so, and what there is instead", async () => {
    expect((await browser().send("GET", "/api/instance")).body).toMatchObject({
      providersOnly: true,
      providers: [{ name: "oidc", label: "Home", icon: "key", singleLogout: true }],
    });
  });

  test("the provider confirms who it is, under a new cookie, and then the account can be deleted", async () => {
    const visitor = await signedIn();
    expect(await visitor.post("/api/profile/delete", { keepGrants: false })).toMatchObject({
      status: 403,
      body: { code: "REAUTHENTICATION_REQUIRED" },
    });
    const before = visitor.jar.get("__Host-session");
    const fresh = { ...AT_HOME, authenticatedAt: ground.clock.now() };
    expect(await visitor.visit(fresh, "confirm")).toMatchObject({ status: 200, body: { outcome: "confirmed" } });
    expect(visitor.jar.get("__Host-session")).not.toBe(before ?? "");
    expect(await visitor.post("/api/profile/delete", { keepGrants: false })).toMatchObject({ status: 200 });
  });

  test("a second step that the provider made opens a full session", async () => {
    await signedIn();
    const visitor = browser();
    const visited = await visitor.visit({ ...AT_HOME, hasSecondStep: true });
    expect(visited).toMatchObject({ status: 200, body: { outcome: "signed_in", language: "fr" } });
    expect(JSON.stringify(visited.body)).not.toContain("token");
    expect((await visitor.send("GET", "/api/me")).status).toBe(200);
    expect([...visitor.jar.keys()].toSorted()).toEqual(["__Host-device", "__Host-session"]);
  });
});

describe("Single logout", () => {
  const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
  /** As the provider calls it: without cookies and without an origin. */
  async function announce(token: string | undefined, path = "oidc", headers: Record<string, string> = FORM) {
    const answer = await world.app.request(`/api/providers/${path}/logout`, {
      method: "POST",
      headers,
      body: new URLSearchParams(token === undefined ? {} : { logout_token: token }).toString(),
    });
    return { status: answer.status, body: await answer.json(), cache: answer.headers.get("Cache-Control") };
  }

  test("logging out leads to the provider", async () => {
    await signedIn();
    const visitor = browser();
    await visitor.visit({ ...AT_HOME, hasSecondStep: true, session: { idToken: "eyJ" } });
    expect(await visitor.post("/api/logout")).toMatchObject({
      status: 200,
      body: { url: "https://oidc.example/logout?id_token_hint=eyJ" },
    });
    expect((await visitor.post("/api/logout")).body).toEqual({ url: null });
  });

  test("the provider ends sessions with its signed token, once", async () => {
    const visitor = await signedIn();
    const token = JSON.stringify({ id: "j-1", subject: AT_HOME.subject });
    expect(await announce(token)).toEqual({ status: 200, body: {}, cache: "no-store" });
    expect((await visitor.send("GET", "/api/me")).status).toBe(401);
    expect(await announce(token)).toMatchObject({ status: 400, body: { code: "SIGNATURE_INVALID" } });
  });

  test.each([
    ["nothing", undefined, "oidc", 400],
    ["a token that is not signed", "forged", "oidc", 400],
    ["a token for a provider that is not configured", "{}", "github", 404],
    ["a token for a path", "{}", "..%2Foidc", 404],
    ["a huge token", "x".repeat(20_000), "oidc", 400],
    ["a huge body", "x".repeat(40_000), "oidc", 413],
  ])("refuses %s", async (_, token, path, status) => {
    const visitor = await signedIn();
    expect((await announce(token, path)).status).toBe(status);
    expect((await visitor.send("GET", "/api/me")).status).toBe(200);
  });
});
