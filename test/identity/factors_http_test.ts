import { beforeEach, describe, expect, test } from "bun:test";
import { decodeBase32IgnorePadding } from "@oslojs/encoding";
import { generateHOTP } from "@oslojs/otp";
import { aBreach } from "../support/builders.ts";
import { MINUTE } from "../support/clock.ts";
import { type Lies, type SoftwareAuthenticator, softwareAuthenticator } from "../support/software_authenticator.ts";
import { type Ground, memoryGround, settle, signedUp, worldOn } from "../support/world.ts";

const ALICE = "alice@example.com";
const PASSWORD = "Tranquil-Harbour-42";
type Call = Awaited<ReturnType<typeof signedUp>>;

let ground: Ground;
let world: ReturnType<typeof worldOn>;

beforeEach(() => {
  ground = memoryGround();
  world = worldOn(ground);
});

async function send(call: Call, method: string, path: string, body?: unknown) {
  const answer = await call(method, path, body);
  return { status: answer.status, body: await answer.json() };
}
const post = (call: Call, path: string, body: unknown = {}) => send(call, "POST", path, body);
const factorsOf = async (call: Call) => (await send(call, "GET", "/api/factors")).body;
const appCode = (secret: string, steps = 0) =>
  generateHOTP(decodeBase32IgnorePadding(secret), BigInt(Math.floor(ground.clock.now().getTime() / 30_000) + steps), 6);

async function addApp(call: Call) {
  const { body } = await post(call, "/api/factors/authenticator");
  const confirmed = await post(call, "/api/factors/authenticator/confirm", { code: appCode(body.secret) });
  return { secret: String(body.secret), recoveryCodes: confirmed.body.recoveryCodes as string[] };
}
async function addKey(call: Call, device: SoftwareAuthenticator, lies: Lies = {}) {
  const { body } = await post(call, "/api/factors/passkeys/options");
  return post(call, "/api/factors/passkeys", { name: "Key", response: device.create(body, lies) });
}
/** Logs out, and logs in up to the second step. */
async function halfWay(call: Call, email = ALICE) {
  await post(call, "/api/logout");
  return (await post(call, "/api/login", { email, password: PASSWORD })).body;
}

