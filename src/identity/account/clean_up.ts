import type { IdentityDeps } from "../ports.ts";
import { removeUnproven } from "./audit.ts";

const UNVERIFIED_MS = 7 * 24 * 3_600_000;
/** An expired challenge can still get a new code while its partial session lives. */
const CHALLENGE_MS = 3_600_000;
/** Expired tokens stay listed for a while, so that their owners see why a program was refused. */
const EXPIRED_TOKEN_MS = 30 * 24 * 3_600_000;
/** Retention of the audit log: a year. */
const AUDIT_MS = 365 * 24 * 3_600_000;
const BATCH = 100;

/** Deletes expired rows. Nothing relies on it: expiry is checked wherever a token, code or counter is used. */
export function cleanUp({ transaction, now }: IdentityDeps) {
  return {
    /** The hourly job `clean-up`: deletes what has expired, and accounts whose email was not verified within a week. */
    async cleanUp(): Promise<void> {
      const before = (ms: number) => new Date(now().getTime() - ms);
      // Separate transactions: together they would lock rows in another order than signing in, which could deadlock.
      await transaction(({ sessions }) => sessions.removeExpired(now()));
      await transaction(({ loginCodes }) => loginCodes.removeExpired(before(CHALLENGE_MS)));
      await transaction(({ resetTokens }) => resetTokens.removeExpired(now()));
      await transaction(({ emailChanges }) => emailChanges.removeExpired(now()));
      await transaction(({ apiTokens }) => apiTokens.removeExpired(before(EXPIRED_TOKEN_MS)));
      await transaction(({ audit }) => audit.removeBefore(before(AUDIT_MS)));
      await transaction(({ staffActs }) => staffActs.removeBefore(before(AUDIT_MS)));
      await transaction(({ attempts }) => attempts.removeExpired(now()));
      await transaction(async (store) => {
        for (const accountId of await store.users.listUnverified(before(UNVERIFIED_MS), BATCH))
          await removeUnproven(store, accountId);
      });
    },
  };
}
