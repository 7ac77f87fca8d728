import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Tone } from "./badge.tsx";
import classes from "./notice.module.css";

type Props = { icon: Icon; tone?: Tone; children: ReactNode; action?: ReactNode };

/** Important information, with an optional action. */
export function Notice({ icon: Mark, tone = "accent", children, action }: Props) {
  return (
    <div className={classes.notice} data-tone={tone}>
      <Mark size={20} stroke={1.75} aria-hidden="true" />
      <div className={classes.words}>{children}</div>
      {action}
    </div>
  );
}
