import { markOf, recordOf } from "./acts.ts";
import { INVITER_LIMITS, type Invitation, MAILS_PER_ADDRESS, mailed, postponed } from "./invitation.ts";
import { countedSince, freeAt } from "./limits.ts";
import { questionMail } from "./mails.ts";
import type { InvitationDeps, InvitationStore, Inviter } from "./ports.ts";

const REMINDERS_PER_RUN = 100;
const ADDRESS_LIMITS = [MAILS_PER_ADDRESS];

/** Sends first mails and reminders in turn. Nothing is refused: what goes beyond a limit waits. */
export function mailDue(deps: InvitationDeps) {
  const { transaction, accounts, newId, newToken, hashToken, mac, seal, now } = deps;

  /** What an address was sent lately, newest first. Of a blocked inviter the mails that never left count, for it alone. */
  async function share({ blocks, addressMails }: InvitationStore, { address, inviterId }: Invitation, at: Date) {
    const [mark, shadow] = [markOf(mac, address), mac("blocked mail", `${address} ${inviterId}`)];
    const since = countedSince(ADDRESS_LIMITS, at);
    const times = await addressMails.list(mark, since);
    const isBlocked = await blocks.has(mark, inviterId);
    if (!isBlocked) return { isBlocked, times, mark };
    const both = [...times, ...(await addressMails.list(shadow, since))];
    return { isBlocked, times: both.toSorted((one, other) => other.getTime() - one.getTime()), mark: shadow };
  }

  /** One mail, or none to an address that has had its share. What was answered meanwhile stays as it is. */
  async function mail(store: InvitationStore, invitation: Invitation, inviter: Inviter): Promise<void> {
    const { invitations, records, addressMails, events } = store;
    const at = now();
    const { isBlocked, times, mark } = await share(store, invitation, at);
    const free = freeAt(times, ADDRESS_LIMITS, at);
    if (free > at) return void (await invitations.save(postponed(invitation, free)));
    const token = newToken();
    const next = mailed(invitation, isBlocked ? undefined : hashToken(token), at);
    if (!(await invitations.save(next))) return;
    await addressMails.add({ id: newId(), mark, at });
    // A blocked inviter sees an invitation like any other.
    if (isBlocked) return;
    if (next.reminders > 0) await records.add(recordOf(next, { id: newId(), act: "reminded", by: "system", at }));
    const sealed = seal.close(JSON.stringify({ token }));
    await events.publish(questionMail(next, { inviter, sealed, now: at }));
  }

  /** The inviter's next first mail; false when none is due, or its limits say later. */
  async function firstMail(inviterId: string): Promise<boolean> {
    const inviter = await accounts.of(inviterId);
    if (!inviter) return false;
    return transaction(async (store) => {
      const { invitations } = store;
      await invitations.takeTurn();
      const at = now();
      const times = await invitations.listFirstMails(inviterId, countedSince(INVITER_LIMITS, at));
      if (freeAt(times, INVITER_LIMITS, at) > at) return false;
      const waiting = await invitations.findWaiting(inviterId, at);
      if (waiting) await mail(store, waiting, inviter);
      return waiting !== undefined;
    });
  }

  async function reminder({ id, inviterId, version }: Invitation): Promise<boolean> {
    const inviter = await accounts.of(inviterId);
    if (!inviter) return false;
    return transaction(async (store) => {
      await store.invitations.takeTurn();
      const found = await store.invitations.find({ id });
      if (found?.version !== version) return false;
      await mail(store, found, inviter);
      return true;
    });
  }

  return {
    /** Round by round, one mail of each inviter: a thousand of one delay nobody else's. Returns how many had their turn. */
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
