import { ActionIcon, Popover } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import type { Alert } from "../api.ts";
import { useText } from "../i18n.tsx";
import { pendingAlertsQuery } from "../queries.ts";
import { Ago } from "../ui/dates.tsx";
import { InitialTile } from "../ui/initial_tile.tsx";
import classes from "./bell.module.css";

const SHOWN = 10;

/** The pending alerts from anywhere: how many, the latest ten, and the way to all of them. */
export function Bell() {
  const { data } = useQuery(pendingAlertsQuery);
  const { lang } = useParams();
  const text = useText();
  const [opened, { toggle, close }] = useDisclosure();
  const pending = data?.pending ?? 0;
  return (
    <Popover opened={opened} onChange={close} position="bottom-end" width={340} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.bell}
          aria-label={text("bell.label", { count: pending })}
          onClick={toggle}
        >
          <IconBell size={22} stroke={1.75} aria-hidden="true" />
          {pending > 0 && (
            <span className={classes.count} aria-hidden="true">
              {pending > 99 ? "99+" : pending}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={text("bell.label", { count: 0 })}>
        <p className={classes.heading}>{text("bell.new", { count: pending })}</p>
        <ul className={classes.list}>
          {data?.items.slice(0, SHOWN).map((alert) => (
            <li key={alert.id}>
              <Link to={`/${lang}/alerts?alert=${alert.id}`} className={classes.entry} onClick={close}>
                <Entry alert={alert} />
              </Link>
            </li>
          ))}
        </ul>
        <Link to={`/${lang}/alerts`} className={classes.all} onClick={close}>
          {text("bell.all")}
        </Link>
      </Popover.Dropdown>
    </Popover>
  );
}

function Entry({ alert: { address, raisedAt, breach } }: { alert: Alert }) {
  return (
    <>
      <InitialTile title={breach.title} />
      <span className={classes.words}>
        <span className={classes.title}>{breach.title}</span>
        <span className={classes.detail}>{address}</span>
        <span className={classes.detail}>
          <Ago iso={raisedAt} />
        </span>
      </span>
    </>
  );
}
