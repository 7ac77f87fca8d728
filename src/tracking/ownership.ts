import type { EventOf } from "../events/catalogue.ts";
import { FULL_SCOPE } from "../shared/consent.ts";
import { contactValue } from "../shared/contacts.ts";
import type { FormerAddress } from "../shared/former_address.ts";
import { announceEnd, announceStart, applyPlan, endForeignAliases, saveSettings } from "./announce.ts";
import { askingAgain } from "./ask_again.ts";
import type { Association } from "./association.ts";
import { planning } from "./plan.ts";
import type { TrackingDeps, TrackingStore } from "./ports.ts";

/** Associations that one run of the job looks at: few, so that an idle process reads little. */
const PAGE = 20;
type Change = { from: string; to: string };

/** Re-evaluates what an account may track because it has proven the address. */
export function ownership(deps: TrackingDeps) {
  const { transaction, ownAddress, ownAddresses, drainFor } = deps;
  const underPlan = planning(deps);
  const askAgain = askingAgain(deps);
  /** The last association that the job has looked at in this process. */
  let lookedAt: string | undefined;

  /** Returns the ids of what ended and of what consent was requested for. */
  async function endProof(store: TrackingStore, former: Association, choice: FormerAddress): Promise<string[]> {
    if (choice === "ask") return [former.id, (await askAgain(store, former, { ...former, owner: true })).id];
    await store.associations.remove(former.accountId, former.id);
    await announceEnd(store, former);
    return [former.id];
  }

  /** A proven address needs no consent. */
  async function prove(store: TrackingStore, before: Association): Promise<string> {
    const { id: associationId, accountId, address, consent } = before;
    await store.associations.prove(accountId, associationId);
    const about = { associationId, accountId, address };
    await store.events.publish({ type: "tracking.consentDropped", ...about, proven: true });
    if (consent === "pending") await announceStart(store, { ...before, consent: "own", scope: FULL_SCOPE });
    else {
      await endForeignAliases(store, before);
      await store.events.publish({ type: "tracking.scopeChanged", ...about, scope: FULL_SCOPE });
    }
    return associationId;
  }

  /** Alerts to the account's former mailbox go to its new one. */
  async function moveContacts(store: TrackingStore, accountId: string, { from, to }: Change): Promise<void> {
    const isAt = (email: string, { channel, value }: Association["contacts"][number]) =>
      channel === "email" && contactValue(channel, value) === email;
    for (const association of await store.associations.listByAccount(accountId)) {
      const { contacts: former } = association;
      if (!former.some((contact) => isAt(from, contact))) continue;
      const others = former.filter((contact) => !isAt(from, contact) && !isAt(to, contact));
      await saveSettings(store, { ...association, contacts: [{ channel: "email", value: to }, ...others] });
    }
  }

  return {
    /** Uses the email that is proven now: a later change has its own event. */
    async onEmailChanged({ accountId, from, to, formerAddress }: EventOf<"identity.emailChanged">): Promise<void> {
      const own = await ownAddress.of(accountId);
      if (own === undefined || own === from) return;
      const touched = await underPlan(accountId, async (store, plan) => {
        const ids: string[] = [];
        await moveContacts(store, accountId, { from, to });
        const former = await store.associations.findByAddress(accountId, from);
        // Events of a former release carry no choice.
        if (former?.consent === "own") ids.push(...(await endProof(store, former, formerAddress ?? "ask")));
        const proven = await store.associations.findByAddress(accountId, own);
        if (proven && proven.consent !== "own") ids.push(await prove(store, proven));
        await applyPlan(store, accountId, plan);
        return ids;
      });
      for (const id of touched) await drainFor(id);
    },

    /** The proven owner of the address objects to its tracking. */
    async onOwnershipRefused({
      associationId,
      accountId,
      address,
    }: EventOf<"invitations.ownershipRefused">): Promise<void> {
      if ((await ownAddress.of(accountId)) === address) return;
      await underPlan(accountId, async (store, plan) => {
        const found = await store.associations.find(accountId, associationId);
        if (found?.consent !== "own") return;
        await endProof(store, found, "end");
        await applyPlan(store, accountId, plan);
      });
    },

    /** Other accounts that watch an address of this one as their own: only what is left of older data or of a backup. */
    async ownWatchersOf(address: string, accountId: string): Promise<{ id: string; accountId: string; since: Date }[]> {
      const watching = await transaction(({ associations }) => associations.listWatching(address));
      return watching
        .filter((one) => one.consent === "own" && one.accountId !== accountId)
        .map(({ id, accountId: watcher, createdAt }) => ({ id, accountId: watcher, since: createdAt }));
    },

    /** Makes one of them a question to the owner of the address. Returns the id under which it is asked. */
    async askOwner(accountId: string, id: string): Promise<string | undefined> {
      const [, asked] = (await askOne(accountId, id)) ?? [];
      return asked;
    },

    /**
     * A job: looks at the next few addresses that are watched as an account's own, and asks the owners of those that are not
     * the account's proven email, as older data and restored backups have them. Begins again after the last one. Returns
     * how many owners it asked.
     */
    async askUnproven(): Promise<number> {
      const page = await transaction(({ associations }) => associations.listOwn(lookedAt, PAGE));
      const proven = await ownAddresses.of([...new Set(page.map(({ accountId }) => accountId))]);
      const wrong = page.filter(({ accountId, address }) => proven.get(accountId) !== address);
      let asked = 0;
      for (const { accountId, id } of wrong) if (await askOne(accountId, id)) asked += 1;
      lookedAt = page.length === PAGE ? page.at(-1)?.id : undefined;
      return asked;
    },
  };

  /** Returns the ids of what ended and of what consent was requested for; undefined when there is no owner to ask. */
  async function askOne(accountId: string, id: string): Promise<string[] | undefined> {
    const own = await ownAddress.of(accountId);
    return underPlan(accountId, async (store, plan) => {
      const found = await store.associations.find(accountId, id);
      if (found?.consent !== "own" || found.address === own) return undefined;
      // The question names the account that asks, so there is none to send once that account is gone.
      const touched = await endProof(store, found, own === undefined ? "end" : "ask");
      await applyPlan(store, accountId, plan);
      return touched;
    });
  }
}
