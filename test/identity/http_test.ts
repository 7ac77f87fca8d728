import { beforeEach, describe, expect, test } from "bun:test";
import { browserOf } from "./browser.ts";
import { ALICE, identityWorld } from "./identity_world.ts";

let world: ReturnType<typeof identityWorld>;

beforeEach(() => {
  world = identityWorld();
});

const browser = (secure = true) => browserOf(world, secure);
const LOGIN = { email: ALICE.email, password: ALICE.password };
const level = async (visitor: ReturnType<typeof browser>) =>
  (await visitor.get("/api/check-user-authentication/")).body;

describe("identityRoutes()", () => {
  test("identityRoutes() lead from registration to a full session and back to logged out", async () => {
    const visitor = browser();
    expect(await level(visitor)).toEqual({ auth_level: "unauthenticated" });
    expect(await visitor.post("/api/register", { ...ALICE, companyName: "Meyer AG" })).toMatchObject({
      status: 201,
      body: { email: ALICE.email },
      setCookie: null,
    });
    expect(await level(visitor)).toEqual({ auth_level: "unauthenticated" });

    expect(await visitor.post("/api/login", LOGIN)).toMatchObject({ status: 200, body: { email: ALICE.email } });
    expect(await level(visitor)).toEqual({ auth_level: "partial" });
    expect(await visitor.get("/api/me")).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });

    expect(await visitor.post("/api/verify-code", { code: await world.code() })).toMatchObject({
      status: 200,
      body: { language: "de" },
    });
    expect(await level(visitor)).toEqual({ auth_level: "authenticated" });
    const { firstName, lastName, email, language } = ALICE;
    expect((await visitor.get("/api/me")).body).toEqual({
      firstName,
      lastName,
      email,
      language,
      companyName: "Meyer AG",
      staff: false,
      terms: { current: "2.0", accepted: "2.0" },
    });

    const full = visitor.cookie();
    const bye = await visitor.post("/api/logout");
    expect(bye).toMatchObject({ status: 200, body: {} });
    expect(bye.headers.get("Clear-Site-Data")).toBe('"cache"');
    expect(bye.setCookie).toContain("__Host-session=; Max-Age=0; Path=/");
    visitor.plant(full);
    expect(await visitor.get("/api/me")).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
  });

  test("identityRoutes() set every protection on the cookie", async () => {
    const visitor = browser();
    await visitor.post("/api/register", ALICE);
    const partial = (await visitor.post("/api/login", LOGIN)).setCookie ?? "";
    const full = (await visitor.post("/api/verify-code", { code: await world.code() })).setCookie ?? "";
    expect(
      partial
        .replace(/=[\w-]{43};/, "=TOKEN;")
        .split("; ")
        .toSorted(),
    ).toEqual(["HttpOnly", "Path=/", "SameSite=Lax", "Secure", "__Host-session=TOKEN"]);
    expect(
      full
        .replace(/=[\w-]{43};/, "=TOKEN;")
        .split("; ")
        .toSorted(),
    ).toEqual(["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax", "Secure", "__Host-session=TOKEN"]);
    expect(full.split(";")[0]).not.toBe(partial.split(";")[0]);
  });

  test("identityRoutes() use a plain cookie on plain http", async () => {
    const visitor = browser(false);
    await visitor.post("/api/register", ALICE);
    const { setCookie } = await visitor.post("/api/login", LOGIN);
    expect(setCookie).toStartWith("session=");
    expect(setCookie).not.toContain("Secure");
  });

  test("identityRoutes() never adopt a planted cookie", async () => {
    const visitor = browser();
    await visitor.post("/api/register", ALICE);
    visitor.plant("__Host-session=planted");
    await visitor.post("/api/login", LOGIN);
    expect(visitor.cookie()).not.toContain("planted");
    expect(await world.identity.sessionOf("planted")).toBeUndefined();
  });

  test("identityRoutes() set no cookie and return no token when a log-in fails", async () => {
    const visitor = browser();
    await visitor.post("/api/register", ALICE);
    expect(await visitor.post("/api/login", { ...LOGIN, password: "Wr0ng-Password" })).toMatchObject({
      status: 401,
      body: { code: "CREDENTIALS_INVALID" },
      setCookie: null,
    });
    await visitor.post("/api/login", LOGIN);
    const wrong = world.wrong(await world.code());
    expect(await visitor.post("/api/verify-code", { code: wrong })).toMatchObject({
      status: 401,
      body: { code: "CODE_INVALID" },
      setCookie: null,
    });
  });

  test("identityRoutes() return the wait of a lock", async () => {
    const visitor = browser();
    for (let i = 0; i < 10; i++) await visitor.post("/api/login", LOGIN);
    const locked = await visitor.post("/api/login", LOGIN);
    expect(locked).toMatchObject({ status: 429, body: { code: "LOCKED", retryAfter: 3600 } });
    expect(locked.headers.get("Retry-After")).toBe("3600");
  });

  test("identityRoutes() return when the next code may be requested", async () => {
    const visitor = browser();
    await visitor.post("/api/register", ALICE);
    expect(await visitor.post("/api/resend-code")).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    await visitor.post("/api/login", LOGIN);
    expect(await visitor.post("/api/resend-code")).toMatchObject({
      status: 429,
      body: { code: "CODE_RESEND_TOO_SOON", retryAfter: 60 },
    });
    world.pass({ minutes: 1 });
    expect(await visitor.post("/api/resend-code")).toMatchObject({ status: 200, body: { retryAfter: 60 } });
  });

  test("identityRoutes() name every invalid field", async () => {
    const visitor = browser();
    expect(await visitor.post("/api/register", { email: "x", password: "short" })).toMatchObject({
      status: 422,
      body: {
        code: "INVALID_INPUT",
        fields: {
          firstName: "FIRST_NAME_REQUIRED",
          email: "EMAIL_INVALID",
          password: "PASSWORD_TOO_SHORT",
          terms: "TERMS_REQUIRED",
        },
      },
    });
    expect(await visitor.post("/api/verify-code", { code: "12" })).toMatchObject({
      body: { code: "INVALID_INPUT", fields: { code: "CODE_INVALID" } },
    });
    expect(await visitor.post("/api/logout", { everywhere: true })).toMatchObject({ body: { code: "INVALID_INPUT" } });
  });

  test("identityRoutes() are described in the OpenAPI document", async () => {
    const { body } = await browser().get("/openapi.json");
    const { paths } = body as { paths: Record<string, unknown> };
    expect(Object.keys(paths).toSorted()).toEqual([
      "/api/activity",
      "/api/check-user-authentication/",
      "/api/confirm-password",
      "/api/email-change/confirm",
      "/api/email-change/inspect",
      "/api/forgot-password",
      "/api/login",
      "/api/logout",
      "/api/me",
      "/api/profile",
      "/api/profile/delete",
      "/api/profile/deletion",
      "/api/profile/email",
      "/api/profile/export",
      "/api/profile/password",
      "/api/register",
      "/api/register/inspect",
      "/api/resend-code",
      "/api/reset-password",
      "/api/reset-password/check",
      "/api/sessions",
      "/api/sessions/end-others",
      "/api/sessions/{id}",
      "/api/sign-in",
      "/api/terms/accept",
      "/api/verify-code",
    ]);
    expect(JSON.stringify(paths["/api/register"])).toContain('"confirmPassword"');
  });
});
