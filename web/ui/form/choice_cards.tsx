import { useId } from "react";
import classes from "./choice_cards.module.css";

type Props<Value extends string> = {
  legend: string;
  options: { value: Value; title: string; hint: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A choice between a few cards, each with a sentence that explains it. */
export function ChoiceCards<Value extends string>({ legend, options, value, onChange }: Props<Value>) {
  const id = useId();
  return (
    <fieldset className={classes.group}>
      <legend>{legend}</legend>
      <div className={classes.cards}>
        {options.map((option) => (
          <label key={option.value} className={classes.card}>
            <input
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              aria-labelledby={`${id}${option.value}title`}
              aria-describedby={`${id}${option.value}hint`}
            />
            <span className={classes.words}>
              <span id={`${id}${option.value}title`} className={classes.title}>
                {option.title}
              </span>
              <span id={`${id}${option.value}hint`} className={classes.hint}>
                {option.hint}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
