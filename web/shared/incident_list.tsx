import { type Icon, IconAlertTriangle, IconCalendarEvent, IconCircleCheck, IconTool } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import type { ServiceStatus } from "../api/service_api.ts";
import { useText } from "../app/i18n.tsx";
import { Badge, type Tone } from "../ui/display/badge.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { Words } from "../ui/display/words.tsx";
import { useChannelName } from "./channel_name.ts";
import classes from "./incident_list.module.css";

export type Incident = ServiceStatus["incidents"][number];
type Update = Incident["updates"][number];

const LOOKS: Record<Incident["state"], { tone: Tone; icon: Icon }> = {
  investigating: { tone: "alarm", icon: IconAlertTriangle },
  identified: { tone: "alarm", icon: IconAlertTriangle },
  monitoring: { tone: "note", icon: IconTool },
  resolved: { tone: "safe", icon: IconCircleCheck },
  planned: { tone: "accent", icon: IconCalendarEvent },
  running: { tone: "note", icon: IconTool },
};

/** Current, planned and past incidents. */
export function IncidentList({
  incidents,
  heading = "h3",
  actions,
  newsActions,
}: {
  incidents: Incident[];
  /** The level of the item headings; "h2" where the list follows the page's own heading. */
  heading?: "h2" | "h3";
  actions?: (incident: Incident) => ReactNode;
  /** Actions for one update of an incident. */
  newsActions?: (incident: Incident, update: Update) => ReactNode;
}) {
  const text = useText();
  if (incidents.length === 0) return <p className={classes.none}>{text("service_status.no_incidents")}</p>;
  return (
    <ul className={classes.list}>
      {incidents.map((incident) => (
        <IncidentItem
          key={incident.id}
          incident={incident}
          heading={heading}
          actions={actions?.(incident)}
          newsActions={newsActions}
        />
      ))}
    </ul>
  );
}

type ItemProps = {
  incident: Incident;
  heading: "h2" | "h3";
  actions: ReactNode;
  newsActions: ((incident: Incident, update: Update) => ReactNode) | undefined;
};

function IncidentItem({ incident, heading: Heading, actions, newsActions }: ItemProps) {
  const { id, kind, title, parts, state, startsAt, endsAt, updates } = incident;
  const text = useText();
  const nameOf = useChannelName();
  const { formatList } = useIntl();
  const names = parts.map((part) =>
    part === "website" || part === "checks" || part === "payments" ? text(`service_status.part_${part}`) : nameOf(part),
  );
  return (
    <li id={`incident-${id}`}>
      <div className={classes.head}>
        <Heading>
          <Words of={title} />
        </Heading>
        <Badge {...LOOKS[state]}>{text(`service_status.state_${state}`)}</Badge>
      </div>
      <p className={classes.facts}>
        {text(`service_status.${kind}`)} · <Times state={state} startsAt={startsAt} endsAt={endsAt} />
        {names.length > 0 && ` · ${text("service_status.affects", { parts: formatList(names) })}`}
      </p>
      <ol className={classes.updates} aria-label={text("service_status.updates")}>
        {updates.map((update) => (
          <li key={update.id}>
            <p className={classes.when}>
              <strong>{text(`service_status.state_${update.state}`)}</strong> · <Moment iso={update.at} withTime />
            </p>
            <p className={classes.text}>
              <Words of={update.text} />
            </p>
            {newsActions?.(incident, update)}
          </li>
        ))}
      </ol>
      {actions && <div className={classes.actions}>{actions}</div>}
    </li>
  );
}

function Times({ state, startsAt, endsAt }: Pick<Incident, "state" | "startsAt" | "endsAt">) {
  const text = useText();
  const formatDate = useFormatDate();
  const told = (iso: string) => formatDate(iso, { dateStyle: "medium", timeStyle: "short" });
  if (endsAt === null) return text("service_status.since", { from: told(startsAt) });
  const key = state === "planned" ? "service_status.planned" : "service_status.from_to";
  return text(key, { from: told(startsAt), to: told(endsAt) });
}
