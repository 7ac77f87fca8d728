import { type ContactAddress, contactValue, isConnected } from "../../src/shared/contacts.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { ContactHealth } from "../api/api.ts";

/** A contact as people write it; what is connected, by the name that it was given. */
export function contactName({ channel, value, label }: ContactAddress & { label?: string | null }): string {
  if (isConnected(channel)) return label ?? value;
  return channel === "telegram" ? `@${value}` : shownAddress(value);
}

/** A contact as it was typed. */
export function typedName({ channel, value }: ContactAddress): string {
  const isUsername = channel === "telegram" && contactValue(channel, value) !== undefined;
  return isUsername ? `@${value.trim().replace(/^@/, "")}` : shownAddress(value);
}

/** What a contact's label adds to its name, such as the person of a Telegram chat; undefined if it adds nothing. */
export function moreThanName({ channel, value, label }: Pick<ContactHealth, "channel" | "value" | "label">) {
  if (label === null || isConnected(channel)) return undefined;
  const [said, username = "", person = ""] = /^@(\w+)(?: \((.*)\))?$/s.exec(label) ?? [];
  if (said === undefined || username.toLowerCase() !== value.toLowerCase()) return label;
  return person === "" || person.toLowerCase() === value.toLowerCase() ? undefined : person;
}

/** The contact with this channel and value, or undefined. */
export function contactAt(contacts: ContactHealth[] | undefined, { channel, value }: ContactAddress) {
  return contacts?.find((one) => one.channel === channel && one.value === value);
}
