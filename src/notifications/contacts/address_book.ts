import type { EventOf } from "../../events/catalogue.ts";
import { joined } from "../../shared/batching.ts";
import type { ContactAddress } from "../../shared/contacts.ts";
import type { Language } from "../../shared/language.ts";
import type { Cipher, HashToken, Mac, NewToken } from "../../shared/secrets.ts";
import { askerMark, mailboxMark, takeStrangerMail } from "../../shared/stranger_mail.ts";
import type { MakeDelivery } from "../delivery/delivery.ts";
import type {
  Account,
  Accounts,
  Contact,
  ContactPlace,
  ContactState,
  NotificationStore,
  Senders,
  StoreAndClock,
} from "../ports.ts";
import {
  CONFIRMATION_VALID_MS,
  CONTACTS_PER_ACCOUNT,
  canonical,
  change,
  confirmable,
  confirmed,
  newContact,
  proofLost,
  sameAddress,
} from "./contact.ts";
import type { Findings, FindingsOf } from "./validation.ts";

/** Confirmation requests to a recipient in seven days, over all accounts; for mails there is a separate limit. */
const CONFIRMATIONS_PER_WEEK = 3;

type Wanted = {
  accountId: string;
  /** The account's contacts, if this transaction holds locks on them already. */
  known?: Contact[] | undefined;
  account: Account;
  language: Language;
  addresses: ContactAddress[];
  findings?: Findings;
};

const keyOf = ({ accountId, channel, value }: ContactPlace) => JSON.stringify([accountId, channel, value]);
function placeOf(key: string): ContactPlace {
  const [accountId, channel, value] = JSON.parse(key);
  return { accountId, channel, value };
}

/** The account's own address as a contact, if it is verified. */
export function ownAddress(account: Account): ContactAddress | undefined {
  return account.verified ? canonical({ channel: "email", value: account.email }) : undefined;
}

/** Removes its contacts, and all its deliveries. */
export async function forgetAccount(
  { contacts, deliveries, telegram, summaries }: NotificationStore,
  accountId: string,
): Promise<void> {
  await summaries.drop(accountId);
  await telegram.removeByAccount(accountId);
  await deliveries.removeByAccount(accountId);
  await contacts.removeByAccount(accountId);
}

/** A webhook cannot verify anything before its owner has seen the secret. */
function isAskable(contact: Contact): boolean {
  return contact.channel === "webhook" ? contact.settings.secret !== undefined : confirmable(contact);
}

type EnsurerNeeds = {
  senders: Senders;
  makeDelivery: MakeDelivery;
  newId: () => string;
  newToken: NewToken;
  hashToken: HashToken;
  mac: Mac;
  cipher: Cipher;
  now: () => Date;
};

export type ContactEnsurer = ReturnType<typeof contactEnsurer>;

/**
 * Returns the account's contacts for these addresses, locked, and creates missing ones. An unconfirmed contact gets one
 * confirmation request and nothing else.
 */
