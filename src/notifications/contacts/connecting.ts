import type { ConnectedChannel } from "../../shared/contacts.ts";
import type { Language } from "../../shared/language.ts";
import { type ErrorCode, type Failure, fail, ok, type Result } from "../../shared/result.ts";
import type { Cipher } from "../../shared/secrets.ts";
import { normalised } from "../../shared/unicode.ts";
import type { Contact, ContactAdoption, ContactSettings, StoreAndClock } from "../ports.ts";
import { CONTACTS_PER_ACCOUNT, change, newContact } from "./contact.ts";
import type { ContactList, ContactView } from "./contact_list.ts";

const NAME_MAX = 40;
const TAG_LENGTH = 8;

/** The value of a connected contact, such as "firefox-linux-3fa94c1e": a readable name, and the start of a keyed hash of its address. */
export function connectedValue(name: string, addressMac: string): string {
  const words =
    normalised(name, "NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const slug = words.join("-").slice(0, NAME_MAX).replace(/-$/, "");
  const tag = Buffer.from(addressMac, "base64url").toString("hex").slice(0, TAG_LENGTH);
  return `${slug || "device"}-${tag}`;
}

type Connection<Code extends ErrorCode> = {
  channel: ConnectedChannel;
  /** What its owner calls it. */
  label: string;
  /** Where its messages go; stored encrypted, and never shown. */
  secret: string;
  /** The value of a new contact. */
  value: string;
  /** The settings of a new contact. */
  settings?: ContactSettings;
  /** Whether a contact with this secret is the same one. */
  isSame(secret: string): boolean;
  /** Why a contact that has this secret already cannot be connected again, if so. */
  refuse?: (same: Contact) => Failure<Code> | undefined;
  /** The contact that gets this connection in place of its own. */
  contactId: string | undefined;
  language: Language;
  everywhere: boolean;
};

type Needs = StoreAndClock & {
  contactAdoption: ContactAdoption;
  cipher: Cipher;
  newId: () => string;
  showContact: ContactList["showContact"];
};

export type Connect = ReturnType<typeof connecting>;

/**
 * Connects something as a contact. There is nothing to confirm: its owner has just allowed it. What is connected already, or
 * replaces the contact `contactId`, keeps its contact.
 */
export function connecting({ transaction, contactAdoption, cipher, newId, showContact, now }: Needs) {
  return async function connect<Code extends ErrorCode = never>(
    accountId: string,
    { channel, label, secret, value, settings, isSame, refuse, contactId, language, everywhere }: Connection<Code>,
  ): Promise<Result<ContactView, "NOT_FOUND" | "CONTACT_LIMIT_REACHED" | Code>> {
    const sealed = cipher.encrypt(secret);
    const connected = (contact: Contact): Contact => ({
      ...contact,
      label,
      state: "active",
      confirmedAt: contact.confirmedAt ?? now(),
      refusedAt: undefined,
      settings: { ...contact.settings, secret: sealed },
    });
    const has = ({ settings: { secret: other } }: Contact) => other !== undefined && isSame(cipher.decrypt(other));
    const done = await transaction(async ({ contacts, deliveries }) => {
      const others = (await contacts.listLocked([accountId])).filter((contact) => contact.channel === channel);
      const same = others.find(has);
      const refusal = same && refuse?.(same);
      if (refusal) return refusal;
      const known = same ?? others.find(({ id }) => id === contactId);
      if (known) {
        await change(contacts, known.id, connected);
        await deliveries.releaseHeld("unconfirmed", known.id, now());
        return ok(known);
      }
      const address = { channel, value };
      const fresh = newContact({ id: newId(), accountId, address, language, own: true, now: now() });
      const added = connected({ ...fresh, settings: settings ?? {} });
      return (await contacts.add(added, CONTACTS_PER_ACCOUNT)) ? ok(added) : fail("CONTACT_LIMIT_REACHED");
    });
    if (!done.ok) return done;
    const { id, value: kept } = done.value;
    if (everywhere) await contactAdoption.by(accountId, { channel, value: kept });
    return showContact(accountId, id);
  };
}
