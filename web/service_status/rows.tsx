import { type Icon, IconAlertTriangle, IconCircleCheck, IconPlayerPause } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { creditsOf } from "../../src/shared/sources.ts";
import type { ServiceStatus } from "../api.ts";
import { useText } from "../i18n.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Ago } from "../ui/dates.tsx";
import classes from "./service_status.module.css";

type Source = ServiceStatus["sources"][number];
type Channel = ServiceStatus["channels"][number];

const LOOKS: Record<Source["state"] | Channel["state"], { tone: Tone; icon: Icon }> = {
  well: { tone: "safe", icon: IconCircleCheck },
  paused: { tone: "note", icon: IconPlayerPause },
  resting: { tone: "note", icon: IconPlayerPause },
  troubled: { tone: "alarm", icon: IconAlertTriangle },
};

export function SourceRow({ source, state, pausedUntil, syncedAt, oldestDueAt }: Source) {
  const text = useText();
  const { formatDate } = useIntl();
  const when = formatDate(pausedUntil ?? undefined, { dateStyle: "medium", timeStyle: "short" });
  return (
    <li>
      <Head name={useSourceName(source)} look={LOOKS[state]} state={text(`service_status.source_${state}`)} />
      <p>{text(`service_status.source_${state}_text`, { when })}</p>
      <dl className={classes.facts}>
        <div>
          <dt>{text("service_status.synced")}</dt>
          <dd>{syncedAt === null ? text("service_status.never") : <Ago iso={syncedAt} />}</dd>
        </div>
        <div>
          <dt>{text("service_status.oldest_due")}</dt>
          <dd>{oldestDueAt === null ? text("service_status.none_due") : <Ago iso={oldestDueAt} />}</dd>
        </div>
      </dl>
    </li>
  );
}

export function ChannelRow({ channel, state }: Channel) {
  const text = useText();
  return (
    <li>
      <Head name={text(`channel.${channel}`)} look={LOOKS[state]} state={text(`service_status.channel_${state}`)} />
      <p>{text(`service_status.channel_${state}_text`)}</p>
    </li>
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

/** The example data is a copy of somebody's catalogue, but nobody is asked. */
function useSourceName(source: string): string {
  const text = useText();
  if (source === "bundled") return text("service_status.source_bundled");
  const [credit] = creditsOf([], [source]);
  if (credit === undefined) return source;
  return credit.name ?? text("service_status.source_own_list");
}
