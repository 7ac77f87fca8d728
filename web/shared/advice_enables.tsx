import { Title } from "@mantine/core";
import { useState } from "react";
import { kindsOf } from "../../src/shared/advice.ts";
import { adviceKindOf } from "../../src/shared/advice_kinds.ts";
import { dataClassKey } from "../../src/shared/breach.ts";
import { useTopic } from "../app/i18n.tsx";
import classes from "./advice_steps.module.css";

const SHOWN = 3;

/** What an attacker could do with each kind of exposed data, the most severe first; the rest behind a button. */
export function AdviceEnables({ dataClasses }: { dataClasses: readonly string[] }) {
  const adviceText = useTopic("advice");
  const classText = useTopic("data_classes");
  const [expanded, setExpanded] = useState(false);
  const kinds = kindsOf([{ dataClasses: [...dataClasses] }]);
  const count = kinds.length - SHOWN;
  if (kinds.length === 0) return null;
  const namesOf = (kind: string) =>
    dataClasses
      .filter((label) => adviceKindOf(dataClassKey(label)) === kind)
      .map((label) => classText(dataClassKey(label), label));
  return (
    <section className={classes.section}>
      <Title order={5} size="h4">
        {adviceText("label.enables", "")}
      </Title>
      <dl className={classes.enables}>
        {kinds.slice(0, expanded ? kinds.length : SHOWN).map((kind) => (
          <div key={kind}>
            <dt>{namesOf(kind).join(", ")}</dt>
            <dd>{adviceText(`enables.${kind}`, "")}</dd>
          </div>
        ))}
      </dl>
      {count > 0 && (
        <button type="button" className={classes.more} aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
          {expanded ? adviceText("label.fewer", "") : adviceText("label.more_data", "", { count })}
        </button>
      )}
    </section>
  );
}
