import { Anchor, Button } from "@mantine/core";
import { IconAlertTriangle, IconBellOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { ContactHealth } from "../api/api.ts";
import { contactsQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Notice } from "../ui/display/notice.tsx";
import classes from "./reach_notice.module.css";

/** Names addresses whose alerts reach no contact, as an alert; otherwise contacts that need attention. */
export function ReachNotice() {
  const text = useText();
  const { data } = useQuery(contactsQuery());
  if (!data) return null;
  const { dead, deadCount, unanswered, unansweredCount, troubled, ownStopped } = data.reach;
  if (deadCount > 0) {
    return (
      <div role="alert">
        <Notice icon={IconBellOff} tone="alarm" action={<ToContacts />}>
          {text(ownStopped ? "reach.silent" : "reach.dead", { count: deadCount })}
          <Named addresses={dead} count={deadCount} />
        </Notice>
      </div>
    );
  }
  if (troubled === 0) return null;
  return (
    <Notice icon={IconAlertTriangle} tone="note" action={<ToContacts />}>
      {unansweredCount > 0
        ? text("reach.waiting", { count: unansweredCount })
        : text("reach.some", { count: troubled })}
      <Named addresses={unanswered} count={unansweredCount} />
    </Notice>
  );
}

function ToContacts() {
  const text = useText();
  return (
    <Button component={Link} to="../contacts" size="sm" variant="default">
      {text("reach.see")}
    </Button>
  );
}

function Named({ addresses, count }: { addresses: ContactHealth["usedBy"]; count: number }) {
  const text = useText();
  if (addresses.length === 0) return null;
  const more = count - addresses.length;
  return (
    <ul className={classes.named}>
      {addresses.map(({ associationId, address }) => (
        <li key={associationId}>
          <Anchor component={Link} to={`../update-track/${associationId}`} c="inherit" underline="always" inherit>
            <Address>{address}</Address>
          </Anchor>
        </li>
      ))}
      {more > 0 && <li>{text("reach.more", { count: more })}</li>}
    </ul>
  );
}
