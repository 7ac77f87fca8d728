import { addressBook } from "./address_book.ts";
import { bounces } from "./bounces.ts";
import { channelHealth } from "./channel_health.ts";
import { channelUse } from "./channel_use.ts";
import { contactAdding } from "./contact_add.ts";
import { contactCare } from "./contact_care.ts";
import { contactLinks } from "./contact_links.ts";
import { contactList } from "./contact_list.ts";
import { contactSettings } from "./contact_settings.ts";
import { deadLetters } from "./dead_letters.ts";
import { deliver } from "./deliver.ts";
import { deliveryFigures } from "./delivery_figures.ts";
import { desk } from "./desk.ts";
import { gathering } from "./gather.ts";
import { ledger } from "./ledger.ts";
import { mailSamples } from "./mail_samples.ts";
import type { NotificationDeps } from "./ports.ts";
import { queue } from "./queue.ts";
import { receipts } from "./receipts.ts";
import { records } from "./records.ts";
import { staffDesk } from "./staff_desk.ts";
import { summaries } from "./summary.ts";
import { telegramLinks } from "./telegram_link.ts";
import { telegramUpdates } from "./telegram_updates.ts";
import { testAlerts } from "./test_alerts.ts";

export type { NotificationDeps } from "./ports.ts";
export type Notifications = ReturnType<typeof createNotifications>;

/** Everything the product sends: contacts and their consent, the ledger of deliveries, and the sending itself. */
export function createNotifications(deps: NotificationDeps) {
  return {
    ...addressBook(deps),
    ...contactLinks(deps),
    ...contactList(deps),
    ...contactAdding(deps),
    ...contactCare(deps),
    ...contactSettings(deps),
    ...telegramLinks(deps),
    ...telegramUpdates(deps),
    ...queue(deps),
    ...deadLetters(deps),
    ...desk(deps),
    ...staffDesk(deps),
    ...mailSamples(deps),
    ...deliver(deps),
    ...bounces(deps),
    ...channelHealth(deps),
    ...channelUse(deps),
    ...testAlerts(deps),
    ...gathering(deps),
    ...receipts(deps),
    ...summaries(deps),
    ...ledger(deps),
    ...deliveryFigures(deps),
    ...records(deps),
  };
}
