import { fail, ok, type Result } from "../../shared/result.ts";
import type { Cipher, NewToken } from "../../shared/secrets.ts";
import type { ContactInput, SettingsInput } from "../inputs.ts";
import type {
  Accounts,
  Contact,
  ContactAdoption,
  ContactRemoval,
  ContactSettings,
  NotificationStore,
  StoreAndClock,
} from "../ports.ts";
import { type ContactEnsurer, ownAddress } from "./address_book.ts";
import { canonical, change, confirmable, repaired, sameAddress } from "./contact.ts";
import type { ContactList, ContactView } from "./contact_list.ts";
import type { FindingsOf } from "./validation.ts";
import { newWebhookSecret } from "./webhook_secret.ts";

const HELD = ["unconfirmed", "misconfigured", "crash_loop", "unrenderable", "digest", "quiet"] as const;

type Needs = StoreAndClock &
  ContactEnsurer & {
    accounts: Accounts;
    contactAdoption: ContactAdoption;
    contactRemoval: ContactRemoval;
    findingsOf: FindingsOf;
    hasRoomFor: ContactList["hasRoomFor"];
    showContact: ContactList["showContact"];
    newToken: NewToken;
    cipher: Cipher;
  };

/** Stores only what was chosen; the secret and the provider's data stay unchanged. */
function chosen(
  { secret, devices, thread }: ContactSettings,
  { discreet, digestBelow, digestHour, quiet, zone, device, emergency, language }: SettingsInput,
): ContactSettings {
  return {
    ...(secret !== undefined && { secret }),
    ...(devices !== undefined && { devices }),
    ...(thread !== undefined && { thread }),
    ...(discreet && { discreet }),
    ...(digestBelow !== null && { digestBelow }),
    ...(digestHour !== null && { digestHour }),
    ...(quiet !== null && { quiet }),
    ...(zone !== null && { zone }),
    ...(device !== null && { device }),
    ...(emergency && { emergency }),
    ...(language !== null && { language }),
  };
}

