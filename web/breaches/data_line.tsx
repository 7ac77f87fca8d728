import { dataClassKey } from "../../src/shared/breach.ts";
import { useTopic } from "../app/i18n.tsx";
import { gravestFirst } from "../shared/data_classes.tsx";
import { usePrinting } from "../ui/display/printing.ts";
import classes from "./data_line.module.css";

/** The gravest kinds of stolen data on one line, and how many more there are; the alert names them all. */
export function DataLine({ labels, shown = 2 }: { labels: string[]; shown?: number }) {
  const classText = useTopic("data_classes");
  const names = gravestFirst(labels).map((label) => classText(dataClassKey(label), label));
  const count = usePrinting() ? names.length : shown;
  const hidden = names.length - count;
  return (
    <span className={classes.line}>
      <span className={classes.names}>{names.slice(0, count).join(", ")}</span>
      {hidden > 0 && <span className={classes.rest}>+{hidden}</span>}
    </span>
  );
}
