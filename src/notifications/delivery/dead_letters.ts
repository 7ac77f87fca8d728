import { fail, ok, type Result } from "../../shared/result.ts";
import { masked } from "../contacts/contact.ts";
import type { NotificationDeps } from "../ports.ts";
import { type DeliveryLogRow, deliveryLogRow } from "../reporting/delivery_log.ts";

const PER_PAGE = 50;

/** Undeliverable messages for the operator, with masked contacts and without content. */
export function deadLetters({ transaction, now }: NotificationDeps) {
  return {
    /** The latest first. */
    listDead(page: number): Promise<{ items: DeliveryLogRow[]; total: number; pageSize: number }> {
      return transaction(async ({ deliveryLog }) => {
        const { deliveries, total } = await deliveryLog.listDead((page - 1) * PER_PAGE, PER_PAGE);
        const items = deliveries.map((delivery) => ({
          ...deliveryLogRow(delivery),
          value: masked(delivery.recipient),
        }));
        return { items, total, pageSize: PER_PAGE };
      });
    },

    /** Retries from the beginning, with current facts. */
    resend(id: string): Promise<Result<Record<string, never>, "NOT_FOUND">> {
      return transaction(async ({ deliveries }) =>
        (await deliveries.reviveDead(id, now())) ? ok({}) : fail("NOT_FOUND"),
      );
    },
  };
}
