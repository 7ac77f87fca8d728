import { Text, Title } from "@mantine/core";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { Finding } from "../api.ts";
import { useText } from "../i18n.tsx";
import { Card } from "../ui/card.tsx";
import { DataClasses } from "../ui/data_classes.tsx";
import { Pager } from "../ui/pager.tsx";
import { usePrinting } from "../ui/printing.ts";
import { Dates, Flags, Service, StateBadge } from "./alert_parts.tsx";
import classes from "./alerts.module.css";
import { BreachTile } from "./breach_tile.tsx";
import type { TurnedAlert } from "./queries.ts";
import { SeriousnessBadge } from "./seriousness.tsx";
import { ToggleButton } from "./toggle_button.tsx";

const PAGE_SIZE = 24;

type Props = { findings: Finding[]; address: string; onOpen: (alertId: string) => void };

/** Everything that was found of one address, as far as its viewer may see it. */
export function FindingList({ findings, address, onOpen }: Props) {
  const text = useText();
  const [wanted, setPage] = useState(1);
  const page = Math.min(wanted, Math.ceil(findings.length / PAGE_SIZE));
  const shown = usePrinting() ? findings : findings.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
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
      <ul className={classes.cards}>
        {shown.map((finding) => (
          <FindingCard
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

/** The alert behind a finding; none where somebody else manages it. */
function alertOf({ alertId, state, version, foundAt, breach }: Finding, address: string): TurnedAlert | undefined {
  if (alertId === null || state === null || version === null) return undefined;
  return { id: alertId, state, version, raisedAt: foundAt, breach, address };
}

type CardProps = Omit<Props, "findings"> & { finding: Finding };

function FindingCard({ finding, address, onOpen }: CardProps) {
  const text = useText();
  const { breach, foundAt } = finding;
  const alert = alertOf(finding, address);
  return (
    <Card as="li">
      <div className={classes.cardHead}>
        {breach ? (
          <Service breach={breach} onOpen={alert && (() => onOpen(alert.id))} />
        ) : (
          <Undisclosed foundAt={foundAt} />
        )}
      </div>
      <div className={classes.badges}>
        {breach && <SeriousnessBadge breach={breach} />}
        {alert && <StateBadge state={alert.state} pendingLabel="monitor.unmanaged" />}
      </div>
      {breach && (
        <>
          <Flags flags={breach.flags} />
          <dl className={classes.facts}>
            <Dates breach={breach} foundAt={foundAt} />
            <div data-wide>
              <dt>{text("alerts.data")}</dt>
              <dd>
                <DataClasses labels={breach.dataClasses} />
              </dd>
            </div>
          </dl>
        </>
      )}
      {alert && <ToggleButton alert={alert} />}
    </Card>
  );
}

/** All that the owner of the address shares. */
function Undisclosed({ foundAt }: { foundAt: string }) {
  const text = useText();
  const { formatDate } = useIntl();
  return (
    <div className={classes.undisclosed}>
      <BreachTile breach={null} />
      <p>{text("monitor.undisclosed", { date: formatDate(foundAt, { dateStyle: "long" }) })}</p>
    </div>
  );
}
