import { type Icon, IconAlertTriangle, IconCircleCheck, IconPlayerPause } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { ServiceStatus } from "../api/service_api.ts";
import { useText } from "../app/i18n.tsx";
import { useChannelName } from "../shared/channel_name.ts";
import { useSourceName } from "../shared/source_name.ts";
import { Badge, type Tone } from "../ui/display/badge.tsx";
import { Ago } from "../ui/display/dates.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { DayBars } from "./day_bars.tsx";
import { levelOfPart, type PartDay, shareWithoutTrouble } from "./day_level.ts";
import { PartTable } from "./day_table.tsx";
import classes from "./service_status.module.css";

type Source = ServiceStatus["sources"][number];
type Channel = ServiceStatus["channels"][number];

const LOOKS: Record<Source["state"] | Channel["state"], { tone: Tone; icon: Icon }> = {
  well: { tone: "safe", icon: IconCircleCheck },
  paused: { tone: "note", icon: IconPlayerPause },
  resting: { tone: "note", icon: IconPlayerPause },
  troubled: { tone: "alarm", icon: IconAlertTriangle },
};

export function SourceRow(shown: Source & { now: string }) {
  const { source, state, pausedUntil, syncedAt, oldestDueAt, leftOut, days, now } = shown;
  const text = useText();
  const { formatNumber } = useIntl();
  const formatDate = useFormatDate();
  const name = useSourceName()(source);
  const when = formatDate(pausedUntil ?? undefined, { dateStyle: "medium", timeStyle: "short" });
  return (
    <li>
      <Head name={name} look={LOOKS[state]} state={text(`service_status.source_${state}`)} />
      <p>{text(`service_status.source_${state}_text`, { when })}</p>
      <dl className={classes.facts}>
        <Fact label={text("service_status.synced")}>
          {syncedAt === null ? text("service_status.never") : <Ago iso={syncedAt} />}
        </Fact>
        <Fact label={text("service_status.oldest_due")}>
          {oldestDueAt === null ? text("service_status.none_due") : <Ago iso={oldestDueAt} />}
        </Fact>
        {leftOut > 0 && <Fact label={text("service_status.left_out")}>{formatNumber(leftOut)}</Fact>}
      </dl>
      <History name={name} days={days} now={now} />
    </li>
  );
}

export function ChannelRow({ channel, state, successPercent, days, now }: Channel & { now: string }) {
  const text = useText();
  const nameOf = useChannelName();
  const { formatNumber } = useIntl();
  const name = nameOf(channel);
  const rate =
    successPercent === null
      ? text("service_status.success_few")
      : text("service_status.success", {
          percent: formatNumber(successPercent / 100, { style: "percent", maximumFractionDigits: 1 }),
        });
  return (
    <li>
      <Head name={name} look={LOOKS[state]} state={text(`service_status.channel_${state}`)} />
      <p>{text(`service_status.channel_${state}_text`)}</p>
      <History name={name} days={days} now={now} rate={rate} />
    </li>
  );
}

type HistoryProps = { name: string; days: PartDay[]; now: string; rate?: string };

/** Nothing without measurements: the page's footer says since when there are any. */
function History({ name, days, now, rate }: HistoryProps) {
  const text = useText();
  const { formatNumber } = useIntl();
  const share = shareWithoutTrouble(days);
  const byDay = new Map(days.map((day) => [day.day, day]));
  if (share === undefined) return null;
  const percent = formatNumber(share / 100, { style: "percent", maximumFractionDigits: 2 });
  return (
    <>
      <p className={classes.share}>
        <span>{text("service_status.share", { percent })}</span>
        {rate !== undefined && <span>{rate}</span>}
      </p>
      <DayBars now={now} levelOf={(day) => levelOfPart(byDay.get(day))} summary="service_status.days">
        <PartTable name={name} days={days} rated={rate !== undefined} />
      </DayBars>
    </>
  );
}

type HeadProps = { name: ReactNode; look: (typeof LOOKS)[Source["state"]]; state: string };

function Head({ name, look, state }: HeadProps) {
  return (
    <div className={classes.head}>
      <h3>{name}</h3>
      <Badge {...look}>{state}</Badge>
    </div>
  );
}
