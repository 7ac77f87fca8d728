import { fail, type Result } from "../shared/result.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { ContactEnsurer } from "./contacts/address_book.ts";
import type { ContactView, HasRoomFor, ShowContact } from "./contacts/contact_list.ts";
import type { FindingsOf } from "./contacts/validation.ts";
import type { ContactInput } from "./inputs.ts";
import type { Accounts, ContactAdoption, NotificationStore } from "./ports.ts";

type Needs = {
  transaction: Transaction<NotificationStore>;
  accounts: Accounts;
  contactAdoption: ContactAdoption;
  ensureContacts: ContactEnsurer["ensureContacts"];
  findingsOf: FindingsOf;
  hasRoomFor: HasRoomFor;
  showContact: ShowContact;
};

/** Adds a contact on its own, before any address uses it, or for all addresses. */
export function contactAdding(needs: Needs) {
  const { transaction, accounts, contactAdoption, ensureContacts, findingsOf, hasRoomFor, showContact } = needs;

  return {
    /** Asks for confirmation like for any new contact; an existing one stays unchanged. */
    async addContact(
      accountId: string,
      { channel, value, language, everywhere }: ContactInput,
    ): Promise<Result<ContactView, "NOT_FOUND" | "CONTACT_LIMIT_REACHED">> {
      const address = { channel, value };
      const account = await accounts.of(accountId);
      if (!account) return fail("NOT_FOUND");
      if (!(await hasRoomFor(accountId, [address]))) return fail("CONTACT_LIMIT_REACHED");
      const findings = await findingsOf(accountId, [address]);
      const wanted = { accountId, account, language, addresses: [address], findings };
      const [contact] = await transaction((store) => ensureContacts(store, wanted));
      if (!contact) return fail("CONTACT_LIMIT_REACHED");
      if (everywhere) await contactAdoption.by(accountId, address);
      return showContact(accountId, contact.id);
    },
  };
}
