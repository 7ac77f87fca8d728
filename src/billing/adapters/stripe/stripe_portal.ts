import type Stripe from "stripe";
import * as v from "valibot";
import type { Language } from "../../../shared/language.ts";
import { APP, listOf } from "./stripe_model.ts";

const configuration = v.object({ id: v.string(), metadata: v.nullable(v.record(v.string(), v.string())) });
const MARK = { app: APP, version: "1" };

/** Stripe's portal for invoices, card and cancellation at the end of the period. Plans are changed on our own page. */
export function stripePortal({ stripe, publicUrl }: { stripe: Stripe; publicUrl: string }) {
  let known: string | undefined;

  async function find(): Promise<string> {
    const listed = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
    const ours = v
      .parse(listOf(configuration), listed)
      .data.find(({ metadata }) => metadata?.app === MARK.app && metadata.version === MARK.version);
    if (ours) return ours.id;
    const made = await stripe.billingPortal.configurations.create(
      {
        features: {
          invoice_history: { enabled: true },
          payment_method_update: { enabled: true },
          subscription_cancel: { enabled: true, mode: "at_period_end" },
          customer_update: { enabled: true, allowed_updates: ["address", "name", "tax_id"] },
        },
        metadata: MARK,
      },
      { idempotencyKey: `portal:${MARK.app}:${MARK.version}` },
    );
    return v.parse(configuration, made).id;
  }

  return {
    async open(customer: string, locale: Language) {
      known ??= await find();
      const return_url = `${publicUrl}/${locale}/profile`;
      return stripe.billingPortal.sessions.create({ customer, locale, return_url, configuration: known });
    },
  };
}
