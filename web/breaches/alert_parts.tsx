import { Text, Tooltip } from "@mantine/core";
import { IconBellRinging, IconCircleCheck, IconFlag } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type BreachFlag, dataClassKey } from "../../src/shared/breach.ts";
import type { Alert } from "../api.ts";
import { useText, useTopic } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { Badge } from "../ui/badge.tsx";
import { InitialTile } from "../ui/initial_tile.tsx";
import classes from "./alert_parts.module.css";

type ServiceProps = { alert: Alert; onOpen: (id: string) => void; children?: ReactNode };

/** Whose breach it is; its name opens the alert. */
export function Service({ alert: { id, breach }, onOpen, children }: ServiceProps) {
  return (
    <div className={classes.service}>
      <InitialTile title={breach.title} />
      <div>
        <button type="button" className={classes.open} onClick={() => onOpen(id)}>
          {breach.title}
        </button>
        <Text size="sm" c="dimmed">
          <Address>{breach.domain}</Address>
        </Text>
        {children}
      </div>
    </div>
  );
}

export function StateBadge({ state }: { state: Alert["state"] }) {
  const text = useText();
  return state === "pending" ? (
    <Badge tone="alarm" icon={IconBellRinging}>
      {text("alerts.pending")}
    </Badge>
  ) : (
    <Badge tone="safe" icon={IconCircleCheck}>
      {text("alerts.handled")}
    </Badge>
  );
}

/** How the source marks the entry; the explanation comes on pointing, focusing or touching. */
export function Flags({ flags }: { flags: BreachFlag[] }) {
  const flagText = useTopic("flags");
  if (flags.length === 0) return null;
  return (
    <ul className={classes.flags}>
      {flags.map((flag) => (
        <li key={flag}>
          <Tooltip
            label={flagText(flag, flag)}
            multiline
            maw={320}
            withArrow
            events={{ hover: true, focus: true, touch: true }}
          >
            <button type="button" className={classes.flag}>
              <Badge tone="note" icon={IconFlag}>
                {flagText(`${flag}_label`, flag)}
              </Badge>
            </button>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}

/** The translated data categories: the first few, the rest on demand. A new category of the source stays in English. */
export function DataClasses({ labels, shown = 4 }: { labels: string[]; shown?: number }) {
  const text = useText();
  const classText = useTopic("data_classes");
  const [expanded, setExpanded] = useState(false);
  const visible = expanded ? labels : labels.slice(0, shown);
  const hidden = labels.length - shown;
  return (
    <ul className={classes.chips}>
      {visible.map((label) => (
        <li key={label} className={classes.chip}>
          {classText(dataClassKey(label), label)}
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <button
            type="button"
            className={classes.more}
            aria-expanded={expanded}
            onClick={() => setExpanded(!expanded)}
          >
            {expanded ? text("alerts.fewer") : text("alerts.more", { count: hidden })}
          </button>
        </li>
      )}
    </ul>
  );
}
