import { workThroughDue } from "../../shared/due.ts";
import type { About, Delivery, NotificationStore, Report, StoreAndClock } from "../ports.ts";
import { ALERTS_PER_MESSAGE, alertsOf, type SeveralAlerts } from "./alert_grouping.ts";
import type { MakeDelivery } from "./delivery.ts";

const CONTACTS_AT_ONCE = 200;

type Needs = StoreAndClock & { makeDelivery: MakeDelivery; report: Report };

/** Combines messages that were held for the same contact, for quiet hours or its daily digest. */
export function gathering({ transaction, makeDelivery, now, report }: Needs) {
  async function join({ waiting, deliveries }: NotificationStore, rows: Delivery[], alerts: SeveralAlerts) {
    const [first] = rows;
    if (!first) return;
    const { contactId, accountId, language, recipient } = first;
    // Named after its first part, so that a repetition finds it (idempotency).
    const subject = `digest:${first.id}`;
    const about: About = { kind: "digest", alerts };
    const digest = makeDelivery({ subject, recipient, language, about, contactId, accountId });
    const [added] = await deliveries.addMissing([digest]);
    const ids = rows.map((row) => row.id);
    if (added) await waiting.gather(ids, added, now());
    else await waiting.release(ids, now());
  }

  /** As much as one message holds. A single message is sent unchanged, and so are reports. */
  async function gatherSome(store: NotificationStore, contactId: string): Promise<number> {
    const rows = await store.waiting.lockDue(contactId, now(), ALERTS_PER_MESSAGE);
    const alerts = rows.filter(({ about }) => about.kind === "alert" || about.kind === "worse");
    const others = rows.filter((row) => !alerts.includes(row));
    const distinct = alertsOf(alerts);
    const alone = distinct.length === 1 ? alerts : [];
    if (distinct.length > 1) await join(store, alerts, distinct);
    await store.waiting.release(
      [...alone, ...others].map(({ id }) => id),
      now(),
    );
    return rows.length;
  }

  async function gatherAll(contactId: string): Promise<number> {
    for (let count = 0; ; ) {
      const gathered = await transaction((store) => gatherSome(store, contactId));
      count += gathered;
      if (gathered < ALERTS_PER_MESSAGE) return count;
    }
  }

  return {
    /**
     * The job: until none is due or `isOver`; a contact that fails is skipped until the next run. Resolves to the number of
     * messages that were due.
     */
    gatherDue(isOver = () => false): Promise<number> {
      return workThroughDue({
        list: (after, limit) => transaction(({ waiting }) => waiting.listDue(now(), after, limit)),
        work: ({ id }) => gatherAll(id),
        failed: (error, { id: contactId }) => report(error, { job: "gather", contactId }),
        batch: CONTACTS_AT_ONCE,
        isOver,
      });
    },
  };
}
