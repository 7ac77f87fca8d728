import { Stripe } from "stripe";
import * as v from "valibot";
import type { PaymentEvent } from "../../gateway_ports.ts";
import type { OnTrouble } from "./stripe_call.ts";

const TOLERANCE_SECONDS = 300;

const reference = v.union([v.string(), v.object({ id: v.string() })]);
const eventModel = v.object({
  id: v.string(),
  type: v.string(),
  api_version: v.nullish(v.string()),
  data: v.object({
    object: v.object({ id: v.optional(v.string()), object: v.string(), customer: v.nullish(reference) }),
  }),
});

type EventsDeps = { stripe: Stripe; webhookSecret: string; now: () => Date; onTrouble: OnTrouble };

/** Parses Stripe's events. Of their content only the customer is used. */
export function stripeEvents({ stripe, webhookSecret, now, onTrouble }: EventsDeps) {
  let warned = false;

  return async function parseWebhook(body: string, signature: string | undefined): Promise<PaymentEvent | undefined> {
    let event: unknown;
    try {
      const at = now().getTime();
      const args = [body, signature ?? "", webhookSecret, TOLERANCE_SECONDS, undefined, at] as const;
      event = await stripe.webhooks.constructEventAsync(...args);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
      onTrouble("a signed event could not be read");
      return undefined;
    }
    const parsed = v.safeParse(eventModel, event);
    if (!parsed.success) {
      onTrouble("a signed event was not understood");
      return undefined;
    }
    const { id, type, api_version: version, data } = parsed.output;
    if (version && version !== Stripe.API_VERSION && !warned) {
      warned = true;
      onTrouble(`events come in version ${version}; set the endpoint's version to ${Stripe.API_VERSION}`);
    }
    const { object } = data;
    const customer = object.object === "customer" ? object.id : object.customer;
    return { id, type, customerId: typeof customer === "object" ? customer?.id : customer };
  };
}
