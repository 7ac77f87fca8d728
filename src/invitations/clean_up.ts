import { ACTS, acting } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS, MAILS_PER_ADDRESS } from "./invitation.ts";
import { countedSince } from "./limits.ts";
import type { InvitationDeps } from "./ports.ts";

const BATCH = 100;
/** What was once agreed to can be shown to both for a year after its end, as long as the log of the account. */
const SHOWN_MS = 365 * 24 * 3_600_000;

/** What ends, and what is forgotten, by time alone. */
export function cleanUp(deps: InvitationDeps) {
  const { transaction, now } = deps;
  const { perform } = acting(deps);

  return {
    /** Ends what nobody has answered in time. Returns how many it found. */
    async expireDue(): Promise<number> {
      const over = await transaction(({ invitations }) => invitations.listExpired(now(), BATCH));
      for (const { id } of over) await perform({ id }, ACTS.expire);
      return over.length;
    },

    /** Who never agreed is forgotten once nothing depends on it: when the inviter may ask again. Whoever did, a year after the end. */
    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - AGAIN_AFTER_DECLINE_MS);
      await transaction(async ({ invitations, addressMails }) => {
        await invitations.removeRefused(before);
        await invitations.removeEnded(new Date(now().getTime() - SHOWN_MS));
        await addressMails.removeBefore(countedSince([MAILS_PER_ADDRESS], now()));
      });
    },
  };
}
