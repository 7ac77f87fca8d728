import { beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { createIdentity, type Identity, type IdentityStore } from "../../src/identity/mod.ts";
import { LIMITS } from "../../src/identity/sign_in/attempts.ts";
import { fail } from "../../src/shared/result.ts";
import { memoryIdentity, plainPasswords } from "../memory/identity/store.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

const WRONG = "Wr0ng-Password";
const PEOPLE = Array.from({ length: 15 }, (_, i) => ({ ...ALICE, email: `person${i}@example.com` }));
type Answer = Awaited<ReturnType<Identity["login"]>>;
const outcome = (answer: Answer) => (answer.ok ? "ok" : answer.code);
const at = (ip: string) => ({ ip, token: undefined });

/** Retries when told to. */
async function withPatience(act: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await act();
    if (answer.ok || answer.code !== "BUSY") return answer;
    expect(answer.retryAfter).toBe(1);
  }
}

describe.each(eachDatabase(memoryIdentity, postgresIdentity))(
  "logging in behind one network address on %s",
  (_, open) => {
    let store: TestStore<IdentityStore>;
    let world: ReturnType<typeof identityWorld>;
    let identity: Identity;
    let evaluatedWrong: number;
    /** How many checks start before the first of them ends. */
    let together: number;

    beforeEach(async () => {
      store = await open();
      world = identityWorld();
      [evaluatedWrong, together] = [0, 1];
      let { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
      let begun = 0;
      const passwords = {
        ...plainPasswords(),
        async verify(password: string, hash: string | undefined) {
          if (password === WRONG) evaluatedWrong++;
          if (++begun >= together) openGate();
          await gate;
          return plainPasswords().verify(password, hash);
        },
      };
      identity = createIdentity({ ...world, passwords, transaction: store.transaction });
      for (const [i, person] of PEOPLE.entries()) await identity.register(person, { ip: `203.0.113.${i}` });
      begun = 0;
      ({ promise: gate, resolve: openGate } = Promise.withResolvers<void>());
    });

    const login = (i: number, password = ALICE.password, ip = HOME) =>
      identity.login({ email: PEOPLE[i % PEOPLE.length]?.email ?? "", password }, at(ip));

    test("fifteen concurrent correct passwords all succeed, and nobody is locked", async () => {
      // Ten are checked concurrently; the others get no slot and retry.
      together = 10;
      const answers = await Promise.all(PEOPLE.map((_, i) => withPatience(() => login(i))));
      expect(answers.map(outcome)).toEqual(PEOPLE.map(() => "ok"));
      for (const i of PEOPLE.keys()) expect(outcome(await login(i))).toBe("ok");
    });

    test("the tenth concurrent wrong password gets no slot and is not evaluated", async () => {
      together = 10;
      const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => login(i, WRONG)));
      expect(evaluatedWrong).toBe(LIMITS.passwordIp.tries);
      expect(answers.filter((answer) => outcome(answer) === "CREDENTIALS_INVALID")).toHaveLength(10);
      expect(await login(0)).toEqual(fail("LOCKED", { retryAfter: 3600 }));
      world.pass({ hours: 1 });
      expect(outcome(await login(0))).toBe("ok");
    });

    test("among 200 wrong passwords fifteen correct ones use up no guesses, and add none", async () => {
      const wrong = Array.from({ length: 200 }, (_, i) => () => login(i, WRONG));
      const right = PEOPLE.map((_, i) => () => login(i));
      const all = [...wrong.slice(0, 100), ...right, ...wrong.slice(100)];
      await Promise.all(all.map((act) => withPatience(act)));
      expect(evaluatedWrong).toBe(LIMITS.passwordIp.tries);
      expect(outcome(await login(0))).toBe("LOCKED");
    });

    test("a log-in to the attacker's own account in between adds no guess at the others", async () => {
      for (let i = 0; i < 9; i++) {
        expect(outcome(await login(i + 1, WRONG))).toBe("CREDENTIALS_INVALID");
        expect(outcome(await login(0))).toBe("ok");
      }
      const both = Array.from({ length: 30 }, (_, i) => withPatience(() => (i % 2 ? login(0) : login(i, WRONG))));
      await Promise.all(both);
      expect(evaluatedWrong).toBe(10);
      expect(outcome(await login(0))).toBe("LOCKED");
    });

    test("a process that dies during its checks locks nobody out for longer than half a minute", async () => {
      const dying = createIdentity({
        ...world,
        passwords: { ...plainPasswords(), verify: () => Promise.reject(new Error("killed")) },
        transaction: store.transaction,
      });
      for (let i = 0; i < 10; i++)
        await dying.login({ email: PEOPLE[i]?.email ?? "", password: WRONG }, at(HOME)).catch(() => undefined);
      expect(await login(0)).toEqual(fail("BUSY", { retryAfter: 1 }));
      world.pass({ seconds: 31 });
      expect(outcome(await login(0))).toBe("ok");
    });
  },
);

