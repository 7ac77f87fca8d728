import { fail, ok, type Result } from "../../shared/result.ts";
import type { Mac } from "../../shared/secrets.ts";
import type { AttemptRepository, Ending, Limit, Place } from "../ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const LIMITS = {
  passwordIp: { tries: 10, windowMs: 15 * MINUTE_MS, lockMs: HOUR_MS },
  /** From devices that never completed a sign-in to this account, so that strangers cannot lock its owner out. */
  passwordAccount: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  /** In place of both above, for a known device. */
  passwordDevice: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  /** Password confirmation by a signed-in user. */
  passwordSession: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeIp: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeAccount: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeDevice: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeMail: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
  /** The mail that reports a lock. */
  lockMail: { tries: 1, windowMs: 24 * HOUR_MS, lockMs: 0 },
  /** Each attempt may cost three calls to a provider. */
  providerIp: { tries: 10, windowMs: 15 * MINUTE_MS, lockMs: 0 },
  /** The id of a logout token, which counts once: longer than such a token is accepted. */
  logoutToken: { tries: 1, windowMs: 10 * MINUTE_MS, lockMs: 0 },
  registerIp: { tries: 10, windowMs: HOUR_MS, lockMs: 0 },
  forgotIp: { tries: 10, windowMs: HOUR_MS, lockMs: 0 },
  resetMail: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
  /** A valid link can be tried with any number of passwords, and each costs a hash. */
  resetAccount: { tries: 100, windowMs: HOUR_MS, lockMs: 0 },
  /** Changing the password while signed in, for the same reason. */
  passwordChange: { tries: 100, windowMs: HOUR_MS, lockMs: 0 },
  /** Links to a new email: per account, and per target address over all accounts. */
  emailChangeAccount: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
  emailChangeTarget: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
} as const satisfies Record<string, Limit>;

/**
 * Consecutive wrong second steps, without a time limit, after which only a password reset unlocks the account (NIST SP
 * 800-63B-4, 3.2.2).
 */
export const WRONG_CODES_MAX = 100;

/** Lifetime of a reservation: longer than any check takes, but short in case the process died. */
export const PLACE_MS = 30_000;
/** Retry-After for a missing reservation; a check takes less. */
const PLACE_RETRY_SECONDS = 1;

/** A reservation that starts now. Reservations sort by their expiry. */
export function placeAt(now: Date, id: string): Place {
  return `${momentOf(new Date(now.getTime() + PLACE_MS))}.${id}`;
}

/** The prefix of a reservation. */
export function momentOf(moment: Date): string {
  return String(moment.getTime()).padStart(15, "0");
}

/** Refused: too many guesses were wrong (LOCKED) or are being checked (BUSY). */
export type Refusal = "LOCKED" | "BUSY";

/** What is limited, and for whom. */
export type Counter = [kind: keyof typeof LIMITS, value: string];

/** Counters by the kind of limit. Keys are keyed hashes, so that the table reveals no addresses. */
export function countersOf(attempts: AttemptRepository, mac: Mac, now: Date) {
  const keyOf = (kind: keyof typeof LIMITS, value: string) => `${kind}:${mac("attempts", `${kind}:${value}`)}`;
  const limited = ([kind, value]: Counter) => ({ key: keyOf(kind, value), limit: LIMITS[kind] });
  return {
    /**
     * Reserves a guess with each counter in turn BEFORE it is checked, so that parallel guesses cannot exceed the limit. Only
     * wrong guesses lock; when guesses in progress use all reservations, the answer is BUSY. `held`: the number of reservations
     * that have to be settled.
     */
    async reserve(counters: Counter[], place: Place): Promise<{ held: number; answer: Result<undefined, Refusal> }> {
      const list = counters.map(limited);
      const answers = await attempts.reserve(list, place, now);
      const held = answers.filter(({ reserved }) => reserved).length;
      const [refusing, refused] = [list[held], answers[held]];
      if (!refusing) return { held, answer: ok() };
      if (!refused) throw new Error("Cannot reserve a place: nothing was counted");
      const isLocked = refused.tries >= refusing.limit.tries;
      const answer = isLocked
        ? fail("LOCKED", { retryAfter: secondsUntil(refused.until, now) })
        : fail("BUSY", { retryAfter: PLACE_RETRY_SECONDS });
      return { held, answer };
    },
    /**
     * Reports a guess's outcome to each counter: releases the reservation, and counts a wrong one. `isLast`: it triggered the
     * last counter's lock.
     */
    async conclude(endings: [Ending, Counter][], place: Place): Promise<{ isLast: boolean }> {
      const list = endings.map(([ending, counter]) => ({ ...limited(counter), ending }));
      const tries = await attempts.conclude(list, place, now);
      return { isLast: list.at(-1)?.ending === "wrong" && tries === list.at(-1)?.limit.tries };
    },
    /** Counts an action that is limited itself, such as a mail; returns the seconds to wait, 0 if allowed. */
    async count(kind: keyof typeof LIMITS, value: string): Promise<number> {
      const { allowed, until } = await attempts.count(keyOf(kind, value), LIMITS[kind], now);
      return allowed ? 0 : secondsUntil(until, now);
    },
    giveBack: (kind: keyof typeof LIMITS, value: string) => attempts.giveBack(keyOf(kind, value), LIMITS[kind], now),
    reset: (kind: keyof typeof LIMITS, value: string) => attempts.reset(keyOf(kind, value)),
  };
}

/** Whole seconds, at least one. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
