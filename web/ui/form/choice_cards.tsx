import type { Icon } from "@tabler/icons-react";
import { useId } from "react";
import classes from "./choice_cards.module.css";

type Choice<Value extends string> = { value: Value; title: string; hint: string; icon?: Icon };
type Props<Value extends string> = {
  legend: string;
  options: Choice<Value>[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A choice between a few cards, each with a sentence that explains it. */
export function ChoiceCards<Value extends string>({ legend, options, value, onChange }: Props<Value>) {
  const id = useId();
  return (
    <div role="radiogroup" aria-labelledby={id} className={classes.group}>
      <p id={id}>{legend}</p>
      <div className={classes.cards}>
        {options.map(({ value: own, title, hint, icon: Mark }) => (
          <label key={own} className={classes.card}>
            <input
              type="radio"
              name={id}
              checked={own === value}
              onChange={() => onChange(own)}
              aria-labelledby={`${id}${own}title`}
              aria-describedby={`${id}${own}hint`}
            />
            {Mark && <Mark size={26} stroke={1.75} aria-hidden="true" />}
            <span className={classes.words}>
              <span id={`${id}${own}title`} className={classes.title}>
                {title}
              </span>
              <span id={`${id}${own}hint`} className={classes.hint}>
                {hint}
              </span>
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
