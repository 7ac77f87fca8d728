import { Checkbox, Title } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import {
  type AdviceStep,
  type AdvisedBreach,
  adviceFor,
  type Country,
  differsByCountry,
  stepsFor,
  stepWords,
} from "../../src/shared/advice.ts";
import { useTopic } from "../app/i18n.tsx";
import { CountrySelect } from "../ui/form/country_select.tsx";
import classes from "./advice_steps.module.css";
import listHead from "./list_head.module.css";

type Props = {
  breach: AdvisedBreach;
  /** Names of the steps that are done. */
  ticked: readonly string[];
  onTick: (step: AdviceStep, done: boolean) => void;
  /** The chosen or guessed country (`useCountry()`). */
  country: Country | undefined;
  onCountry: (country: Country | undefined) => void;
  /** What to show under a step, such as where to take it. */
  below: (step: AdviceStep) => ReactNode;
  /** Shown after the last step. */
  children?: ReactNode;
};

/** What to do about a breach, as a checklist. The page has to load the topic `advice`. */
export function AdviceSteps({ breach, ticked, onTick, country, onCountry, below, children }: Props) {
  const first = adviceFor([breach]);
  const further = stepsFor([breach]).filter((step) => !first.includes(step));
  const all = [...first, ...further];
  const list = { breach, ticked, onTick, country, below };
  return (
    <section className={classes.section}>
      <Head done={all.filter((step) => ticked.includes(step)).length} total={all.length} />
      <Steps steps={first} from={1} {...list} />
      {children && <div>{children}</div>}
      <Further steps={further} from={first.length + 1} {...list} />
      {all.some(differsByCountry) && <CountrySelect value={country} onChange={onCountry} />}
    </section>
  );
}

/** The heading with the progress, as text and as a bar. */
function Head({ done, total }: { done: number; total: number }) {
  const adviceText = useTopic("advice");
  return (
    <div>
      <div className={listHead.head}>
        <Title order={4} size="h3">
          {adviceText("label.steps", "")}
        </Title>
        <p role="status" className={listHead.progress} data-complete={done === total || undefined}>
          {adviceText("label.progress", "", { done, total })}
        </p>
      </div>
      <svg className={classes.line} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(100 * done) / total} height="1" />
      </svg>
    </div>
  );
}

type StepsProps = Pick<Props, "breach" | "ticked" | "onTick" | "country" | "below"> & {
  steps: readonly AdviceStep[];
  /** The number of the first step. */
  from: number;
};

function Steps({ steps, from, breach, ticked, onTick, country, below }: StepsProps) {
  const adviceText = useTopic("advice");
  const wordsOf = (step: AdviceStep) => {
    const { key, params } = stepWords(step, [breach], country);
    return adviceText(key, step, params);
  };
  return (
    <ol className={classes.steps} start={from}>
      {steps.map((step, place) => (
        <li key={step}>
          <Checkbox
            checked={ticked.includes(step)}
            onChange={({ currentTarget }) => onTick(step, currentTarget.checked)}
            label={`${from + place}. ${wordsOf(step)}`}
            classNames={{ root: classes.step, body: classes.stepBody, label: classes.words }}
            data-done={ticked.includes(step) || undefined}
          />
          <div className={classes.below}>{below(step)}</div>
        </li>
      ))}
    </ol>
  );
}

/** Further advice, behind a button. */
function Further(props: StepsProps) {
  const adviceText = useTopic("advice");
  const [open, setOpen] = useState(false);
  const id = useId();
  const count = props.steps.length;
  if (count === 0) return null;
  return (
    <div>
      <button
        type="button"
        className={classes.more}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {open ? adviceText("label.fewer", "") : adviceText("label.more_steps", "", { count })}
      </button>
      <div id={id} hidden={!open}>
        {open && <Steps {...props} />}
      </div>
    </div>
  );
}
