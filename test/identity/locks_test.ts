import { beforeEach, describe, expect, test } from "bun:test";
import { type Client, createIdentity } from "../../src/identity/mod.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const RIGHT = { email: ALICE.email, password: ALICE.password };
const WRONG = { ...RIGHT, password: "Wr0ng-Password" };
const LOCKED_HOUR = fail("LOCKED", { retryAfter: 3600 });

let world: ReturnType<typeof identityWorld>;
/** Alice's own browser, which has completed a log-in. */
let deviceToken: string;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  await world.identity.register(BOB, { ip: "203.0.113.9" });
  ({ deviceToken } = await world.complete());
  world.pass({ hours: 2 });
});

const stranger = (i: number) => ({ ip: `198.51.100.${i}`, token: undefined });
const known = (token?: string) => ({ ip: HOME, token, deviceToken });
const mailsOf = async (template: string) => (await world.mails()).filter((mail) => mail.template === template);

async function guessPasswords(count: number, clientOf: (i: number) => Client) {
  for (let i = 0; i < count; i++) await world.identity.login(WRONG, clientOf(i));
}

/** Somebody who knows the password enters `count` wrong codes, in as many log-ins as that takes. */
async function guessCodes(count: number, clientOf: (i: number) => Client = stranger): Promise<void> {
  for (let i = 0; i < count; i += 5) {
    const started = await world.identity.login(RIGHT, clientOf(i));
    if (!started.ok) throw new Error(started.code);
    const { token } = started.value;
    const code = world.wrong(await world.code());
    for (let j = i; j < Math.min(i + 5, count); j++)
      await world.identity.verifyCode({ code }, { ...clientOf(j), token });
  }
}

describe("a known device", () => {
  test("login() lets it in while other people's attempts have locked the account, from anywhere or from its own address", async () => {
    await guessPasswords(10, stranger);
    expect(await world.identity.login(RIGHT, stranger(99))).toEqual(LOCKED_HOUR);
    await guessPasswords(10, () => ({ ip: HOME, token: undefined }));
    expect(await world.identity.login(RIGHT, { ip: HOME, token: undefined })).toEqual(LOCKED_HOUR);
    expect(await world.complete(ALICE, known())).toMatchObject({ language: "de" });
  });

  test("verifyCode() lets it in while other people's attempts have locked the second step", async () => {
    await guessCodes(10);
    expect(await world.identity.login(RIGHT, stranger(20))).toMatchObject({ ok: true });
    expect(await world.complete(ALICE, known())).toMatchObject({ language: "de" });
    const still = await world.identity.login(RIGHT, stranger(21));
    const token = still.ok ? still.value.token : "";
    expect(await world.identity.verifyCode({ code: "123456" }, { ...stranger(21), token })).toEqual(LOCKED_HOUR);
  });

  test("verifyCode() leaves it five attempts, regardless of concurrent attempts elsewhere", async () => {
    const started = await world.identity.login(RIGHT, known());
    const token = started.ok ? started.value.token : "";
    const own = await world.code();
    await guessCodes(10);
    expect(await world.identity.verifyCode({ code: own }, known(token))).toMatchObject({ ok: true });
  });

  test("login() mails it a code even if others have used up the mails of the hour", async () => {
    for (let i = 0; i < 6; i++) {
      await world.identity.login(RIGHT, stranger(i));
      world.pass({ minutes: 9 });
    }
    const before = (await mailsOf("login_code")).length;
    expect(await world.complete(ALICE, known())).toMatchObject({ language: "de" });
    expect(await mailsOf("login_code")).toHaveLength(before + 1);
  });

  test("login() locks only it, for an hour, after ten wrong passwords of its own", async () => {
    await guessPasswords(10, () => known());
    expect(await world.identity.login(RIGHT, known())).toEqual(LOCKED_HOUR);
    expect((await world.identity.login(RIGHT, stranger(1))).ok).toBe(true);
    world.pass({ hours: 1 });
    expect((await world.identity.login(RIGHT, known())).ok).toBe(true);
  });

  test("verifyCode() locks it for an hour after ten wrong codes of its own", async () => {
    await guessCodes(10, () => known());
    const started = await world.identity.login(RIGHT, known());
    const token = started.ok ? started.value.token : "";
    expect(await world.identity.verifyCode({ code: await world.code() }, known(token))).toEqual(LOCKED_HOUR);
  });

  test("login() gives another account's device no separate counter", async () => {
    const bobs = await world.complete(BOB);
    await guessPasswords(10, (i) => ({ ...stranger(i), deviceToken: bobs.deviceToken }));
    expect(await world.identity.login(RIGHT, { ...stranger(99), deviceToken: bobs.deviceToken })).toEqual(LOCKED_HOUR);
  });
});

describe("a lock", () => {
  test.each([ALICE.email, "nobody@example.com"])("survives a restart, for %s", async (email) => {
    for (let i = 0; i < 10; i++) await world.identity.login({ ...WRONG, email }, stranger(i));
    world.pass({ minutes: 30 });
    const restarted = createIdentity(world);
    expect(await restarted.login({ ...RIGHT, email }, stranger(99))).toEqual(fail("LOCKED", { retryAfter: 1800 }));
  });

  test("of the second step survives a restart", async () => {
    await guessCodes(10);
    const started = await world.identity.login(RIGHT, stranger(50));
    const token = started.ok ? started.value.token : "";
    const restarted = createIdentity(world);
    expect(await restarted.verifyCode({ code: await world.code() }, { ...stranger(51), token })).toEqual(LOCKED_HOUR);
  });

  test("does not block the password reset", async () => {
    await guessPasswords(10, stranger);
    expect(await world.forgot()).toEqual(ok({ email: ALICE.email }));
    expect(await world.resetToken()).toBeString();
  });

  test("is mailed to the account's owner once, with advice", async () => {
    await guessCodes(10);
    const [mail, ...more] = await mailsOf("code_locked");
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: ALICE.email, language: "de", params: { at: world.now().toISOString() } });
    world.pass({ hours: 1 });
    await guessCodes(10);
    expect(await mailsOf("code_locked")).toHaveLength(1);
  });

  test("is mailed again after a completed log-in", async () => {
    await guessCodes(10);
    await world.complete(ALICE, known());
    world.pass({ hours: 1 });
    await guessCodes(10);
    expect(await mailsOf("code_locked")).toHaveLength(2);
  });

  test("is not mailed when only the network address is locked", async () => {
    await guessCodes(5, () => ({ ip: "198.51.100.1", token: undefined }));
    const bob = await world.login(BOB, "198.51.100.1");
    const code = world.wrong(await world.code());
    for (let i = 0; i < 6; i++) await world.identity.verifyCode({ code }, { ip: "198.51.100.1", token: bob });
    expect(await mailsOf("code_locked")).toEqual([]);
  });
});
