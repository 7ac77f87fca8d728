import { type ReactNode, useId } from "react";
import classes from "./segments.module.css";

type Props<Value extends string> = {
  options: { value: Value; label: ReactNode }[];
  value: Value;
  onChange: (value: Value) => void;
  "aria-label"?: string;
  "aria-labelledby"?: string;
};

/** A choice between a few short options, side by side. */
export function Segments<Value extends string>({ options, value, onChange, ...label }: Props<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" className={classes.segments} {...label}>
      {options.map((option) => (
        <label key={option.value} className={classes.segment}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  );
}
