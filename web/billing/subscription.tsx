import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Period } from "../../src/shared/plans.ts";
import type { Subscription as Held } from "../api/api.ts";
import type { Offer, Plans } from "../api/billing_api.ts";
import { instanceQuery, subscriptionQuery } from "../api/queries.ts";
import { useEntryState } from "../app/entry_state.ts";
import { useText } from "../app/i18n.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { BillingChoice } from "./billing_choice.tsx";
import { useCheckout } from "./buying.ts";
import { ChangeDialog } from "./change_dialog.tsx";
import { useChange } from "./changing.ts";
import { type Billing, CURRENCY_KEY, currencyOf } from "./choice.ts";
import { CurrentPlan } from "./current_plan.tsx";
import { PlanCard } from "./plan_card.tsx";
import { plansQuery } from "./queries.ts";
import classes from "./subscription.module.css";

export default function Subscription() {
  const text = useText();
  const plans = useQuery(plansQuery);
  const held = useQuery(subscriptionQuery);
  const both = {
    data: plans.data && held.data && { plans: plans.data, held: held.data },
    error: plans.error ?? held.error,
    refetch: () => Promise.all([plans.refetch(), held.refetch()]),
  };
  return (
    <>
      <PageHead title={text("plans.title")}>{text("plans.lead")}</PageHead>
      <Fetched query={both} failureTitle={text("plans.load_failed")} height={560}>
        {(fetched) => <Shop {...fetched} />}
      </Fetched>
    </>
  );
}

function Shop({ plans, held }: { plans: Plans; held: Held }) {
  const text = useText();
  const { billing, setBilling, typedOf, setTyped } = useChoice(plans, held);
  const checkout = useCheckout();
  const change = useChange();
  const busy = checkout.input?.plan ?? change.asking?.plan;
  return (
    <div className={classes.page}>
      <CurrentPlan held={held} />
      <section aria-label={text("plans.offers")} className={classes.offers}>
        <BillingChoice plans={plans} billing={billing} isFixed={held.canChange} onChange={setBilling} />
        <ul className={classes.cards}>
          {plans.plans.map((offer) => (
            <PlanCard
              key={offer.plan}
              offer={offer}
              billing={billing}
              held={held}
              discount={plans.discount}
              typed={typedOf(offer.plan)}
              onType={(typed) => setTyped(offer.plan, typed)}
              maxQuantity={plans.maxQuantity}
              busy={busy}
              onBuy={(quantity) => checkout.go({ ...billing, plan: offer.plan, quantity })}
              onChange={(quantity) => change.ask({ period: billing.period, plan: offer.plan, quantity })}
            />
          ))}
        </ul>
        <Notes isTrial={held.status === "trial"} />
      </section>
      <ChangeDialog change={change} isCancelled={held.cancelAtPeriodEnd} />
    </div>
  );
}

/** Notes shown before a purchase. */
function Notes({ isTrial }: { isTrial: boolean }) {
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  return (
    <ul className={classes.notes}>
      {instance?.billing === "sandbox" && <li>{text("plans.sandbox")}</li>}
      {isTrial && <li>{text("plans.starts")}</li>}
      <li>{text("plans.history")}</li>
    </ul>
  );
}

type Quantities = Partial<Record<Offer["plan"], string>>;

/**
 * The choice before a purchase. The currency is that of the current plan, or else the one chosen earlier in this browser,
 * or the server's guess. A reload and the way back from the payment page restore the period and the quantities.
 */
function useChoice({ currencies, currency: guess }: Plans, held: Held) {
  const [period, setPeriod] = useEntryState<Period>("period", held.period ?? "monthly");
  const [quantities, setQuantities] = useEntryState<Quantities>("quantities", {});
  const [remembered, setRemembered] = useState(() => localStorage.getItem(CURRENCY_KEY));
  const running = held.canChange ? held.currency : null;
  const currency = currencyOf(currencies, { running, remembered, guess });
  function setBilling(next: Billing) {
    setPeriod(next.period);
    if (next.currency === currency) return;
    localStorage.setItem(CURRENCY_KEY, next.currency);
    setRemembered(next.currency);
  }
  function typedOf(plan: Offer["plan"]): string {
    const isHeld = held.plan === plan && held.status !== "inactive";
    return quantities[plan] ?? String((isHeld && held.quantity) || 1);
  }
  const setTyped = (plan: Offer["plan"], typed: string) => setQuantities({ ...quantities, [plan]: typed });
  return { billing: { currency, period } satisfies Billing, setBilling, typedOf, setTyped };
}
