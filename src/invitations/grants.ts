import { type ConsentKind, type ConsentScope, NO_SCOPE } from "../shared/consent.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { shown } from "../shared/shown.ts";
import { type Act, type ActRefusal, type Agreement, acting, done, ownerMarks, scopeOf, TRANSITIONS } from "./acts.ts";
import { expiryOf, type Invitation } from "./invitation.ts";
import { inviterView, nameOf } from "./mails.ts";
import { type Grant, ownWatches, type Recognised, type WatchedBy } from "./own_watchers.ts";
import { type Page, pageOf, rangeOf } from "./page.ts";
import type { InvitationDeps } from "./ports.ts";
import { type RecordEntry, recordEntries } from "./record.ts";

type Named = { inviter: { name: string } };
export type AccessRequest = Recognised & { id: string; kind: ConsentKind; createdAt: string; expiresAt: string };
export type MayWatch = Grant & Pick<Invitation, "associationId" | "kind">;
export type ConsentStory = Named & { address: string; entries: RecordEntry[] };

const NONE = { items: [], total: 0 };

/** The signed-in side: requests to the owner of an address, granted consents, and the addresses that the account may track. */
export function grants(deps: InvitationDeps) {
  const { transaction, accounts, ownAddress, mac, now } = deps;
  const { performNow } = acting(deps);
  const { unaskedOf, refuseOwnership, narrowOwnership } = ownWatches(deps);

  /** Adds the inviters' names; those of accounts that are being deleted are left out, though still counted. */
  async function named(invitations: Invitation[]): Promise<({ invitation: Invitation } & Recognised)[]> {
    const inviters = new Map<string, Recognised["inviter"]>();
    for (const id of new Set(invitations.map(({ inviterId }) => inviterId))) {
      const inviter = await accounts.of(id);
      if (inviter) inviters.set(id, inviterView(inviter));
    }
    return invitations.flatMap((invitation) => {
      const inviter = inviters.get(invitation.inviterId);
      return inviter === undefined ? [] : [{ invitation, inviter }];
    });
  }

  /** Acts as the owner of the account's verified address. NOT_FOUND for invitations to others, or from blocked inviters. */
  async function performAsOwner(accountId: string, id: string, act: Act): Promise<Result<Invitation, ActRefusal>> {
    const address = await ownAddress.of(accountId);
    if (address === undefined) return fail("NOT_FOUND");
    const isSeen = await transaction(async ({ invitations, blocks }) => {
      const found = await invitations.find({ id, address });
      if (found?.state !== "pending") return found !== undefined;
      return !(await blocks.has(ownerMarks(mac, address), found.inviterId));
    });
    return isSeen ? performNow({ id, address }, act) : fail("NOT_FOUND");
  }

  return {
    /** Access Requests, without those of blocked inviters. */
    async accessRequests(accountId: string, page: number): Promise<Result<Page<AccessRequest>>> {
      const address = await ownAddress.of(accountId);
      if (address === undefined) return ok(pageOf(page, NONE));
      const { invitations, total } = await transaction(async (store) => {
        const inviters = await store.blocks.listInviters(ownerMarks(mac, address));
        return store.invitations.pageOpen(address, { inviters, now: now() }, rangeOf(page));
      });
      const items = (await named(invitations)).map(({ invitation, inviter }) => {
        const { id, kind, createdAt } = invitation;
        return { ...shown({ id, kind, createdAt, expiresAt: expiryOf(invitation, now()) }), inviter };
      });
      return ok(pageOf(page, { items, total }));
    },

    async acceptRequest(
      accountId: string,
      id: string,
      agreement: Agreement,
    ): Promise<Result<{ scope: ConsentScope }, ActRefusal>> {
      return scopeOf(await performAsOwner(accountId, id, TRANSITIONS.accept(agreement)));
    },

    async declineRequest(accountId: string, id: string, block: boolean): Promise<Result<undefined, ActRefusal>> {
      return done(await performAsOwner(accountId, id, TRANSITIONS.decline(block)));
    },

    /** Granted Permissions: the addresses of others that the account may track. */
    async listMayWatch(accountId: string, page: number): Promise<Result<Page<MayWatch>>> {
      const { invitations, total } = await transaction((store) =>
        store.invitations.page({ inviterId: accountId }, "accepted", rangeOf(page)),
      );
      const items = invitations.map((invitation) => {
        const { associationId, kind } = invitation;
        return { ...grantOf(invitation), associationId, kind };
      });
      return ok(pageOf(page, { items, total }));
    },

    /** Granted Permissions: the accounts that track this account's address, of any kind; those without consent first. */
    async listWatchedBy(accountId: string, page: number): Promise<Result<Page<WatchedBy>>> {
      const address = await ownAddress.of(accountId);
      if (address === undefined) return ok(pageOf(page, NONE));
      const { invitations, total } = await transaction((store) =>
        store.invitations.page({ address }, "accepted", rangeOf(page)),
      );
      const granted = (await named(invitations)).map(({ invitation, inviter }) => {
        return { ...grantOf(invitation), kind: invitation.kind, inviter };
      });
      const unasked = await unaskedOf(address, accountId);
      const items = page === 1 ? [...unasked, ...granted] : granted;
      return ok(pageOf(page, { items, total: total + unasked.length }));
    },

    /** Who loses access when the account is deleted: a few of them, and their number; those without consent first. */
    async watchersOf(accountId: string): Promise<{ items: { name: string; email: string }[]; total: number }> {
      const address = await ownAddress.of(accountId);
      if (address === undefined) return NONE;
      const { invitations, total } = await transaction((store) =>
        store.invitations.page({ address }, "accepted", rangeOf(1)),
      );
      const unasked = await unaskedOf(address, accountId);
      const items = [...unasked, ...(await named(invitations))].map(({ inviter }) => inviter);
      return { items, total: total + unasked.length };
    },

    async withdrawGrant(accountId: string, id: string, block: boolean): Promise<Result<undefined, ActRefusal>> {
      if (await refuseOwnership(accountId, id, block)) return ok();
      return done(await performAsOwner(accountId, id, TRANSITIONS.withdraw(block)));
    },

    async rescopeGrant(
      accountId: string,
      id: string,
      agreement: Agreement,
    ): Promise<Result<{ scope: ConsentScope }, ActRefusal>> {
      const narrowed = await narrowOwnership(accountId, id, agreement);
      return scopeOf(narrowed ?? (await performAsOwner(accountId, id, TRANSITIONS.rescope(agreement))));
    },

    /** The consent record of an invitation, for both sides, once it was answered. */
    async consentRecord(accountId: string, id: string): Promise<Result<ConsentStory, "NOT_FOUND">> {
      const address = await ownAddress.of(accountId);
      const found = await transaction(async ({ invitations, records }) => {
        const asInviter = await invitations.find({ id, inviterId: accountId });
        const invitation = asInviter ?? (address === undefined ? undefined : await invitations.find({ id, address }));
        // Before an answer it would reveal to a blocked inviter that no mail is sent.
        return invitation?.answeredAt && { invitation, entries: await records.list(id) };
      });
      const inviter = found && (await accounts.of(found.invitation.inviterId));
      if (!found || !inviter) return fail("NOT_FOUND");
      return ok({
        address: found.invitation.address,
        inviter: { name: nameOf(inviter) },
        entries: recordEntries(found.entries),
      });
    },
  };
}

function grantOf({ id, address, scope = NO_SCOPE, answeredAt, createdAt }: Invitation): Grant {
  return { id, address, scope, since: (answeredAt ?? createdAt).toISOString() };
}
