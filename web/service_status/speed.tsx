import { Title } from "@mantine/core";
import { useIntl } from "react-intl";
import type { ServiceStatus } from "../api/service_api.ts";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { DayBars } from "./day_bars.tsx";
import { levelOfSpeed } from "./day_level.ts";
import { SpeedTable } from "./day_table.tsx";
import classes from "./service_status.module.css";
import { useSpan } from "./span.ts";

/** The time from the detection of an alert to its acceptance by the recipient's provider. */
export function Speed({ status: { checkedAt, detectionToAcceptance } }: { status: ServiceStatus }) {
  const { medianSeconds, p95Seconds, possiblyTwicePercent: twice, days } = detectionToAcceptance;
  const text = useText();
  const span = useSpan();
  const { formatNumber } = useIntl();
  const title = text("service_status.speed");
  const told = (seconds: number | null) => (seconds === null ? text("service_status.few") : span(seconds));
  const percent = (value: number) => formatNumber(value / 100, { style: "percent", maximumFractionDigits: 1 });
  const byDay = new Map(days.map((day) => [day.day, day]));
  return (
    <section aria-labelledby="speed">
      <Title order={2} size="h3" id="speed" mb="sm">
        {title}
      </Title>
      <Card>
        <dl className={classes.figures}>
          <div>
            <dt>{text("service_status.median")}</dt>
            <dd data-known={medianSeconds !== null || undefined}>{told(medianSeconds)}</dd>
          </div>
          <div>
            <dt>{text("service_status.p95")}</dt>
            <dd data-known={p95Seconds !== null || undefined}>{told(p95Seconds)}</dd>
          </div>
          {twice !== null && (
            <div>
              <dt>{text("service_status.twice")}</dt>
              <dd data-known>{percent(twice)}</dd>
            </div>
          )}
        </dl>
        {days.length > 0 && (
          <DayBars now={checkedAt} levelOf={(day) => levelOfSpeed(byDay.get(day))} summary="service_status.days_speed">
            <SpeedTable name={title} days={days} />
          </DayBars>
        )}
      </Card>
    </section>
  );
}
