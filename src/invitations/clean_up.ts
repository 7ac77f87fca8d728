import { ACTS, acting } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS, MAILS_PER_ADDRESS } from "./invitation.ts";
import { countedSince } from "./limits.ts";
import type { InvitationDeps } from "./ports.ts";

const BATCH = 100;

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

    /** Who never agreed is forgotten once nothing depends on it: when the inviter may ask again. */
    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - AGAIN_AFTER_DECLINE_MS);
      await transaction(async ({ invitations, addressMails }) => {
        await invitations.removeRefused(before);
        await addressMails.removeBefore(countedSince([MAILS_PER_ADDRESS], now()));
      });
    },
  };
}
