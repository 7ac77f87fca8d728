import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { type Risk, risksOf } from "../../src/shared/advice.ts";
import type { AssociationStatus, Breach, Monitoring } from "../api.ts";
import { useText } from "../i18n.tsx";
import type { TextId } from "../text_id.ts";
import { Card } from "../ui/card.tsx";
import { Ago, Moment } from "../ui/dates.tsx";
import { useScopeText } from "../ui/scope_choice.tsx";
import { STATUS } from "../ui/status.ts";
import classes from "./screen_track.module.css";

/** What these say of handled alerts holds for who manages them. */
const COUNTS_HANDLED: AssociationStatus[] = ["safe", "breached"];

type Props = { monitoring: Monitoring; breaches: Breach[] };

/** How one address stands, and what its exposed data is good for. */
export function MonitoringSummary({ monitoring, breaches }: Props) {
  const text = useText();
  const scopeText = useScopeText();
  const { status, since, checkedAt, nextCheckAt, scope, findings, pending, associationId } = monitoring;
  return (
    <section className={classes.summary} aria-label={text("monitor.summary")}>
      <Card>
        {(associationId !== null || !COUNTS_HANDLED.includes(status)) && <Text>{text(STATUS[status].meaning)}</Text>}
        <dl className={classes.facts}>
          <Fact label={text("monitor.since")}>
            <Moment iso={since} />
          </Fact>
          <Fact label={text("association.last_check")}>
            {checkedAt ? <Ago iso={checkedAt} /> : text("association.never")}
          </Fact>
          <Fact label={text("association.next_check")}>
            {nextCheckAt ? <Ago iso={nextCheckAt} /> : text("association.none")}
          </Fact>
          {scope.details && <Fact label={text("monitor.found")}>{findings.length}</Fact>}
          {associationId !== null && <Fact label={text("monitor.pending")}>{pending}</Fact>}
          <Fact label={text("monitor.scope")}>{scopeText(scope)}</Fact>
        </dl>
      </Card>
      {breaches.length > 0 && <Enables risks={risksOf(breaches)} />}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Enables({ risks }: { risks: Risk[] }) {
  const text = useText();
  return (
    <Card>
      <Title order={2}>{text("enables.title")}</Title>
      <ul className={classes.enables}>
        {risks.map((risk) => (
          <li key={risk}>{text(`enables.${risk}` satisfies TextId)}</li>
        ))}
      </ul>
    </Card>
  );
}
