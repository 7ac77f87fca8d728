import type { Period, Plan } from "../../src/shared/plans.ts";
import type { Subscription } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { useMoney } from "../ui/display/money.ts";

type Bought = { plan: Plan; quantity: number | null };
type Price = { amount: number; currency: string; period: Period };

/** A plan in words. The page has to load the topic `billing`. */
export function usePlanWords() {
  const text = useText();
  const money = useMoney();
  const formatDate = useFormatDate();
  const day = (iso: string) => formatDate(iso, { dateStyle: "long" });

  /** "2 × Professional". */
  function bought({ plan, quantity }: Bought): string {
    const name = text(`plan.${plan}`);
    return quantity === null || quantity === 1 ? name : text("plan.times", { quantity, plan: name });
  }

  /** The account's plan or trial in words. */
  function held({ plan, quantity }: Subscription): string {
    if (plan === null || plan === "off") return text("plan.none");
    return plan === "trial" ? text("summary.trial") : bought({ plan, quantity });
  }

  /** When the plan ends or ended; undefined where no date is known. */
  function lasts({ status, plan, periodEnd, cancelAtPeriodEnd, graceUntil, trialEndsAt }: Subscription) {
    if (status === "grace" && graceUntil !== null) return text("plan.grace", { date: day(graceUntil) });
    if (status === "inactive") return text("plan.inactive");
    if (plan === "trial") return trialEndsAt === null ? undefined : text("summary.ends", { date: day(trialEndsAt) });
    if (periodEnd === null) return undefined;
    return text(cancelAtPeriodEnd ? "plan.ends" : "plan.renews", { date: day(periodEnd) });
  }

  return {
    bought,
    held,
    lasts,
    day,
    /** "€8.00 per month". */
    price: ({ amount, currency, period }: Price) => text(`price.${period}`, { amount: money({ amount, currency }) }),
    /** "20 addresses", or the text for no limit. */
    capacity: (cap: number | null) => (cap === null ? text("plan.unlimited") : text("summary.used", { used: cap })),
  };
}
