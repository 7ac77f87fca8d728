import * as v from "valibot";
import { LANGUAGES } from "../shared/language.ts";
import { CURRENCIES, MAX_QUANTITY, multiplies, PERIODS, PLANS } from "../shared/plans.ts";
import { code } from "../shared/result.ts";
import { reasonInput } from "../shared/staff.ts";
import { text } from "../shared/text.ts";

const choice = {
  plan: v.picklist(PLANS, code("PLAN_UNKNOWN")),
  period: v.picklist(PERIODS, code("PERIOD_UNKNOWN")),
  quantity: v.pipe(
    v.number(code("QUANTITY_INVALID")),
    v.integer(code("QUANTITY_INVALID")),
    v.minValue(1, code("QUANTITY_INVALID")),
    v.maxValue(MAX_QUANTITY, code("QUANTITY_INVALID")),
  ),
};

/** The page's language, for the provider's pages and the way back; defaults to the account's. */
const language = v.optional(v.picklist(LANGUAGES, code("LANGUAGE_REQUIRED")));

type Chosen = { plan: (typeof PLANS)[number]; quantity: number };
/** Unlimited plans have a quantity of 1. */
const isCountable = ({ plan, quantity }: Chosen) => multiplies(plan) || quantity === 1;

export const checkoutInput = v.pipe(
  v.object({
    ...choice,
    currency: v.picklist(CURRENCIES, code("CURRENCY_UNKNOWN")),
    language,
    /** Idempotency key, created once per click, so that a repeated request buys nothing twice. */
    click: v.pipe(text(64), v.regex(/^[\w-]{8,64}$/)),
  }),
  v.forward(v.partialCheck([["plan"], ["quantity"]], isCountable, code("QUANTITY_INVALID")), ["quantity"]),
);
export type CheckoutInput = v.InferOutput<typeof checkoutInput>;

export const changeInput = v.pipe(
  v.object(choice),
  v.forward(v.partialCheck([["plan"], ["quantity"]], isCountable, code("QUANTITY_INVALID")), ["quantity"]),
);
export type ChangeInput = v.InferOutput<typeof changeInput>;

/** `POST /api/portal`. */
export const portalInput = v.object({ language });

/** A plan granted by the operator, with the reason. */
export const grantInput = v.pipe(
  v.strictObject({
    plan: choice.plan,
    quantity: choice.quantity,
    days: v.pipe(
      v.number(code("DAYS_INVALID")),
      v.integer(code("DAYS_INVALID")),
      v.minValue(1, code("DAYS_INVALID")),
      v.maxValue(3660, code("DAYS_INVALID")),
    ),
    reason: reasonInput,
  }),
  v.forward(v.partialCheck([["plan"], ["quantity"]], isCountable, code("QUANTITY_INVALID")), ["quantity"]),
);
export type GrantInput = v.InferOutput<typeof grantInput>;

/** The quote returned by a preview. */
export const quoteInput = v.object({ quote: text(500) });

/** The session of a checkout, from the link to the success page. NUL is excluded as Postgres rejects it in parameters. */
export const orderInput = v.object({
  session: v.pipe(text(300), v.excludes("\0", "INVALID_INPUT")),
});
