import type Stripe from "stripe";
import * as v from "valibot";
import { CURRENCIES, PERIODS, type Period, PLANS, type Plan } from "../../../shared/plans.ts";
import { PRODUCT } from "../../../shared/product.ts";
import { capOf, priceOf } from "../../plan.ts";
import { APP, listOf, offerOf, type PriceModel, priceModel } from "./stripe_model.ts";

const CACHED_MS = 5 * 60_000;

type Offer = { plan: Plan; period: Period };
type Tax = "off" | "inclusive" | "exclusive";
type PricesDeps = { stripe: Stripe; tax: Tax; now: () => Date };

const OFFERS: Offer[] = PLANS.flatMap((plan) => PERIODS.map((period) => ({ plan, period })));
const lookupKey = ({ plan, period }: Offer) => `${APP}_${plan}_${period}`;
const behavior = (tax: Tax) => (tax === "off" ? "unspecified" : tax);

function amountsOf({ plan, period }: Offer): [currency: string, amount: number][] {
  return CURRENCIES.map((currency) => [currency.toLowerCase(), priceOf(plan, period, currency)]);
}

/** Whether a price at Stripe still matches our plan. */
function isCurrent(price: PriceModel, offer: Offer, tax: Tax): boolean {
  const { currency_options: options = {} } = price;
  return (
    amountsOf(offer).every(([currency, amount]) => options[currency]?.unit_amount === amount) &&
    offerOf(price)?.plan === offer.plan &&
    (price.tax_behavior ?? "unspecified") === behavior(tax)
  );
}

/** The plans' products and prices at Stripe, created when first needed. A changed amount becomes a new price. */
export function stripePrices({ stripe, tax, now }: PricesDeps) {
  let cached: { ids: Map<string, string>; until: number } | undefined;
  const known = new Map<string, Offer | undefined>();

  async function productOf(plan: Plan): Promise<string> {
    const id = `${APP}_${plan}`;
    const cap = capOf(plan, 1);
    const name = `${PRODUCT} ${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;
    const metadata = { app: APP, plan, capacity: cap === null ? "unlimited" : String(cap) };
    try {
      await stripe.products.retrieve(id);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "resource_missing")) throw error;
      await stripe.products.create({ id, name, metadata }, { idempotencyKey: `product:${id}` });
    }
    return id;
  }

  async function make(offer: Offer): Promise<string> {
    const product = await productOf(offer.plan);
    const cap = capOf(offer.plan, 1);
    const [[currency, amount] = ["eur", 0], ...others] = amountsOf(offer);
    const tax_behavior = behavior(tax);
    const text = amountsOf(offer).flat().join("-");
    const made = await stripe.prices.create(
      {
        product,
        currency,
        unit_amount: amount,
        tax_behavior,
        lookup_key: lookupKey(offer),
        transfer_lookup_key: true,
        currency_options: Object.fromEntries(
          others.map(([code, unit_amount]) => [code, { unit_amount, tax_behavior } as const]),
        ),
        recurring: { interval: offer.period === "monthly" ? "month" : "year" },
        metadata: { app: APP, plan: offer.plan, capacity: cap === null ? "unlimited" : String(cap) },
      },
      { idempotencyKey: `price:${lookupKey(offer)}:${tax_behavior}:${text}` },
    );
    return v.parse(priceModel, made).id;
  }

  async function load(): Promise<Map<string, string>> {
    const listed = await stripe.prices.list({
      lookup_keys: OFFERS.map(lookupKey),
      active: true,
      expand: ["data.currency_options"],
    });
    const { data } = v.parse(listOf(priceModel), listed);
    const ids = new Map<string, string>();
    for (const offer of OFFERS) {
      const found = data.find((price) => price.lookup_key === lookupKey(offer) && isCurrent(price, offer, tax));
      ids.set(lookupKey(offer), found?.id ?? (await make(offer)));
    }
    return ids;
  }

  return {
    /** The current price of an offer. */
    async idOf(offer: Offer): Promise<string> {
      const at = now().getTime();
      if (!cached || cached.until <= at) cached = { ids: await load(), until: at + CACHED_MS };
      const id = cached.ids.get(lookupKey(offer));
      if (id === undefined) throw new Error(`Cannot sell "${lookupKey(offer)}": it has no price`);
      return id;
    },

    /** The offers behind these prices. Includes former prices, as prices are immutable at Stripe. */
    async offersOf(ids: string[]): Promise<ReadonlyMap<string, Offer | undefined>> {
      for (const id of ids)
        if (!known.has(id)) known.set(id, offerOf(v.parse(priceModel, await stripe.prices.retrieve(id))));
      return known;
    },
  };
}
