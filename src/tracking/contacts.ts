import { type AlertRoute, type ContactAddress, contactValue, MAX_CONTACTS } from "../shared/contacts.ts";
import { type Failure, fail, ok, type Result } from "../shared/result.ts";
import { saveSettings } from "./announce.ts";
import type { Association } from "./association.ts";
import type { TrackingDeps } from "./ports.ts";

function isSame(one: ContactAddress, other: ContactAddress): boolean {
  return (
    one.channel === other.channel && contactValue(one.channel, one.value) === contactValue(other.channel, other.value)
  );
}

/** What other modules need to route an association's alerts. */
export function routeOf({ id, accountId, address, consent, language, contacts }: Association): AlertRoute {
  return { associationId: id, accountId, address, own: consent === "own", language, contacts };
}

/** The use of contacts by associations. */
export function contactUse({ transaction }: Pick<TrackingDeps, "transaction">) {
  const names = (contact: ContactAddress) => (association: Association) =>
    association.contacts.some((each) => isSame(each, contact));

  return {
    /** The alert routes of all the account's associations, without those that await consent. */
    async routesOfAccount(accountId: string): Promise<AlertRoute[]> {
      const all = await transaction(({ associations }) => associations.listByAccount(accountId));
      return all.filter(({ consent }) => consent !== "pending").map(routeOf);
    },

    /** Adds the contact to everything that the account tracks, unless a list is full. */
    adoptContact(accountId: string, contact: ContactAddress): Promise<void> {
      return transaction(async (store) => {
        await store.associations.lockAccount(accountId);
        const others = (await store.associations.listByAccount(accountId)).filter(
          (association) => !names(contact)(association) && hasRoom(association, contact),
        );
        for (const other of others) await saveSettings(store, { ...other, contacts: [...other.contacts, contact] });
      });
    },

    /** Removes the contact from all associations, or from none: `fields` names the addresses that have no other contact. */
    dropContact(accountId: string, contact: ContactAddress): Promise<Result<Record<string, never>, "CONTACT_IS_LAST">> {
      return transaction(async (store) => {
        await store.associations.lockAccount(accountId);
        const named = (await store.associations.listByAccount(accountId)).filter(names(contact));
        const left = named.map((association) => ({
          ...association,
          contacts: association.contacts.filter((each) => !isSame(each, contact)),
        }));
        const bare = left.filter(({ contacts }) => contacts.length === 0).map(({ address }) => address);
        if (bare.length > 0) return isLast(bare);
        for (const association of left) await saveSettings(store, association);
        return ok({});
      });
    },
  };
}

function hasRoom({ contacts }: Association, { channel }: ContactAddress): boolean {
  return contacts.filter((each) => each.channel === channel).length < MAX_CONTACTS;
}

function isLast(addresses: string[]): Failure<"CONTACT_IS_LAST"> {
  return fail("CONTACT_IS_LAST", {
    fields: Object.fromEntries(addresses.map((address) => [address, "CONTACT_IS_LAST" as const])),
  });
}
