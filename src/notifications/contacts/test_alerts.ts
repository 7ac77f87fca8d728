import { fail, ok, type Result } from "../../shared/result.ts";
import type { Mac } from "../../shared/secrets.ts";
import { type MakeDelivery, suppressed } from "../delivery/delivery.ts";
import type { Accounts, Contact, Delivery, NotificationStore, StoreAndClock } from "../ports.ts";
import { deliveryLogRow, type NamedDeliveryRow, named } from "../reporting/delivery_log.ts";

const HOUR_MS = 3_600_000;
/** Tests per account and hour: enough to try everything, too few to be a nuisance. */
const TESTS_PER_HOUR = 40;
/** Longer than anyone waits for a test. */
const VALID_MS = 15 * 60_000;

type Needs = StoreAndClock & { accounts: Accounts; makeDelivery: MakeDelivery; newId: () => string; mac: Mac };

/** Test messages: they take the path of alerts, with the same rules, and report the real outcome. */
export function testAlerts({ transaction, accounts, makeDelivery, newId, mac, now }: Needs) {
  function testOf(contact: Contact): Delivery {
    const { id: contactId, accountId, settings } = contact;
    const parts = { subject: `test:${newId()}`, recipient: contact, contactId, accountId };
    const language = settings.language ?? contact.language;
    const notAfter = new Date(now().getTime() + VALID_MS);
    const delivery = makeDelivery({ ...parts, language, about: { kind: "test" }, notAfter });
    return suppressed(delivery, contact, { lastResort: false, now: now() }) ?? delivery;
  }

  /** Counted before sending, so that concurrent requests cannot exceed the limit. */
  async function mayTest({ contacts }: NotificationStore, accountId: string, count: number): Promise<boolean> {
    const since = new Date(now().getTime() - HOUR_MS);
    const mark = mac("test_alert", accountId);
    if ((await contacts.countConfirmations(mark, since)) + count > TESTS_PER_HOUR) return false;
    for (let index = 0; index < count; index += 1) await contacts.countMark(mark, now());
    return true;
  }

  return {
    /** Sends one test to each of these contacts; `NOT_FOUND` when one of them does not belong to the account. */
    async sendTests(
      accountId: string,
      contactIds: string[],
    ): Promise<Result<{ items: { id: string; contactId: string }[] }, "NOT_FOUND" | "RATE_LIMITED">> {
      if (!(await accounts.of(accountId))) return fail("NOT_FOUND");
      return transaction(async (store) => {
        const own = await store.contacts.listLocked([accountId]);
        const wanted = own.filter(({ id }) => contactIds.includes(id));
        if (wanted.length < new Set(contactIds).size) return fail("NOT_FOUND");
        if (!(await mayTest(store, accountId, wanted.length)))
          return fail("RATE_LIMITED", { retryAfter: HOUR_MS / 1000 });
        const tests = wanted.map(testOf);
        await store.deliveries.addMissing(tests);
        return ok({ items: tests.map(({ id, contactId }) => ({ id, contactId: contactId ?? "" })) });
      });
    },

    /** The states of tests; those of other accounts are left out. */
    async showTests(accountId: string, ids: string[]): Promise<Result<{ items: NamedDeliveryRow[] }>> {
      const rows = await transaction(({ deliveryLog }) => deliveryLog.listByIds(accountId, ids));
      const tests = rows.filter(({ about }) => about.kind === "test").map((row) => deliveryLogRow(row));
      return ok({ items: await named(transaction, tests) });
    },
  };
}
