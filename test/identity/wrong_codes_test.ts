import { beforeEach, describe, expect, test } from "bun:test";
import { fail } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { factorWorld } from "./factor_world.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

const RIGHT = { email: ALICE.email, password: ALICE.password };
const NEW = "Quiet-River-9-Boat";
const REQUIRED = fail("PASSWORD_RESET_REQUIRED");

let world: ReturnType<typeof identityWorld>;
let deviceToken: string;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  ({ deviceToken } = await world.complete());
  world.pass({ hours: 2 });
});

const wrongCodes = async () => (await world.userOf(ALICE.email))?.wrongCodes;
const at = (ip: string, token?: string) => ({ ip, token });

async function started(ip = HOME, password = ALICE.password) {
  const result = await world.identity.login({ ...RIGHT, password }, at(ip));
  if (!result.ok) throw new Error(result.code);
  return result.value.token;
}

/** Wrong codes of strangers, as fast as the locks allow; the clock moves on over each lock. Returns the hours it took. */
async function attack(count: number): Promise<number> {
  let hours = 0;
  for (let done = 0; done < count; ) {
    const token = await started(`198.51.100.${done}`);
    const code = world.wrong(await world.code());
    for (let i = 0; i < 5 && done < count; i++) {
      const answer = await world.identity.verifyCode({ code }, at(`198.51.100.${done}`, token));
      if (answer.ok) throw new Error("A wrong code was taken");
      if (answer.code === "LOCKED") {
        world.pass({ seconds: answer.retryAfter ?? 0 });
        hours++;
        break;
      }
      done++;
    }
  }
  return hours;
}

describe("a hundred wrong codes in a row", () => {
  test("take at least nine hours, and then only a new password opens the account", async () => {
    expect(await attack(99)).toBeGreaterThanOrEqual(9);
    expect(await wrongCodes()).toBe(99);
    // A sign-in of the owner's own browser waits for its code meanwhile.
    const owner = { ip: HOME, deviceToken };
    const waiting = await world.identity.login(RIGHT, { ...owner, token: undefined });
    const token = waiting.ok ? waiting.value.token : "";
    const code = await world.code();
    world.pass({ minutes: 1 });
    expect(await attack(1)).toBe(0);

    expect(await wrongCodes()).toBe(100);
    expect(await world.identity.login(RIGHT, at(HOME))).toEqual(REQUIRED);
    expect(await world.identity.verifyCode({ code }, { ...owner, token })).toEqual(REQUIRED);
    expect(await world.identity.resendCode(token, { ip: HOME })).toEqual(REQUIRED);
    world.pass({ hours: 48 });
    expect(await world.identity.login(RIGHT, at("203.0.113.200"))).toEqual(REQUIRED);
    expect(await world.identity.login({ ...RIGHT, password: "Wr0ng-Password" }, at(HOME))).toEqual(
      fail("CREDENTIALS_INVALID"),
    );
  });

  test("end a known device's sign-in too, without counting on", async () => {
    await attack(100);
    expect(await world.identity.login(RIGHT, { ip: HOME, token: undefined, deviceToken })).toEqual(REQUIRED);
    expect(await wrongCodes()).toBe(100);
  });

  test("are forgotten by a new password, with the lock that they left", async () => {
    await attack(100);
    await world.forgot();
    const token = await world.resetToken();
    expect((await world.identity.resetPassword({ token, password: NEW }, { ip: HOME })).ok).toBe(true);
    expect(await wrongCodes()).toBe(0);
    const again = await started(HOME, NEW);
    expect((await world.identity.verifyCode({ code: await world.code() }, at(HOME, again))).ok).toBe(true);
  });

  test("are in a row no longer after a right one", async () => {
    await attack(60);
    world.pass({ hours: 2 });
    await world.complete();
    expect(await wrongCodes()).toBe(0);
    await attack(60);
    expect((await world.identity.login(RIGHT, at(HOME))).ok).toBe(true);
  });

  test("stay a hundred when they come at the same time", async () => {
    await attack(95);
    world.pass({ hours: 2 });
    const token = await started();
    const code = world.wrong(await world.code());
    const guesses = Array.from({ length: 50 }, (_, i) => world.identity.verifyCode({ code }, at(`10.0.0.${i}`, token)));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => !answer.ok && answer.code === "CODE_INVALID").length).toBeLessThanOrEqual(50);
    expect(await wrongCodes()).toBe(100);
    expect(await world.identity.login(RIGHT, at(HOME))).toEqual(REQUIRED);
  });

  test("are not reached by codes that nobody compared", async () => {
    const token = await started();
    world.pass({ minutes: 11 });
    expect(await world.identity.verifyCode({ code: await world.code() }, at(HOME, token))).toEqual(
      fail("CODE_INVALID"),
    );
    expect(await wrongCodes()).toBe(0);
  });

  test("close the app's way in, not the ways that nobody can guess; a new password does not open it again", async () => {
    const world = await factorWorld();
    const who = await world.signedIn();
    const { secret, recoveryCodes } = await world.addApp(who);
    await world.transaction(async ({ users }) => {
      for (let i = 0; i < 100; i++) await users.countWrongCode(who.accountId);
    });
    const methods = async (password = ALICE.password) => {
      const answer = accepted(await world.identity.login({ ...RIGHT, password }, at(HOME)));
      return { methods: answer.methods, client: at(HOME, answer.token) };
    };
    expect((await methods()).methods).toEqual(["recovery_code"]);
    await world.forgot();
    await world.identity.resetPassword({ token: await world.resetToken(), password: NEW }, { ip: HOME });
    const { client } = await methods(NEW);
    const code = world.appCode(secret);
    expect(await world.identity.verifyAuthenticator({ code }, client)).toEqual(fail("CODE_INVALID"));
    const [recovery = ""] = recoveryCodes;
    expect(await world.identity.verifyRecoveryCode({ code: recovery.replace("-", "") }, client)).toMatchObject({
      ok: true,
    });
    expect((await methods(NEW)).methods).toEqual(["authenticator", "recovery_code"]);
  });

  test("of an authenticator app leave its lock standing after a new password: a mailbox proves no phone", async () => {
    const sealedSecret = world.cipher.encrypt(world.oneTimePasswords.newSecret());
    const accountId = (await world.userOf(ALICE.email))?.id ?? "";
    await world.transaction(async ({ authenticators }) => {
      const times = { createdAt: world.now(), confirmedAt: undefined, lastStep: 0 };
      await authenticators.save({ accountId, sealedSecret, ...times });
      await authenticators.confirm(accountId, world.now());
    });
    // Out of a million one is right; a letter never is.
    const guess = (i: number, token: string) =>
      world.identity.verifyAuthenticator({ code: "letter" }, at(`198.51.100.${i}`, token));
    for (let i = 0; i < 10; i += 5) {
      const token = await started(`198.51.100.${i}`);
      for (let j = 0; j < 5; j++) expect(await guess(i + j, token)).toEqual(fail("CODE_INVALID"));
    }
    await world.forgot();
    await world.identity.resetPassword({ token: await world.resetToken(), password: NEW }, { ip: HOME });
    expect(await wrongCodes()).toBe(0);
    expect(await guess(99, await started(HOME, NEW))).toEqual(fail("LOCKED", { retryAfter: 3600 }));
  });
});
