import { Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { ExposureFigures as Figures } from "../../src/shared/exposure_figures.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { usePrinting } from "../ui/display/printing.ts";
import classes from "./exposure_figures.module.css";
import { type YearRow, yearRows } from "./exposure_years.ts";
import { GroupIcon } from "./group_icon.tsx";

/** A single breach has its own page, so figures start at two. */
export const FEWEST_BREACHES = 2;
const SHOWN_YEARS = 6;

type Props = {
  figures: Figures;
  /** The level of the headings. */
  order: 2 | 3;
  /** Whether the figures drop handled breaches after a while. */
  forgets: boolean;
};

/**
 * What was stolen in several breaches, by kind and by year, as numbers with bars. The page has to load the topics
 * `figures` and `data_groups`.
 */
export function ExposureFigures({ figures, order, forgets }: Props) {
  return (
    <div className={classes.figures}>
      <StolenKinds figures={figures} order={order} />
      <Years figures={figures} order={order} forgets={forgets} />
    </div>
  );
}

/** No `order` where the page already shows a heading. */
type KindsProps = { figures: Figures; order?: Props["order"] };

/** In how many breaches each kind of data was stolen. The page has to load the topics `figures` and `data_groups`. */
export function StolenKinds({ figures: { breaches: total, groups }, order }: KindsProps) {
  const text = useText();
  const groupText = useTopic("data_groups");
  return (
    <figure>
      <figcaption>
        {order && <Title order={order}>{text("figures.kinds")}</Title>}
        <p>{groups.length > 0 ? text("figures.kinds_text", { total }) : text("figures.kinds_unknown")}</p>
      </figcaption>
      {groups.length > 0 && (
        <dl>
          {groups.map(({ group, breaches: count }) => (
            <Row
              key={group}
              label={
                <>
                  <GroupIcon group={group} />
                  {groupText(group, group)}
                </>
              }
              value={text("figures.share", { count, total })}
            >
              <Bar share={count / total} />
            </Row>
          ))}
        </dl>
      )}
    </figure>
  );
}

/** The years alone, on a page whose headings are of this size. */
export function YearFigures({ years }: { years: readonly { year: number; breaches: number }[] }) {
  return (
    <div className={classes.figures} data-alone>
      <Years figures={{ years: years.map((one) => ({ ...one, open: null })) }} order={2} forgets={false} />
    </div>
  );
}

type YearsProps = Pick<Props, "order" | "forgets"> & { figures: Pick<Figures, "years"> };

/** In how many breaches of each year. The page has to load the topic `figures`. */
function Years({ figures: { years }, order, forgets }: YearsProps) {
  const text = useText();
  const [opened, setExpanded] = useState(false);
  const rows = yearRows(years, new Date().getUTCFullYear());
  // A button that hides a single row would save no space.
  const isLong = rows.length > SHOWN_YEARS + 1;
  const expanded = usePrinting() || opened;
  const most = Math.max(...rows.map(({ breaches }) => breaches));
  return (
    <figure>
      <figcaption>
        <Title order={order}>{text("figures.years")}</Title>
        {forgets && <p>{text("figures.forgets")}</p>}
      </figcaption>
      <dl>
        {rows.slice(0, isLong && !expanded ? SHOWN_YEARS : rows.length).map((row) => (
          <Year key={row.to} row={row} most={most} />
        ))}
      </dl>
      {isLong && (
        <button type="button" className={classes.more} aria-expanded={expanded} onClick={() => setExpanded(!opened)}>
          {text(expanded ? "figures.fewer" : "figures.earlier")}
        </button>
      )}
    </figure>
  );
}

function Year({ row: { from, to, breaches: count, open }, most }: { row: YearRow; most: number }) {
  const text = useText();
  const told = {
    none: () => text("figures.none"),
    found: () => text("figures.found", { count }),
    handled: () => text("figures.found_handled", { count }),
    open: () => text("figures.found_open", { count, open: open ?? 0 }),
  };
  const state = count === 0 ? "none" : open === null ? "found" : open === 0 ? "handled" : "open";
  const unopened = count - (open ?? 0);
  return (
    <Row label={from === to ? from : `${from}–${to}`} value={told[state]()}>
      {state === "open" && <Bar share={(open ?? 0) / most} state="open" />}
      {unopened > 0 && <Bar share={unopened / most} state={open === null ? undefined : "handled"} />}
    </Row>
  );
}

function Row({ label, value, children }: { label: ReactNode; value: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        <span className={classes.track} aria-hidden="true">
          {children}
        </span>
      </dd>
    </div>
  );
}

/** Filled is pending and hollow is handled, so that the bars do not rely on colour. */
function Bar({ share, state }: { share: number; state?: "open" | "handled" | undefined }) {
  return <span className={classes.bar} data-state={state} style={{ inlineSize: `${share * 100}%` }} />;
}
