import type { AlertRoute, Channel } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { ownAddress } from "./address_book.ts";
import { routesTo, sameAddress } from "./contact.ts";
import type { ContactHealth } from "./ledger_ports.ts";
import type { Contact, ContactSettings, ContactState, NotificationDeps } from "./ports.ts";

/** A contact as its account sees it; instants in ISO 8601. */
export type ContactView = {
  id: string;
  channel: Channel;
  value: string;
  /** What its provider calls it. */
  label: string | null;
  state: ContactState;
  /** The account's own email address. */
  own: boolean;
  /** Of messages to it; null: that of each address. */
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
  createdAt: string;
  lastSentAt: string | null;
  /** Why the last message did not arrive, in the provider's words, if none has arrived since. */
  failure: { at: string; detail: string | null } | null;
  waiting: number;
  usedBy: { associationId: string; address: string }[];
};

type Circumstances = { health: ContactHealth | undefined; own: boolean; routes: AlertRoute[] };

/** Reading an account's contacts: how each does, and what it is for. */
export function contactViews(deps: NotificationDeps) {
  const { transaction, accounts, contactUses } = deps;

  function viewOf(contact: Contact, { health, own, routes }: Circumstances): ContactView {
    const { id, channel, value, label, state, settings, createdAt } = contact;
    const failure = health?.lastFailure;
    return {
      ...{ id, channel, value, label: label ?? null, state, own, language: settings.language ?? null },
      settings: {
        device: settings.device ?? null,
        devices: settings.devices ?? [],
        emergency: settings.emergency ?? false,
        hasSecret: settings.secret !== undefined,
        discreet: settings.discreet ?? false,
        digestBelow: settings.digestBelow ?? null,
        digestHour: settings.digestHour ?? null,
        quiet: settings.quiet ?? null,
        zone: settings.zone ?? null,
      },
      createdAt: createdAt.toISOString(),
      lastSentAt: health?.lastSentAt?.toISOString() ?? null,
      failure: failure ? { at: failure.at.toISOString(), detail: failure.detail ?? null } : null,
      waiting: health?.waiting ?? 0,
      usedBy: routesTo(routes, contact).map(({ associationId, address }) => ({ associationId, address })),
    };
  }

  async function viewsOf(accountId: string, contacts: Contact[]): Promise<ContactView[]> {
    const ids = contacts.map(({ id }) => id);
    const health = await transaction(({ ledger }) => ledger.healthOf(ids));
    const account = await accounts.of(accountId);
    const own = account && ownAddress(account);
    const isOwn = (contact: Contact) => own !== undefined && sameAddress(contact, own);
    const routes = await contactUses.of(accountId);
    return contacts.map((contact) => viewOf(contact, { health: health.get(contact.id), own: isOwn(contact), routes }));
  }

  return {
    viewsOf,

    /** One contact, if it is the account's. */
    async showContact(accountId: string, contactId: string): Promise<Result<ContactView, "NOT_FOUND">> {
      const contact = await transaction(({ contacts }) => contacts.find(contactId));
      if (contact?.accountId !== accountId) return fail("NOT_FOUND");
      const [view] = await viewsOf(accountId, [contact]);
      return view ? ok(view) : fail("NOT_FOUND");
    },
  };
}

export function contactList(deps: NotificationDeps) {
  const { viewsOf } = contactViews(deps);
  return {
    /** All contacts of the account, oldest first. */
    async listContacts(accountId: string): Promise<Result<{ items: ContactView[] }>> {
      const contacts = await deps.transaction((store) => store.contacts.list(accountId));
      return ok({ items: await viewsOf(accountId, contacts) });
    },
  };
}
