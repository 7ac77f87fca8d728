import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useIntl } from "react-intl";
import { useText } from "../i18n.tsx";
import { type StaffOverview, staffApi } from "../staff_api.ts";
import type { TextId } from "../text_id.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { ChannelIcon } from "../ui/channel_icon.tsx";
import { Ago } from "../ui/dates.tsx";
import { Fetched } from "../ui/fetched.tsx";
import { DeadLetterList } from "./dead_letters.tsx";
import { Part } from "./part.tsx";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
const MEBIBYTE = 1024 * 1024;

/** How the installation does, at a glance. */
export default function Overview() {
  const text = useText();
  const query = useQuery({
    ...{ queryKey: ["/api/staff/overview"], queryFn: staffApi.overview },
    ...{ staleTime: 0, refetchInterval: REFRESH_MS },
  });
  return (
    <StaffPage title={text("staff.title")} lead={text("staff.lead")}>
      <Fetched query={query} failureTitle={text("staff.load_failed")} height={480}>
        {(overview) => <Figures overview={overview} />}
      </Fetched>
      <DeadLetterList />
    </StaffPage>
  );
}

function Figures({ overview }: { overview: StaffOverview }) {
  const text = useText();
  const { formatNumber } = useIntl();
  const { deliveries, events, database, version, sources, channels, jobs, at } = overview;
  const size = formatNumber(database.bytes / MEBIBYTE, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 });
  const failed = jobs.filter(({ failedAt }) => failedAt !== null && Date.parse(at) - Date.parse(failedAt) < DAY_MS);
  return (
    <>
      <Card>
        <dl className={classes.tiles}>
          <Tile name="staff.queue" value={deliveries.due} since={deliveries.oldestDueAt} />
          <Tile name="staff.events" value={events.waiting} since={events.oldest} />
          <Tile name="staff.held" value={deliveries.held} />
          <Tile name="staff.dead" value={deliveries.dead} />
          <Tile name="staff.in_doubt" value={deliveries.inDoubt} />
          <Tile name="staff.failed_jobs" value={failed.length} />
          <Tile name="staff.database" value={size}>
            {text(`staff.database.${database.kind}`)}
          </Tile>
          <Tile name="staff.version" value={version} />
        </dl>
      </Card>
      <Part title={text("staff.sources")}>
        <List empty="staff.sources.none">
          {sources.map(({ source, due, oldestDue, syncedAt, pausedUntil, troubled }) => (
            <Row
              key={source}
              name={source}
              tone={troubled ? "alarm" : pausedUntil !== null ? "note" : "safe"}
              state={
                troubled ? "staff.state.troubled" : pausedUntil !== null ? "staff.state.paused" : "staff.state.well"
              }
            >
              {text("staff.sources.due", { count: due })}
              {oldestDue !== null && (
                <>
                  {" · "}
                  {text("staff.sources.oldest")} <Ago iso={oldestDue} />
                </>
              )}
              {syncedAt !== null && (
                <>
                  {" · "}
                  {text("staff.sources.synced")} <Ago iso={syncedAt} />
                </>
              )}
            </Row>
          ))}
        </List>
      </Part>
      <Part title={text("staff.channels")}>
        <List empty="staff.channels.none">
          {channels.map(({ channel, state, trouble }) => (
            <Row
              key={channel}
              icon={<ChannelIcon channel={channel} />}
              name={text(`channel.${channel}`)}
              tone={state === "well" ? "safe" : state === "resting" ? "note" : "alarm"}
              state={
                state === "well"
                  ? "staff.state.well"
                  : state === "resting"
                    ? "staff.state.paused"
                    : "staff.state.troubled"
              }
            >
              {trouble}
            </Row>
          ))}
        </List>
      </Part>
      <Part title={text("staff.jobs")}>
        <List empty="staff.jobs.none">
          {jobs.map(({ name, endedAt, failedAt }) => (
            <Row
              key={name}
              name={name}
              tone={failed.some((job) => job.name === name) ? "alarm" : "safe"}
              state={failed.some((job) => job.name === name) ? "staff.state.failed" : "staff.state.well"}
            >
              {text("staff.jobs.ran")} <Ago iso={endedAt} />
              {failedAt !== null && (
                <>
                  {" · "}
                  {text("staff.jobs.failed")} <Ago iso={failedAt} />
                </>
              )}
            </Row>
          ))}
        </List>
      </Part>
    </>
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

function List({ children, empty }: { children: ReactNode[]; empty: TextId }) {
  const text = useText();
  if (children.length === 0) return <Text c="dimmed">{text(empty)}</Text>;
  return <ul className={classes.rows}>{children}</ul>;
}

type RowProps = { icon?: ReactNode; name: string; tone: Tone; state: TextId; children: ReactNode };

function Row({ icon, name, tone, state, children }: RowProps) {
  const text = useText();
  const id = useId();
  return (
    <li className={classes.row} aria-labelledby={id}>
      {icon}
      <div className={classes.main}>
        <div id={id}>{name}</div>
        <div className={classes.small}>{children}</div>
      </div>
      <Badge tone={tone}>{text(state)}</Badge>
    </li>
  );
}
