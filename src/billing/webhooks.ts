import { fail, ok, type Result } from "../shared/result.ts";
import type { PaymentEvent } from "./gateway_ports.ts";
import type { BillingDeps } from "./ports.ts";
import type { Reconciled } from "./reconcile.ts";

/** The provider repeats an event for three days at most. */
const KEPT_MS = 30 * 24 * 3_600_000;
const RETRY_SECONDS = 60;

type Reconcile = (accountId: string, eventId: string) => Promise<Reconciled>;

/** What the provider tells by itself. Each event is only a reason to ask: so order, loss and repetition do not matter. */
export function webhooks({ transaction, payments, now }: BillingDeps, { reconcile }: { reconcile: Reconcile }) {
  /** Whose event it is, if it is new and about one of ours. */
  function concerned({ id, customerId }: PaymentEvent): Promise<string | undefined> {
    return transaction(async ({ paymentEvents, subscriptions }) =>
      customerId === undefined || (await paymentEvents.has(id)) ? undefined : subscriptions.findAccount(customerId),
    );
  }

  return {
    /** BUSY makes the provider tell it again later. */
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

    /** Forgets events that are too old to come again. */
    async cleanUpPayments(): Promise<void> {
      const before = new Date(now().getTime() - KEPT_MS);
      await transaction(({ paymentEvents }) => paymentEvents.removeBefore(before));
    },
  };
}
