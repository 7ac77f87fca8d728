import type { Mac } from "../shared/secrets.ts";
import type { AttemptRepository, Limit } from "./ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const LIMITS = {
  passwordIp: { tries: 10, windowMs: 15 * MINUTE_MS, lockMs: HOUR_MS },
  /** From devices that never completed a sign-in to this account: strangers cannot lock its owner out. */
  passwordAccount: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  /** Instead of both above, for a device that has. */
  passwordDevice: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  /** The password typed again by somebody signed in. */
  passwordSession: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeIp: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeAccount: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeDevice: { tries: 10, windowMs: HOUR_MS, lockMs: HOUR_MS },
  codeMail: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
  /** The mail that tells of a lock. */
  lockMail: { tries: 1, windowMs: 24 * HOUR_MS, lockMs: 0 },
  /** Each may cost three calls to a provider. */
  providerIp: { tries: 10, windowMs: 15 * MINUTE_MS, lockMs: 0 },
  registerIp: { tries: 10, windowMs: HOUR_MS, lockMs: 0 },
  forgotIp: { tries: 10, windowMs: HOUR_MS, lockMs: 0 },
  resetMail: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
  /** A working link can be tried with any number of passwords, and each costs a hash. */
  resetAccount: { tries: 100, windowMs: HOUR_MS, lockMs: 0 },
  /** Choosing another password while signed in, for the same reason. */
  passwordChange: { tries: 100, windowMs: HOUR_MS, lockMs: 0 },
  /** Links to a new email: of one account, and to one address from all accounts. */
  emailChangeAccount: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
  emailChangeTarget: { tries: 5, windowMs: HOUR_MS, lockMs: 0 },
} as const satisfies Record<string, Limit>;

/** Wrong second steps in a row, however long they take: then only a new password opens the account (NIST SP 800-63B-4, 3.2.2). */
export const WRONG_CODES_MAX = 100;

/** Tries counted so far, and when they are forgotten. */
export type Attempts = { tries: number; until: Date };

/** The count after one more try. Beyond the limit it stays one above it, however many follow. */
export function counted(before: Attempts | undefined, { tries, windowMs, lockMs }: Limit, now: Date): Attempts {
  if (!before || before.until <= now) return { tries: 1, until: new Date(now.getTime() + windowMs) };
  const locked = Math.max(before.until.getTime(), now.getTime() + lockMs);
  return {
    tries: Math.min(before.tries + 1, tries + 1),
    until: before.tries + 1 === tries ? new Date(locked) : before.until,
  };
}

/** The count without one try that turned out well, so that the good sign-ins of a shared address lock nobody out. */
export function givenBack(before: Attempts, { tries, windowMs }: Limit, now: Date): Attempts {
  if (before.tries > tries) return before;
  const until = Math.min(before.until.getTime(), now.getTime() + windowMs);
  return { tries: Math.max(0, before.tries - 1), until: new Date(until) };
}

/** What is limited, and of whom. */
export type Counter = [kind: keyof typeof LIMITS, value: string];

/** Counters by what is limited. Keys are keyed hashes: the table tells nobody's address or email. */
export function countersOf(attempts: AttemptRepository, mac: Mac, now: Date) {
  const keyOf = (kind: keyof typeof LIMITS, value: string) => `${kind}:${mac("attempts", `${kind}:${value}`)}`;
  const limited = ([kind, value]: Counter) => ({ key: keyOf(kind, value), limit: LIMITS[kind] });
  return {
    /**
     * Counts a try by each counter in turn, up to the first that refuses, BEFORE it is checked, so that parallel ones cannot
     * slip by. In seconds to wait, 0 for "go on"; `isLast`: if it fails, the door of the last counter shuts.
     */
    async tryAll(counters: Counter[]): Promise<{ wait: number; isLast: boolean }> {
      const list = counters.map(limited);
      const tried = (await attempts.countInTurn(list, now)).at(-1);
      if (!tried) throw new Error("Cannot count an attempt: nothing was counted");
      const isLast = tried.tries === list.at(-1)?.limit.tries;
      return { wait: tried.allowed ? 0 : secondsUntil(tried.until, now), isLast: tried.allowed && isLast };
    },
    /** The same by one; returns the seconds to wait, 0 for "go on". */
    async count(kind: keyof typeof LIMITS, value: string): Promise<number> {
      const { allowed, until } = await attempts.count(keyOf(kind, value), LIMITS[kind], now);
      return allowed ? 0 : secondsUntil(until, now);
    },
    /** A try turned out well: it is taken back from the one counter, and the others begin anew. */
    succeed: (back: Counter | undefined, over: Counter[]) =>
      attempts.succeed(
        back && limited(back),
        over.map(([kind, value]) => keyOf(kind, value)),
        now,
      ),
    giveBack: (kind: keyof typeof LIMITS, value: string) => attempts.giveBack(keyOf(kind, value), LIMITS[kind], now),
    reset: (kind: keyof typeof LIMITS, value: string) => attempts.reset(keyOf(kind, value)),
  };
}

/** Whole seconds, at least one. */
export function secondsUntil(moment: Date, now: Date): number {
  return Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
