import type { AttemptRepository, Place, Reserved } from "../../../src/identity/ports.ts";
import {
  type Attempts,
  counted,
  type Guesses,
  givenBack,
  livingPlaces,
  reserving,
} from "../../../src/identity/sign_in/attempts.ts";
import type { MemoryTables } from "../database.ts";

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
