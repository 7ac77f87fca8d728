import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Subscription as Held } from "../api/api.ts";
import type { Plans } from "../api/billing_api.ts";
import { instanceQuery, subscriptionQuery } from "../api/queries.ts";
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
  const { billing, setBilling } = useBilling(plans, held);
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
              maxQuantity={plans.maxQuantity}
              busy={busy}
              onBuy={(quantity) => checkout.go({ ...billing, plan: offer.plan, quantity })}
              onChange={(quantity) => change.ask({ period: billing.period, plan: offer.plan, quantity })}
            />
          ))}
        </ul>
        <Notes isTrial={held.status === "trial"} />
      </section>
      <ChangeDialog change={change} />
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

/** Currency and period: from the current plan, or else the earlier choice in this browser, or the server's guess. */
function useBilling({ currencies, currency: guess }: Plans, held: Held) {
  const [period, setPeriod] = useState(held.period ?? "monthly");
  const [remembered, setRemembered] = useState(() => localStorage.getItem(CURRENCY_KEY));
  const running = held.canChange ? held.currency : null;
  const currency = currencyOf(currencies, { running, remembered, guess });
  function setBilling(next: Billing) {
    setPeriod(next.period);
    if (next.currency === currency) return;
    localStorage.setItem(CURRENCY_KEY, next.currency);
    setRemembered(next.currency);
  }
  return { billing: { currency, period } satisfies Billing, setBilling };
}