/** What an account does with its contacts. */
export function contactActs(needs: Needs) {
  const { transaction, accounts, contactAdoption, contactRemoval, ensureContacts, askForConfirmation } = needs;
  const { findingsOf, hasRoomFor, showContact, newToken, cipher, now } = needs;

  function ofAccount<T>(
    accountId: string,
    contactId: string,
    work: (store: NotificationStore, contact: Contact) => Promise<T>,
  ): Promise<T | Result<never, "NOT_FOUND">> {
    return transaction(async (store) => {
      // Locked, so that a double click has the effect of one.
      const contact = (await store.contacts.listLocked([accountId])).find(({ id }) => id === contactId);
      return contact ? work(store, contact) : fail("NOT_FOUND");
    });
  }

  return {
    /**
     * Adds a contact before any address uses it, or for all addresses, and asks it for confirmation; an existing one stays
     * unchanged, and is not `added`.
     */
    async addContact(
      accountId: string,
      { channel, value, language, everywhere }: ContactInput,
    ): Promise<Result<ContactView & { added: boolean }, "NOT_FOUND" | "CONTACT_LIMIT_REACHED">> {
      const address = { channel, value };
      const account = await accounts.of(accountId);
      if (!account) return fail("NOT_FOUND");
      if (!(await hasRoomFor(accountId, [address]))) return fail("CONTACT_LIMIT_REACHED");
      const findings = await findingsOf(accountId, [address]);
      const wanted = { accountId, account, language, addresses: [address], findings };
      const { contact, added } = await transaction(async (store) => {
        const known = await store.contacts.listAt(accountId, [canonical(address) ?? address]);
        const [contact] = await ensureContacts(store, wanted);
        return { contact, added: known.length === 0 };
      });
      if (!contact) return fail("CONTACT_LIMIT_REACHED");
      if (everywhere) await contactAdoption.by(accountId, address);
      const shown = await showContact(accountId, contact.id);
      return shown.ok ? ok({ ...shown.value, added }) : shown;
    },

    /** Reschedules waiting messages under the new settings. */
    async saveContactSettings(
      accountId: string,
      contactId: string,
      input: SettingsInput,
    ): Promise<Result<ContactView, "NOT_FOUND">> {
      const saved = await ofAccount(accountId, contactId, async ({ contacts, deliveries }) => {
        await change(contacts, contactId, (stored) => ({ ...stored, settings: chosen(stored.settings, input) }));
        for (const reason of ["digest", "quiet"] as const) await deliveries.releaseHeld(reason, contactId, now());
        return ok({});
      });
      return saved.ok ? showContact(accountId, contactId) : saved;
    },

    /** Sends the confirmation request again; the former link becomes invalid. */
    async askContact(
      accountId: string,
      contactId: string,
    ): Promise<Result<Record<string, never>, "NOT_FOUND" | "CONTACT_SETTLED" | "CONTACT_ASKED_RECENTLY">> {
      const account = await accounts.of(accountId);
      if (!account) return fail("NOT_FOUND");
      return ofAccount(accountId, contactId, async (store, contact) => {
        if (!confirmable(contact)) return fail("CONTACT_SETTLED");
        return (await askForConfirmation(store, contact, account)) ? ok({}) : fail("CONTACT_ASKED_RECENTLY");
      });
    },

    /**
     * Re-enables a contact that has refused, or the account's own address after it was unsubscribed; messages that ended in the
     * meantime are not revived.
     */
    async repairContact(
      accountId: string,
      contactId: string,
    ): Promise<Result<ContactView, "NOT_FOUND" | "CONTACT_SETTLED">> {
      const account = await accounts.of(accountId);
      const own = account && ownAddress(account);
      const next = (contact: Contact) => repaired(contact, own !== undefined && sameAddress(contact, own));
      const changed = await ofAccount(accountId, contactId, async (store, contact) => {
        if (next(contact) === contact) return fail("CONTACT_SETTLED");
        await change(store.contacts, contactId, next);
        return ok({});
      });
      return changed.ok ? showContact(accountId, contactId) : changed;
    },

    /**
     * Creates a new signing secret for a webhook; the former one becomes invalid. It is shown only this once. Then asks for
     * confirmation, if that was pending.
     */
    async renewSecret(accountId: string, contactId: string): Promise<Result<{ secret: string }, "NOT_FOUND">> {
      const account = await accounts.of(accountId);
      return ofAccount(accountId, contactId, async (store, { channel }) => {
        if (channel !== "webhook") return fail("NOT_FOUND");
        const secret = newWebhookSecret(newToken);
        const sealed = cipher.encrypt(secret);
        await change(store.contacts, contactId, (stored) => ({
          ...stored,
          settings: { ...stored.settings, secret: sealed },
        }));
        const signing = await store.contacts.find(contactId);
        if (signing && account && confirmable(signing)) await askForConfirmation(store, signing, account);
        return ok({ secret });
      });
    },

    /**
     * Removes the contact from everything that uses it, and deletes it. Its queued messages go to the remaining contacts. Fails
     * with the addresses that have no other contact.
     */
    async removeContact(
      accountId: string,
      contactId: string,
    ): Promise<Result<Record<string, never>, "NOT_FOUND" | "CONTACT_IS_LAST">> {
      const contact = await transaction(({ contacts }) => contacts.find(contactId));
      if (contact?.accountId !== accountId) return fail("NOT_FOUND");
      const removed = await contactRemoval.from(accountId, { channel: contact.channel, value: contact.value });
      if (!removed.ok) return removed;
      return ofAccount(accountId, contactId, async ({ contacts, deliveries, telegram }) => {
        // The worker will find the contact removed, and send them to another one.
        for (const reason of HELD) await deliveries.releaseHeld(reason, contactId, now());
        await telegram.removeLink(contactId);
        await contacts.remove(contactId);
        return ok({});
      });
    },
  };
}
