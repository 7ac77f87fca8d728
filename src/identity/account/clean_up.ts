import type { IdentityDeps } from "../ports.ts";
import { forgetPerson } from "./audit.ts";

const UNVERIFIED_MS = 7 * 24 * 3_600_000;
/** An expired challenge can still be sent a new code, as long as its partial session lives. */
const CHALLENGE_MS = 3_600_000;
/** An expired token stays in its list for a while, so that its owner sees why a program was refused. */
const EXPIRED_TOKEN_MS = 30 * 24 * 3_600_000;
/** What happened is kept for a year. */
const AUDIT_MS = 365 * 24 * 3_600_000;
const BATCH = 100;

/** Housekeeping. Nothing depends on it for being over: that is decided where a token, code or counter is used. */
export function cleanUp({ transaction, now }: IdentityDeps) {
  return {
    /** The daily job: forgets what has expired, and accounts that nobody has proven within a week. */
    async cleanUp(): Promise<void> {
      const before = (ms: number) => new Date(now().getTime() - ms);
      // One transaction each: rows that are locked in another order than signing in does must not be held meanwhile.
      await transaction(({ sessions }) => sessions.removeExpired(now()));
      await transaction(({ loginCodes }) => loginCodes.removeExpired(before(CHALLENGE_MS)));
      await transaction(({ resetTokens }) => resetTokens.removeExpired(now()));
      await transaction(({ emailChanges }) => emailChanges.removeExpired(now()));
      await transaction(({ apiTokens }) => apiTokens.removeExpired(before(EXPIRED_TOKEN_MS)));
      await transaction(({ audit }) => audit.removeBefore(before(AUDIT_MS)));
      await transaction(({ staffActs }) => staffActs.removeBefore(before(AUDIT_MS)));
      await transaction(({ attempts }) => attempts.removeExpired(now()));
      await transaction(async (store) => {
        const { users, events } = store;
        for (const accountId of await users.listUnverified(before(UNVERIFIED_MS), BATCH)) {
          if (!(await users.removeUnverified(accountId))) continue;
          await forgetPerson(store, accountId);
          await events.publish({ type: "identity.deleted", accountId });
        }
      });
    },
  };
}
