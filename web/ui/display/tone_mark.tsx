import type { Icon } from "@tabler/icons-react";
import classes from "./tone_mark.module.css";

type Props = { icon: Icon; tone: "quiet" | "accent" | "safe" | "alarm"; large?: boolean };

/** An icon on a round ground that tells how things are; decorative, as the words next to it say it. */
export function ToneMark({ icon: Mark, tone, large = false }: Props) {
  return (
    <span className={classes.mark} data-tone={tone} data-large={large || undefined}>
      <Mark size={large ? 28 : 20} stroke={1.75} aria-hidden="true" />
    </span>
  );
}
