import type { IdentityDeps } from "./ports.ts";

const UNVERIFIED_MS = 7 * 24 * 3_600_000;
/** An expired challenge can still be sent a new code, as long as its partial session lives. */
const CHALLENGE_MS = 3_600_000;
const BATCH = 100;

/** Housekeeping. Nothing depends on it for being over: that is decided where a token, code or counter is used. */
export function cleanUp({ transaction, now }: IdentityDeps) {
  return {
    /** The daily job: forgets what has expired, and accounts that nobody has proven within a week. */
    async cleanUp(): Promise<void> {
      await transaction(async ({ sessions, loginCodes, resetTokens, attempts }) => {
        await sessions.removeExpired(now());
        await loginCodes.removeExpired(new Date(now().getTime() - CHALLENGE_MS));
        await resetTokens.removeExpired(now());
        await attempts.removeExpired(now());
      });
      const before = new Date(now().getTime() - UNVERIFIED_MS);
      await transaction(async ({ users, events }) => {
        for (const accountId of await users.listUnverified(before, BATCH)) {
          if (await users.removeUnverified(accountId)) await events.publish({ type: "identity.deleted", accountId });
        }
      });
    },
  };
}
