import { Button, Text, Title } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useId, useRef } from "react";
import type { Subscription } from "../api/api.ts";
import type { Offer } from "../api/billing_api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { usePlanWords } from "../shared/plan_words.ts";
import { Badge } from "../ui/display/badge.tsx";
import { useMoney } from "../ui/display/money.ts";
import { type Billing, beyond, quantityOf, type Step, stepOf, unitPrice } from "./choice.ts";
import classes from "./plan_card.module.css";
import { QuantityField } from "./quantity_field.tsx";

/** The features that the specification lists for every plan. */
const FEATURES = [
  "feature.email",
  "feature.detection",
  "feature.support",
  "feature.history",
] as const satisfies TextId[];

type Props = {
  offer: Offer;
  billing: Billing;
  held: Subscription;
  discount: number;
  /** The typed quantity. */
  typed: string;
  onType: (typed: string) => void;
  maxQuantity: number;
  /** The plan whose checkout is pending. */
  busy: Offer["plan"] | undefined;
  onBuy: (quantity: number) => void;
  onChange: (quantity: number) => void;
};

/** One plan with its quantity, price and button. */
export function PlanCard(props: Props) {
  const { offer, billing, held, discount, typed, onType, maxQuantity, busy, onBuy, onChange } = props;
  const text = useText();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { plan, popular, multiplies } = offer;
  const isHeld = held.plan === plan && held.status !== "inactive";
  const { value: quantity, error } = quantityOf(offer, typed);
  const step = stepOf(held, { plan, period: billing.period, quantity });
  function press() {
    if (quantity === undefined) input.current?.focus();
    else if (step === "buy") onBuy(quantity);
    else onChange(quantity);
  }
  return (
    <li className={classes.card} data-popular={popular || undefined} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} id={id}>
          {text(`plan.${plan}`)}
        </Title>
        {isHeld && <Badge tone="safe">{text("plans.current")}</Badge>}
        {popular && !isHeld && <Badge tone="accent">{text("plans.popular")}</Badge>}
      </div>
      <Price offer={offer} billing={billing} quantity={quantity ?? 1} discount={discount} />
      <Capacity offer={offer} quantity={quantity} />
      <ul className={classes.features}>
        {FEATURES.map((feature) => (
          <li key={feature}>
            <IconCheck size={18} stroke={2.25} aria-hidden="true" />
            {text(feature)}
          </li>
        ))}
      </ul>
      {multiplies && (
        <QuantityField
          plan={plan}
          input={input}
          error={error}
          max={maxQuantity}
          typed={typed}
          value={quantity}
          onChange={onType}
        />
      )}
      {step !== "none" && <LeftOut offer={offer} quantity={quantity} tracked={held.tracked} />}
      <PlanButton plan={plan} step={step} popular={popular} busy={busy} onPress={press} />
    </li>
  );
}

type PriceProps = { offer: Offer; billing: Billing; quantity: number; discount: number };

function Price({ offer, billing, quantity, discount }: PriceProps) {
  const text = useText();
  const money = useMoney();
  const { price } = usePlanWords();
  const { currency, period } = billing;
  const unit = unitPrice(offer, billing);
  const isYearly = period === "yearly";
  return (
    <div aria-live="polite">
      <p className={classes.price}>
        <strong>{money({ amount: unit * quantity, currency })}</strong> <span>{text(`period.per_${period}`)}</span>
      </p>
      <Text size="sm" c="dimmed" className={classes.hint ?? ""}>
        {quantity > 1 && `${quantity} × ${price({ ...billing, amount: unit })}`}
        {quantity === 1 && isYearly && text("plans.saves", { discount: discount / 100 })}
      </Text>
    </div>
  );
}

type CapacityProps = { offer: Offer; quantity: number | undefined };

function totalOf({ cap }: Offer, quantity: number): number | null {
  return cap === null ? null : cap * quantity;
}

/** How many addresses the plan covers. */
function Capacity({ offer, quantity = 1 }: CapacityProps) {
  const text = useText();
  const cap = totalOf(offer, quantity);
  return (
    <p className={classes.capacity} aria-live="polite">
      {cap === null && text("plan.unlimited")}
      {cap !== null && quantity === 1 && text("plans.cap", { cap })}
      {cap !== null && quantity > 1 && text("plans.sum", { quantity, plan: text(`plan.${offer.plan}`), cap })}
    </p>
  );
}

/** How many of the account's addresses the plan would not cover. */
function LeftOut({ offer, quantity = 1, tracked }: CapacityProps & { tracked: number }) {
  const text = useText();
  const over = beyond(tracked, totalOf(offer, quantity));
  if (over === 0) return null;
  return <p className={classes.over}>{text("plans.over", { over, tracked })}</p>;
}

const LABELS = {
  buy: "plans.select",
  switch: "plans.switch",
  adjust: "plans.adjust",
  none: "plans.is_current",
} as const satisfies Record<Step, TextId>;

type ButtonProps = Pick<Offer, "plan" | "popular"> & { step: Step; busy: Props["busy"]; onPress: () => void };

function PlanButton({ plan, popular, step, busy, onPress }: ButtonProps) {
  const text = useText();
  return (
    <Button
      fullWidth
      variant={popular || step === "adjust" ? "filled" : "default"}
      className={classes.button ?? ""}
      loading={busy === plan}
      disabled={step === "none" || (busy !== undefined && busy !== plan)}
      onClick={onPress}
    >
      {text(LABELS[step], { plan: text(`plan.${plan}`) })}
    </Button>
  );
}
