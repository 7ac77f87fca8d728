import { Text, Title } from "@mantine/core";
import { useIntl } from "react-intl";
import { togetherOf } from "../../src/shared/combined_risk.ts";
import type { AssociationStatus, Monitoring } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { useScopeText } from "../shared/scope_choice.tsx";
import { Card } from "../ui/display/card.tsx";
import { Ago, Moment } from "../ui/display/dates.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { STATUS } from "../ui/display/status.ts";
import { AdviceProgress } from "./advice_progress.tsx";
import classes from "./screen_track.module.css";
import type { Shown } from "./timeline_plot.tsx";

/** Statuses of which only the managing account learns whether alerts are handled. */
const COUNTS_HANDLED: AssociationStatus[] = ["safe", "breached"];
const MOST_READINGS = 3;

type Props = { monitoring: Monitoring; shown: Shown[] };

/** The state of one address: a headline, a sentence and a line of figures. */
export function MonitoringSummary({ monitoring, shown }: Props) {
  const text = useText();
  const scopeText = useScopeText();
  const { status, since, checkedAt, nextCheckAt, scope, pending, associationId } = monitoring;
  return (
    <section aria-label={text("monitor.summary")}>
      <Card>
        {shown.length > 0 ? (
          <>
            <Headline monitoring={monitoring} />
            <AddsUp shown={shown} />
          </>
        ) : (
          (associationId !== null || !COUNTS_HANDLED.includes(status)) && <Text>{text(STATUS[status].meaning)}</Text>
        )}
        {monitoring.progress && <AdviceProgress progress={monitoring.progress} />}
        <dl className={classes.facts}>
          {!scope.details && associationId !== null && <Fact label={text("monitor.pending")}>{pending}</Fact>}
          <Fact label={text("association.last_check")}>
            {checkedAt ? <Ago iso={checkedAt} /> : text("association.never")}
          </Fact>
          <Fact label={text("association.next_check")}>
            {nextCheckAt ? <Ago iso={nextCheckAt} /> : text("association.none")}
          </Fact>
          <Fact label={text("monitor.since")}>
            <Moment iso={since} />
          </Fact>
          <Fact label={text("monitor.scope")}>{scopeText(scope)}</Fact>
        </dl>
      </Card>
    </section>
  );
}

/** Users who do not manage the alerts do not learn which of them are handled. */
function Headline({ monitoring: { findings, pending, associationId } }: Pick<Props, "monitoring">) {
  const text = useText();
  const count = findings.length;
  return (
    <Title order={2}>
      {associationId === null ? text("figures.found", { count }) : text("monitor.headline", { count, pending })}
    </Title>
  );
}

/** The combined risk in one sentence; the details follow further down. */
function AddsUp({ shown }: Pick<Props, "shown">) {
  const text = useText();
  const togetherText = useTopic("together");
  const { formatList } = useIntl();
  const readings = togetherOf(shown.map(({ breach }) => breach));
  if (readings.length === 0) return shown.length > 1 && <Text>{togetherText("none", "")}</Text>;
  const titles = readings.slice(0, MOST_READINGS).map(({ reading }) => togetherText(`title.${reading}`, reading));
  return <Text mt={4}>{text("monitor.adds_up", { list: formatList(titles) })}</Text>;
}
