import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./badge.module.css";

export type Tone = "safe" | "alarm" | "critical" | "accent" | "quiet" | "note";

type Props = { tone: Tone; icon?: Icon; children: ReactNode };

/** A coloured label for a state. Colour and icon only repeat the text. */
export function Badge({ tone, icon: Mark, children }: Props) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {Mark && <Mark size={15} stroke={2} aria-hidden="true" />}
      {children}
    </span>
  );
}
