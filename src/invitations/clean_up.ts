import { MAILBOX_LIMIT } from "../shared/stranger_mail.ts";
import { ACTS, acting } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS } from "./invitation.ts";
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
      const counted = new Date(now().getTime() - MAILBOX_LIMIT.withinMs);
      await transaction(async ({ invitations, refusals, strangerMail }) => {
        await invitations.removeRefused(before);
        await invitations.removeEnded(new Date(now().getTime() - SHOWN_MS));
        await refusals.removeDeclined(before);
        await strangerMail.removeBefore(counted);
      });
    },
  };
}
