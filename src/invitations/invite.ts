import type { EventOf } from "../events/catalogue.ts";
import { ok, type Result } from "../shared/result.ts";
import { askerMark, mailboxMark } from "../shared/stranger_mail.ts";
import { ACTS, type ActRefusal, acting, ownerMarks, recordOf } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS, expiryOf, type Invitation, isGranted, newInvitation } from "./invitation.ts";
import { watchingMail } from "./mails.ts";
import { ownWatches } from "./own_watchers.ts";
import { type Page, pageOf, rangeOf } from "./page.ts";
import type { InvitationDeps, InvitationStore } from "./ports.ts";

const REMOVE_BATCH = 20;

export type SentInvitation = Pick<Invitation, "id" | "associationId" | "address" | "kind"> & {
  createdAt: string;
  /** Null while it waits for its turn. */
  sentAt: string | null;
  expiresAt: string;
};

/** The inviter's side: asking, giving up, and what still waits. */
export function invite(deps: InvitationDeps) {
  const { transaction, accounts, newId, now, mac } = deps;
  const { perform, performNow } = acting(deps);
  const { endAll } = ownWatches(deps);

  async function tellOfPlan(
    { associationId, accountId, reason }: EventOf<"tracking.monitoringSuspended" | "tracking.monitoringResumed">,
    template: "watching_stopped" | "watching_resumed",
  ): Promise<void> {
    if (reason !== "plan") return;
    const inviter = await accounts.of(accountId);
    await transaction(async ({ invitations, events }) => {
      const invitation = await invitations.find({ associationId });
      if (!invitation || !isGranted(invitation)) return;
      await events.publish(watchingMail(invitation, { template, reason, inviter, at: now() }, deps));
    });
  }

  async function withdrawAll(address: string): Promise<void> {
    for (;;) {
      const range = { offset: 0, limit: REMOVE_BATCH };
      const { invitations } = await transaction((store) => store.invitations.pageByAddress(address, "accepted", range));
      for (const { id } of invitations) await performNow({ id, address }, ACTS.withdraw(false));
      if (invitations.length < REMOVE_BATCH) return;
    }
  }

  /** What owners have said to an account, by its mailbox, so that it holds without the account. */
  async function keepRefusals(
    { blocks, refusals }: InvitationStore,
    { inviterId, askerMark, invitations }: { inviterId: string; askerMark: string; invitations: Invitation[] },
  ): Promise<void> {
    for (const { addressMark: ownerMark, at } of await blocks.listByInviter(inviterId))
      await refusals.add({ ownerMark, askerMark, blockedAt: at, declinedAt: undefined });
    for (const { state, address, answeredAt } of invitations)
      if (state === "declined")
        await refusals.add({
          ...{ ownerMark: mailboxMark(mac, address), askerMark },
          ...{ blockedAt: undefined, declinedAt: answeredAt },
        });
  }

  return {
    /** Asks once per association, whether or not the owner wants to hear of it: that is seen when the mail is due. */
    async onConsentRequested(event: EventOf<"tracking.consentRequested">): Promise<void> {
      const { associationId, accountId: inviterId, address, kind, language } = event;
      const inviter = await accounts.of(inviterId);
      // What a request under way asked while its account was deleted would stay behind.
      if (!inviter) return;
      await transaction(async ({ invitations, records, refusals, blocks }) => {
        const at = now();
        // Whoever was blocked under an earlier account is blocked under this one.
        const known = await refusals.list(ownerMarks(mac, address), askerMark(mac, inviter.email));
        for (const { ownerMark, blockedAt } of known)
          if (blockedAt) await blocks.add({ addressMark: ownerMark, inviterId, at: blockedAt });
        const invitation = newInvitation({ id: newId(), associationId, inviterId, address, kind, language }, at);
        if (!(await invitations.add(invitation))) return;
        await records.add(recordOf(invitation, { id: newId(), act: "asked", by: "inviter", at }));
      });
    },

    /** Whatever the state: one that is over stays as it is. */
    async onConsentDropped({ associationId, proven = false }: EventOf<"tracking.consentDropped">): Promise<void> {
      await perform({ associationId }, ACTS.drop(proven));
    },

    /** The inviter takes back what nobody has answered. */
    async cancelInvitation(inviterId: string, id: string): Promise<Result<undefined, ActRefusal>> {
      const cancelled = await performNow({ id, inviterId }, ACTS.cancel);
      return cancelled.ok ? ok() : cancelled;
    },

    /** What waits for an answer. A blocked inviter sees what everybody sees. */
    async sentInvitations(inviterId: string, page: number): Promise<Result<Page<SentInvitation>>> {
      const { invitations, total } = await transaction((store) =>
        store.invitations.pageByInviter(inviterId, "pending", rangeOf(page)),
      );
      return ok(pageOf(page, { items: invitations.map((invitation) => sentView(invitation, now())), total }));
    },

    /** Asked by tracking: when owners who said no to the account may be asked again. */
    async askAgainFrom(accountId: string, addresses: string[]): Promise<Map<string, Date>> {
      const since = new Date(now().getTime() - AGAIN_AFTER_DECLINE_MS);
      const inviter = await accounts.of(accountId);
      const declines = await transaction(async ({ invitations, refusals }) => {
        const known = await invitations.listDeclines(accountId, addresses, since);
        const marks = new Map(addresses.map((address) => [address, mailboxMark(mac, address)]));
        const said = inviter ? await refusals.list([...marks.values()], askerMark(mac, inviter.email)) : [];
        const byMark = new Map(said.map(({ ownerMark, declinedAt }) => [ownerMark, declinedAt]));
        return addresses.flatMap((address) => {
          const [one, other] = [known.get(address), byMark.get(marks.get(address) ?? "")];
          const at = one && other ? new Date(Math.max(one.getTime(), other.getTime())) : (one ?? other);
          return at && at > since ? [[address, at] as const] : [];
        });
      });
      return new Map(declines.map(([address, at]) => [address, new Date(at.getTime() + AGAIN_AFTER_DECLINE_MS)]));
    },

    /** What owners have said to the account holds for its new mailbox as well as for the former one. */
    onEmailChanged({ accountId, from, to }: EventOf<"identity.emailChanged">): Promise<void> {
      return transaction(async (store) => {
        const former = askerMark(mac, from);
        await keepRefusals(store, { inviterId: accountId, askerMark: former, invitations: [] });
        for (const refusal of await store.refusals.listByAsker(former))
          await store.refusals.add({ ...refusal, askerMark: askerMark(mac, to) });
      });
    },

    /** The watched person is told when the inviter's plan no longer covers the address. Pauses are the inviter's own. */
    onMonitoringSuspended: (event: EventOf<"tracking.monitoringSuspended">) => tellOfPlan(event, "watching_stopped"),
    onMonitoringResumed: (event: EventOf<"tracking.monitoringResumed">) => tellOfPlan(event, "watching_resumed"),

    /**
     * Nothing of the inviter stays. Owners who were still watched over hear that it has ended. What the account itself
     * agreed to, as the owner of its address, ends too unless it is to be kept, and so does what nobody was asked about:
     * kept, that waits for the question of tracking's job.
     */
    async onDeleted({ accountId: inviterId, email, keepGrants = false }: EventOf<"identity.deleted">): Promise<void> {
      if (email !== undefined && !keepGrants) {
        await withdrawAll(email);
        await endAll(email, inviterId);
      }
      const inviter = await accounts.of(inviterId);
      const mark = email === undefined ? undefined : askerMark(mac, email);
      for (let count = REMOVE_BATCH; count === REMOVE_BATCH; ) {
        count = await transaction(async (store) => {
          const { invitations, events } = store;
          const removed = await invitations.removeByInviter(inviterId, REMOVE_BATCH);
          if (mark !== undefined) await keepRefusals(store, { inviterId, askerMark: mark, invitations: removed });
          const change = { template: "watching_stopped", reason: "stopped", inviter, at: now() } as const;
          for (const invitation of removed)
            if (isGranted(invitation)) await events.publish(watchingMail(invitation, change, deps));
          return removed.length;
        });
      }
      await transaction(({ blocks }) => blocks.removeByInviter(inviterId));
    },
  };
}

function sentView(invitation: Invitation, now: Date): SentInvitation {
  const { id, associationId, address, kind, createdAt, sentAt } = invitation;
  return {
    ...{ id, associationId, address, kind },
    createdAt: createdAt.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    expiresAt: expiryOf(invitation, now).toISOString(),
  };
}
