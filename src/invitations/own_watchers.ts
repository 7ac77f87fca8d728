import { type ConsentKind, type ConsentScope, FULL_SCOPE } from "../shared/consent.ts";
import { fail, type Result } from "../shared/result.ts";
import { askerMark, mailboxMark } from "../shared/stranger_mail.ts";
import { ACTS, type ActRefusal, type Agreement, acting } from "./acts.ts";
import type { Invitation } from "./invitation.ts";
import { inviterView } from "./mails.ts";
import type { InvitationDeps } from "./ports.ts";

export type Recognised = { inviter: { name: string; email: string } };
export type Grant = { id: string; address: string; scope: ConsentScope; since: string };
/** `own`: nobody was asked, as in what is left of older data. */
export type WatchedBy = Grant & Recognised & { kind: ConsentKind | "own" };

/** What other accounts watch as their own although this one has proven the address: nobody was asked about it. */
export function ownWatches(deps: InvitationDeps) {
  const { transaction, accounts, ownAddress, ownWatchers, settled, mac, now } = deps;
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

    /** Ends one of them. False when it is nothing of that kind. */
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
            ...{ ownerMark, askerMark: askerMark(mac, inviter.email) },
            ...{ blockedAt: at, declinedAt: undefined },
          });
        await events.publish({ type: "invitations.ownershipRefused", associationId, accountId: inviterId, address });
      });
      await settled(associationId);
      return true;
    },

    /**
     * Makes one of them what its owner agrees to: it is asked about, and the answer is here already. Undefined when it is
     * nothing of that kind. Should the process end in between, the question waits for its owner.
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
      await settled(asked);
      return performNow({ associationId: asked }, ACTS.accept(agreement));
    },

    /** Ends all of them, as their owner, who leaves, does not want anybody to watch. */
    async endAll(address: string, accountId: string): Promise<void> {
      const found = await ownWatchers.of(address, accountId);
      await transaction(async ({ events }) => {
        for (const { id: associationId, accountId: watcher } of found)
          await events.publish({ type: "invitations.ownershipRefused", associationId, accountId: watcher, address });
      });
      for (const { id } of found) await settled(id);
    },
  };
}
