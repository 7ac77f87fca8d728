import type { ContactAddress } from "../../src/shared/contacts.ts";
import type { ContactHealth } from "../api/api.ts";

/** A contact as people write it. */
export function contactName({ channel, value }: ContactAddress): string {
  return channel === "telegram" ? `@${value}` : value;
}

/** The one at this place, if it is there already. */
export function contactAt(contacts: ContactHealth[] | undefined, { channel, value }: ContactAddress) {
  return contacts?.find((one) => one.channel === channel && one.value === value);
}
