import { useText } from "../../app/i18n.tsx";
import classes from "./optional_label.module.css";

/** The label of an optional field. */
export function OptionalLabel({ label }: { label: string }) {
  const text = useText();
  return (
    <>
      {label} <span className={classes.optional}>· {text("field.optional")}</span>
    </>
  );
}