export function contactEnsurer({ senders, makeDelivery, newId, newToken, hashToken, mac, cipher, now }: EnsurerNeeds) {
  /** Counts a confirmation request. False when the limit of the recipient, over all accounts, or of the account is reached. */
  async function mayAsk(
    { contacts, strangerMail }: NotificationStore,
    { channel, value }: Contact,
    { email, network }: Account,
  ): Promise<boolean> {
    if (channel === "email") {
      const request = { mailbox: mailboxMark(mac, value), asker: askerMark(mac, email), network };
      return (await takeStrangerMail(strangerMail, request, now())) === undefined;
    }
    const since = new Date(now().getTime() - CONFIRMATION_VALID_MS);
    const mark = mac("confirmation", `${channel}:${value}`);
    if ((await contacts.countConfirmations(mark, since)) >= CONFIRMATIONS_PER_WEEK) return false;
    await contacts.addConfirmation(mark, now(), since);
    return true;
  }

  /** False when a limit is reached. Each request has its own link, which invalidates the former one. */
  async function ask(store: NotificationStore, contact: Contact, account: Account): Promise<boolean> {
    const { contacts, deliveries } = store;
    if (!(await mayAsk(store, contact, account))) return false;
    const token = newToken();
    const notAfter = new Date(now().getTime() + CONFIRMATION_VALID_MS);
    const asked = await contacts.replace({ ...contact, confirmHash: hashToken(token), confirmExpiresAt: notAfter });
    if (!asked) return false;
    const { accountId, language } = contact;
    const sealed = cipher.encrypt(JSON.stringify({ token }));
    // A contact may be asked several times.
    const subject = `confirm:${contact.id}:${newId()}`;
    const parts = { subject, recipient: contact, contactId: contact.id, accountId, language, sealed, notAfter };
    await deliveries.addMissing([makeDelivery({ ...parts, about: { kind: "confirmation" } })]);
    return true;
  }

  async function ensureContacts(
    store: NotificationStore,
    { accountId, known, account, language, addresses, findings }: Wanted,
  ): Promise<Contact[]> {
    const own = ownAddress(account);
    const isOwn = (address: ContactAddress) => own !== undefined && sameAddress(address, own);
    const wanted = addresses.flatMap((address) => canonical(address) ?? []);
    const isWanted = (contact: Contact) => wanted.some((address) => sameAddress(address, contact));

    const list = () => store.contacts.lockAt(wanted.map((address) => ({ accountId, ...address })));

    let contacts = known ? known.filter(isWanted) : await list();
    const missing = wanted.filter((address) => !contacts.some((contact) => sameAddress(contact, address)));
    for (const address of missing) {
      const finding = findings?.get(address.value);
      const own = isOwn(address);
      const contact = newContact({ id: newId(), accountId, address, language, own, now: now(), finding });
      await store.contacts.add(contact, CONTACTS_PER_ACCOUNT);
    }
    if (missing.length > 0) contacts = await list();

    const unasked = contacts.filter(({ state, confirmHash }) => state === "unconfirmed" && confirmHash === undefined);
    const proven = contacts.filter((contact) => contact.state === "unconfirmed" && isOwn(contact));
    for (const { id } of proven) {
      await change(store.contacts, id, (stored) => confirmed(stored, now()));
      await store.deliveries.releaseHeld("unconfirmed", id, now());
    }
    for (const contact of unasked) {
      const canAsk = isAskable(contact) && senders[contact.channel] !== undefined;
      if (canAsk && !proven.includes(contact)) await ask(store, contact, account);
    }
    return unasked.length + proven.length > 0 ? list() : contacts;
  }

  return {
    ensureContacts,
    askForConfirmation: ask,
  };
}

type Needs = StoreAndClock & {
  accounts: Accounts;
  ensureContacts: ContactEnsurer["ensureContacts"];
  findingsOf: FindingsOf;
};

export function addressBook({ transaction, accounts, ensureContacts, findingsOf, now }: Needs) {
  const stateAt = joined(async (keys: string[]) => {
    const found = await transaction((store) => store.contacts.statesAt(keys.map(placeOf)));
    return new Map(found.map(({ state, ...place }) => [keyOf(place), state]));
  });

  return {
    /** Creates new contacts of an association, and asks them for confirmation. */
    async onContactsChanged(event: EventOf<"tracking.contactsChanged">): Promise<void> {
      const account = await accounts.of(event.accountId);
      if (!account) return;
      const { accountId, language, contacts: addresses } = event;
      const findings = await findingsOf(accountId, addresses);
      await transaction((store) => ensureContacts(store, { accountId, account, language, addresses, findings }));
    },

    /** Confirms the contact with the account's new address. The contact with the former one has to be confirmed again. */
    async onEmailChanged({ accountId, from, to }: EventOf<"identity.emailChanged">): Promise<void> {
      const at = (value: string) => (contact: Contact) => {
        const place = canonical({ channel: "email", value });
        return place !== undefined && sameAddress(contact, place);
      };
      await transaction(async ({ contacts, deliveries }) => {
        const all = await contacts.listLocked([accountId]);
        const former = all.find(at(from));
        if (former) await change(contacts, former.id, proofLost);
        const contact = all.find(at(to));
        if (contact?.state !== "unconfirmed") return;
        await change(contacts, contact.id, (stored) => confirmed(stored, now()));
        await deliveries.releaseHeld("unconfirmed", contact.id, now());
      });
    },

    /** Removes all data of the account, including queued messages. */
    async onDeleted({ accountId }: EventOf<"identity.deleted">): Promise<void> {
      await transaction((store) => forgetAccount(store, accountId));
    },

    /** The states of the account's contacts at these addresses. */
    async contactStates(
      accountId: string,
      addresses: ContactAddress[],
    ): Promise<(ContactAddress & { state: ContactState })[]> {
      const wanted = new Map(addresses.map((address) => [keyOf({ accountId, ...address }), address]));
      const states = await Promise.all([...wanted.keys()].map(stateAt));
      return [...wanted.values()].flatMap(({ channel, value }, index) => {
        const state = states[index];
        return state ? [{ channel, value, state }] : [];
      });
    },
  };
}
