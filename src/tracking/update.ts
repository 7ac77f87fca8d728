import { type ContactLists, contactsOf, listsOf } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { announceChange, applyPlan, saveSettings } from "./announce.ts";
import { askingAgain } from "./ask_again.ts";
import { type Association, type AssociationStatus, statusOf } from "./association.ts";
import type { UpdateInput } from "./inputs.ts";
import { planning } from "./plan.ts";
import type { TrackingDeps, TrackingStore } from "./ports.ts";

/** An association for the form that changes it. `status` is null until its owner has agreed. */
export type AssociationDetails = Pick<
  Association,
  "id" | "address" | "owner" | "consent" | "paused" | "suspended" | "scope"
> & {
  language: Language;
  contacts: ContactLists;
  status: AssociationStatus | null;
};

/** The account's settings of an association: alert routes, language, and whether it is paused. */
export function update(deps: TrackingDeps) {
  const { transaction, ownAddress, contactRoom, drainFor } = deps;
  const underPlan = planning(deps);
  const askAgain = askingAgain(deps);

  async function save(store: TrackingStore, before: Association, after: Association): Promise<Association> {
    await saveSettings(store, after);
    await announceChange(store, { before, after, reason: "paused" });
    return after;
  }

  return {
    showAssociation(accountId: string, id: string): Promise<Result<AssociationDetails, "NOT_FOUND">> {
      return transaction(async ({ associations }) => {
        const found = await associations.find(accountId, id);
        return found ? ok(detailsOf(found)) : fail("NOT_FOUND");
      });
    },

    /** Changing whose address it is asks the owner again, under a new id. */
    async updateAssociation(
      accountId: string,
      id: string,
      { owner, language, invitationLanguage, contacts: lists, paused }: UpdateInput,
    ): Promise<Result<AssociationDetails, "NOT_FOUND" | "CONTACT_LIMIT_REACHED">> {
      if (!(await contactRoom.has(accountId, contactsOf(lists)))) return fail("CONTACT_LIMIT_REACHED");
      const own = await ownAddress.of(accountId);
      return underPlan(accountId, async (store, plan) => {
        const before = await store.associations.find(accountId, id);
        if (!before) return fail("NOT_FOUND");
        const isOwn = before.consent === "own" || before.address === own;
        const after = { ...before, owner: isOwn || owner, language, contacts: contactsOf(lists), paused };
        if (after.owner === before.owner) return ok(detailsOf(await save(store, before, after)));
        const asked = await askAgain(store, before, after, invitationLanguage);
        // It moves to the end of the order, so that others may fit into the plan.
        await applyPlan(store, accountId, plan);
        return ok(detailsOf((await store.associations.find(accountId, asked.id)) ?? asked));
      });
    },

    /** Pausing by the account: nothing is checked, and known findings are kept. */
    async pauseAssociation(accountId: string, id: string, paused: boolean): Promise<Result<undefined, "NOT_FOUND">> {
      const done = await transaction(async (store): Promise<Result<undefined, "NOT_FOUND">> => {
        await store.associations.lockAccount(accountId);
        const before = await store.associations.find(accountId, id);
        if (!before) return fail("NOT_FOUND");
        const after = { ...before, paused };
        await store.associations.saveSettings(accountId, id, after);
        await announceChange(store, { before, after, reason: "paused" });
        return ok();
      });
      if (done.ok) await drainFor(id);
      return done;
    },

    /** Chooses which ones are kept when the plan does not cover all. Ignores ids of other accounts. */
    keepAssociations(accountId: string, ids: string[]): Promise<Result<undefined>> {
      return underPlan(accountId, async (store, plan) => {
        await store.associations.setPreferred(accountId, ids);
        await applyPlan(store, accountId, plan);
        return ok();
      });
    },
  };
}

function detailsOf(association: Association): AssociationDetails {
  const { id, address, owner, consent, language, contacts, paused, suspended, scope } = association;
  const status = consent === "pending" ? null : statusOf(association);
  return { id, address, owner, consent, language, contacts: listsOf(contacts), paused, suspended, scope, status };
}