describe("the second factor routes", () => {
  test("add, use and remove an app", async () => {
    const call = await signedUp(world, ALICE);
    const { secret, recoveryCodes } = await addApp(call);
    expect(recoveryCodes).toHaveLength(10);
    expect(await factorsOf(call)).toEqual({
      authenticator: { since: "2026-11-20T12:00:00.000Z" },
      passkeys: [],
      recoveryCodes: 10,
      mailboxLeaked: false,
    });
    expect(await post(call, "/api/factors/authenticator")).toEqual({
      status: 409,
      body: { code: "AUTHENTICATOR_EXISTS" },
    });

    expect(await halfWay(call)).toEqual({ email: ALICE, methods: ["authenticator", "recovery_code"] });
    expect(await post(call, "/api/resend-code")).toMatchObject({ status: 401, body: { code: "SESSION_EXPIRED" } });
    expect(await post(call, "/api/verify-code", { code: "123456" })).toEqual({
      status: 401,
      body: { code: "CODE_INVALID" },
    });
    const typed = appCode(secret, 1).replace(/^.../, "$& ");
    expect(await post(call, "/api/verify-authenticator", { code: typed })).toEqual({
      status: 200,
      body: { language: "en" },
    });
    expect(await send(call, "DELETE", "/api/factors/authenticator")).toEqual({ status: 200, body: {} });
    expect(await factorsOf(call)).toMatchObject({ authenticator: null, recoveryCodes: 0 });
    expect(await halfWay(call)).toMatchObject({ methods: ["email"] });
  });

  test("add, rename, use and remove a passkey", async () => {
    const call = await signedUp(world, ALICE);
    const device = softwareAuthenticator();
    const added = await addKey(call, device);
    expect(added).toMatchObject({ status: 200, body: { recoveryCodes: { length: 10 } } });
    const path = `/api/factors/passkeys/${device.id}`;
    expect(await send(call, "PUT", path, { name: " Grün " })).toEqual({ status: 200, body: {} });
    expect(await factorsOf(call)).toMatchObject({ passkeys: [{ id: device.id, name: "Grün", lastUsedAt: null }] });

    expect(await halfWay(call)).toMatchObject({ methods: ["passkey", "recovery_code"] });
    const { body: options } = await post(call, "/api/verify-passkey/options");
    expect(options).toMatchObject({ rpId: "breachbell.example", allowCredentials: [{ id: device.id }] });
    const response = device.get(options);
    const browserWords = { clientExtensionResults: {}, authenticatorAttachment: "platform" };
    expect(await post(call, "/api/verify-passkey", { response: { ...response, ...browserWords } })).toEqual({
      status: 200,
      body: { language: "en" },
    });
    expect(await send(call, "DELETE", path)).toEqual({ status: 200, body: {} });
    expect(await send(call, "DELETE", path)).toEqual({ status: 404, body: { code: "NOT_FOUND" } });
  });

  test("accept a recovery code once, and create new ones", async () => {
    const call = await signedUp(world, ALICE);
    const { recoveryCodes } = await addApp(call);
    await halfWay(call);
    const code = recoveryCodes[3]?.toUpperCase();
    expect(await post(call, "/api/verify-recovery-code", { code })).toMatchObject({ status: 200 });
    const made = await post(call, "/api/factors/recovery-codes");
    expect(made).toMatchObject({ status: 200, body: { recoveryCodes: { length: 10 } } });
    await halfWay(call);
    for (const old of [code, recoveryCodes[4]])
      expect(await post(call, "/api/verify-recovery-code", { code: old })).toMatchObject({ status: 401 });
  });

  test("require the password for every change if it was typed more than 15 minutes ago", async () => {
    const call = await signedUp(world, ALICE);
    const device = softwareAuthenticator();
    await addKey(call, device);
    ground.clock.pass(15 * MINUTE);
    const changes = [
      ["POST", "/api/factors/authenticator", {}],
      ["POST", "/api/factors/authenticator/confirm", { code: "123456" }],
      ["DELETE", "/api/factors/authenticator"],
      ["POST", "/api/factors/passkeys/options", {}],
      ["POST", "/api/factors/passkeys", {}],
      ["DELETE", `/api/factors/passkeys/${device.id}`],
      ["POST", "/api/factors/recovery-codes", {}],
    ] as const;
    for (const [method, path, body] of changes)
      expect(await send(call, method, path, body)).toEqual({
        status: 403,
        body: { code: "REAUTHENTICATION_REQUIRED" },
      });
    expect(await factorsOf(call)).toMatchObject({ authenticator: null, passkeys: [{ id: device.id }] });
    expect(await send(call, "PUT", `/api/factors/passkeys/${device.id}`, { name: "Blue" })).toMatchObject({
      status: 200,
    });
  });

  test("refuse partial sessions, and do not find another account's passkey", async () => {
    const call = await signedUp(world, ALICE);
    const device = softwareAuthenticator();
    await addKey(call, device);
    const bob = await signedUp(world, "bob@example.net");
    for (const id of [device.id, "unknown"]) {
      const path = `/api/factors/passkeys/${id}`;
      expect(await send(bob, "DELETE", path)).toEqual({ status: 404, body: { code: "NOT_FOUND" } });
      expect(await send(bob, "PUT", path, { name: "Mine" })).toEqual({ status: 404, body: { code: "NOT_FOUND" } });
    }
    await halfWay(call);
    for (const [method, path] of [
      ["GET", "/api/factors"],
      ["POST", "/api/factors/authenticator"],
      ["POST", "/api/factors/passkeys/options"],
      ["POST", "/api/factors/recovery-codes"],
      ["DELETE", `/api/factors/passkeys/${device.id}`],
    ] as const)
      expect(await send(call, method, path, method === "POST" ? {} : undefined)).toEqual({
        status: 401,
        body: { code: "UNAUTHENTICATED" },
      });
  });

  test.each([
    ["another origin", { origin: "https://evil.test" }],
    ["another rpID", { rpId: "evil.test" }],
    ["another challenge", { challenge: "AAAA" }],
    ["a counter that decreases", { counter: 0 }],
  ] as [string, Lies][])("a passkey's answer with %s is refused", async (_, lies) => {
    const call = await signedUp(world, ALICE);
    const device = softwareAuthenticator();
    await addKey(call, device);
    await halfWay(call);
    const { body: options } = await post(call, "/api/verify-passkey/options");
    expect(await post(call, "/api/verify-passkey", { response: device.get(options, lies) })).toEqual({
      status: 401,
      body: { code: "PASSKEY_INVALID" },
    });
  });

  test("return a specific error code for malformed and oversized responses, and no 500", async () => {
    const call = await signedUp(world, ALICE);
    const device = softwareAuthenticator();
    const { body: options } = await post(call, "/api/factors/passkeys/options");
    const response = device.create(options);
    const add = (body: unknown) => post(call, "/api/factors/passkeys", body);
    const huge = { ...response.response, attestationObject: "A".repeat(1_000_000) };
    expect(await add({ name: "Key", response: { ...response, response: huge } })).toEqual({
      status: 413,
      body: { code: "BODY_TOO_LARGE" },
    });
    const nested = Buffer.alloc(40_000, 0x81).toString("base64url");
    const deep = { ...response, response: { ...response.response, attestationObject: nested } };
    expect(await add({ name: "Key", response: deep })).toEqual({ status: 401, body: { code: "PASSKEY_INVALID" } });
    const wrong = [
      [{}, { name: "PASSKEY_NAME_REQUIRED", response: "PASSKEY_INVALID" }],
      [{ name: "  ", response }, { name: "PASSKEY_NAME_REQUIRED" }],
      [{ name: "x".repeat(61), response }, { name: "NAME_TOO_LONG" }],
      [{ name: "<b>", response }, { name: "NAME_INVALID" }],
      [{ name: "Key", response: null }, { response: "PASSKEY_INVALID" }],
      [{ name: "Key", response: { ...response, type: "password" } }, { "response.type": "PASSKEY_INVALID" }],
      [{ name: "Key", response: { ...response, id: "a b" } }, { "response.id": "PASSKEY_INVALID" }],
      [{ name: "Key", response, admin: true }, { admin: "INVALID_INPUT" }],
    ] as const;
    for (const [body, fields] of wrong)
      expect(await add(body)).toEqual({ status: 422, body: { code: "INVALID_INPUT", fields } });
    expect(await factorsOf(call)).toMatchObject({ passkeys: [], recoveryCodes: 0 });
  });
});

