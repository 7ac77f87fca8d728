import type { ContactAddress } from "../../src/shared/contacts.ts";

/** A contact as people write it. */
export function contactName({ channel, value }: ContactAddress): string {
  return channel === "telegram" ? `@${value}` : value;
}
