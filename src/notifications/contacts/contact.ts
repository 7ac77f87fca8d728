import { CHATS, isChat } from "../../shared/chats.ts";
import {
  type AlertRoute,
  type Channel,
  type ContactAddress,
  isConnected,
  MAX_CONTACT_LENGTH,
  typedContact,
} from "../../shared/contacts.ts";
import { normaliseEmail } from "../../shared/email_address.ts";
import type { Language } from "../../shared/language.ts";
import type { Contact, ContactCheck, ContactRepository, ContactState } from "../ports.ts";
import { isGroup } from "../telegram/telegram_ports.ts";

/** Per account, over all its addresses. */
export const CONTACTS_PER_ACCOUNT = 5000;
export const DAY_MS = 24 * 60 * 60_000;
export const CONFIRMATION_VALID_MS = 7 * DAY_MS;

/** The canonical form of a contact's value; undefined if it is invalid. */
export function canonical({ channel, value }: ContactAddress): ContactAddress | undefined {
  const text = channel === "email" ? normaliseEmail(value) : typedContact(channel, value);
  if (text === undefined) return undefined;
  // Telegram's usernames ignore case; Pushover's keys do not.
  const form = channel === "telegram" ? text.replace(/^@/, "").toLowerCase() : text;
  return /^\S+$/.test(form) && form.length <= MAX_CONTACT_LENGTH[channel] ? { channel, value: form } : undefined;
}

const placeKey = ({ channel, value }: ContactAddress) => `${channel}:${value}`;

/** Returns a look-up from a contact, in any spelling, to the routes that use it. Indexes the routes once. */
export function routesByContact(routes: AlertRoute[]): (contact: ContactAddress) => AlertRoute[] {
  const byPlace = new Map<string, AlertRoute[]>();
  for (const route of routes) {
    const places = new Set(route.contacts.map((address) => placeKey(canonical(address) ?? address)));
    for (const place of places) {
      const known = byPlace.get(place);
      if (known) known.push(route);
      else byPlace.set(place, [route]);
    }
  }
  return (contact) => byPlace.get(placeKey(contact)) ?? [];
}

/** Those that need attention first, then by age. */
export function attentionFirst(contacts: Contact[]): Contact[] {
  const isActive = ({ state }: Contact) => state === "active";
  return [...contacts.filter((contact) => !isActive(contact)), ...contacts.filter(isActive)];
}

export function sameAddress(one: ContactAddress, other: ContactAddress): boolean {
  return one.channel === other.channel && one.value === other.value;
}

type NewContact = {
  id: string;
  accountId: string;
  address: ContactAddress;
  language: Language;
  own: boolean;
  now: Date;
  /** The result of the provider's check. */
  finding?: ContactCheck | undefined;
};

/** The account's own verified address needs no confirmation; all others do. */
export function newContact({ id, accountId, address, language, own, now, finding }: NewContact): Contact {
  return {
    ...address,
    id,
    accountId,
    language,
    state: finding?.kind === "invalid" ? "broken" : own ? "active" : "unconfirmed",
    settings: finding?.kind === "valid" ? { devices: finding.devices } : {},
    confirmHash: undefined,
    confirmExpiresAt: undefined,
    confirmedAt: own ? now : undefined,
    refusedAt: undefined,
    createdAt: now,
    label: undefined,
    chatId: undefined,
    version: 1,
  };
}

/** After confirmation by its owner. Opening an old link again does not undo an unsubscription. */
export function confirmed(contact: Contact, now: Date): Contact {
  return contact.state === "unconfirmed" ? { ...contact, state: "active", confirmedAt: now } : contact;
}

/** The mailbox is no longer the account's own, so its current owner has to confirm it. */
export function proofLost(contact: Contact): Contact {
  if (contact.state !== "active") return contact;
  return { ...contact, state: "unconfirmed", confirmedAt: undefined, confirmHash: undefined };
}

export function unsubscribed(contact: Contact): Contact {
  return contact.state === "unsubscribed" ? contact : { ...contact, state: "unsubscribed" };
}

export function resubscribed(contact: Contact): Contact {
  if (contact.state !== "unsubscribed") return contact;
  return { ...contact, state: contact.confirmedAt ? "active" : "unconfirmed", refusedAt: undefined };
}

/** True for a second refusal on another day, as a single one can be due to a temporary policy. */
export function refusesForGood(contact: Contact, now: Date): boolean {
  return contact.refusedAt !== undefined && dayOf(contact.refusedAt) < dayOf(now);
}

export function refused(contact: Contact, now: Date, forGood = refusesForGood(contact, now)): Contact {
  if (!forGood) return contact.refusedAt ? contact : { ...contact, refusedAt: now };
  return contact.state === "unsubscribed"
    ? contact
    : { ...contact, refusedAt: contact.refusedAt ?? now, state: "broken" };
}

/** After a successful delivery: clears the record of failures. */
export function reached(contact: Contact): Contact {
  if (contact.refusedAt === undefined && contact.state !== "broken") return contact;
  return { ...contact, refusedAt: undefined, state: contact.state === "broken" ? "active" : contact.state };
}

/**
 * Whether it can be confirmed by answering our request; in Telegram its owner has to write first, and what is connected is
 * confirmed by that.
 */
export function confirmable({ state, channel }: Contact): boolean {
  return state === "unconfirmed" && channel !== "telegram" && !isConnected(channel);
}

/** Whether several people read what is sent there. */
export function isShared({ channel, chatId }: Pick<Contact, "channel" | "chatId">): boolean {
  return isChat(channel) ? CHATS[channel].isShared : isGroup(chatId);
}

/** After the account has reported it as repaired. Only `own` messages, to the account's own address, can be resumed in this way. */
export function repaired(contact: Contact, isOwn: boolean): Contact {
  if (contact.state === "unsubscribed" && isOwn) return resubscribed(contact);
  if (contact.state !== "broken") return contact;
  return { ...contact, state: contact.confirmedAt ? "active" : "unconfirmed", refusedAt: undefined };
}

function dayOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

/** Masked, but recognisable to those who know the contact. The name of something connected says nothing secret. */
export function masked({ channel, value }: ContactAddress): string {
  if (isConnected(channel)) return value;
  if (/^https:/.test(value)) return `${value.split("/").slice(0, 3).join("/")}/•••`;
  if (channel !== "email") return `${value.slice(0, 2)}•••`;
  const at = value.lastIndexOf("@");
  return `${value.slice(0, 1)}•••${value.slice(at)}`;
}

/** The subject of a link in a message: a contact, or an account's monthly summary, which is either active or unsubscribed. */
export type LinkFacts = {
  purpose: "confirm" | "unsubscribe" | "summary";
  channel: Channel;
  value: string;
  state: ContactState;
  language: Language;
};

/** Applies a rule to the stored contact with optimistic locking and retries; undefined when there is none. */
export async function change(
  contacts: ContactRepository,
  id: string,
  rule: (contact: Contact) => Contact,
): Promise<Contact | undefined> {
  for (;;) {
    const stored = await contacts.find(id);
    if (!stored) return undefined;
    const next = rule(stored);
    if (next === stored || (await contacts.replace(next))) return next;
  }
}