/** Who guesses from which network, and how the clock advances in between. */
type Step =
  | { kind: "login"; who: number; from: number; right: boolean }
  | { kind: "together"; logins: { who: number; from: number; right: boolean }[] }
  | { kind: "pass"; seconds: number };

const guess = fc.record({ who: fc.nat(4), from: fc.nat(2), right: fc.boolean() });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: guess.map((one): Step => ({ kind: "login", ...one })) },
  {
    weight: 3,
    arbitrary: fc.array(guess, { minLength: 2, maxLength: 25 }).map((logins): Step => ({ kind: "together", logins })),
  },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4000 }).map((seconds): Step => ({ kind: "pass", seconds })) },
);

test("in any history no network has more wrong guesses evaluated than its limit, and no correct one is ever locked out", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (history) => {
      const world = identityWorld();
      const people = PEOPLE.slice(0, 5);
      for (const [i, person] of people.entries()) await world.identity.register(person, { ip: `203.0.113.${i}` });
      /** When wrong guesses were evaluated, by network, and by account. */
      const wrong = new Map<string, number[]>();
      const timesOf = (key: string) => wrong.get(key) ?? [];
      const ipOf = (from: number) => `192.0.2.${from + 1}`;

      async function login({ who, from, right }: { who: number; from: number; right: boolean }) {
        const { email, password } = people[who] ?? ALICE;
        const answer = await world.identity.login({ email, password: right ? password : WRONG }, at(ipOf(from)));
        const now = world.now().getTime();
        const keys = [ipOf(from), email];
        if (!answer.ok && answer.code === "CREDENTIALS_INVALID") {
          expect(right).toBe(false);
          for (const key of keys) wrong.set(key, [...timesOf(key), now]);
        }
        if (answer.ok) expect(right).toBe(true);
        return { answer, keys, now };
      }

      for (const each of history) {
        if (each.kind === "pass") {
          world.pass({ seconds: each.seconds });
          continue;
        }
        const logins = each.kind === "together" ? each.logins : [each];
        const done = await Promise.all(logins.map(login));
        for (const { answer, keys, now } of done) {
          if (answer.ok || answer.code !== "LOCKED") continue;
          // A lock requires ten wrong guesses from this network or at this account, within the counting window.
          const enough = keys.some((key) => timesOf(key).filter((time) => time > now - 2 * 3_600_000).length >= 10);
          expect(enough).toBe(true);
        }
      }
      const { tries, windowMs, lockMs } = LIMITS.passwordIp;
      for (const from of [0, 1, 2]) {
        let [began, counted, lockedUntil] = [Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY];
        for (const time of timesOf(ipOf(from))) {
          expect(time).toBeGreaterThanOrEqual(lockedUntil);
          if (time >= began + windowMs || counted === tries) [began, counted] = [time, 0];
          counted++;
          if (counted === tries) lockedUntil = time + lockMs;
        }
      }
    }),
    { numRuns: Number(process.env.HISTORIES ?? 150) },
  );
}, 120_000);
