import { Loader } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconHourglass } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { FormattedDate } from "react-intl";
import classes from "./fire_drill.module.css";

const MARKS = { done: IconCircleCheck, open: IconCircleDashed, waiting: IconHourglass, failed: IconAlertTriangle };
/** `busy`: the service is working; `open`: the user has to act. */
export type StepState = "busy" | keyof typeof MARKS;

type Props = { title: string; at?: string | null; state: StepState; children?: ReactNode };

/** One step of the drill. Its icon is decorative, as the text says the same. */
export function DrillStep({ title, at = null, state, children }: Props) {
  const Mark = state === "busy" ? undefined : MARKS[state];
  return (
    <li className={classes.step} data-state={state}>
      <span className={classes.mark} aria-hidden="true">
        {Mark ? <Mark size={24} stroke={1.75} /> : <Loader size={18} />}
      </span>
      <div className={classes.words}>
        <p className={classes.head}>
          <strong>{title}</strong>
          {at !== null && (
            <time dateTime={at}>
              <FormattedDate value={at} timeStyle="medium" />
            </time>
          )}
        </p>
        {children}
      </div>
    </li>
  );
}
