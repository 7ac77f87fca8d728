import { dataClassKey } from "../../src/shared/breach.ts";
import { useTopic } from "../app/i18n.tsx";
import { mostSevereFirst } from "../shared/data_classes.tsx";
import { usePrinting } from "../ui/display/printing.ts";
import classes from "./data_line.module.css";

/** The most severe kinds of stolen data and the number of others; the alert lists all. */
export function DataLine({ labels, shown = 2 }: { labels: string[]; shown?: number }) {
  const classText = useTopic("data_classes");
  const names = mostSevereFirst(labels).map((label) => classText(dataClassKey(label), label));
  const count = usePrinting() ? names.length : shown;
  const hidden = names.length - count;
  return (
    <span className={classes.line}>
      <span className={classes.names}>{names.slice(0, count).join(", ")}</span>
      {hidden > 0 && <span className={classes.rest}>+{hidden}</span>}
    </span>
  );
}
