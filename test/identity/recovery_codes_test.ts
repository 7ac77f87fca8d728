import { beforeEach, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { randomRecoveryCode } from "../../src/identity/adapters/secrets/random_code.ts";
import { recoveryCodeInput } from "../../src/identity/factors/factor_inputs.ts";
import { fail } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { at, type FactorWorld, factorWorld } from "./factor_world.ts";
import { ALICE, BOB } from "./identity_world.ts";

let world: FactorWorld;

beforeEach(async () => {
  world = await factorWorld();
});

const INVALID = fail("CODE_INVALID");
/** Parsed as the route does. */
const verify = (typed: string, token: string) =>
  world.identity.verifyRecoveryCode(v.parse(recoveryCodeInput, { code: typed }), at(token));

describe("randomRecoveryCode()", () => {
  test("draws ten of 32 characters with equal frequency", () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 3200; i++) {
      const code = randomRecoveryCode();
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/);
      for (const character of code) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    // Six standard deviations around 1000.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(190);
  });
});

describe("recoveryCodeInput", () => {
  test("accepts a code in any case, with or without its hyphen, and with characters that look like 0 and 1", () => {
    for (const typed of ["ab01c-23de1", "AB01C23DE1", " ab01c – 23de1 ", "aboic-23del", "ＡＢ０１Ｃ２３ＤＥ１"])
      expect(v.parse(recoveryCodeInput, { code: typed })).toEqual({ code: "ab01c23de1" });
  });

  test("rejects anything else", () => {
    for (const code of ["", "ab01c-23de", "ab01c-23de11", "ab01c-23deu", "ab01c_23de1", 1234567890, null])
      expect(v.safeParse(recoveryCodeInput, { code }).issues?.[0]?.message).toBe("CODE_INVALID");
  });
});

describe("verifyRecoveryCode()", () => {
  test("a code completes one log-in, and its owner is told how many are left", async () => {
    const alice = await world.signedIn();
    const { recoveryCodes } = await world.addApp(alice);
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = "", second = ""] = recoveryCodes;
    const { token } = accepted(await verify(first.toUpperCase(), await world.login()));
    expect(await world.identity.sessionOf(token)).toMatchObject({ level: "authenticated", accountId: alice.accountId });
    expect(accepted(await world.identity.factorsOf(alice.accountId)).recoveryCodes).toBe(9);
    expect((await world.told()).at(-1)).toEqual({ to: ALICE.email, change: "recovery_code_used", left: "9" });
    const history = await world.history(alice.accountId);
    expect(history.slice(-2)).toEqual([
      { event: "recovery_code_used", left: "9" },
      { event: "signed_in", by: "recovery_code" },
    ]);
    expect(await verify(first, await world.login())).toEqual(INVALID);
    expect((await verify(second.replace("-", ""), await world.login())).ok).toBe(true);
  });

  test("one of 50 concurrent log-ins succeeds", async () => {
    const { recoveryCodes } = await world.addApp(await world.signedIn());
    const tokens = [await world.login(), await world.login(), await world.login()];
    const tries = Array.from({ length: 50 }, (_, i) => verify(recoveryCodes[0] ?? "", tokens[i % 3] ?? ""));
    expect((await Promise.all(tries)).filter(({ ok }) => ok)).toHaveLength(1);
    expect((await world.told()).filter(({ change }) => change === "recovery_code_used")).toHaveLength(1);
  });

  test("wrong ones count like wrong codes, and use none up", async () => {
    const alice = await world.signedIn();
    const { recoveryCodes } = await world.addApp(alice);
    const token = await world.login();
    for (let i = 0; i < 5; i++) expect(await verify("00000-00000", token)).toEqual(INVALID);
    expect(await verify(recoveryCodes[0] ?? "", token)).toEqual(INVALID);
    expect(accepted(await world.identity.factorsOf(alice.accountId)).recoveryCodes).toBe(10);
  });

  test("another account's codes are refused", async () => {
    const { recoveryCodes } = await world.addApp(await world.signedIn());
    await world.addApp(await world.signedIn(BOB));
    expect(await verify(recoveryCodes[0] ?? "", await world.login(BOB))).toEqual(INVALID);
    expect((await verify(recoveryCodes[0] ?? "", await world.login())).ok).toBe(true);
  });

  test("are no longer offered after the last one", async () => {
    const { recoveryCodes } = await world.addApp(await world.signedIn());
    for (const code of recoveryCodes) expect((await verify(code, await world.login())).ok).toBe(true);
    expect(accepted(await world.identity.login(ALICE, at())).methods).toEqual(["authenticator"]);
    expect((await world.told()).at(-1)).toMatchObject({ left: "0" });
  });

  test("are stored as keyed hashes from which no code can be read", async () => {
    const alice = await world.signedIn();
    const { recoveryCodes } = await world.addApp(alice);
    const rows = await world.database.transactionOf((tables) => tables<{ mac: string }>("identity.recovery_codes"))(
      async (table) => table.filter(),
    );
    expect(rows).toHaveLength(10);
    const stored = JSON.stringify(rows);
    for (const code of recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replace("-", ""));
    }
  });
});

describe("makeRecoveryCodes()", () => {
  test("voids the former ones, notifies the owner and ends other sessions", async () => {
    const alice = await world.signedIn();
    const { secret, recoveryCodes: former } = await world.addApp(alice);
    const code = world.appCode(secret);
    const elsewhere = accepted(await world.identity.verifyAuthenticator({ code }, at(await world.login())));
    const { recoveryCodes } = accepted(await world.identity.makeRecoveryCodes(alice));
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set([...former, ...recoveryCodes]).size).toBe(20);
    expect(await world.identity.sessionOf(elsewhere.token)).toBeUndefined();
    expect(await verify(former[0] ?? "", await world.login())).toEqual(INVALID);
    expect((await verify(recoveryCodes[0] ?? "", await world.login())).ok).toBe(true);
    expect(await world.told()).toContainEqual({ to: ALICE.email, change: "recovery_codes_made" });
  });

  test("requires a strong factor", async () => {
    const alice = await world.signedIn();
    expect(await world.identity.makeRecoveryCodes(alice)).toEqual(fail("NOT_FOUND"));
    accepted(await world.identity.addAuthenticator(alice));
    expect(await world.identity.makeRecoveryCodes(alice)).toEqual(fail("NOT_FOUND"));
    expect(accepted(await world.identity.factorsOf(alice.accountId)).recoveryCodes).toBe(0);
  });
});
