import { ActionIcon, TextInput } from "@mantine/core";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import type { RefObject } from "react";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { Offer } from "../api/billing_api.ts";
import { useErrorText, useText } from "../app/i18n.tsx";
import classes from "./plan_card.module.css";

/** The props of a button at its limit: it stays focusable, as it may have the focus. */
function offAt(isLimit: boolean) {
  return isLimit && { "aria-disabled": true, "data-disabled": true };
}

type Props = {
  plan: Offer["plan"];
  input: RefObject<HTMLInputElement | null>;
  typed: string;
  /** The parsed quantity; undefined when the input is invalid. */
  value: number | undefined;
  error: ErrorCode | undefined;
  max: number;
  onChange: (typed: string) => void;
};

/** A plan's quantity, typed or changed by the plus and minus buttons. */
export function QuantityField({ plan, input, typed, value, error, max, onChange }: Props) {
  const text = useText();
  const errorText = useErrorText();
  const name = text(`plan.${plan}`);
  const step = (by: number) => onChange(String(Math.min(max, Math.max(1, (value ?? 1) + by))));
  return (
    <div className={classes.quantity}>
      <TextInput
        ref={input}
        label={text("plans.quantity")}
        aria-label={text("plans.quantity_of", { plan: name })}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={error && errorText(error)}
        className={classes.number ?? ""}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={text("plans.fewer", { plan: name })}
        {...offAt(value === 1)}
        onClick={() => step(-1)}
      >
        <IconMinus size={18} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={text("plans.more", { plan: name })}
        {...offAt(value === max)}
        onClick={() => step(1)}
      >
        <IconPlus size={18} aria-hidden="true" />
      </ActionIcon>
    </div>
  );
}
