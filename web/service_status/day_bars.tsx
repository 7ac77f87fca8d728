import type { ReactNode } from "react";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import classes from "./day_bars.module.css";
import { type Level, lastDays } from "./day_level.ts";

const STEP = 5;
const WIDTH = 3.6;
const HEIGHT = 30;
/** The bar's height, so that the level does not depend on colour. */
const SHARE: Record<Level, number> = { well: 1, minor: 0.66, major: 0.36, none: 0.1 };

type Props = {
  now: string;
  levelOf: (day: string) => Level;
  /** A sentence that summarises the bars. */
  summary: Extract<TextId, "service_status.days" | "service_status.days_speed">;
  /** The table with the same data. */
  children: ReactNode;
};

/** A bar per day, a sentence that summarises them, and a table on request. */
export function DayBars({ now, levelOf, summary, children }: Props) {
  const text = useText();
  const levels = lastDays(now).map(levelOf);
  const count = (level: Level) => levels.filter((each) => each === level).length;
  const counts = { well: count("well"), minor: count("minor"), major: count("major"), none: count("none") };
  return (
    <>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${levels.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text(summary, counts)}
      >
        {levels.map((level, index) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the day
            key={index}
            data-level={level}
            x={index * STEP}
            y={HEIGHT * (1 - SHARE[level])}
            width={WIDTH}
            height={HEIGHT * SHARE[level]}
            rx="1"
          />
        ))}
      </svg>
      <div className={classes.ends} aria-hidden="true">
        <span>{text("service_status.ago_90")}</span>
        <span>{text("service_status.today")}</span>
      </div>
      <details className={classes.details}>
        <summary>{text("service_status.by_day")}</summary>
        {children}
      </details>
    </>
  );
}

const LEGEND = ["well", "minor", "major", "none"] as const;

/** The meaning of each level. */
export function Legend() {
  const text = useText();
  return (
    <ul className={classes.legend}>
      {LEGEND.map((level) => (
        <li key={level}>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="7" height="22" aria-hidden="true">
            <rect
              data-level={level}
              y={HEIGHT * (1 - SHARE[level])}
              width={WIDTH}
              height={HEIGHT * SHARE[level]}
              rx="1"
            />
          </svg>
          {text(`service_status.legend_${level}`)}
        </li>
      ))}
    </ul>
  );
}
