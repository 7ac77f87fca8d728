import { type ConsentKind, type ConsentScope, FULL_SCOPE } from "../shared/consent.ts";
import { fail, type Result } from "../shared/result.ts";
import { askerMark, mailboxMark } from "../shared/stranger_mail.ts";
import { type ActRefusal, type Agreement, acting, TRANSITIONS } from "./acts.ts";
import type { Invitation } from "./invitation.ts";
import { inviterView } from "./mails.ts";
import type { InvitationDeps } from "./ports.ts";

export type Recognised = { inviter: { name: string; email: string } };
export type Grant = { id: string; address: string; scope: ConsentScope; since: string };
/** `own`: tracked as the account's own address without consent, as in older data. */
export type WatchedBy = Grant & Recognised & { kind: ConsentKind | "own" };

/** Other accounts that track an address as their own although this account has verified it. Nobody gave consent to these. */
export function ownWatches(deps: InvitationDeps) {
  const { transaction, accounts, ownAddress, ownWatchers, drainFor, mac, now } = deps;
  const { performNow } = acting(deps);

  async function find(accountId: string, associationId: string) {
    const address = await ownAddress.of(accountId);
    const found = address && (await ownWatchers.of(address, accountId)).find(({ id }) => id === associationId);
    return address && found ? { address, inviterId: found.accountId } : undefined;
  }

  return {
    async unaskedOf(address: string, accountId: string): Promise<WatchedBy[]> {
      const found = await ownWatchers.of(address, accountId);
      const rows = await Promise.all(
        found.map(async ({ id, accountId: watcher, since }): Promise<WatchedBy[]> => {
          const inviter = await accounts.of(watcher);
          const grant = { id, address, scope: FULL_SCOPE, since: since.toISOString(), kind: "own" } as const;
          return inviter ? [{ ...grant, inviter: inviterView(inviter) }] : [];
        }),
      );
      return rows.flat();
    },

    /** Ends one of them. False when there is none with this id. */
    async refuseOwnership(accountId: string, associationId: string, block: boolean): Promise<boolean> {
      const found = await find(accountId, associationId);
      if (!found) return false;
      const { address, inviterId } = found;
      const inviter = await accounts.of(inviterId);
      await transaction(async ({ blocks, refusals, events }) => {
        const [ownerMark, at] = [mailboxMark(mac, address), now()];
        if (block) await blocks.add({ addressMark: ownerMark, inviterId, at });
        if (block && inviter)
          await refusals.add({
            ownerMark,
            askerMark: askerMark(mac, inviter.email),
            blockedAt: at,
            declinedAt: undefined,
          });
        await events.publish({ type: "invitations.ownershipRefused", associationId, accountId: inviterId, address });
      });
      await drainFor(associationId);
      return true;
    },

    /**
     * Turns one of them into a request, which the owner answers right away. Undefined when there is none with this id. If the
     * process dies in between, the request stays open for the owner.
     */
    async narrowOwnership(
      accountId: string,
      associationId: string,
      agreement: Agreement,
    ): Promise<Result<Invitation, ActRefusal> | undefined> {
      const found = await find(accountId, associationId);
      if (!found) return undefined;
      const asked = await ownWatchers.ask(found.inviterId, associationId);
      if (asked === undefined) return fail("NOT_FOUND");
      await drainFor(asked);
      return performNow({ associationId: asked }, TRANSITIONS.accept(agreement));
    },

    /** Ends all of them when their owner deletes the account without keeping consents. */
    async endAll(address: string, accountId: string): Promise<void> {
      const found = await ownWatchers.of(address, accountId);
      await transaction(async ({ events }) => {
        for (const { id: associationId, accountId: watcher } of found)
          await events.publish({ type: "invitations.ownershipRefused", associationId, accountId: watcher, address });
      });
      for (const { id } of found) await drainFor(id);
    },
  };
}
