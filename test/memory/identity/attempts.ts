import type { AttemptRepository, Limit, Place, Reserved } from "../../../src/identity/ports.ts";
import { momentOf, PLACE_MS } from "../../../src/identity/sign_in/attempts.ts";
import type { MemoryTables } from "../database.ts";

/** Number of attempts, and when they are forgotten. */
type Attempts = { tries: number; until: Date };

/** With the reservations of guesses that are being checked. */
type Guesses = Attempts & { reserved: Place[] };

/** The count after one more attempt. Beyond the limit it stays one above it. */
export function counted(before: Attempts | undefined, { tries, windowMs, lockMs }: Limit, now: Date): Attempts {
  if (!before || before.tries === 0 || before.until <= now)
    return { tries: 1, until: new Date(now.getTime() + windowMs) };
  const locked = Math.max(before.until.getTime(), now.getTime() + lockMs);
  return {
    tries: Math.min(before.tries + 1, tries + 1),
    until: before.tries + 1 === tries ? new Date(locked) : before.until,
  };
}

/** The count without one attempt that did not use anything. */
export function givenBack(before: Attempts, { tries, windowMs }: Limit, now: Date): Attempts {
  if (before.tries > tries) return before;
  const until = Math.min(before.until.getTime(), now.getTime() + windowMs);
  return { tries: Math.max(0, before.tries - 1), until: new Date(until) };
}

function livingPlaces(reserved: Place[], now: Date): Place[] {
  return reserved.filter((place) => place > momentOf(now));
}

/** Adds the reservation if wrong guesses and other reservations leave room. Whether the guess is wrong is not known yet. */
function reserving(before: Guesses | undefined, { tries: limit }: Limit, place: Place, now: Date): Guesses {
  const isOver = !before || before.tries === 0 || before.until <= now;
  const tries = isOver ? 0 : before.tries;
  const living = livingPlaces(before?.reserved ?? [], now);
  return {
    tries,
    until: isOver ? new Date(now.getTime() + PLACE_MS) : before.until,
    reserved: tries + living.length < limit ? [...living, place] : living,
  };
}

export function memoryAttempts(tables: MemoryTables): AttemptRepository {
  const attempts = tables<Guesses & { key: string }>("identity.attempts");
  const put = (key: string, change: Partial<Guesses> & Attempts) =>
    attempts.set(key, { key, reserved: attempts.get(key)?.reserved ?? [], ...change });
  const without = (key: string, place: Place) => (attempts.get(key)?.reserved ?? []).filter((one) => one !== place);
  return {
    async count(key, limit, now) {
      const { tries, until } = counted(attempts.get(key), limit, now);
      put(key, { tries, until });
      return { allowed: tries <= limit.tries, tries, until };
    },
    async giveBack(key, limit, now) {
      const before = attempts.get(key);
      if (before) put(key, givenBack(before, limit, now));
    },
    async reserve(counters, place, now) {
      const answers: Reserved[] = [];
      for (const { key, limit } of counters) {
        if (answers.at(-1)?.reserved === false) break;
        const { tries, until, reserved } = reserving(attempts.get(key), limit, place, now);
        put(key, { tries, until, reserved });
        answers.push({ reserved: reserved.includes(place), tries, until });
      }
      return answers;
    },
    async conclude(counters, place, now) {
      for (const { key, limit, ending } of counters) {
        const before = attempts.get(key);
        const reserved = without(key, place);
        if (ending === "wrong") put(key, { ...counted(before, limit, now), reserved });
        else if (before) put(key, { ...before, reserved, ...(ending === "cleared" && { tries: 0 }) });
      }
      return attempts.get(counters.at(-1)?.key ?? "")?.tries;
    },
    async reset(key) {
      attempts.delete(key);
    },
    async removeExpired(now) {
      attempts.removeWhere(({ until, reserved }) => until <= now && livingPlaces(reserved, now).length === 0);
    },
  };
}
