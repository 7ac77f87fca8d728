import type { EventOf } from "../events/catalogue.ts";
import { ok, type Result } from "../shared/result.ts";
import { ACTS, type ActRefusal, acting, recordOf } from "./acts.ts";
import { AGAIN_AFTER_DECLINE_MS, expiryOf, type Invitation, isGranted, newInvitation } from "./invitation.ts";
import { watchingMail } from "./mails.ts";
import { type Page, pageOf, rangeOf } from "./page.ts";
import type { InvitationDeps } from "./ports.ts";

const REMOVE_BATCH = 20;

export type SentInvitation = Pick<Invitation, "id" | "associationId" | "address" | "kind"> & {
  createdAt: string;
  /** Null while it waits for its turn. */
  sentAt: string | null;
  expiresAt: string;
};

/** The inviter's side: asking, giving up, and what still waits. */
export function invite(deps: InvitationDeps) {
  const { transaction, accounts, newId, now } = deps;
  const { perform, performNow } = acting(deps);

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

  return {
    /** Asks once per association, whether or not the owner wants to hear of it: that is seen when the mail is due. */
    onConsentRequested(event: EventOf<"tracking.consentRequested">): Promise<void> {
      const { associationId, accountId: inviterId, address, kind, language } = event;
      return transaction(async ({ invitations, records }) => {
        const at = now();
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
      const declines = await transaction(({ invitations }) => invitations.listDeclines(accountId, addresses, since));
      return new Map([...declines].map(([address, at]) => [address, new Date(at.getTime() + AGAIN_AFTER_DECLINE_MS)]));
    },

    /** The watched person is told when the inviter's plan no longer covers the address. Pauses are the inviter's own. */
    onMonitoringSuspended: (event: EventOf<"tracking.monitoringSuspended">) => tellOfPlan(event, "watching_stopped"),
    onMonitoringResumed: (event: EventOf<"tracking.monitoringResumed">) => tellOfPlan(event, "watching_resumed"),

    /**
     * Nothing of the inviter stays. Owners who were still watched over hear that it has ended. What the account itself
     * agreed to, as the owner of its address, ends too unless it is to be kept.
     */
    async onDeleted({ accountId: inviterId, email, keepGrants = false }: EventOf<"identity.deleted">): Promise<void> {
      if (email !== undefined && !keepGrants) await withdrawAll(email);
      const inviter = await accounts.of(inviterId);
      for (let count = REMOVE_BATCH; count === REMOVE_BATCH; ) {
        count = await transaction(async ({ invitations, events }) => {
          const removed = await invitations.removeByInviter(inviterId, REMOVE_BATCH);
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
