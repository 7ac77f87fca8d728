import type { Event } from "../events/catalogue.ts";
import { type ConsentScope, NO_SCOPE, WORDING_VERSION } from "../shared/consent.ts";
import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { askerMark, mailboxMark } from "../shared/stranger_mail.ts";
import {
  accepted,
  type ConsentRecord,
  cancelled,
  declined,
  dropped,
  expired,
  type Invitation,
  isGranted,
  type Rule,
  rescoped,
  withdrawn,
} from "./invitation.ts";
import { answerMail, givenMail, watchingMail } from "./mails.ts";
import type { InvitationDeps, InvitationKey, InvitationStore, Inviter } from "./ports.ts";

/** An action on an invitation, and how the consent record logs it. */
export type Act = Pick<ConsentRecord, "act" | "by"> & {
  rule: Rule;
  /** The language in which the text was read; defaults to the invitation's. */
  language?: Language | undefined;
  /** Whether the owner blocks the inviter. */
  block?: boolean;
  /** The owner may have no account to return to, so a mail explains how to change the answer. */
  byLink?: true;
  /** Suppresses notifications. */
  quiet?: boolean;
};

export type Agreement = ConsentScope & { language?: Language | undefined };

export const TRANSITIONS = {
  accept: ({ language, ...scope }: Agreement): Act => ({
    act: "accepted",
    by: "owner",
    rule: accepted(scope),
    language,
  }),
  rescope: ({ language, ...scope }: Agreement): Act => ({
    act: "scope_changed",
    by: "owner",
    rule: rescoped(scope),
    language,
  }),
  decline: (block: boolean): Act => ({ act: "declined", by: "owner", rule: declined, block }),
  withdraw: (block: boolean, quiet = false): Act => ({ act: "withdrawn", by: "owner", rule: withdrawn, block, quiet }),
  cancel: { act: "cancelled", by: "inviter", rule: cancelled },
  drop: (quiet: boolean): Act => ({ act: "cancelled", by: "inviter", rule: dropped, quiet }),
  expire: { act: "expired", by: "system", rule: expired },
} as const satisfies Record<string, Act | ((more: never) => Act)>;

export type ActRefusal = "NOT_FOUND" | "INVITATION_INVALID";

export function scopeOf<Refusal extends ActRefusal>(
  acted: Result<Invitation, Refusal>,
): Result<{ scope: ConsentScope }, Refusal> {
  return acted.ok ? ok({ scope: acted.value.scope ?? NO_SCOPE }) : acted;
}

export function done<Refusal extends ActRefusal>(acted: Result<Invitation, Refusal>): Result<undefined, Refusal> {
  return acted.ok ? ok() : acted;
}

/** The HMACs that identify an owner: of the mailbox, and of the address itself, which older blocks use. */
export function ownerMarks(mac: InvitationDeps["mac"], address: string): string[] {
  return [...new Set([mailboxMark(mac, address), mac("address", address)])];
}

/** Applies the rule with optimistic locking, retrying on conflicts. */
async function change(
  { invitations }: Pick<InvitationStore, "invitations">,
  key: InvitationKey,
  rule: (invitation: Invitation) => Invitation | undefined,
): Promise<Result<{ before: Invitation; after: Invitation }, ActRefusal>> {
  for (;;) {
    const before = await invitations.find(key);
    if (!before) return fail("NOT_FOUND");
    const after = rule(before);
    if (!after) return fail("INVITATION_INVALID");
    if (after === before || (await invitations.save(after))) return ok({ before, after });
  }
}

/** The only path for answering, changing and ending an invitation: load, decide, store, announce. */
export function acting(deps: InvitationDeps) {
  const { transaction, accounts, drainFor, mac, newId, now } = deps;

  async function perform(key: InvitationKey, act: Act): Promise<Result<Invitation, ActRefusal>> {
    const known = await transaction(({ invitations }) => invitations.find(key));
    if (!known) return fail("NOT_FOUND");
    const inviter = await accounts.of(known.inviterId);
    return transaction(async (store) => {
      const at = now();
      const changed = await change(store, key, (invitation) => act.rule(invitation, at));
      if (!changed.ok) return changed;
      const { before, after } = changed.value;
      if (after === before) return ok(after);
      await store.records.add(recordOf(after, { ...act, id: newId(), at }));
      await keepRefusal(store, { act, invitation: after, inviter, at });
      const mailOf = () =>
        act.act === "cancelled" && isGranted(before)
          ? watchingMail(after, { template: "watching_stopped", reason: "stopped", inviter, at }, deps)
          : answerMail({ act: act.act, at }, after, inviter);
      const language = act.language ?? after.language;
      const isGiven = act.byLink && act.act === "accepted" && after.kind === "invitation";
      const given = isGiven ? givenMail(after, { inviter, language }, deps) : undefined;
      for (const event of [outcomeOf(after), act.quiet ? undefined : mailOf(), given])
        if (event) await store.events.publish(event);
      return ok(after);
    });
  }

  /** Stores a refusal or block by the HMACs of both mailboxes, so that it survives the deletion of either account. */
  async function keepRefusal(
    { blocks, refusals }: InvitationStore,
    { act, invitation, inviter, at }: { act: Act; invitation: Invitation; inviter: Inviter | undefined; at: Date },
  ): Promise<void> {
    const ownerMark = mailboxMark(mac, invitation.address);
    if (act.block) await blocks.add({ addressMark: ownerMark, inviterId: invitation.inviterId, at });
    const said = { blockedAt: act.block ? at : undefined, declinedAt: act.act === "declined" ? at : undefined };
    if (inviter && (said.blockedAt ?? said.declinedAt))
      await refusals.add({ ownerMark, askerMark: askerMark(mac, inviter.email), ...said });
  }

  return {
    perform,

    /** For requests by users: also waits for the event handlers, so that nothing that this ends is shown or sent any more. */
    async performNow(key: InvitationKey, act: Act): Promise<Result<Invitation, ActRefusal>> {
      const done = await perform(key, act);
      if (done.ok) await drainFor(done.value.associationId);
      return done;
    },
  };
}

/** An entry of the consent record. */
export function recordOf(
  { id: invitationId, scope, language }: Invitation,
  line: Pick<ConsentRecord, "id" | "act" | "by" | "at"> & { language?: Language | undefined },
): ConsentRecord {
  const { id, at, act, by } = line;
  return { id, invitationId, at, act, by, scope, language: line.language ?? language, wording: WORDING_VERSION };
}

/** The event that announces an invitation's new state to tracking. */
function outcomeOf({ id, associationId, inviterId, address, ...invitation }: Invitation): Event | undefined {
  const about = { invitationId: id, associationId, accountId: inviterId, address };
  const { state, scope, version } = invitation;
  if (state === "pending") return undefined;
  if (state !== "accepted") return { type: "invitations.ended", ...about, how: state };
  return scope && { type: "invitations.granted", ...about, scope, version };
}
