import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { get } from "../api/call.ts";
import type { StaffOverview } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { ChannelIcon } from "../shared/channel_icon.tsx";
import { useChannelName } from "../shared/channel_name.ts";
import { useSourceName } from "../shared/source_name.ts";
import { Card } from "../ui/display/card.tsx";
import { Ago, Moment } from "../ui/display/dates.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { Budgets } from "./budgets.tsx";
import { DeadLetterList } from "./dead_letters.tsx";
import { useJobName } from "./job_name.ts";
import { Part } from "./part.tsx";
import { Row, Rows, Told } from "./rows.tsx";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
const MEBIBYTE = 1024 * 1024;

type Shown = { overview: StaffOverview };

/** The state of the installation. */
export default function Overview() {
  const text = useText();
  const query = useQuery({
    queryKey: ["/api/staff/overview"],
    queryFn: () => get("/api/staff/overview"),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
  return (
    <StaffPage title={text("staff.title")} lead={text("staff.lead")}>
      <Fetched query={query} failureTitle={text("staff.load_failed")} height={480}>
        {(overview) => (
          <>
            <Figures overview={overview} />
            <Sources overview={overview} />
            <Channels overview={overview} />
            <Backups overview={overview} />
            <Budgets overview={overview} />
            <Jobs overview={overview} />
          </>
        )}
      </Fetched>
      {!query.isPending && <DeadLetterList />}
    </StaffPage>
  );
}

/** The jobs that failed within the last day. */
function failedOf({ jobs, at }: StaffOverview): string[] {
  const isRecent = (failedAt: string | null) => failedAt !== null && Date.parse(at) - Date.parse(failedAt) < DAY_MS;
  return jobs.filter(({ failedAt }) => isRecent(failedAt)).map(({ name }) => name);
}

function Figures({ overview }: Shown) {
  const text = useText();
  const { formatNumber } = useIntl();
  const { deliveries, events, database, version, process } = overview;
  const size = formatNumber(database.bytes / MEBIBYTE, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 });
  return (
    <Card>
      <dl className={classes.tiles}>
        <Tile name="staff.queue" value={deliveries.due} since={deliveries.oldestDueAt} />
        <Tile name="staff.events" value={events.waiting} since={events.oldest} />
        <Tile name="staff.held" value={deliveries.held} />
        <Tile name="staff.dead" value={deliveries.dead} />
        <Tile name="staff.in_doubt" value={deliveries.inDoubt} />
        <Tile name="staff.failed_jobs" value={failedOf(overview).length} />
        <Tile name="staff.answers.hour" value={process.lastHour.failed}>
          {text("staff.answers.of", process.lastHour)}
        </Tile>
        <Tile name="staff.answers.start" value={process.sinceStart.failed}>
          {text("staff.answers.of", process.sinceStart)}
        </Tile>
        <Tile name="staff.database" value={size}>
          {text(`staff.database.${database.kind}`)}
        </Tile>
        <Tile name="staff.version" value={version} />
      </dl>
      <Text className={classes.note}>
        {text(`staff.counted.${database.kind}`, { process: process.name })} <Ago iso={process.startedAt} />
      </Text>
    </Card>
  );
}

/** What the subscription at a source includes. */
function usePlanFacts(): (subscription: StaffOverview["sources"][number]["subscription"]) => ReactNode[] {
  const text = useText();
  return (subscription) => {
    if (subscription === null) return [];
    const { name, perMinute, until, kAnonymity, stealerLogs } = subscription;
    return [
      text("staff.sources.plan", { name: name ?? "–", perMinute }),
      until !== null && (
        <>
          {text("staff.sources.until")} <Moment iso={until} />
        </>
      ),
      text(kAnonymity ? "staff.sources.by_prefix" : "staff.sources.by_address"),
      text(stealerLogs ? "staff.sources.logs" : "staff.sources.no_logs"),
    ];
  };
}

function Sources({ overview: { sources } }: Shown) {
  const text = useText();
  const planFacts = usePlanFacts();
  const nameOf = useSourceName();
  return (
    <Part title={text("staff.sources")}>
      <Rows empty="staff.sources.none">
        {sources.map(({ source, due, oldestDue, syncedAt, pausedUntil, troubled, subscription }) => (
          <Row
            key={source}
            name={nameOf(source)}
            tone={troubled ? "alarm" : pausedUntil !== null ? "note" : "safe"}
            state={text(
              troubled ? "staff.state.troubled" : pausedUntil !== null ? "staff.state.paused" : "staff.state.well",
            )}
            facts={[
              ...planFacts(subscription),
              text("staff.sources.due", { count: due }),
              oldestDue !== null && <Told what="staff.sources.oldest" iso={oldestDue} />,
              syncedAt !== null && <Told what="staff.sources.synced" iso={syncedAt} />,
            ]}
          />
        ))}
      </Rows>
    </Part>
  );
}

const CHANNEL_LOOKS = {
  well: { tone: "safe", state: "staff.state.well" },
  resting: { tone: "note", state: "staff.state.paused" },
  troubled: { tone: "alarm", state: "staff.state.troubled" },
} as const;

function Channels({ overview: { channels } }: Shown) {
  const text = useText();
  const nameOf = useChannelName();
  return (
    <Part title={text("staff.channels")}>
      <Rows empty="staff.channels.none">
        {channels.map(({ channel, state, trouble }) => (
          <Row
            key={channel}
            icon={<ChannelIcon channel={channel} />}
            name={nameOf(channel)}
            tone={CHANNEL_LOOKS[state].tone}
            state={text(CHANNEL_LOOKS[state].state)}
            facts={[trouble]}
          />
        ))}
      </Rows>
    </Part>
  );
}

const BACKUP_LOOKS = {
  made: { tone: "safe", state: "staff.state.well", says: undefined },
  waiting: { tone: "note", state: "staff.state.well", says: "staff.backups.waiting" },
  overdue: { tone: "alarm", state: "staff.state.troubled", says: "staff.settings.cause.backup_overdue" },
  failed: { tone: "alarm", state: "staff.state.failed", says: "staff.settings.cause.backup" },
  off: { tone: "quiet", state: "staff.settings.state.off", says: "staff.backups.off" },
} as const;

/** The age of the last backup, or why none is made. */
function Backups({ overview: { backups } }: Shown) {
  const text = useText();
  const { tone, state, says } = BACKUP_LOOKS[backups.state];
  return (
    <Part title={text("staff.backups")}>
      <Rows empty="staff.backups.waiting">
        {[
          <Row
            key="daily"
            name={text("staff.settings.part.backups")}
            tone={tone}
            state={text(state)}
            facts={[
              backups.lastAt !== null && <Told what="staff.backups.last" iso={backups.lastAt} />,
              says && text(says),
            ]}
          />,
        ]}
      </Rows>
    </Part>
  );
}

function Jobs({ overview }: Shown) {
  const text = useText();
  const nameOf = useJobName();
  const { locale } = useIntl();
  const failed = failedOf(overview);
  // Failed jobs first.
  const rank = ({ name }: { name: string }) => (failed.includes(name) ? 0 : 1);
  const jobs = overview.jobs
    .map((job) => ({ ...job, words: nameOf(job.name) }))
    .toSorted((one, other) => rank(one) - rank(other) || one.words.localeCompare(other.words, locale));
  return (
    <Part title={text("staff.jobs")}>
      <Rows empty="staff.jobs.none" many>
        {jobs.map(({ name, words, endedAt, failedAt }) => (
          <Row
            key={name}
            name={words}
            tone={failed.includes(name) ? "alarm" : "safe"}
            state={text(failed.includes(name) ? "staff.state.failed" : "staff.state.well")}
            facts={[
              <Told key="ran" what="staff.jobs.ran" iso={endedAt} />,
              failedAt !== null && <Told what="staff.jobs.failed" iso={failedAt} />,
            ]}
          />
        ))}
      </Rows>
    </Part>
  );
}

type TileProps = { name: TextId; value: number | string; since?: string | null; children?: ReactNode };

function Tile({ name, value, since, children }: TileProps) {
  const text = useText();
  const { formatNumber } = useIntl();
  return (
    <div className={classes.tile}>
      <dt>{text(name)}</dt>
      <dd>
        {typeof value === "number" ? formatNumber(value) : value}
        {since && (
          <small>
            {text("staff.since")} <Ago iso={since} />
          </small>
        )}
        {children && <small>{children}</small>}
      </dd>
    </div>
  );
}
