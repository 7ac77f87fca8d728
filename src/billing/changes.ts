import type { Language } from "../shared/language.ts";
import type { Currency } from "../shared/plans.ts";
import { type Failure, fail, ok, type Result } from "../shared/result.ts";
import type { ChangePrice, GatewayFailure } from "./gateway_ports.ts";
import type { ChangeInput } from "./inputs.ts";
import { type Choice, capOf, priceOf } from "./plan.ts";
import type { BillingDeps } from "./ports.ts";
import { isRunning, type Purchase } from "./purchase.ts";
import type { Reconciled } from "./reconcile.ts";

const VALID_MS = 15 * 60_000;

type Bought = { customerId: string; purchase: Purchase };
export type Preview = Choice &
  ChangePrice & {
    regular: number;
    cap: number | null;
    tracked: number;
    /** Opaque; sent back to confirm the previewed price. */
    quote: string;
    validUntil: string;
  };
export type PlanChanged = { state: "changed" } | { state: "payment_needed"; url: string };

function failureOf({ reason }: GatewayFailure): Failure<"PAYMENT_REFUSED" | "PAYMENT_UNAVAILABLE"> {
  return fail(reason === "refused" ? "PAYMENT_REFUSED" : "PAYMENT_UNAVAILABLE");
}

function isSame(one: Choice, other: Choice): boolean {
  return one.plan === other.plan && one.period === other.period && one.quantity === other.quantity;
}

/** Changing the plan, quantity or period, at the price that was previewed. */
export function changes(deps: BillingDeps, { reconcile }: { reconcile: (accountId: string) => Promise<Reconciled> }) {
  const { transaction, payments, payers, usage, mac, now } = deps;

  async function boughtBy(accountId: string): Promise<Bought | undefined> {
    const found = await transaction(({ subscriptions }) => subscriptions.find(accountId));
    const { customerId, purchase } = found ?? {};
    return customerId !== undefined && purchase && isRunning(purchase) ? { customerId, purchase } : undefined;
  }

  /** Binds the choice to the instant of the preview and to the purchase that it changes. */
  function quoteOf(accountId: string, { purchase }: Bought, { plan, period, quantity }: Choice, at: number): string {
    const text = `${at}.${plan}.${period}.${quantity}`;
    const from = [purchase.subscriptionId, purchase.plan, purchase.period, purchase.quantity];
    return `${text}.${mac("plan change", [accountId, ...from, text].join(" "))}`;
  }

  function readQuote(accountId: string, bought: Bought, quote: string): (Choice & { at: Date }) | undefined {
    const [at, plan, period, quantity] = quote.split(".");
    const choice = { plan, period, quantity: Number(quantity) } as Choice;
    const age = now().getTime() - Number(at);
    const isCurrent = age >= -VALID_MS && age <= VALID_MS;
    const isOurs = quote === quoteOf(accountId, bought, choice, Number(at));
    return isCurrent && isOurs ? { ...choice, at: new Date(Number(at)) } : undefined;
  }

  return {
    /** What a change costs now, as calculated by the provider. */
    async previewChange(
      accountId: string,
      choice: ChangeInput,
    ): Promise<Result<Preview, "NOT_SUBSCRIBED" | "PLAN_UNCHANGED" | "PAYMENT_UNAVAILABLE" | "PAYMENT_REFUSED">> {
      const bought = await boughtBy(accountId);
      if (!bought) return fail("NOT_SUBSCRIBED");
      if (isSame(bought.purchase, choice)) return fail("PLAN_UNCHANGED");
      // The provider calculates in whole seconds.
      const at = Math.floor(now().getTime() / 1000) * 1000;
      const price = await payments.previewChange({ ...bought, ...choice, at: new Date(at) });
      if (!price.ok) return failureOf(price);
      const { plan, period, quantity } = choice;
      return ok({
        ...price.value,
        ...choice,
        cap: capOf(plan, quantity),
        tracked: await usage.of(accountId),
        regular: priceOf(plan, period, bought.purchase.currency as Currency) * quantity,
        quote: quoteOf(accountId, bought, choice, at),
        validUntil: new Date(at + VALID_MS).toISOString(),
      });
    },

    /** Changes the plan at the quoted price. Repeating a quote has no further effect. */
    async changePlan(
      accountId: string,
      quote: string,
    ): Promise<Result<PlanChanged, "NOT_SUBSCRIBED" | "QUOTE_OUTDATED" | "PAYMENT_REFUSED" | "PAYMENT_UNAVAILABLE">> {
      const bought = await boughtBy(accountId);
      if (!bought) return fail("NOT_SUBSCRIBED");
      const promised = readQuote(accountId, bought, quote);
      if (!promised) return fail("QUOTE_OUTDATED");
      const key = `change:${bought.purchase.subscriptionId}:${quote.slice(0, quote.lastIndexOf("."))}`;
      const changed = await payments.changePlan({ ...bought, ...promised, key });
      if (!changed.ok) return failureOf(changed);
      // If this gets no answer, the webhook or the daily job catches up.
      await reconcile(accountId);
      const { payUrl } = changed.value;
      return ok(payUrl === undefined ? { state: "changed" } : { state: "payment_needed", url: payUrl });
    },

    /** The provider's portal for invoices, card and cancellation. */
    async openPortal(
      accountId: string,
      language?: Language,
    ): Promise<Result<{ url: string }, "NOT_SUBSCRIBED" | "PAYMENT_UNAVAILABLE">> {
      const found = await transaction(({ subscriptions }) => subscriptions.find(accountId));
      const payer = await payers.of(accountId);
      if (found?.customerId === undefined || !payer) return fail("NOT_SUBSCRIBED");
      const opened = await payments.createPortal(found.customerId, language ?? payer.language);
      if (opened.ok) return ok(opened.value);
      return fail(opened.reason === "missing" ? "NOT_SUBSCRIBED" : "PAYMENT_UNAVAILABLE");
    },
  };
}
