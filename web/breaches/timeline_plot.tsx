import { Title, VisuallyHidden } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type PointerEvent, useMemo, useState } from "react";
import type { Breach, Finding } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Day } from "../ui/display/dates.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { usePrinting } from "../ui/display/printing.ts";
import tables from "../ui/display/table.module.css";
import { StateBadge } from "./alert_parts.tsx";
import { useBreachTitle } from "./breach_name.ts";
import { BreachTile } from "./breach_tile.tsx";
import { nearestDot, type Timeline, timelineOf } from "./timeline.ts";
import classes from "./timeline_plot.module.css";

const YEARS_HEIGHT = 26;
const LEGEND = [
  ["pending", "monitor.pending"],
  ["handled", "alerts.handled"],
] as const satisfies [string, TextId][];

export type Shown = Finding & { breach: Breach };

type Dated = Shown & { breach: { breachDate: string } };
const isDated = (finding: Shown): finding is Dated => finding.breach.breachDate !== null;
const datedOf = (findings: Shown[]) => findings.filter(isDated);

/** The breaches of an address by date, if it is known; the dots are one keyboard control, and a table has the same data. */
export function TimelinePlot({ findings }: { findings: Shown[] }) {
  const text = useText();
  const formatDate = useFormatDate();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [chosen, setChosen] = useState<number>();
  const sorted = useMemo(
    () => datedOf(findings).toSorted((one, other) => one.breach.breachDate.localeCompare(other.breach.breachDate)),
    [findings],
  );
  const today = new Date().toISOString().slice(0, 10);
  const days = sorted.map(({ breach }) => breach.breachDate);
  const timeline = timelineOf(days, { width, today });
  const current = chosen === undefined ? undefined : sorted[chosen];
  const titleOf = useBreachTitle();
  const nameOf = ({ breach }: Dated) =>
    text("monitor.dot", {
      title: titleOf(breach),
      date: formatDate(breach.breachDate, { dateStyle: "long", timeZone: "UTC" }),
    });
  const last = sorted.length - 1;
  if (last < 0) return null;
  return (
    <section>
      <Title order={2}>{text("monitor.timeline")}</Title>
      {findings.some(({ state }) => state !== null) && <Legend />}
      <div ref={ref} className={classes.plot}>
        {width > 0 && (
          <TimelineChart timeline={timeline} width={width} shown={sorted} chosen={chosen} onChoose={setChosen} />
        )}
        <VisuallyHidden>
          <input
            type="range"
            min={0}
            max={last}
            value={chosen ?? last}
            aria-label={text("monitor.timeline")}
            aria-valuetext={sorted[chosen ?? last] && nameOf(sorted[chosen ?? last] as Dated)}
            onFocus={() => setChosen(chosen ?? last)}
            onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          />
        </VisuallyHidden>
      </div>
      <Readout current={current} />
      <AsTable findings={sorted} />
    </section>
  );
}

/** What the chosen dot stands for. */
function Readout({ current }: { current: Shown | undefined }) {
  const text = useText();
  const titleOf = useBreachTitle();
  return (
    <div className={classes.readout} data-screen-only>
      {current ? (
        <>
          <BreachTile breach={current.breach} />
          <strong className="breakable">{titleOf(current.breach)}</strong>
          <Day iso={current.breach.breachDate} />
          {current.state && <StateBadge state={current.state} pendingLabel="monitor.unmanaged" />}
        </>
      ) : (
        <span className={classes.hint}>{text("monitor.timeline_hint")}</span>
      )}
    </div>
  );
}

/** Filled is pending and hollow is handled, so that it does not rely on colour. */
function Legend() {
  const text = useText();
  return (
    <ul className={classes.legend}>
      {LEGEND.map(([state, label]) => (
        <li key={state}>
          <svg width={14} height={14} aria-hidden="true" focusable="false">
            <circle className={classes.dot} data-state={state} cx={7} cy={7} r={state === "handled" ? 5 : 6} />
          </svg>
          {text(label)}
        </li>
      ))}
    </ul>
  );
}

type TimelineChartProps = {
  timeline: Timeline;
  width: number;
  shown: Shown[];
  chosen: number | undefined;
  onChoose: (index: number) => void;
};

function TimelineChart({ timeline, width, shown, chosen, onChoose }: TimelineChartProps) {
  const { dots, ticks, radius, axis } = timeline;
  function point({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>) {
    const { left, top } = currentTarget.getBoundingClientRect();
    const nearest = nearestDot(timeline, { x: clientX - left, y: clientY - top });
    if (nearest !== undefined) onChoose(nearest);
  }
  return (
    <svg
      width={width}
      height={axis + YEARS_HEIGHT}
      viewBox={`0 0 ${width} ${axis + YEARS_HEIGHT}`}
      aria-hidden="true"
      onPointerMove={point}
      onPointerDown={point}
      focusable="false"
    >
      {ticks.map(({ x, year }) => (
        <g key={year}>
          <line className={classes.tick} x1={x} x2={x} y1={0} y2={axis + 5} />
          <text className={classes.year} x={x} y={axis + YEARS_HEIGHT - 6}>
            {year}
          </text>
        </g>
      ))}
      <line className={classes.axis} x1={0} x2={width} y1={axis} y2={axis} />
      {dots.map(({ index, x, y }) => (
        <circle
          key={shown[index]?.breach.name}
          className={classes.dot}
          data-state={shown[index]?.state}
          data-chosen={index === chosen || undefined}
          cx={x}
          cy={y}
          r={shown[index]?.state === "handled" ? radius - 1 : radius}
        />
      ))}
    </svg>
  );
}

function AsTable({ findings }: { findings: Shown[] }) {
  const text = useText();
  const printing = usePrinting();
  const titleOf = useBreachTitle();
  return (
    <details className={classes.table} open={printing || undefined}>
      <summary>{text("monitor.table")}</summary>
      <table className={tables.table}>
        <thead>
          <tr>
            <th>{text("alerts.service")}</th>
            <th>{text("alerts.breach_date")}</th>
          </tr>
        </thead>
        <tbody>
          {findings.map(({ breach }) => (
            <tr key={breach.name}>
              <td className="breakable">{titleOf(breach)}</td>
              <td>
                <Day iso={breach.breachDate} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
