import { Anchor, Button } from "@mantine/core";
import { IconAlertTriangle, IconBellOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import type { ContactHealth } from "../api.ts";
import { useText } from "../i18n.tsx";
import { contactsQuery } from "../queries.ts";
import { Address } from "../ui/address.tsx";
import { Notice } from "../ui/notice.tsx";
import { reachOf } from "./reach.ts";
import classes from "./reach_notice.module.css";

const NAMED = 5;

/** Addresses whose alerts reach no contact, in red; else what contacts need, with the way to them. */
export function ReachNotice() {
  const text = useText();
  const { data } = useQuery(contactsQuery);
  if (!data) return null;
  const { dead, waiting, troubled } = reachOf(data.items);
  if (dead.length > 0) {
    return (
      <div role="alert">
        <Notice icon={IconBellOff} tone="alarm" action={<ToContacts />}>
          {text("reach.dead", { count: dead.length })}
          <Named addresses={dead} />
        </Notice>
      </div>
    );
  }
  if (troubled === 0) return null;
  return (
    <Notice icon={IconAlertTriangle} tone="note" action={<ToContacts />}>
      {waiting.length > 0 ? text("reach.waiting", { count: waiting.length }) : text("reach.some", { count: troubled })}
      <Named addresses={waiting} />
    </Notice>
  );
}

function ToContacts() {
  const text = useText();
  const { lang } = useParams();
  return (
    <Button component={Link} to={`/${lang}/contacts`} size="sm" variant="default">
      {text("reach.see")}
    </Button>
  );
}

function Named({ addresses }: { addresses: ContactHealth["usedBy"] }) {
  const text = useText();
  const { lang } = useParams();
  if (addresses.length === 0) return null;
  const more = addresses.length - NAMED;
  return (
    <ul className={classes.named}>
      {addresses.slice(0, NAMED).map(({ associationId, address }) => (
        <li key={associationId}>
          <Anchor component={Link} to={`/${lang}/update-track/${associationId}`} c="inherit" underline="always" inherit>
            <Address>{address}</Address>
          </Anchor>
        </li>
      ))}
      {more > 0 && <li>{text("reach.more", { count: more })}</li>}
    </ul>
  );
}
