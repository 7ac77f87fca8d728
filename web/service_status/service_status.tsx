import { Skeleton, Text, Title } from "@mantine/core";
import { type Icon, IconAlertTriangle, IconCircleCheck, IconCloudOff } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useIntl } from "react-intl";
import { useLocation } from "react-router";
import { get } from "../api/call.ts";
import type { ServiceStatus } from "../api/service_api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { IncidentList } from "../shared/incident_list.tsx";
import type { Tone } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { Notice } from "../ui/display/notice.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { Legend } from "./day_bars.tsx";
import { Explanation } from "./explanation.tsx";
import { ChannelRow, SourceRow } from "./rows.tsx";
import classes from "./service_status.module.css";
import { Speed } from "./speed.tsx";

const REFRESH_MS = 60_000;
/** Of the placeholder. */
const HEIGHT = 48 + 220 + 260 + 420;
/** A shorter delay is not mentioned. */
const NOTICED_SECONDS = 60;

const statusQuery = queryOptions({
  queryKey: ["/api/service-status"],
  queryFn: () => get("/api/service-status"),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
});

const OVERALL: Record<ServiceStatus["state"], { tone: Tone; icon: Icon; words: TextId }> = {
  well: { tone: "safe", icon: IconCircleCheck, words: "service_status.well" },
  impaired: { tone: "note", icon: IconAlertTriangle, words: "service_status.impaired" },
  down: { tone: "alarm", icon: IconCloudOff, words: "service_status.down" },
};

/** The public status page. */
export default function ServiceStatusPage() {
  const text = useText();
  const query = useQuery(statusQuery);
  // If the latest request failed, the earlier result is hidden, as it may be outdated.
  const current = { ...query, data: query.isError ? undefined : query.data };
  const isLoading = current.data === undefined && !current.error;
  return (
    <div className={classes.page}>
      <PageHead title={text("service_status.title")}>{text("service_status.lead")}</PageHead>
      {isLoading ? (
        <StatusLoading />
      ) : (
        <Fetched query={current} failureTitle={text("service_status.load_failed")} height={HEIGHT}>
          {(status) => <Status status={status} />}
        </Fetched>
      )}
    </div>
  );
}

function Status({ status }: { status: ServiceStatus }) {
  const { state, checkedAt, sources, channels, oldestWaitingSeconds, incidents } = status;
  const going = incidents.filter((incident) => incident.state !== "resolved");
  const past = incidents.filter((incident) => incident.state === "resolved");
  useArrivalAt(incidents);
  return (
    <div className={classes.parts}>
      <Overall state={state} />
      {going.length > 0 && (
        <Card>
          <IncidentList heading="h2" incidents={going} />
        </Card>
      )}
      {state !== "down" && <Speed status={status} />}
      {sources.length > 0 && (
        <Part id="sources" title="service_status.sources" head={<Legend />}>
          {sources.map((source) => (
            <SourceRow key={source.source} {...source} now={checkedAt} />
          ))}
        </Part>
      )}
      {channels.length > 0 && (
        <Part
          id="channels"
          title="service_status.channels"
          head={<Legend />}
          foot={<Delivery waiting={oldestWaitingSeconds ?? 0} />}
        >
          {channels.map((channel) => (
            <ChannelRow key={channel.channel} {...channel} now={checkedAt} />
          ))}
        </Part>
      )}
      {state !== "down" && <PastIncidents past={past} isQuiet={going.length === 0} />}
      {state !== "down" && <Explanation />}
      <Measured status={status} />
    </div>
  );
}

function Overall({ state }: Pick<ServiceStatus, "state">) {
  const text = useText();
  const { tone, icon, words } = OVERALL[state];
  return (
    <div role="status">
      <Notice tone={tone} icon={icon}>
        <strong>{text(words)}</strong>
      </Notice>
    </div>
  );
}

type PastProps = { past: ServiceStatus["incidents"]; isQuiet: boolean };

/** While an incident goes on, a list without past ones would only say that there was none. */
function PastIncidents({ past, isQuiet }: PastProps) {
  const text = useText();
  return (
    <section aria-labelledby="incidents">
      <Title order={2} size="h3" id="incidents" mb="sm">
        {text("service_status.incidents")}
      </Title>
      {(isQuiet || past.length > 0) && (
        <Card>
          <IncidentList incidents={past} />
        </Card>
      )}
    </section>
  );
}

/** Since when the service is measured, and when it was last looked at. */
function Measured({ status: { state, checkedAt, measuredSince } }: { status: ServiceStatus }) {
  const text = useText();
  const formatDate = useFormatDate();
  return (
    <Text size="sm" c="dimmed">
      {state !== "down" && (
        <>
          {measuredSince === null
            ? text("service_status.no_history")
            : text("service_status.measured_since", {
                day: formatDate(measuredSince, { dateStyle: "medium", timeZone: "UTC" }),
              })}{" "}
        </>
      )}
      {text("service_status.checked", { when: formatDate(checkedAt, { dateStyle: "medium", timeStyle: "short" }) })}
    </Text>
  );
}

type PartProps = { id: string; title: TextId; head?: ReactNode; foot?: ReactNode; children: ReactNode };

function Part({ id, title, head, foot, children }: PartProps) {
  const text = useText();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="sm">
        {text(title)}
      </Title>
      <Card>
        {head}
        <ul className={classes.list} data-part={id}>
          {children}
        </ul>
        {foot}
      </Card>
    </section>
  );
}

function Delivery({ waiting }: { waiting: number }) {
  const text = useText();
  const { formatNumber } = useIntl();
  const [value, unit] = waiting < 7200 ? [waiting / 60, "minute"] : [waiting / 3600, "hour"];
  const span = formatNumber(Math.floor(value), { style: "unit", unit, unitDisplay: "long" });
  return (
    <p className={classes.foot}>
      {waiting < NOTICED_SECONDS
        ? text("service_status.delivery_well")
        : text("service_status.delivery_late", { span })}
    </p>
  );
}

/** Scrolls to the incident in the URL's fragment once the incidents have loaded. */
function useArrivalAt(incidents: { id: string }[]): void {
  const { hash } = useLocation();
  const arrived = useRef("");
  useEffect(() => {
    if (hash === arrived.current || !incidents.some(({ id }) => hash === `#incident-${id}`)) return;
    arrived.current = hash;
    document.getElementById(hash.slice(1))?.scrollIntoView({ block: "center" });
  }, [hash, incidents]);
}

/** A placeholder for the page while it loads. */
function StatusLoading() {
  return (
    <div className={classes.parts}>
      <Skeleton height={48} radius="md" />
      <Skeleton height={220} radius="md" />
      <Skeleton height={260} radius="md" />
      <Skeleton height={420} radius="md" />
    </div>
  );
}
