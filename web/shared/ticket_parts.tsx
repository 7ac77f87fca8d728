import { IconCircleCheck, IconClockHour4, IconMessageReply } from "@tabler/icons-react";
import type { Ticket } from "../api/support_api.ts";
import { useText } from "../app/i18n.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Moment } from "../ui/display/dates.tsx";
import classes from "./ticket_parts.module.css";

const LOOKS = {
  open: { tone: "accent", icon: IconClockHour4 },
  answered: { tone: "safe", icon: IconMessageReply },
  closed: { tone: "quiet", icon: IconCircleCheck },
} as const;

type State = Pick<Ticket, "state">;
type Facts = Pick<Ticket, "state" | "type" | "priority">;

export function StateBadge({ state }: State) {
  const text = useText();
  return <Badge {...LOOKS[state]}>{text(`support.state.${state}`)}</Badge>;
}

/** State, type and priority of a ticket. */
export function TicketBadges({ state, type, priority }: Facts) {
  const text = useText();
  return (
    <span className={classes.badges}>
      <StateBadge state={state} />
      <Badge tone="quiet">{text(`support.type.${type}`)}</Badge>
      {priority && (
        <Badge tone={priority === "critical" ? "critical" : "quiet"}>{text(`support.priority.${priority}`)}</Badge>
      )}
    </span>
  );
}

type ConversationProps = { messages: Ticket["messages"]; sender: string };

/** The messages of a ticket with sender and time. */
export function ConversationList({ messages, sender }: ConversationProps) {
  const text = useText();
  return (
    <ol className={classes.messages}>
      {messages.map(({ by, text: words, at }, index) => (
        // Messages are only ever appended.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index} className={classes.message} data-by={by}>
          <p className={classes.head}>
            <strong dir="auto">{by === "staff" ? text("support.staff") : sender}</strong>
            <Moment iso={at} withTime />
          </p>
          <p className={classes.words} dir="auto">
            {words}
          </p>
        </li>
      ))}
    </ol>
  );
}
