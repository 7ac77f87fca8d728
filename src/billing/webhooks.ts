import { fail, ok, type Result } from "../shared/result.ts";
import type { PaymentEvent } from "./gateway_ports.ts";
import type { BillingDeps } from "./ports.ts";
import type { Reconciled } from "./reconcile.ts";

/** The provider repeats an event for three days at most. */
const KEPT_MS = 30 * 24 * 3_600_000;
const RETRY_SECONDS = 60;

type Reconcile = (accountId: string, eventId: string) => Promise<Reconciled>;

/** Events from the provider. Each only triggers a reconciliation, so order, loss and repetition do not matter. */
export function webhooks({ transaction, payments, now }: BillingDeps, { reconcile }: { reconcile: Reconcile }) {
  /** The account of an event, if the event is new and about one of our customers. */
  function concerned({ id, customerId }: PaymentEvent): Promise<string | undefined> {
    return transaction(async ({ paymentEvents, subscriptions }) =>
      customerId === undefined || (await paymentEvents.has(id)) ? undefined : subscriptions.findAccount(customerId),
    );
  }

  return {
    /** BUSY makes the provider retry later. */
    async takePaymentEvent(
      body: string,
      signature: string | undefined,
    ): Promise<Result<undefined, "SIGNATURE_INVALID" | "BUSY">> {
      const event = await payments.parseWebhook(body, signature);
      if (!event) return fail("SIGNATURE_INVALID");
      const accountId = await concerned(event);
      if (accountId === undefined) return ok();
      const result = await reconcile(accountId, event.id);
      return result === "unavailable" ? fail("BUSY", { retryAfter: RETRY_SECONDS }) : ok();
    },

    /** Removes events that are too old to be repeated. */
    async cleanUpPayments(): Promise<void> {
      const before = new Date(now().getTime() - KEPT_MS);
      await transaction(({ paymentEvents }) => paymentEvents.removeBefore(before));
    },
  };
}
