import { addressBook } from "./address_book.ts";
import { contactLinks } from "./contact_links.ts";
import { deliver } from "./deliver.ts";
import type { NotificationDeps } from "./ports.ts";
import { queue } from "./queue.ts";
import { records } from "./records.ts";

export type { NotificationDeps } from "./ports.ts";
export type Notifications = ReturnType<typeof createNotifications>;

/** Everything the product sends: contacts and their consent, the ledger of deliveries, and the sending itself. */
export function createNotifications(deps: NotificationDeps) {
  return { ...addressBook(deps), ...contactLinks(deps), ...queue(deps), ...deliver(deps), ...records(deps) };
}
