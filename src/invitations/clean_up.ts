import { MAILBOX_LIMIT } from "../shared/stranger_mail.ts";
import { acting, TRANSITIONS } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS } from "./invitation.ts";
import type { InvitationDeps } from "./ports.ts";

const BATCH = 100;
/** Granted consents are visible to both sides for a year after their end, as long as the account's audit log. */
const SHOWN_MS = 365 * 24 * 3_600_000;

/** Expiry and retention. */
export function cleanUp(deps: InvitationDeps) {
  const { transaction, now } = deps;
  const { perform } = acting(deps);

  return {
    /** Expires invitations that were not answered in time. Returns their number. */
    async expireDue(): Promise<number> {
      const over = await transaction(({ invitations }) => invitations.listExpired(now(), BATCH));
      for (const { id } of over) await perform({ id }, TRANSITIONS.expire);
      return over.length;
    },

    /** Removes invitations without consent once the inviter may ask again, and those with consent a year after their end. */
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