describe("mailboxLeaked", () => {
  async function tracking(breach: Parameters<typeof aBreach>[0], email = ALICE) {
    ground.feed.publish(aBreach(breach));
    ground.feed.expose(ALICE, breach?.name ?? "");
    await world.breaches.pollCatalogue();
    const call = await signedUp(world, email);
    const body = { address: email, owner: true, language: "en", contacts: { email: [email] } };
    await post(call, "/api/associations", body);
    await settle(world);
    return call;
  }
  const leaked = async (call: Call) => (await factorsOf(call)).mailboxLeaked;

  test("is true when the account's own address is in a breach with passwords or a stealer log", async () => {
    expect(await leaked(await tracking({ name: "Adobe", dataClasses: ["Passwords"] }))).toBe(true);
  });
  test("is true for a stealer log that lists no passwords", async () => {
    const call = await tracking({ name: "Log", dataClasses: ["Email addresses"], flags: ["stealerLog"] });
    expect(await leaked(call)).toBe(true);
  });
  test("is false for a breach without passwords", async () => {
    expect(await leaked(await tracking({ name: "List", dataClasses: ["Email addresses", "Names"] }))).toBe(false);
  });
  test("is false for an address that only others track, and before the account tracks its own", async () => {
    await tracking({ name: "Adobe", dataClasses: ["Passwords"] });
    const bob = await tracking({ name: "Adobe", dataClasses: ["Passwords"] }, "bob@example.net");
    expect(await leaked(bob)).toBe(false);
    const other = await signedUp(world, "charlie@example.org");
    expect(await leaked(other)).toBe(false);
  });
});
