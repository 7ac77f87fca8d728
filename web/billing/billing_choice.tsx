import { Input, NativeSelect } from "@mantine/core";
import { useId } from "react";
import { useIntl } from "react-intl";
import { PERIODS, type Period } from "../../src/shared/plans.ts";
import type { Plans } from "../api/billing_api.ts";
import { useText } from "../app/i18n.tsx";
import { Segments } from "../ui/form/segments.tsx";
import type { Billing } from "./choice.ts";
import classes from "./subscription.module.css";

type Props = { plans: Plans; billing: Billing; isFixed: boolean; onChange: (billing: Billing) => void };

/** The billing period (monthly or yearly) and the currency. */
export function BillingChoice({ plans: { currencies, discount }, billing, isFixed, onChange }: Props) {
  const text = useText();
  const name = useCurrencyName();
  const periodId = useId();
  return (
    <div className={classes.choice}>
      <div className={classes.periods}>
        <Input.Label id={periodId} labelElement="div">
          {text("plans.period")}
        </Input.Label>
        <Segments
          aria-labelledby={periodId}
          value={billing.period}
          onChange={(period) => onChange({ ...billing, period })}
          options={PERIODS.map((period) => ({
            value: period,
            label: <PeriodLabel period={period} discount={discount} />,
          }))}
        />
      </div>
      <NativeSelect
        label={text("plans.currency")}
        {...(isFixed && { description: text("plans.currency_fixed"), inputWrapperOrder: ORDER, disabled: true })}
        value={billing.currency}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...billing, currency: currencies.find((one) => one === value) ?? billing.currency })
        }
        data={currencies.map((currency) => ({ value: currency, label: `${currency} – ${name(currency)}` }))}
        className={classes.currency ?? ""}
      />
    </div>
  );
}

const ORDER: ("label" | "input" | "description")[] = ["label", "input", "description"];

function PeriodLabel({ period, discount }: { period: Period; discount: number }) {
  const text = useText();
  return (
    <span className={classes.period}>
      {text(`period.${period}`)}
      {period === "yearly" && (
        <span className={classes.discount}>{text("plans.discount", { discount: discount / 100 })}</span>
      )}
    </span>
  );
}

function useCurrencyName(): (currency: string) => string {
  const { formatDisplayName } = useIntl();
  return (currency) => formatDisplayName(currency, { type: "currency" }) ?? currency;
}
