import { useIntl } from "react-intl";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Day } from "../ui/display/dates.tsx";
import classes from "./day_bars.module.css";
import type { PartDay, SpeedDay } from "./day_level.ts";
import { useSpan } from "./span.ts";

type Row = { day: string; cells: string[] };
type Props = { caption: string; columns: TextId[]; rows: Row[] };

/** All days as a table, the latest first. */
function DayTable({ caption, columns, rows }: Props) {
  const text = useText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={caption}>
      <table className={classes.table}>
        <thead>
          <tr>
            {(["service_status.col_day", ...columns] as TextId[]).map((column) => (
              <th key={column} scope="col">
                {text(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ day, cells }) => (
            <tr key={day}>
              <th scope="row">
                <Day iso={day} />
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function PartTable({ name, days, rated = false }: { name: string; days: PartDay[]; rated?: boolean }) {
  const { formatNumber } = useIntl();
  const span = useSpan();
  const rate = (percent: number | null | undefined) =>
    percent == null ? "–" : formatNumber(percent / 100, { style: "percent", maximumFractionDigits: 1 });
  const columns: TextId[] = ["service_status.col_trouble", "service_status.col_measured"];
  return (
    <DayTable
      caption={name}
      columns={rated ? [...columns, "service_status.col_success"] : columns}
      rows={days.map(({ day, measuredMinutes, troubledMinutes, successPercent }) => ({
        day,
        cells: [
          troubledMinutes === 0 ? "–" : span(troubledMinutes * 60),
          span(measuredMinutes * 60),
          ...(rated ? [rate(successPercent)] : []),
        ],
      }))}
    />
  );
}

export function SpeedTable({ name, days }: { name: string; days: SpeedDay[] }) {
  const span = useSpan();
  const cell = (seconds: number | null) => (seconds === null ? "–" : span(seconds));
  return (
    <DayTable
      caption={name}
      columns={["service_status.col_median", "service_status.col_p95"]}
      rows={days.map(({ day, medianSeconds, p95Seconds }) => ({ day, cells: [cell(medianSeconds), cell(p95Seconds)] }))}
    />
  );
}
