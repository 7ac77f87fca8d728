import { IconAntennaBars2, IconAntennaBars3, IconAntennaBars4, IconAntennaBars5 } from "@tabler/icons-react";
import { type Level, severityOf } from "../../src/shared/severity.ts";
import type { Breach } from "../api/api.ts";
import { useTopic } from "../app/i18n.tsx";
import { Badge, type Tone } from "../ui/display/badge.tsx";
import classes from "./severity.module.css";

const LOOKS = {
  low: { tone: "quiet", icon: IconAntennaBars2 },
  medium: { tone: "note", icon: IconAntennaBars3 },
  high: { tone: "alarm", icon: IconAntennaBars4 },
  critical: { tone: "critical", icon: IconAntennaBars5 },
} as const satisfies Record<Level, { tone: Tone; icon: typeof IconAntennaBars2 }>;

/** A breach's severity as a badge. */
export function SeriousnessBadge({ breach }: { breach: Breach }) {
  const seriousText = useTopic("seriousness");
  const { level } = severityOf(breach, new Date());
  const { tone, icon } = LOOKS[level];
  return (
    <Badge tone={tone} icon={icon}>
      <span className={classes.hidden}>{seriousText("label", "")}: </span>
      {seriousText(`level_${level}`, level)}
    </Badge>
  );
}

/** The severity with the rules that led to it. */
export function Seriousness({ breach }: { breach: Breach }) {
  const seriousText = useTopic("seriousness");
  const { level, rules } = severityOf(breach, new Date());
  return (
    <section className={classes.reasons} data-level={level}>
      <div className={classes.level}>
        <strong aria-hidden="true">{seriousText("label", "")}</strong>
        <SeriousnessBadge breach={breach} />
      </div>
      <ul aria-label={seriousText("why", "")}>
        {rules.map((rule) => (
          <li key={rule}>{seriousText(rule, rule)}</li>
        ))}
      </ul>
    </section>
  );
}
