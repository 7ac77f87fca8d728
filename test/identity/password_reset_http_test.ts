import { beforeEach, describe, expect, test } from "bun:test";
import { browserOf } from "./browser.ts";
import { ALICE, identityWorld } from "./identity_world.ts";

const NEW = { password: "Quiet-River-9-Boat", confirmPassword: "Quiet-River-9-Boat" };

let world: ReturnType<typeof identityWorld>;
let visitor: ReturnType<typeof browserOf>;

beforeEach(async () => {
  world = identityWorld();
  visitor = browserOf(world);
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  await world.signIn(ALICE, "203.0.113.9");
});

async function mailedToken(): Promise<string> {
  await world.forgot();
  return world.resetToken();
}

describe("identityRoutes() for password resets", () => {
  test("POST /api/forgot-password responds the same with and without an account", async () => {
    const known = await visitor.post("/api/forgot-password", { email: " ALICE@example.com" });
    const unknown = await visitor.post("/api/forgot-password", { email: "nobody@example.com" });
    expect(known).toMatchObject({ status: 200, body: { email: ALICE.email }, setCookie: null });
    expect(unknown).toMatchObject({ status: 200, body: { email: "nobody@example.com" }, setCookie: null });
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()]);
  });

  test("POST /api/forgot-password refuses the eleventh request of an hour and returns the wait", async () => {
    for (let i = 0; i < 10; i++) await visitor.post("/api/forgot-password", { email: `user${i}@example.com` });
    const refused = await visitor.post("/api/forgot-password", { email: ALICE.email });
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED", retryAfter: 3600 } });
    expect(refused.headers.get("Retry-After")).toBe("3600");
  });

  test("POST /api/forgot-password names an invalid email", async () => {
    expect(await visitor.post("/api/forgot-password", { email: "alice" })).toMatchObject({
      status: 422,
      body: { code: "INVALID_INPUT", fields: { email: "EMAIL_INVALID" } },
    });
  });

  test("POST /api/reset-password sets the password once, without a cookie", async () => {
    const token = await mailedToken();
    expect(await visitor.post("/api/reset-password/check", { token })).toMatchObject({ status: 200, body: {} });
    const done = await visitor.post("/api/reset-password", { token, ...NEW });
    expect(done).toMatchObject({ status: 200, body: {}, setCookie: null });
    const invalid = { status: 410, body: { code: "RESET_LINK_INVALID" } };
    expect(await visitor.post("/api/reset-password", { token, ...NEW })).toMatchObject(invalid);
    expect(await visitor.post("/api/reset-password/check", { token })).toMatchObject(invalid);
  });

  test("POST /api/reset-password names every invalid field, and refuses the old password", async () => {
    const token = await mailedToken();
    expect(await visitor.post("/api/reset-password", { token, password: "short", confirmPassword: "" })).toMatchObject({
      status: 422,
      body: {
        code: "INVALID_INPUT",
        fields: { password: "PASSWORD_TOO_SHORT", confirmPassword: "PASSWORD_CONFIRMATION_REQUIRED" },
      },
    });
    const { password, confirmPassword } = ALICE;
    expect(await visitor.post("/api/reset-password", { token, password, confirmPassword })).toMatchObject({
      status: 422,
      body: { code: "PASSWORD_UNCHANGED", fields: { password: "PASSWORD_UNCHANGED" } },
    });
    expect(await visitor.post("/api/reset-password/check", { token })).toMatchObject({ status: 200 });
  });
});
