import { Hono, type MiddlewareHandler } from "hono";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { confirmedSession, fullSession, type HttpEnv } from "../../../http/session.ts";
import { CURRENCIES, MAX_QUANTITY, multiplies, PERIODS, PLANS, TRIAL_DAYS } from "../../../shared/plans.ts";
import { fail, ok } from "../../../shared/result.ts";
import { text } from "../../../shared/text.ts";
import { changeInput, checkoutInput, orderInput, portalInput, quoteInput } from "../../inputs.ts";
import type { Billing } from "../../mod.ts";
import { DISCOUNT, guessCurrency, OFFER } from "../../plan.ts";

const count = v.pipe(v.number(), v.integer());
const cap = v.nullable(count);
const plan = v.picklist(PLANS);
const period = v.picklist(PERIODS);
const currency = v.picklist(CURRENCIES);
const url = v.object({ url: v.string() });
const status = v.picklist(["trial", "active", "grace", "inactive", "off"]);

const plans = v.object({
  mode: v.picklist(["stripe", "sandbox"]),
  currencies: v.array(currency),
  currency,
  discount: count,
  trialDays: count,
  maxQuantity: count,
  plans: v.array(
    v.object({
      plan,
      cap,
      popular: v.boolean(),
      multiplies: v.boolean(),
      prices: v.array(v.object({ currency, period, amount: count })),
    }),
  ),
});
const subscription = v.object({
  status,
  plan: v.nullable(v.picklist(["off", "trial", ...PLANS])),
  quantity: v.nullable(count),
  period: v.nullable(period),
  currency: v.nullable(currency),
  cap,
  tracked: count,
  trialEndsAt: v.nullable(v.string()),
  daysLeft: v.nullable(count),
  periodEnd: v.nullable(v.string()),
  cancelAtPeriodEnd: v.boolean(),
  graceUntil: v.nullable(v.string()),
  unpaid: v.boolean(),
  canPortal: v.boolean(),
  canChange: v.boolean(),
});
const preview = v.object({
  plan,
  period,
  quantity: count,
  currency: v.string(),
  due: count,
  credit: count,
  regular: count,
  cap,
  tracked: count,
  quote: v.string(),
  validUntil: v.string(),
});
const changed = v.union([
  v.object({ state: v.literal("changed") }),
  v.object({ state: v.literal("payment_needed"), url: v.string() }),
]);
const success = v.object({
  state: v.picklist(["paid", "processing"]),
  own: v.boolean(),
  account: v.object({ name: v.nullable(v.string()), email: v.string() }),
  plan,
  quantity: count,
  period,
  amount: count,
  currency: v.string(),
  cap,
  periodEnd: v.nullable(v.string()),
  tracked: v.nullable(count),
});
const orderList = v.object({
  items: v.array(
    v.object({
      id: v.string(),
      at: v.string(),
      number: v.nullable(v.string()),
      plan: v.nullable(plan),
      quantity: v.nullable(count),
      period: v.nullable(period),
      amount: count,
      currency: v.string(),
      refunded: count,
      state: v.picklist(["paid", "open", "refunded", "void"]),
    }),
  ),
});
const orderId = v.object({ id: v.pipe(text(100), v.regex(/^[\w-]{1,100}$/)) });

/** The language tags of an Accept-Language header, unparsed. */
const tagsOf = (header: string | undefined) => (header ?? "").split(",");

export function billingRoutes(billing: Billing) {
  /** Answers 404 for everything while billing is off. */
  const whenPaid: MiddlewareHandler<HttpEnv> = async (c, next) =>
    billing.mode === "off" ? replyFailure(c, fail("NOT_FOUND")) : next();

  return new Hono<HttpEnv>()
    .get(
      "/api/check-subscription/",
      describe("Check whether the subscription is active", v.object({ status })),
      fullSession,
      async (c) => {
        const shown = await billing.showSubscription(c.get("session").accountId);
        return reply(c, shown.ok ? { ok: true, value: { status: shown.value.status } } : shown);
      },
    )
    .get("/api/subscription", describe("Get the account's plan", subscription), fullSession, async (c) =>
      reply(c, await billing.showSubscription(c.get("session").accountId)),
    )
    .get("/api/plans", describe("List plans and prices", plans), whenPaid, (c) =>
      reply(
        c,
        ok({
          mode: billing.mode === "stripe" ? ("stripe" as const) : ("sandbox" as const),
          currencies: [...CURRENCIES],
          currency: guessCurrency(tagsOf(c.req.header("Accept-Language"))),
          discount: DISCOUNT,
          trialDays: TRIAL_DAYS,
          maxQuantity: MAX_QUANTITY,
          plans: OFFER.map((offer) => ({ ...offer, multiplies: multiplies(offer.plan) })),
        }),
      ),
    )
    .post(
      "/api/checkout",
      describe("Create a checkout session for a plan", url),
      whenPaid,
      fullSession,
      json(checkoutInput),
      async (c) => reply(c, await billing.startCheckout(c.get("session").accountId, c.req.valid("json"))),
    )
    .post(
      "/api/subscription/preview",
      describe("Preview the price of a plan change", preview),
      whenPaid,
      fullSession,
      json(changeInput),
      async (c) => reply(c, await billing.previewChange(c.get("session").accountId, c.req.valid("json"))),
    )
    .post(
      "/api/subscription/change",
      describe("Change the plan at the quoted price", changed),
      whenPaid,
      fullSession,
      json(quoteInput),
      async (c) => reply(c, await billing.changePlan(c.get("session").accountId, c.req.valid("json").quote)),
    )
    .post(
      "/api/portal",
      describe("Create a billing portal session", url),
      whenPaid,
      fullSession,
      confirmedSession,
      json(portalInput),
      async (c) => reply(c, await billing.openPortal(c.get("session").accountId, c.req.valid("json").language)),
    )
    .post(
      "/api/order-success",
      describe("Get the purchase of a checkout session", success),
      whenPaid,
      json(orderInput),
      async (c) => {
        const session = c.get("session");
        const viewer = session?.level === "authenticated" ? session.accountId : undefined;
        return reply(c, await billing.showOrder(c.req.valid("json").session, viewer));
      },
    )
    .get(
      "/api/orders",
      describe("List the account's orders, newest first", orderList),
      whenPaid,
      fullSession,
      async (c) => reply(c, await billing.listOrders(c.get("session").accountId)),
    )
    .post(
      "/api/orders/:id/invoice",
      describe("Get the current link to an order's invoice", url),
      whenPaid,
      fullSession,
      param(orderId),
      async (c) => reply(c, await billing.openInvoice(c.get("session").accountId, c.req.valid("param").id)),
    );
}
