import { chats } from "./chats/connect_chat.ts";
import { contactAdding } from "./contact_add.ts";
import { addressBook } from "./contacts/address_book.ts";
import { bounces } from "./contacts/bounces.ts";
import { channelUse } from "./contacts/channel_use.ts";
import { contactLinks } from "./contacts/contact_links.ts";
import { contactList } from "./contacts/contact_list.ts";
import { contactSettings } from "./contacts/contact_settings.ts";
import { contactCare } from "./contacts/recovery.ts";
import { testAlerts } from "./contacts/test_alerts.ts";
import { deliver } from "./delivery/deliver.ts";
import { gathering } from "./delivery/digest.ts";
import { queue } from "./delivery/queue.ts";
import { mailSamples } from "./messages/mail_samples.ts";
import type { NotificationDeps } from "./ports.ts";
import { receipts } from "./pushover/receipts.ts";
import { channelHealth } from "./reporting/channel_health.ts";
import { channelTests } from "./reporting/channel_test.ts";
import { deliveryAdmin } from "./reporting/delivery_admin.ts";
import { deliveryLog } from "./reporting/delivery_log.ts";
import { deliveryFigures } from "./reporting/delivery_stats.ts";
import { keeping } from "./reporting/keeping.ts";
import { records } from "./reporting/records.ts";
import { staffDeliveries } from "./reporting/staff_admin.ts";
import { summaries } from "./summaries/summary.ts";
import { telegramLinks } from "./telegram/telegram_link.ts";
import { telegramUpdates } from "./telegram/telegram_updates.ts";
import { pushDevices } from "./webpush/devices.ts";

export type { NotificationDeps } from "./ports.ts";
export type Notifications = ReturnType<typeof createNotifications>;

/**
 * Everything that the product sends. `contacts/`: contacts, their confirmation and preferences, bounces; `delivery/`: the queue, leases
 * and retries; `messages/`: what a message says, in texts from `locales/`; `reporting/`: the delivery log and its figures; `summaries/`:
 * the monthly summary; `telegram/`, `pushover/`, `webpush/`: what these channels send back; `chats/`: connecting chats; `adapters/channels/`:
 * the channels themselves.
 */
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
    ...pushDevices(deps),
    ...chats(deps),
    ...queue(deps),
    ...deliveryAdmin(deps),
    ...staffDeliveries(deps),
    ...channelTests(deps),
    ...mailSamples(deps),
    ...deliver(deps),
    ...bounces(deps),
    ...channelHealth(deps),
    ...channelUse(deps),
    ...testAlerts(deps),
    ...gathering(deps),
    ...receipts(deps),
    ...summaries(deps),
    ...deliveryLog(deps),
    ...deliveryFigures(deps),
    ...keeping(deps),
    ...records(deps),
  };
}
