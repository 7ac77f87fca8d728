import { ActionIcon, Menu } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
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
  const pending = data?.pending ?? 0;
  return (
    <Menu position="bottom-end" width={340} shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.bell}
          aria-label={text("bell.label", { count: pending })}
        >
          <IconBell size={22} stroke={1.75} aria-hidden="true" />
          {pending > 0 && (
            <span className={classes.count} aria-hidden="true">
              {pending > 99 ? "99+" : pending}
            </span>
          )}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes.dropdown}>
        <Menu.Label>{text("bell.new", { count: pending })}</Menu.Label>
        <div className={classes.list}>
          {data?.items.slice(0, SHOWN).map(({ id, address, raisedAt, breach }) => (
            <Menu.Item
              key={id}
              component={Link}
              to={`/${lang}/alerts?alert=${id}`}
              leftSection={<InitialTile title={breach.title} />}
            >
              <span className={classes.title}>{breach.title}</span>
              <span className={classes.detail}>{address}</span>
              <span className={classes.detail}>
                <Ago iso={raisedAt} />
              </span>
            </Menu.Item>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to={`/${lang}/alerts`} className={classes.all}>
          {text("bell.all")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
