import { workThroughDue } from "../shared/due.ts";
import { MAILBOX_LIMIT } from "../shared/stranger_mail.ts";
import { acting, TRANSITIONS } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS } from "./invitation.ts";
import type { InvitationDeps } from "./ports.ts";

const BATCH = 100;
/** Granted consents are visible to both sides for a year after their end, as long as the account's audit log. */
const SHOWN_MS = 365 * 24 * 3_600_000;

/** Expiry and retention. */
export function cleanUp(deps: InvitationDeps) {
  const { transaction, now, report } = deps;
  const { perform } = acting(deps);

  return {
    /**
     * Expires invitations that were not answered in time, until none is left or `isOver`; one that fails is skipped until the next
     * run. Returns their number.
     */
    expireDue(isOver = () => false): Promise<number> {
      return workThroughDue({
        list: (after, limit) => transaction(({ invitations }) => invitations.listExpired(now(), after, limit)),
        work: async ({ id }) => ((await perform({ id }, TRANSITIONS.expire)).ok ? 1 : 0),
        failed: (error, { id: invitation }) => report(error, { job: "invitation-expiry", invitation }),
        batch: BATCH,
        isOver,
      });
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
