import type { ContactAddress } from "../shared/contacts.ts";
import { normaliseEmail } from "../shared/email_address.ts";
import type { Language } from "../shared/language.ts";
import type { Contact, ContactRepository } from "./ports.ts";

export const DAY_MS = 24 * 60 * 60_000;
export const CONFIRMATION_VALID_MS = 7 * DAY_MS;

/** The form in which two spellings of one place are equal; undefined when it is none. */
export function canonical({ channel, value }: ContactAddress): ContactAddress | undefined {
  const text = channel === "email" ? normaliseEmail(value) : value.normalize("NFKC").trim();
  if (text === undefined) return undefined;
  // Telegram's usernames ignore case; Pushover's keys do not.
  const form = channel === "telegram" ? text.replace(/^@/, "").toLowerCase() : text;
  return /^\S{1,254}$/.test(form) ? { channel, value: form } : undefined;
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
};

/** The account's own proven address needs no confirmation; everybody else's does. */
export function newContact({ id, accountId, address, language, own, now }: NewContact): Contact {
  return {
    ...address,
    id,
    accountId,
    language,
    state: own ? "active" : "unconfirmed",
    confirmHash: undefined,
    confirmExpiresAt: undefined,
    confirmedAt: own ? now : undefined,
    refusedAt: undefined,
    createdAt: now,
    version: 1,
  };
}

/** Its owner said yes. A link that is opened again later does not undo an unsubscription. */
export function confirmed(contact: Contact, now: Date): Contact {
  return contact.state === "unconfirmed" ? { ...contact, state: "active", confirmedAt: now } : contact;
}

export function unsubscribed(contact: Contact): Contact {
  return contact.state === "unsubscribed" ? contact : { ...contact, state: "unsubscribed" };
}

export function resubscribed(contact: Contact): Contact {
  if (contact.state !== "unsubscribed") return contact;
  return { ...contact, state: contact.confirmedAt ? "active" : "unconfirmed", refusedAt: undefined };
}

/** True when this refusal is the second on another day: a single one can be a policy that passes. */
export function refusesForGood(contact: Contact, now: Date): boolean {
  return contact.refusedAt !== undefined && dayOf(contact.refusedAt) < dayOf(now);
}

export function refused(contact: Contact, now: Date): Contact {
  if (!refusesForGood(contact, now)) return contact.refusedAt ? contact : { ...contact, refusedAt: now };
  return contact.state === "unsubscribed" ? contact : { ...contact, state: "broken" };
}

/** Something arrived: what was held against the contact is gone. */
export function reached(contact: Contact): Contact {
  if (contact.refusedAt === undefined) return contact;
  return { ...contact, refusedAt: undefined, state: contact.state === "broken" ? "active" : contact.state };
}

function dayOf(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

/** Enough to recognise one's own contact, not enough to learn somebody's. */
export function masked({ channel, value }: ContactAddress): string {
  if (channel !== "email") return `${value.slice(0, 2)}•••`;
  const at = value.lastIndexOf("@");
  return `${value.slice(0, 1)}•••${value.slice(at)}`;
}

/** Applies a rule to the stored contact, again if somebody else was faster; undefined when there is none. */
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
