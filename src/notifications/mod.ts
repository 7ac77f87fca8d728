import type { Cipher, HashToken, Mac, NewToken } from "../shared/secrets.ts";
import { chats } from "./chats/connect_chat.ts";
import { addressBook, contactEnsurer } from "./contacts/address_book.ts";
import { bounces } from "./contacts/bounces.ts";
import { connecting } from "./contacts/connecting.ts";
import { contactActs } from "./contacts/contact_acts.ts";
import { contactLinks } from "./contacts/contact_links.ts";
import { contactList } from "./contacts/contact_list.ts";
import { testAlerts } from "./contacts/test_alerts.ts";
import { checkLimit, contactFindings } from "./contacts/validation.ts";
import { attempts } from "./delivery/attempt.ts";
import { deliver } from "./delivery/deliver.ts";
import { deliveryMaker } from "./delivery/delivery.ts";
import { gathering } from "./delivery/digest.ts";
import { preparer } from "./delivery/prepare.ts";
import { toldPreparer } from "./delivery/prepare_alert.ts";
import { contactQueue, queue } from "./delivery/queue.ts";
import { mailSamples } from "./messages/mail_samples.ts";
import type {
  Accounts,
  AlertFactsOf,
  AlertHandling,
  AlertRoutes,
  BreachChanges,
  ContactAdoption,
  ContactRemoval,
  ContactUses,
  Note,
  OpenQuestions,
  Report,
  Senders,
  StoreAndClock,
  SummaryFactsOf,
  TelegramBot,
  Texts,
} from "./ports.ts";
import { receipts } from "./pushover/receipts.ts";
import { channelHealth } from "./reporting/channel_health.ts";
import { channelTests } from "./reporting/channel_test.ts";
import { deliveryAdmin } from "./reporting/delivery_admin.ts";
import { deliveryLog } from "./reporting/delivery_log.ts";
import { deliveryFigures } from "./reporting/delivery_stats.ts";
import { keeping } from "./reporting/keeping.ts";
import { records } from "./reporting/records.ts";
import { staffDeliveries } from "./reporting/staff_admin.ts";
import { summaryPreparer } from "./summaries/prepare_summary.ts";
import { summaries } from "./summaries/summary.ts";
import { summaryLinks } from "./summaries/summary_link.ts";
import { telegramChat } from "./telegram/telegram_chat.ts";
import { telegramLinks } from "./telegram/telegram_link.ts";
import { telegramUpdates } from "./telegram/telegram_updates.ts";
import { pushDevices } from "./webpush/devices.ts";

export type Notifications = ReturnType<typeof createNotifications>;

/** The adapters of the module, and what the process provides. Each factory declares which of them it needs. */
export type NotificationDeps = StoreAndClock &
  Texts & {
    /** In maintenance mode only codes are sent. */
    isUnderMaintenance: () => boolean;
    senders: Senders;
    alertRoutes: AlertRoutes;
    alertFacts: AlertFactsOf;
    breachChanges: BreachChanges;
    alertHandling: AlertHandling;
    contactUses: ContactUses;
    contactRemoval: ContactRemoval;
    contactAdoption: ContactAdoption;
    summaryFacts: SummaryFactsOf;
    /** Undefined when Telegram is not configured. */
    telegramBot?: TelegramBot | undefined;
    accounts: Accounts;
    openQuestions: OpenQuestions;
    /** The support address, for mails to users. */
    supportEmail: string;
    /** The configured breach sources; messages that name no breach attribute them all. */
    sources: string[];
    /** For how many days the record of an ended message is kept; undefined: as long as the account. */
    keptDays?: number | undefined;
    /** Whether an event that was published before then has not been handled completely. */
    hasUnfinishedEvents: (before: Date) => Promise<boolean>;
    newId: () => string;
    newToken: NewToken;
    hashToken: HashToken;
    mac: Mac;
    cipher: Cipher;
    /** Between 0 and 1, for the jitter of retries. */
    random: () => number;
    /** Called by jobs between two items, to yield to requests. */
    yieldToRequests?: () => Promise<void> | undefined;
    note: Note;
    report: Report;
  };

/**
 * Everything that the product sends. `contacts/`: contacts, their confirmation and preferences, bounces; `delivery/`: the queue, leases
 * and retries; `messages/`: what a message says, in texts from `locales/`; `reporting/`: the delivery log and its figures; `summaries/`:
 * the monthly summary; `telegram/`, `pushover/`, `webpush/`: what these channels send back; `chats/`: connecting chats; `adapters/channels/`:
 * the channels themselves.
 */
export function createNotifications(deps: NotificationDeps) {
  const list = contactList(deps);
  const base = { ...deps, makeDelivery: deliveryMaker(deps), mayCheck: checkLimit(deps) };
  const asking = contactEnsurer(base);
  const queueing = contactQueue({ ...base, ...asking });
  const all = {
    ...base,
    ...list,
    ...asking,
    ...queueing,
    ...attempts({ ...deps, ...queueing }),
    findingsOf: contactFindings(base),
    connect: connecting({ ...deps, ...list }),
    prepare: preparer({ ...deps, ...toldPreparer(deps), prepareSummary: summaryPreparer(deps) }),
    summaryLinks: summaryLinks(deps),
    onUpdate: telegramChat(deps),
  };
  return {
    ...addressBook(all),
    ...contactLinks(all),
    ...list,
    ...contactActs(all),
    ...telegramLinks(all),
    ...telegramUpdates(all),
    ...pushDevices(all),
    ...chats(all),
    ...queue(all),
    ...deliveryAdmin(all),
    ...staffDeliveries(all),
    ...channelTests(all),
    ...mailSamples(all),
    ...deliver(all),
    ...bounces(all),
    ...channelHealth(all),
    ...testAlerts(all),
    ...gathering(all),
    ...receipts(all),
    ...summaries(all),
    ...deliveryLog(all),
    ...deliveryFigures(all),
    ...keeping(all),
    ...records(all),
  };
}
