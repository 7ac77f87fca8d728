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

/**
 * Enters wrong codes of an attacker as fast as the locks allow; the clock advances over each lock. Returns the hours it
 * took.
 */
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

describe("a hundred consecutive wrong codes", () => {
  test("take at least nine hours, and then require a password reset", async () => {
    expect(await attack(99)).toBeGreaterThanOrEqual(9);
    expect(await wrongCodes()).toBe(99);
    // A log-in on the owner's known device is waiting for its code meanwhile.
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

  test("end a known device's log-in too, and stop counting", async () => {
    await attack(100);
    expect(await world.identity.login(RIGHT, { ip: HOME, token: undefined, deviceToken })).toEqual(REQUIRED);
    expect(await wrongCodes()).toBe(100);
  });

  test("are reset by a new password, together with their lock", async () => {
    await attack(100);
    await world.forgot();
    const token = await world.resetToken();
    expect((await world.identity.resetPassword({ token, password: NEW }, { ip: HOME })).ok).toBe(true);
    expect(await wrongCodes()).toBe(0);
    const again = await started(HOME, NEW);
    expect((await world.identity.verifyCode({ code: await world.code() }, at(HOME, again))).ok).toBe(true);
  });

  test("are interrupted by a correct one", async () => {
    await attack(60);
    world.pass({ hours: 2 });
    await world.complete();
    expect(await wrongCodes()).toBe(0);
    await attack(60);
    expect((await world.identity.login(RIGHT, at(HOME))).ok).toBe(true);
  });

  test("are counted as a hundred when concurrent", async () => {
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

  test("do not include codes that were never compared", async () => {
    const token = await started();
    world.pass({ minutes: 11 });
    expect(await world.identity.verifyCode({ code: await world.code() }, at(HOME, token))).toEqual(
      fail("CODE_INVALID"),
    );
    expect(await wrongCodes()).toBe(0);
  });

  test("disable the app's codes, but not the factors that cannot be guessed; a new password does not enable them again", async () => {
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

  test("of an authenticator app keep their lock after a new password, as a mailbox does not prove possession of the phone", async () => {
    const sealedSecret = world.cipher.encrypt(world.oneTimePasswords.newSecret());
    const accountId = (await world.userOf(ALICE.email))?.id ?? "";
    await world.transaction(async ({ authenticators }) => {
      const times = { createdAt: world.now(), confirmedAt: undefined, lastStep: 0 };
      await authenticators.save({ accountId, sealedSecret, ...times });
      await authenticators.confirm(accountId, world.now());
    });
    // One in a million is correct; one containing a letter never is.
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
