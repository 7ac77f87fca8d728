import type { About, AlertFactsOf, Report, Senders, StoreAndClock } from "../ports.ts";
import type { OpenReceipt } from "./receipt_ports.ts";

/** Providers allow one query per receipt every five seconds. */
export const LOOK_AGAIN_MS = 10_000;
/** Longer than querying and cancelling can take; after a crash another process continues then. */
const CLAIM_MS = 60_000;
/** No emergency repeats for longer. */
const FOLLOWED_FOR_MS = 3 * 3_600_000;

function alertIdsOf(about: About): string[] {
  if ("alertId" in about) return [about.alertId];
  if ("alertIds" in about) return about.alertIds;
  return "alerts" in about ? about.alerts.map(({ alertId }) => alertId) : [];
}

type Needs = StoreAndClock & { senders: Senders; alertFacts: AlertFactsOf; report: Report };

/** Follows emergencies until they are acknowledged, and cancels those whose alerts are handled. */
export function receipts({ transaction, senders, alertFacts, now, report }: Needs) {
  const after = (ms: number) => new Date(now().getTime() + ms);

  /** Whether all its alerts are handled or gone. */
  async function isSettled(deliveryId: string): Promise<boolean> {
    const delivery = await transaction(({ deliveries }) => deliveries.find(deliveryId));
    const alertIds = delivery ? alertIdsOf(delivery.about) : [];
    const facts = alertIds.length === 0 ? [] : await alertFacts.of(alertIds);
    return facts.every(({ state }) => state === "handled");
  }

  /** True when its provider answered. */
  async function follow(open: OpenReceipt): Promise<boolean> {
    const { receipt, channel, deliveryId, sentAt } = open;
    const close = () => transaction((store) => store.receipts.close(receipt));
    if (now().getTime() - sentAt.getTime() >= FOLLOWED_FOR_MS) {
      await close();
      return true;
    }
    const provider = senders[channel]?.receipts;
    const fate = (await provider?.look(receipt)) ?? "unknown";
    if (fate !== "unknown" && (fate.acknowledgedAt !== null || fate.expired)) {
      await transaction(async (store) => {
        if (fate.acknowledgedAt) await store.receipts.acknowledge(deliveryId, fate.acknowledgedAt);
        await store.receipts.close(receipt);
      });
      return true;
    }
    const isOver = provider !== undefined && (await isSettled(deliveryId)) && (await provider.cancel(receipt));
    if (isOver) await close();
    else await transaction((store) => store.receipts.lookAgain(open, after(LOOK_AGAIN_MS)));
    return fate !== "unknown";
  }

  return {
    /**
     * Job: queries the receipts that are due when it starts, until none is left or `isOver`; returns their number. A provider that
     * does not answer is skipped until the next run, which starts with the remaining receipts.
     */
    async followReceipts(isOver = () => false): Promise<number> {
      // Those that become due again meanwhile are left to the next run, or this one might never end.
      const startedAt = now();
      for (let count = 0; ; count += 1) {
        if (isOver()) return count;
        const open = await transaction((store) => store.receipts.claimDue(startedAt, after(CLAIM_MS)));
        if (!open) return count;
        try {
          if (!(await follow(open))) return count + 1;
        } catch (error) {
          report(error, { delivery: open.deliveryId });
        }
      }
    },
  };
}
