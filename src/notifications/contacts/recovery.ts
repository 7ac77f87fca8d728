import { fail, ok, type Result } from "../../shared/result.ts";
import type { Cipher, NewToken } from "../../shared/secrets.ts";
import type { Accounts, Contact, ContactRemoval, NotificationStore, StoreAndClock } from "../ports.ts";
import type { ContactEnsurer } from "./address_book.ts";
import { change, confirmable, repaired } from "./contact.ts";
import type { ContactView, ShowContact } from "./contact_list.ts";
import { newWebhookSecret } from "./webhook_secret.ts";

const HELD = ["unconfirmed", "misconfigured", "crash_loop", "unrenderable", "digest", "quiet"] as const;

type Needs = StoreAndClock & {
  accounts: Accounts;
  contactRemoval: ContactRemoval;
  newToken: NewToken;
  cipher: Cipher;
  showContact: ShowContact;
  askAgain: ContactEnsurer["askAgain"];
};

/** An account's actions on contacts that need attention. */
export function contactCare(needs: Needs) {
  const { transaction, accounts, contactRemoval, newToken, cipher, showContact, askAgain, now } = needs;

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
    /** Sends the confirmation request again; the former link becomes invalid. */
    async askContact(
      accountId: string,
      contactId: string,
    ): Promise<Result<Record<string, never>, "NOT_FOUND" | "CONTACT_SETTLED" | "CONTACT_ASKED_RECENTLY">> {
      const account = await accounts.of(accountId);
      if (!account) return fail("NOT_FOUND");
      return ofAccount(accountId, contactId, async (store, contact) => {
        if (!confirmable(contact)) return fail("CONTACT_SETTLED");
        return (await askAgain(store, contact, account)) ? ok({}) : fail("CONTACT_ASKED_RECENTLY");
      });
    },

    /** Re-enables a contact that has refused; messages that ended in the meantime are not revived. */
    async repairContact(
      accountId: string,
      contactId: string,
    ): Promise<Result<ContactView, "NOT_FOUND" | "CONTACT_SETTLED">> {
      const changed = await ofAccount(accountId, contactId, async (store, contact) => {
        if (contact.state !== "broken") return fail("CONTACT_SETTLED");
        await change(store.contacts, contactId, repaired);
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
        if (signing && account && confirmable(signing)) await askAgain(store, signing, account);
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
