import { type AlertRoute, CHANNELS, type ContactAddress } from "../../shared/contacts.ts";
import type { Language } from "../../shared/language.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type Shown, shown } from "../../shared/shown.ts";
import type { Transaction } from "../../shared/transaction.ts";
import type { Accounts, Contact, ContactSettings, ContactUses, NotificationStore } from "../ports.ts";
import type { ContactHealth } from "../reporting/delivery_log_ports.ts";
import { ownAddress } from "./address_book.ts";
import { attentionFirst, CONTACTS_PER_ACCOUNT, canonical, routesByContact, sameAddress } from "./contact.ts";
import { type Reach, reachOf } from "./reach.ts";

/** A contact as shown to its account; instants in ISO 8601. */
export type ContactView = Shown<Pick<Contact, "id" | "channel" | "value" | "label" | "state" | "createdAt">> & {
  /** Whether it is the account's own email address. */
  own: boolean;
  /** Whether the confirmation request was sent; it waits while a limit of the recipient or the account is reached. */
  asked: boolean;
  /** The language of messages; null for the language of each address. */
  language: Language | null;
  settings: {
    device: string | null;
    devices: string[];
    emergency: boolean;
    hasSecret: boolean;
    discreet: boolean;
    digestBelow: NonNullable<ContactSettings["digestBelow"]> | null;
    digestHour: number | null;
    quiet: { from: string; to: string } | null;
    zone: string | null;
  };
  lastSentAt: string | null;
  /** Why the last message was not delivered, as reported by the provider, if none was delivered since. */
  failure: { at: string; detail: string | null } | null;
  waiting: number;
  /** The first of the addresses that use it. */
  usedBy: { associationId: string; address: string }[];
  /** How many addresses use it. */
  uses: number;
};
export type ContactPage = { items: ContactView[]; total: number; page: number; pageSize: number; reach: Reach };

const PAGE_SIZE = 50;
/** Addresses listed for each contact, which keeps a page small even when every contact is used by all addresses. */
const USES_SHOWN = 20;

type Circumstances = { health: ContactHealth | undefined; own: boolean; routes: AlertRoute[] };

type Needs = { transaction: Transaction<NotificationStore>; accounts: Accounts; contactUses: ContactUses };

export type ContactList = ReturnType<typeof contactList>;

/** An account's contacts with their state and use. */
export function contactList({ transaction, accounts, contactUses }: Needs) {
  const routesOf = async (accountId: string) => routesByContact(await contactUses.of(accountId));

  function viewOf(contact: Contact, { health, own, routes }: Circumstances): ContactView {
    const { id, channel, value, label, state, settings, createdAt } = contact;
    const { language, device, devices = [], emergency = false, discreet = false, secret } = settings;
    const { digestBelow, digestHour, quiet, zone } = settings;
    return {
      ...shown({ id, channel, value, label, state, createdAt, language, lastSentAt: health?.lastSentAt }),
      own,
      settings: {
        ...shown({ device, digestBelow, digestHour, quiet, zone }),
        devices,
        emergency,
        hasSecret: secret !== undefined,
        discreet,
      },
      asked: contact.confirmHash !== undefined,
      failure: health?.lastFailure ? shown(health.lastFailure) : null,
      waiting: health?.waiting ?? 0,
      usedBy: routes.slice(0, USES_SHOWN).map(({ associationId, address }) => ({ associationId, address })),
      uses: routes.length,
    };
  }

  /** Whether a contact is the account's own address. */
  async function ownOf(accountId: string): Promise<(contact: Contact) => boolean> {
    const account = await accounts.of(accountId);
    const own = account && ownAddress(account);
    return (contact) => own !== undefined && sameAddress(contact, own);
  }

  async function viewsOf(
    contacts: Contact[],
    isOwn: (contact: Contact) => boolean,
    routesTo: (contact: Contact) => AlertRoute[],
  ): Promise<ContactView[]> {
    const ids = contacts.map(({ id }) => id);
    const health = await transaction(({ deliveryLog }) => deliveryLog.healthOf(ids));
    return contacts.map((contact) =>
      viewOf(contact, { health: health.get(contact.id), own: isOwn(contact), routes: routesTo(contact) }),
    );
  }

  return {
    /** One of the account's contacts. */
    async showContact(accountId: string, contactId: string): Promise<Result<ContactView, "NOT_FOUND">> {
      const contact = await transaction(({ contacts }) => contacts.find(contactId));
      if (contact?.accountId !== accountId) return fail("NOT_FOUND");
      const [view] = await viewsOf([contact], await ownOf(accountId), await routesOf(accountId));
      return view ? ok(view) : fail("NOT_FOUND");
    },

    /**
     * A page of the account's contacts: those that need attention first, then by age. `value` filters by recipient, in any
     * spelling.
     */
    async listContacts(
      accountId: string,
      { page = 1, value = "" }: { page?: number; value?: string } = {},
    ): Promise<Result<ContactPage>> {
      const places = CHANNELS.flatMap((channel) => canonical({ channel, value }) ?? []);
      const routesTo = await routesOf(accountId);
      const all = await transaction(({ contacts }) =>
        value === "" ? contacts.list(accountId) : contacts.listAt(accountId, places),
      );
      const listed = attentionFirst(all).slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
      const isOwn = await ownOf(accountId);
      const reach = reachOf(
        all.map((contact) => ({ state: contact.state, own: isOwn(contact), usedBy: routesTo(contact) })),
      );
      const items = await viewsOf(listed, isOwn, routesTo);
      return ok({ items, total: all.length, page, pageSize: PAGE_SIZE, reach });
    },

    /** Whether the account's limit allows these additional contacts. */
    async hasRoomFor(accountId: string, wanted: ContactAddress[]): Promise<boolean> {
      const places = wanted.flatMap((address) => canonical(address) ?? []);
      return transaction(async ({ contacts }) => {
        const known = await contacts.listAt(accountId, places);
        return (await contacts.count(accountId)) - known.length + places.length <= CONTACTS_PER_ACCOUNT;
      });
    },
  };
}
