import { ActionIcon } from "@mantine/core";
import { useClickOutside, useDisclosure, useWindowEvent } from "@mantine/hooks";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { Link, useParams } from "react-router";
import type { Alert } from "../api.ts";
import { useText } from "../i18n.tsx";
import { pendingAlertsQuery } from "../queries.ts";
import { Ago } from "../ui/dates.tsx";
import { BreachTile } from "./alert_parts.tsx";
import classes from "./bell.module.css";

const SHOWN = 10;

/** The pending alerts from anywhere: how many, the latest ten, and the way to all of them. */
export function Bell() {
  const { data } = useQuery(pendingAlertsQuery);
  const text = useText();
  const panelId = useId();
  const [opened, { toggle, close }] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const area = useClickOutside<HTMLDivElement>(close);
  const pending = data?.pending ?? 0;
  useWindowEvent("keydown", ({ key }) => {
    if (key !== "Escape" || !opened) return;
    close();
    button.current?.focus();
  });
  return (
    // A plain disclosure below its button: it needs none of what menus and popovers weigh.
    <div ref={area} className={classes.area}>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.bell}
        aria-label={text("bell.label", { count: pending })}
        aria-expanded={opened}
        aria-controls={panelId}
        onClick={toggle}
      >
        <IconBell size={22} stroke={1.75} aria-hidden="true" />
        {pending > 0 && (
          <span className={classes.count} aria-hidden="true">
            {pending > 99 ? "99+" : pending}
          </span>
        )}
      </ActionIcon>
      <div id={panelId} hidden={!opened} className={classes.panel}>
        {opened && <Latest alerts={data?.items.slice(0, SHOWN) ?? []} pending={pending} onChoose={close} />}
      </div>
    </div>
  );
}

function Latest({ alerts, pending, onChoose }: { alerts: Alert[]; pending: number; onChoose: () => void }) {
  const { lang } = useParams();
  const text = useText();
  return (
    <>
      <p className={classes.heading}>{text("bell.new", { count: pending })}</p>
      <ul className={classes.list}>
        {alerts.map((alert) => (
          <li key={alert.id}>
            <Link to={`/${lang}/alerts?alert=${alert.id}`} className={classes.entry} onClick={onChoose}>
              <Entry alert={alert} />
            </Link>
          </li>
        ))}
      </ul>
      <Link to={`/${lang}/alerts`} className={classes.all} onClick={onChoose}>
        {text("bell.all")}
      </Link>
    </>
  );
}

function Entry({ alert: { address, raisedAt, breach } }: { alert: Alert }) {
  const text = useText();
  return (
    <>
      <BreachTile breach={breach} />
      <span className={classes.words}>
        <span className={classes.title}>{breach?.title ?? text("alerts.undisclosed")}</span>
        <span className={classes.detail}>{address}</span>
        <span className={classes.detail}>
          <Ago iso={raisedAt} />
        </span>
      </span>
    </>
  );
}
