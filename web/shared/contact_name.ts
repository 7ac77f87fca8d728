import type { ContactAddress } from "../../src/shared/contacts.ts";
import type { ContactHealth } from "../api/api.ts";

/** A contact in its usual notation. */
export function contactName({ channel, value }: ContactAddress): string {
  return channel === "telegram" ? `@${value}` : value;
}

/** The contact with this channel and value, or undefined. */
export function contactAt(contacts: ContactHealth[] | undefined, { channel, value }: ContactAddress) {
  return contacts?.find((one) => one.channel === channel && one.value === value);
}
