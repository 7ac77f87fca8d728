import { fail, ok, type Result } from "../../shared/result.ts";
import type { Mac } from "../../shared/secrets.ts";
import type { AttemptRepository, Ending, Limit, Place } from "../ports.ts";

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

/** How long a place is held for a guess that is being checked: longer than any check takes, short where a process died over it. */
export const PLACE_MS = 30_000;
/** For whoever waits for a place; a check takes less. */
const PLACE_RETRY_SECONDS = 1;

/** Tries counted so far, and when they are forgotten. */
export type Attempts = { tries: number; until: Date };

/** With the places of the guesses that are being checked. */
export type Guesses = Attempts & { reserved: Place[] };

/** The count after one more try. Beyond the limit it stays one above it, however many follow. */
export function counted(before: Attempts | undefined, { tries, windowMs, lockMs }: Limit, now: Date): Attempts {
  if (!before || before.tries === 0 || before.until <= now)
    return { tries: 1, until: new Date(now.getTime() + windowMs) };
  const locked = Math.max(before.until.getTime(), now.getTime() + lockMs);
  return {
    tries: Math.min(before.tries + 1, tries + 1),
    until: before.tries + 1 === tries ? new Date(locked) : before.until,
  };
}

/** The count without one try that cost nothing after all. */
export function givenBack(before: Attempts, { tries, windowMs }: Limit, now: Date): Attempts {
  if (before.tries > tries) return before;
  const until = Math.min(before.until.getTime(), now.getTime() + windowMs);
  return { tries: Math.max(0, before.tries - 1), until: new Date(until) };
}

/** A place for a guess that begins now. It sorts by the moment at which it is free again by itself. */
export function placeAt(now: Date, id: string): Place {
  return `${momentOf(new Date(now.getTime() + PLACE_MS))}.${id}`;
}

/** As the beginning of a place is written. */
export function momentOf(moment: Date): string {
  return String(moment.getTime()).padStart(15, "0");
}

export function livingPlaces(reserved: Place[], now: Date): Place[] {
  return reserved.filter((place) => place > momentOf(now));
}

/** With the place, if wrong guesses and those that are being checked leave one. Whether a guess is wrong is not known yet. */
export function reserving(before: Guesses | undefined, { tries: limit }: Limit, place: Place, now: Date): Guesses {
  const isOver = !before || before.tries === 0 || before.until <= now;
  const tries = isOver ? 0 : before.tries;
  const living = livingPlaces(before?.reserved ?? [], now);
  return {
    tries,
    until: isOver ? new Date(now.getTime() + PLACE_MS) : before.until,
    reserved: tries + living.length < limit ? [...living, place] : living,
  };
}

/** No place: too many were wrong, or are being checked. */
export type Refusal = "LOCKED" | "BUSY";

/** What is limited, and of whom. */
export type Counter = [kind: keyof typeof LIMITS, value: string];

/** Counters by what is limited. Keys are keyed hashes: the table tells nobody's address or email. */
export function countersOf(attempts: AttemptRepository, mac: Mac, now: Date) {
  const keyOf = (kind: keyof typeof LIMITS, value: string) => `${kind}:${mac("attempts", `${kind}:${value}`)}`;
  const limited = ([kind, value]: Counter) => ({ key: keyOf(kind, value), limit: LIMITS[kind] });
  return {
    /**
     * Reserves a place for a guess in each counter in turn BEFORE it is checked, so that parallel guesses cannot exceed the
     * limit. Only wrong guesses lock; when guesses in progress hold all places, the answer is BUSY. `held`: in how many of the
     * counters a place was reserved and has to be settled.
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
     * How the guess ended, by each counter: its place is free again, and a wrong one is counted. `isLast`: it shut the door
     * of the last counter.
     */
    async settle(endings: [Ending, Counter][], place: Place): Promise<{ isLast: boolean }> {
      const list = endings.map(([ending, counter]) => ({ ...limited(counter), ending }));
      const tries = await attempts.settle(list, place, now);
      return { isLast: list.at(-1)?.ending === "wrong" && tries === list.at(-1)?.limit.tries };
    },
    /** Counts what is limited by itself, such as mails; returns the seconds to wait, 0 for "go on". */
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
