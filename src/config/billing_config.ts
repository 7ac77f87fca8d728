import * as v from "valibot";
import type { StripeDeps } from "../billing/adapters/stripe/stripe.ts";
import { matching, onOff, type SettingsOf, secureOrigin } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

/** Access to Stripe, and options of its payment page. */
type StripeConfig = Pick<StripeDeps, "baseUrl" | "secretKey" | "webhookSecret" | "tax" | "promotionCodes">;
export type BillingConfig = {
  billing: "off" | "sandbox" | "stripe";
  stripe: StripeConfig | undefined;
  /** Domains, and found addresses of each, in one Professional. */
  domainLimits: { domains: number; addresses: number };
};

const secrets = ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"] as const;

const limit = matching(/^\d{1,6}$/, "must be a whole number from 0 to 999999");

const entries = {
  BILLING: v.optional(v.picklist(["off", "sandbox", "stripe"], 'must be "off", "sandbox" or "stripe"')),
  STRIPE_BASE_URL: v.optional(secureOrigin, "https://api.stripe.com"),
  STRIPE_SECRET_KEY: v.optional(
    matching(/^[sr]k_(test|live)_\S+$/, "must begin with sk_live_, rk_live_, sk_test_ or rk_test_"),
  ),
  STRIPE_WEBHOOK_SECRET: v.optional(matching(/^whsec_\S+$/, "must begin with whsec_")),
  STRIPE_TAX: v.optional(
    v.picklist(["off", "inclusive", "exclusive"], 'must be "off", "inclusive" or "exclusive"'),
    "off",
  ),
  STRIPE_PROMOTION_CODES: v.optional(onOff, "on"),
  PROFESSIONAL_DOMAINS: v.optional(limit, "1"),
  PROFESSIONAL_DOMAIN_ADDRESSES: v.optional(limit, "50"),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  BILLING: {
    says: "`stripe`, with its keys; `sandbox`: a 14-day trial and payment pages that move no money; `off`: nobody pays and nothing is capped",
    standard: "`sandbox`",
    required: "in production",
  },
  STRIPE_BASE_URL: { says: "the base URL of Stripe’s API (version 2026-10-28.endive)" },
  STRIPE_SECRET_KEY: { says: "the secret key of your Stripe account", required: "with `BILLING=stripe`" },
  STRIPE_WEBHOOK_SECRET: {
    says: "the signing secret of the webhook endpoint; register `PUBLIC_URL/api/stripe/webhook` at Stripe for checkout, customer and invoice events",
    required: "with `BILLING=stripe`",
  },
  STRIPE_TAX: { says: "whether prices are `inclusive` or `exclusive` of the tax that Stripe calculates" },
  PROFESSIONAL_DOMAINS: { says: "how many whole domains one Professional plan covers; Business covers any number" },
  PROFESSIONAL_DOMAIN_ADDRESSES: { says: "how many found addresses of each of these domains it shows" },
  STRIPE_PROMOTION_CODES: { says: "whether the payment page accepts promotion codes (`on`, `off`)" },
};
type Settings = SettingsOf<typeof entries>;

/** Conflicting or missing payment settings. */
function problems(settings: Settings): string[] {
  const { BILLING, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET } = settings;
  const list: string[] = [];
  if (BILLING === "stripe") {
    if (!STRIPE_SECRET_KEY) list.push("STRIPE_SECRET_KEY is missing: BILLING=stripe needs a key of your account");
    if (!STRIPE_WEBHOOK_SECRET)
      list.push(
        "STRIPE_WEBHOOK_SECRET is missing: the signing secret of the endpoint PUBLIC_URL/api/stripe/webhook at Stripe",
      );
  } else if (STRIPE_SECRET_KEY || STRIPE_WEBHOOK_SECRET)
    list.push("BILLING must be stripe where Stripe's keys are set; otherwise take them out");
  return list;
}

export function billingOf(settings: Settings): BillingConfig {
  const { BILLING: billing = "sandbox", STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = settings;
  const domainLimits = {
    domains: Number(settings.PROFESSIONAL_DOMAINS),
    addresses: Number(settings.PROFESSIONAL_DOMAIN_ADDRESSES),
  };
  if (billing !== "stripe" || !secretKey || !webhookSecret) return { billing, stripe: undefined, domainLimits };
  const { STRIPE_BASE_URL: baseUrl, STRIPE_TAX: tax } = settings;
  const promotionCodes = settings.STRIPE_PROMOTION_CODES === "on";
  return { billing, domainLimits, stripe: { baseUrl, secretKey, webhookSecret, tax, promotionCodes } };
}

export const billingSettings = { entries, words, secrets, problems };
