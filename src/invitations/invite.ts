import type { EventOf } from "../events/catalogue.ts";
import { ok, type Result } from "../shared/result.ts";
import { type Shown, shown } from "../shared/shown.ts";
import { askerMark, mailboxMark } from "../shared/stranger_mail.ts";
import { type ActRefusal, acting, done, ownerMarks, recordOf, TRANSITIONS } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS, expiryOf, type Invitation, isGranted, newInvitation } from "./invitation.ts";
import { watchingMail } from "./mails.ts";
import { ownWatches } from "./own_watchers.ts";
import { type Page, pageOf, rangeOf } from "./page.ts";
import type { InvitationDeps, InvitationStore } from "./ports.ts";

const REMOVE_BATCH = 20;

/** `sentAt` is null while the mail is queued. */
export type SentInvitation = Shown<
  Pick<Invitation, "id" | "associationId" | "address" | "kind" | "createdAt" | "sentAt" | "expiresAt">
>;

/** The inviter's side: requesting, cancelling, and listing what is pending. */
export function invite(deps: InvitationDeps) {
  const { transaction, accounts, newId, now, mac } = deps;
  const { perform, performNow } = acting(deps);
  const { endAll } = ownWatches(deps);

  async function tellOfPlan(
    event: EventOf<"tracking.monitoringSuspended" | "tracking.monitoringResumed">,
    template: "watching_stopped" | "watching_resumed",
  ): Promise<void> {
    const { associationId, accountId, reason, repeated } = event;
    if (reason !== "plan" || repeated) return;
    const inviter = await accounts.of(accountId);
    await transaction(async ({ invitations, events }) => {
      const invitation = await invitations.find({ associationId });
      if (!invitation || !isGranted(invitation)) return;
      await events.publish(watchingMail(invitation, { template, reason, inviter, at: now() }, deps));
    });
  }

  async function withdrawAll(address: string, quiet: boolean): Promise<void> {
    for (;;) {
      const range = { offset: 0, limit: REMOVE_BATCH };
      const { invitations } = await transaction((store) => store.invitations.page({ address }, "accepted", range));
      for (const { id } of invitations) await performNow({ id, address }, TRANSITIONS.withdraw(false, quiet));
      if (invitations.length < REMOVE_BATCH) return;
    }
  }

  /** Copies refusals and blocks against an account to its mailbox, so that they survive the account. */
  async function keepRefusals(
    { blocks, refusals }: InvitationStore,
    { inviterId, askerMark, invitations }: { inviterId: string; askerMark: string; invitations: Invitation[] },
  ): Promise<void> {
    for (const { addressMark: ownerMark, at } of await blocks.listByInviter(inviterId))
      await refusals.add({ ownerMark, askerMark, blockedAt: at, declinedAt: undefined });
    for (const { state, address, answeredAt } of invitations)
      if (state === "declined")
        await refusals.add({
          ownerMark: mailboxMark(mac, address),
          askerMark,
          blockedAt: undefined,
          declinedAt: answeredAt,
        });
  }

  return {
    /** Creates one request per association, even for a blocked inviter: that is checked when the mail is due. */
    async onConsentRequested(event: EventOf<"tracking.consentRequested">): Promise<void> {
      const { associationId, accountId: inviterId, address, kind, language } = event;
      const inviter = await accounts.of(inviterId);
      // The account was deleted in the meantime; an invitation would be orphaned.
      if (!inviter) return;
      await transaction(async ({ invitations, records, refusals, blocks }) => {
        const at = now();
        // Restores blocks against an earlier account with the same mailbox.
        const known = await refusals.list(ownerMarks(mac, address), askerMark(mac, inviter.email));
        for (const { ownerMark, blockedAt } of known)
          if (blockedAt) await blocks.add({ addressMark: ownerMark, inviterId, at: blockedAt });
        const invitation = newInvitation({ id: newId(), associationId, inviterId, address, kind, language }, at);
        if (!(await invitations.add(invitation))) return;
        await records.add(recordOf(invitation, { id: newId(), act: "asked", by: "inviter", at }));
      });
    },

    /** In any state; one that has ended stays unchanged. */
    async onConsentDropped(event: EventOf<"tracking.consentDropped">): Promise<void> {
      const { associationId, proven = false, repeated = false } = event;
      await perform({ associationId }, TRANSITIONS.drop(proven || repeated));
    },

    /** Withdraws a request that was not answered. */
    async cancelInvitation(inviterId: string, id: string): Promise<Result<undefined, ActRefusal>> {
      return done(await performNow({ id, inviterId }, TRANSITIONS.cancel));
    },

    /** Pending requests. Those of a blocked inviter look like any others. */
    async sentInvitations(inviterId: string, page: number): Promise<Result<Page<SentInvitation>>> {
      const { invitations, total } = await transaction((store) =>
        store.invitations.page({ inviterId }, "pending", rangeOf(page)),
      );
      return ok(pageOf(page, { items: invitations.map((invitation) => sentView(invitation, now())), total }));
    },

    /** Called by tracking: when owners who refused may be asked again. */
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

    /** Refusals and blocks against the account apply to its new mailbox as well as to the former one. */
    onEmailChanged({ accountId, from, to }: EventOf<"identity.emailChanged">): Promise<void> {
      return transaction(async (store) => {
        const former = askerMark(mac, from);
        await keepRefusals(store, { inviterId: accountId, askerMark: former, invitations: [] });
        for (const refusal of await store.refusals.listByAsker(former))
          await store.refusals.add({ ...refusal, askerMark: askerMark(mac, to) });
      });
    },

    /** Notifies the owner when the inviter's plan no longer covers the address. Pauses by the inviter are not announced. */
    onMonitoringSuspended: (event: EventOf<"tracking.monitoringSuspended">) => tellOfPlan(event, "watching_stopped"),
    onMonitoringResumed: (event: EventOf<"tracking.monitoringResumed">) => tellOfPlan(event, "watching_resumed"),

    /**
     * Removes everything of the inviter and notifies owners whose addresses were still tracked. Consents that the account gave
     * for its own address end as well, unless `keepGrants` is set. The same goes for tracking without consent: if kept, it waits
     * for tracking's job that asks for consent.
     */
    async onDeleted(event: EventOf<"identity.deleted">): Promise<void> {
      const { accountId: inviterId, email, keepGrants = false, repeated = false } = event;
      if (email !== undefined && !keepGrants) {
        await withdrawAll(email, repeated);
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
            if (isGranted(invitation) && !repeated) await events.publish(watchingMail(invitation, change, deps));
          return removed.length;
        });
      }
      await transaction(({ blocks }) => blocks.removeByInviter(inviterId));
    },
  };
}

function sentView(invitation: Invitation, now: Date): SentInvitation {
  const { id, associationId, address, kind, createdAt, sentAt } = invitation;
  return shown({ id, associationId, address, kind, createdAt, sentAt, expiresAt: expiryOf(invitation, now) });
}
