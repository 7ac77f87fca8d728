import { type ContactAddress, isConnected } from "../../src/shared/contacts.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { ContactHealth } from "../api/api.ts";

/** A contact as people write it; what is connected, by the name that it was given. */
export function contactName({ channel, value, label }: ContactAddress & { label?: string | null }): string {
  if (isConnected(channel)) return label ?? value;
  return channel === "telegram" ? `@${value}` : shownAddress(value);
}

/** The contact with this channel and value, or undefined. */
export function contactAt(contacts: ContactHealth[] | undefined, { channel, value }: ContactAddress) {
  return contacts?.find((one) => one.channel === channel && one.value === value);
}
