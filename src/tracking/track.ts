import { FULL_SCOPE, NO_SCOPE } from "../shared/consent.ts";
import { contactsOf } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { announceEnd, announceStart, applyPlan } from "./announce.ts";
import type { Association } from "./association.ts";
import type { BulkInput, TrackInput } from "./inputs.ts";
import { planning } from "./plan.ts";
import type { TrackingDeps, TrackingStore } from "./ports.ts";

export type TrackRefusal =
  | "USER_INACTIVE"
  | "USER_INSUFFICIENT"
  | "ADDRESS_ALREADY_TRACKED"
  | "INVITATION_DECLINED_RECENTLY"
  | "CONTACT_LIMIT_REACHED";
export type Tracked = { id: string; state: "watching" | "pending" };

/**
 * Asks the owner of an address for consent, unless it is verified as the account's own; in the language of its alerts by default.
 */
export async function requestConsent(
  { events }: TrackingStore,
  association: Association,
  language: Language = association.language,
): Promise<void> {
  const { id: associationId, accountId, address, owner } = association;
  const kind = owner ? "ownership" : "invitation";
  await events.publish({ type: "tracking.consentRequested", associationId, accountId, address, kind, language });
}

/** Starting and ending the tracking of addresses. */
export function track(deps: TrackingDeps) {
  const { ownAddress, consentGate, contactRoom, drainFor, newId, now } = deps;
  const underPlan = planning(deps);
  type Wanted = Omit<BulkInput, "addresses"> & { own: string | undefined };

  function newAssociation(accountId: string, address: string, { own, owner, language, contacts }: Wanted): Association {
    const isOwn = address === own;
    return {
      id: newId(),
      accountId,
      address,
      owner: owner || isOwn,
      language,
      contacts: contactsOf(contacts),
      consent: isOwn ? "own" : "pending",
      scope: isOwn ? FULL_SCOPE : NO_SCOPE,
      scopeVersion: 0,
      paused: false,
      suspended: false,
      preferred: false,
      openAlerts: 0,
      openVersion: 0,
      createdAt: now(),
    };
  }

  const start = (store: TrackingStore, association: Association, invitationLanguage: Language | undefined) =>
    association.consent === "own"
      ? announceStart(store, association)
      : requestConsent(store, association, invitationLanguage);

  /** Adds all of them or none. `nameOf` returns the input field of an address. */
  async function addAll(
    accountId: string,
    { addresses, ...settings }: BulkInput,
    nameOf: (address: string) => string,
  ): Promise<Result<Association[], TrackRefusal>> {
    if (!(await contactRoom.has(accountId, contactsOf(settings.contacts)))) return fail("CONTACT_LIMIT_REACHED");
    const own = await ownAddress.of(accountId);
    const wanted = [...new Set(addresses)];
    const declined = await consentGate.of(
      accountId,
      wanted.filter((address) => address !== own),
    );
    return underPlan(accountId, async (store, plan) => {
      if (!plan.active) return fail("USER_INACTIVE");
      if (declined.size > 0) return refuse("INVITATION_DECLINED_RECENTLY", [...declined.keys()], nameOf);
      const { associations } = store;
      const fresh = wanted.map((address) => newAssociation(accountId, address, { ...settings, own }));
      const known = [
        ...(await associations.listTracked(accountId, wanted)),
        ...(await store.aliases.listTracked(accountId, wanted)),
      ];
      if (known.length > 0) return refuse("ADDRESS_ALREADY_TRACKED", known, nameOf);
      const count = plan.cap === null ? 0 : await associations.countByAccount(accountId);
      if (plan.cap !== null && count + fresh.length > plan.cap) return fail("USER_INSUFFICIENT");
      await associations.addAll(fresh);
      for (const association of fresh) await start(store, association, settings.invitationLanguage);
      return ok(fresh);
    });
  }

  function removeAll(accountId: string, ids: string[]): Promise<number> {
    return underPlan(accountId, async (store, plan) => {
      const removed = await store.associations.removeAll(accountId, ids);
      for (const association of removed) await announceEnd(store, association);
      // Associations above the cap may fit now.
      if (removed.length > 0) await applyPlan(store, accountId, plan);
      return removed.length;
    });
  }

  return {
    /** Tracks the account's own, verified address immediately; the owner of any other is asked first. */
    async track(accountId: string, { address, ...settings }: TrackInput): Promise<Result<Tracked, TrackRefusal>> {
      const added = await addAll(accountId, { addresses: [address], ...settings }, () => "address");
      if (!added.ok) return added;
      const [association] = added.value;
      if (association === undefined) throw new Error(`Cannot track "${address}": nothing was added`);
      return ok({ id: association.id, state: association.consent === "own" ? "watching" : "pending" });
    },

    /** Many addresses with the same settings, all of them or none. */
    async trackAll(accountId: string, input: BulkInput): Promise<Result<{ added: number }, TrackRefusal>> {
      const nameOf = (address: string) => `addresses.${input.addresses.indexOf(address)}`;
      const added = await addAll(accountId, input, nameOf);
      return added.ok ? ok({ added: added.value.length }) : added;
    },

    /** Ends tracking, or awaiting an answer, and removes what was found for this association. */
    async removeAssociation(accountId: string, id: string): Promise<Result<undefined, "NOT_FOUND">> {
      if ((await removeAll(accountId, [id])) !== 1) return fail("NOT_FOUND");
      await drainFor(id);
      return ok();
    },

    /** Ignores ids of other accounts. */
    removeAssociations: async (accountId: string, ids: string[]): Promise<Result<{ removed: number }>> =>
      ok({ removed: await removeAll(accountId, ids) }),
  };
}

function refuse<Code extends TrackRefusal>(code: Code, addresses: string[], nameOf: (address: string) => string) {
  return fail(code, { fields: Object.fromEntries(addresses.map((address) => [nameOf(address), code])) });
}
