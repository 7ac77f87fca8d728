import { Button } from "@mantine/core";
import { IconAlertTriangle, IconPointFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ActivityEvent } from "../../api/api.ts";
import { useText } from "../../app/i18n.tsx";
import { providerName } from "../../shared/provider_names.ts";
import { Badge } from "../../ui/display/badge.tsx";
import { Moment } from "../../ui/display/dates.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { useDeviceName } from "./device_name.ts";
import classes from "./profile.module.css";
import lists from "./profile_lists.module.css";
import { activityQuery } from "./profile_queries.ts";
import { ProfileSection } from "./profile_section.tsx";

const FIRST = 5;
const MORE = 10;
/** Events that may stem from an attack. */
const SUSPICIOUS: ActivityEvent["event"][] = ["password_wrong", "code_wrong", "locked"];

/** Recent events of the account, newest first, in pages. */
export function Activity() {
  const text = useText();
  const query = useQuery(activityQuery);
  return (
    <ProfileSection id="activity" title={text("activity.title")} lead={text("activity.lead")}>
      <Fetched query={query} failureTitle={text("profile.load_failed")} height={200}>
        {({ events }) => <Events events={events} />}
      </Fetched>
    </ProfileSection>
  );
}

function Events({ events }: { events: ActivityEvent[] }) {
  const text = useText();
  const [count, setCount] = useState(FIRST);
  if (events.length === 0) return <p className={classes.detail}>{text("activity.none")}</p>;
  return (
    <>
      <ol className={lists.events}>
        {events.slice(0, count).map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ol>
      {count < events.length && (
        <Button variant="default" mt="md" onClick={() => setCount(count + MORE)}>
          {text("activity.more")}
        </Button>
      )}
    </>
  );
}

function Event({ event }: { event: ActivityEvent }) {
  const text = useText();
  const words = useActivityText()(event);
  const device = useDeviceName();
  const suspicious = SUSPICIOUS.includes(event.event);
  const Mark = suspicious ? IconAlertTriangle : IconPointFilled;
  const known = event.browser !== null || event.system !== null;
  return (
    <li className={lists.event} data-suspicious={suspicious || undefined}>
      <Mark size={18} aria-hidden="true" />
      <div>
        <p className={lists.name}>
          <span className="breakable">{words}</span>
          {event.current && <Badge tone="accent">{text("sessions.current")}</Badge>}
        </p>
        <p className={classes.detail}>
          <Moment iso={event.at} withTime />
          {known && ` · ${device(event)}`}
          {event.ipPrefix !== null && <span className="breakable"> · {event.ipPrefix}</span>}
        </p>
      </div>
    </li>
  );
}

/** Returns a function that describes an event in words. */
function useActivityText() {
  const text = useText();
  return ({ event, detail }: Pick<ActivityEvent, "event" | "detail">): string => {
    const { by = "", name = "", provider = "", version = "" } = detail;
    const values = { by, name, version, provider: providerName(provider) };
    return text(`activity.${event}`, values);
  };
}
