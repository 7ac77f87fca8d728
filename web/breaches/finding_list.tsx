import { Text, Title } from "@mantine/core";
import { useState } from "react";
import { rankOf, severityOf } from "../../src/shared/severity.ts";
import type { Finding } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Flags } from "../shared/breach_flags.tsx";
import { Day } from "../ui/display/dates.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { Pager } from "../ui/display/pager.tsx";
import { usePrinting } from "../ui/display/printing.ts";
import { Above, Chevron, Service, StateBadge } from "./alert_parts.tsx";
import { BreachTile } from "./breach_tile.tsx";
import { DataLine } from "./data_line.tsx";
import classes from "./finding_list.module.css";
import { FoundUnder } from "./found_under.tsx";
import type { HandledAlert } from "./queries.ts";
import { SeriousnessBadge } from "./severity.tsx";
import { ToggleButton } from "./toggle_button.tsx";

const PAGE_SIZE = 24;

type Props = { findings: Finding[]; address: string; onOpen: (alertId: string) => void };

/** All findings for one address that the user may see, the most severe first. */
export function FindingList({ findings, address, onOpen }: Props) {
  const text = useText();
  const [wanted, setPage] = useState(1);
  const page = Math.min(wanted, Math.ceil(findings.length / PAGE_SIZE));
  const sorted = mostSevereFirst(findings);
  const shown = usePrinting() ? sorted : sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <section aria-labelledby="findings">
      <div className={classes.heading}>
        <Title order={2} id="findings">
          {text("monitor.findings")}
        </Title>
        {findings.some(({ alertId }) => alertId !== null) && (
          <Text size="sm" c="dimmed" data-screen-only>
            {text("monitor.findings_hint")}
          </Text>
        )}
      </div>
      <ul className={classes.rows}>
        {shown.map((finding) => (
          <FindingRow
            key={finding.alertId ?? finding.breach?.name ?? finding.foundAt}
            finding={finding}
            address={address}
            onOpen={onOpen}
          />
        ))}
      </ul>
      <Pager page={page} pageSize={PAGE_SIZE} total={findings.length} onPage={setPage} />
    </section>
  );
}

/** With equal severity, pending findings come before handled ones. */
function mostSevereFirst(findings: Finding[]): Finding[] {
  const now = new Date();
  const weightOf = ({ breach, state }: Finding) =>
    2 * (breach ? rankOf(severityOf(breach, now).level) : -1) + (state === "handled" ? 0 : 1);
  return findings.toSorted((one, other) => weightOf(other) - weightOf(one));
}

/** The alert of a finding; undefined if another account manages it. */
function alertOf({ alertId, state, version, foundAt, breach }: Finding, address: string): HandledAlert | undefined {
  if (alertId === null || state === null || version === null) return undefined;
  return { id: alertId, state, version, raisedAt: foundAt, breach, address };
}

type RowProps = Omit<Props, "findings"> & { finding: Finding };

function FindingRow({ finding, address, onOpen }: RowProps) {
  const { breach, foundAt } = finding;
  const alert = alertOf(finding, address);
  return (
    <li>
      {breach ? (
        <>
          <div>
            <Service breach={breach} onOpen={alert && (() => onOpen(alert.id))}>
              <Flags flags={breach.flags} />
            </Service>
          </div>
          <div className={classes.data}>
            <DataLine labels={breach.dataClasses} />
            <FoundUnder foundUnder={finding.foundUnder} />
            <span className={classes.date}>
              <Day iso={breach.breachDate} />
            </span>
          </div>
        </>
      ) : (
        <Undisclosed foundAt={foundAt} />
      )}
      <div className={classes.badges}>
        {breach && <SeriousnessBadge breach={breach} />}
        {alert && <StateBadge state={alert.state} pendingLabel="monitor.unmanaged" />}
      </div>
      {alert && (
        <div className={classes.end}>
          <Above>
            <ToggleButton alert={alert} compact />
          </Above>
          {breach && <Chevron />}
        </div>
      )}
    </li>
  );
}

/** A finding whose owner shares only its date. */
function Undisclosed({ foundAt }: { foundAt: string }) {
  const text = useText();
  const formatDate = useFormatDate();
  return (
    <div className={classes.undisclosed}>
      <BreachTile breach={null} />
      <p>{text("monitor.undisclosed", { date: formatDate(foundAt, { dateStyle: "long" }) })}</p>
    </div>
  );
}
