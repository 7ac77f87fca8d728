import { fail, ok, type Result } from "../../shared/result.ts";
import { shown } from "../../shared/shown.ts";
import { masked } from "../contacts/contact.ts";
import type { HeldReason } from "../delivery/delivery_ports.ts";
import type { Attempt, StoreAndClock } from "../ports.ts";
import type { StateCount } from "./delivery_admin_ports.ts";
import { type DeliveryLogRow, deliveryLogRow } from "./delivery_log.ts";
import type { TriedDelivery } from "./delivery_log_ports.ts";

const PER_PAGE = 50;
/** Reasons that operators may release; messages held by settings of their recipient stay held. */
export const RELEASABLE: HeldReason[] = ["misconfigured", "crash_loop", "unrenderable", "operator"];

/** A delivery with all its attempts; without content, and with a masked contact. */
export type DeliveryDetails = DeliveryLogRow & {
  createdAt: string;
  heldBecause: string | null;
  attempts: { startedAt: string; endedAt: string | null; outcome: Attempt["outcome"] | null; detail: string | null }[];
};

export type DeliveryPage = { items: DeliveryLogRow[]; total: number; pageSize: number };

function pageOf({ deliveries, total }: { deliveries: TriedDelivery[]; total: number }): DeliveryPage {
  const items = deliveries.map((delivery) => ({ ...deliveryLogRow(delivery), value: masked(delivery.recipient) }));
  return { items, total, pageSize: PER_PAGE };
}

/** The delivery queue for the operator, with actions on it. */
export function deliveryAdmin({ transaction, now }: StoreAndClock) {
  return {
    stateCounts: (): Promise<StateCount[]> => transaction((store) => store.deliveryAdmin.countStates()),

    /** What has not ended, the next one first. */
    listWaiting: (page: number): Promise<DeliveryPage> =>
      transaction(async ({ deliveryAdmin: store }) => pageOf(await store.listWaiting((page - 1) * PER_PAGE, PER_PAGE))),

    /** An account's messages in any state, the newest first. */
    listOfAccount: (accountId: string, page: number): Promise<DeliveryPage> =>
      transaction(async ({ deliveryAdmin: store }) =>
        pageOf(await store.listOfAccount(accountId, (page - 1) * PER_PAGE, PER_PAGE)),
      ),

    /** Undeliverable messages, the latest first. */
    listDead: (page: number): Promise<DeliveryPage> =>
      transaction(async ({ deliveryAdmin: store }) => pageOf(await store.listDead((page - 1) * PER_PAGE, PER_PAGE))),

    showDelivery(id: string): Promise<Result<DeliveryDetails, "NOT_FOUND">> {
      return transaction(async (store) => {
        const found = await store.deliveryAdmin.find(id);
        if (found === undefined) return fail("NOT_FOUND");
        return ok({
          ...deliveryLogRow(found),
          value: masked(found.recipient),
          createdAt: found.createdAt.toISOString(),
          heldBecause: found.state === "held" ? (found.reason ?? null) : null,
          attempts: found.tries.map(({ startedAt, endedAt, outcome, detail }) =>
            shown({ startedAt, endedAt, outcome, detail }),
          ),
        });
      });
    },

    /** Holds these, or everything that can be held; returns the ids of those held. */
    holdDeliveries: (ids: string[] | undefined): Promise<string[]> =>
      transaction((store) => store.deliveryAdmin.hold(ids)),

    /** Releases these, or all that are held for one of the reasons; messages held by settings of their recipient stay held. */
    releaseDeliveries: (ids: string[] | undefined, reasons: HeldReason[]): Promise<string[]> =>
      transaction((store) =>
        store.deliveryAdmin.release(
          ids,
          reasons.filter((reason) => RELEASABLE.includes(reason)),
          now(),
        ),
      ),

    /** Retries an undeliverable message from the beginning, with current facts. */
    resend(id: string): Promise<Result<Record<string, never>, "NOT_FOUND">> {
      return transaction(async ({ deliveries }) =>
        (await deliveries.reviveDead(id, now())) ? ok({}) : fail("NOT_FOUND"),
      );
    },

    resendAllDead: (): Promise<string[]> => transaction((store) => store.deliveryAdmin.reviveAll(now())),
  };
}
