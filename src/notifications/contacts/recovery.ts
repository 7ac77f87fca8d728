import { fail, ok, type Result } from "../../shared/result.ts";
import type { Contact, NotificationDeps, NotificationStore } from "../ports.ts";
import { contactEnsurer } from "./address_book.ts";
import { change, confirmable, repaired } from "./contact.ts";
import { type ContactView, contactViews } from "./contact_list.ts";
import { newWebhookSecret } from "./webhook_secret.ts";

const HELD = ["unconfirmed", "misconfigured", "crash_loop", "unrenderable", "digest", "quiet"] as const;

/** What an account does for a contact that needs attention. */
export function contactCare(deps: NotificationDeps) {
  const { transaction, accounts, contactRemoval, newToken, seal, now } = deps;
  const { showContact } = contactViews(deps);
  const { askAgain } = contactEnsurer(deps);

  function ofAccount<T>(
    accountId: string,
    contactId: string,
    work: (store: NotificationStore, contact: Contact) => Promise<T>,
  ): Promise<T | Result<never, "NOT_FOUND">> {
    return transaction(async (store) => {
      // Locked: two clicks on the same button are one.
      const contact = (await store.contacts.listLocked([accountId])).find(({ id }) => id === contactId);
      return contact ? work(store, contact) : fail("NOT_FOUND");
    });
  }

  return {
    /** Sends the question again whether alerts may go there; the former link is void. */
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

    /** Gives a contact that has refused another chance; what ended meanwhile stays ended. */
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

    /** A webhook's signing secret, made anew: the former one is void. Shown this once; now it can be asked, if it was not. */
    async renewSecret(accountId: string, contactId: string): Promise<Result<{ secret: string }, "NOT_FOUND">> {
      const account = await accounts.of(accountId);
      return ofAccount(accountId, contactId, async (store, { channel }) => {
        if (channel !== "webhook") return fail("NOT_FOUND");
        const secret = newWebhookSecret(newToken);
        const sealed = seal.close(secret);
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
     * Takes the contact off everything that names it, and forgets it. What waited for it goes to whoever is left; refused
     * with the addresses whose only contact it is.
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
        // Its worker finds that the contact is no longer wanted, and sees to it that somebody else hears.
        for (const reason of HELD) await deliveries.releaseHeld(reason, contactId, now());
        await telegram.removeLink(contactId);
        await contacts.remove(contactId);
        return ok({});
      });
    },
  };
}
