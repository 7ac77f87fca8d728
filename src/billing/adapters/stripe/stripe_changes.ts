import type Stripe from "stripe";
import * as v from "valibot";
import type { Change, Changed, ChangePrice } from "../../gateway_ports.ts";
import { changedModel, totalModel } from "./stripe_model.ts";

type Priced = Change & { price: string };

/** Without the item's id Stripe would add a second item. */
function itemsOf({ purchase, price, quantity }: Priced) {
  return [{ id: purchase.itemId, price, quantity }];
}

/** Invoiced immediately; preview and change use the same instant. */
const PRORATION = "always_invoice" as const;
const secondsOf = ({ at }: Priced) => Math.floor(at.getTime() / 1000);

export async function previewChange(stripe: Stripe, change: Priced): Promise<ChangePrice> {
  const preview = await stripe.invoices.createPreview({
    customer: change.customerId,
    subscription: change.purchase.subscriptionId,
    subscription_details: {
      items: itemsOf(change),
      proration_behavior: PRORATION,
      proration_date: secondsOf(change),
    },
  });
  const { total, amount_due: due, currency } = v.parse(totalModel, preview);
  return { due, credit: Math.max(0, -total), currency };
}

/** Takes effect once it is paid; a declined card changes nothing. */
export async function changePlan(stripe: Stripe, change: Priced & { key: string }): Promise<Changed> {
  const updated = await stripe.subscriptions.update(
    change.purchase.subscriptionId,
    {
      items: itemsOf(change),
      proration_behavior: PRORATION,
      proration_date: secondsOf(change),
      payment_behavior: "pending_if_incomplete",
      expand: ["latest_invoice"],
    },
    { idempotencyKey: change.key },
  );
  const { pending_update, latest_invoice } = v.parse(changedModel, updated);
  return { payUrl: pending_update ? (latest_invoice?.hosted_invoice_url ?? undefined) : undefined };
}
