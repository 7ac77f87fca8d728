import type { Transaction } from "../../shared/transaction.ts";
import type { Delivery, NotificationStore } from "../ports.ts";

const PAGE = 200;

/** The data that this module holds on an account. */
export function records({ transaction }: { transaction: Transaction<NotificationStore> }) {
  return {
    countContacts: (accountId: string): Promise<number> => transaction(({ contacts }) => contacts.count(accountId)),

    /** For the account's data export. One page per transaction, as transactions are kept short. */
    async recordsOf(accountId: string) {
      const contacts = await transaction((store) => store.contacts.list(accountId));
      const deliveries: (Delivery & { tries: unknown[] })[] = [];
      for (let more = true; more; ) {
        const page = await transaction((store) => store.deliveries.listByAccount(accountId, deliveries.length, PAGE));
        deliveries.push(...page);
        more = page.length === PAGE;
      }
      const links = await transaction(({ telegram }) => telegram.listLinks(accountId));
      const summary = await transaction((store) => store.summaries.find(accountId));
      return {
        monthlySummary: summary ?? null,
        contacts: contacts.map(({ confirmHash: _, settings: { secret: __, ...settings }, ...contact }) => ({
          ...contact,
          settings,
        })),
        telegramLinks: links.map(({ tokenHash: _, ...link }) => link),
        deliveries: deliveries.map(({ sealed: _, leaseToken: __, ...delivery }) => delivery),
      };
    },
  };
}
