import {
  type ContactAddress,
  type ContactLists,
  contactsOf,
  contactValue,
  listsOf,
  MAX_CONTACTS,
} from "../../shared/contacts.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { shown } from "../../shared/shown.ts";
import type { Client, IdentityDeps, IdentityStore, User, UserDetails } from "../ports.ts";
import { auditor } from "./audit.ts";
import type { ProfileInput } from "./profile_inputs.ts";

/** An account as its owner sees it; instants in ISO 8601. */
export type FullProfile = Pick<User, "firstName" | "lastName" | "email" | "language"> & {
  companyName: string | null;
  defaultContacts: ContactLists;
  createdAt: string;
  /** A new email that has not been confirmed yet. */
  pendingEmail: { email: string; expiresAt: string } | null;
};

/** Reading and changing the account's own details. */
export function profile(deps: IdentityDeps) {
  const { transaction, now } = deps;
  const record = auditor(deps);

  async function viewOf({ emailChanges }: IdentityStore, user: User): Promise<FullProfile> {
    const { firstName, lastName, email, language, companyName, defaultContacts, createdAt } = user;
    const pending = await emailChanges.find(user.id, now());
    return {
      ...shown({ firstName, lastName, email, language, companyName, createdAt }),
      defaultContacts: listsOf(defaultContacts),
      pendingEmail: pending ? shown({ email: pending.email, expiresAt: pending.expiresAt }) : null,
    };
  }

  return {
    /** The contacts that new addresses get; empty stands for the account's own mailbox. */
    defaultContactsOf(accountId: string): Promise<ContactAddress[]> {
      return transaction(async ({ users }) => (await users.find(accountId))?.defaultContacts ?? []);
    },

    /** Removes a contact from the defaults for new addresses. */
    dropDefaultContact(accountId: string, { channel, value }: ContactAddress): Promise<void> {
      return transaction(async ({ users }) => {
        const user = await users.findForUpdate(accountId);
        const isIt = (contact: ContactAddress) =>
          contact.channel === channel && contactValue(channel, contact.value) === value;
        if (!user?.defaultContacts.some(isIt)) return;
        const defaultContacts = user.defaultContacts.filter((contact) => !isIt(contact));
        await users.saveDetails(accountId, { ...user, defaultContacts });
      });
    },

    /** Adds a contact to the defaults for new addresses; without a choice the default was the account's own mailbox. */
    addDefaultContact(accountId: string, { channel, value }: ContactAddress): Promise<void> {
      return transaction(async ({ users }) => {
        const user = await users.findForUpdate(accountId);
        if (!user) return;
        const { defaultContacts: chosen, email } = user;
        const before = chosen.length > 0 ? chosen : [{ channel: "email" as const, value: email }];
        const ofChannel = before.filter((contact) => contact.channel === channel);
        const isThere = ofChannel.some((contact) => contactValue(channel, contact.value) === value);
        if (isThere || ofChannel.length >= MAX_CONTACTS) return;
        await users.saveDetails(accountId, { ...user, defaultContacts: [...before, { channel, value }] });
      });
    },

    showProfile(accountId: string): Promise<Result<FullProfile, "NOT_FOUND">> {
      return transaction(async (store) => {
        const user = await store.users.find(accountId);
        return user ? ok(await viewOf(store, user)) : fail("NOT_FOUND");
      });
    },

    /** Replaces all details: a missing company is removed. */
    changeProfile(
      accountId: string,
      { defaultContacts, companyName, firstName, lastName, language }: ProfileInput,
      client: Client,
    ): Promise<Result<FullProfile, "NOT_FOUND">> {
      const details = { firstName, lastName, companyName, language, defaultContacts: contactsOf(defaultContacts) };
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        const fields = changedFields(user, details);
        if (fields.length > 0) {
          await store.users.saveDetails(accountId, details);
          await record(store, "details_changed", { accountId, client, detail: { fields: fields.join(" ") } });
        }
        return ok(await viewOf(store, { ...user, ...details }));
      });
    },
  };
}

function changedFields(before: UserDetails, after: UserDetails): string[] {
  const fields = (["firstName", "lastName", "companyName", "language"] as const).filter(
    (field) => before[field] !== after[field],
  );
  const contactsOf = ({ defaultContacts }: UserDetails) => JSON.stringify(listsOf(defaultContacts));
  return contactsOf(before) === contactsOf(after) ? fields : [...fields, "defaultContacts"];
}
