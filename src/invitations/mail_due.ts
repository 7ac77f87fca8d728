import { mailboxKey } from "../shared/mailbox_key.ts";
import { askerMark, mailboxMark, takeStrangerMail } from "../shared/stranger_mail.ts";
import { ownerMarks, recordOf } from "./acts.ts";
import { type Invitation, mailed, postponed } from "./invitation.ts";
import { questionMail } from "./mails.ts";
import type { InvitationDeps, InvitationStore, Inviter } from "./ports.ts";

const REMINDERS_PER_RUN = 100;

/** Sends first mails and reminders, round-robin by inviter. Mails above a limit are postponed, never refused. */
export function mailDue(deps: InvitationDeps) {
  const { transaction, accounts, newId, newToken, hashToken, mac, cipher, now } = deps;

  /**
   * Sends one mail, unless the mailbox's limit is reached. Requests that were answered in the meantime stay unchanged. False when
   * the inviter's limit is reached.
   */
  async function mail(store: InvitationStore, invitation: Invitation, inviter: Inviter): Promise<boolean> {
    const { invitations, records, blocks, events, strangerMail } = store;
    const { address, inviterId, sentAt } = invitation;
    const at = now();
    const isBlocked = await blocks.has(ownerMarks(mac, address), inviterId);
    const request = {
      mailbox: mailboxMark(mac, address),
      // Reminders do not count against the inviter's limits, as the request did.
      ...(sentAt === undefined && { asker: askerMark(mac, inviter.email), network: inviter.network }),
      // Mails of a blocked inviter, which are never sent, count against that inviter only.
      unsent: isBlocked ? mac("blocked mail", `${mailboxKey(address)} ${inviterId}`) : undefined,
    };
    const refusal = await takeStrangerMail(strangerMail, request, at);
    if (refusal?.by === "asker" || refusal?.by === "network") return false;
    if (refusal) {
      await invitations.save(postponed(invitation, refusal.freeAt));
      return true;
    }
    const token = newToken();
    const next = mailed(invitation, isBlocked ? undefined : hashToken(token), at);
    // To a blocked inviter the invitation looks like any other.
    if (!(await invitations.save(next)) || isBlocked) return true;
    if (next.reminders > 0) await records.add(recordOf(next, { id: newId(), act: "reminded", by: "system", at }));
    const sealed = cipher.encrypt(JSON.stringify({ token }));
    await events.publish(questionMail(next, { inviter, sealed, now: at }));
    return true;
  }

  /** The inviter's next first mail; false when none is due or the limit is reached. */
  async function firstMail(inviterId: string): Promise<boolean> {
    const inviter = await accounts.of(inviterId);
    if (!inviter) return false;
    return transaction(async (store) => {
      await store.invitations.lockSending();
      const waiting = await store.invitations.findWaiting(inviterId, now());
      return waiting !== undefined && mail(store, waiting, inviter);
    });
  }

  async function reminder({ id, inviterId, version }: Invitation): Promise<boolean> {
    const inviter = await accounts.of(inviterId);
    if (!inviter) return false;
    return transaction(async (store) => {
      await store.invitations.lockSending();
      const found = await store.invitations.find({ id });
      if (found?.version !== version) return false;
      await mail(store, found, inviter);
      return true;
    });
  }

  return {
    /**
     * Round-robin, one mail per inviter and round, so that a thousand of one inviter do not delay the others. Returns the number
     * of processed invitations.
     */
    async mailDue(): Promise<number> {
      let handled = 0;
      let inviters = await transaction(({ invitations }) => invitations.listWaitingInviters(now()));
      while (inviters.length > 0) {
        const served: string[] = [];
        for (const inviterId of inviters) if (await firstMail(inviterId)) served.push(inviterId);
        handled += served.length;
        inviters = served;
      }
      const due = await transaction(({ invitations }) => invitations.listRemindable(now(), REMINDERS_PER_RUN));
      for (const invitation of due) if (await reminder(invitation)) handled++;
      return handled;
    },
  };
}
