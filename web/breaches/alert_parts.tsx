import { Text, Tooltip } from "@mantine/core";
import { IconBellRinging, IconCircleCheck, IconEyeOff, IconFlag } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type BreachFlag, dataClassKey } from "../../src/shared/breach.ts";
import type { Alert, Breach } from "../api.ts";
import { useText, useTopic } from "../i18n.tsx";
import type { TextId } from "../text_id.ts";
import { Address } from "../ui/address.tsx";
import { Badge } from "../ui/badge.tsx";
import { Day, Moment } from "../ui/dates.tsx";
import { InitialTile } from "../ui/initial_tile.tsx";
import classes from "./alert_parts.module.css";

type ServiceProps = { breach: Breach | null; onOpen?: (() => void) | undefined; children?: ReactNode };

/** Whose breach it is, or that this is not shared; its name opens the alert where there is one. */
export function Service({ breach, onOpen, children }: ServiceProps) {
  const text = useText();
  const title = breach?.title ?? text("alerts.undisclosed");
  return (
    <div className={classes.service}>
      <BreachTile breach={breach} />
      <div>
        {onOpen ? (
          <button type="button" className={classes.open} onClick={onOpen}>
            {title}
          </button>
        ) : (
          <strong className="breakable">{title}</strong>
        )}
        <Text size="sm" c="dimmed">
          {breach ? <Address>{breach.domain}</Address> : text("alerts.undisclosed_hint")}
        </Text>
        {children}
      </div>
    </div>
  );
}

/** The initial of the service, or a closed eye. */
export function BreachTile({ breach, large = false }: { breach: Breach | null; large?: boolean }) {
  if (breach) return <InitialTile title={breach.title} large={large} />;
  return (
    <span className={classes.closed} data-large={large || undefined}>
      <IconEyeOff size={large ? 26 : 19} stroke={1.75} aria-hidden="true" />
    </span>
  );
}

type StateBadgeProps = { state: Alert["state"]; pendingLabel?: TextId };

export function StateBadge({ state, pendingLabel = "alerts.pending" }: StateBadgeProps) {
  const text = useText();
  return state === "pending" ? (
    <Badge tone="alarm" icon={IconBellRinging}>
      {text(pendingLabel)}
    </Badge>
  ) : (
    <Badge tone="safe" icon={IconCircleCheck}>
      {text("alerts.handled")}
    </Badge>
  );
}

/** When it happened and became known; without details, when it was found. Within a `dl`. */
export function Dates({ breach, foundAt }: { breach: Breach | null; foundAt: string }) {
  const text = useText();
  if (!breach) {
    return (
      <div>
        <dt>{text("alerts.found")}</dt>
        <dd>
          <Moment iso={foundAt} />
        </dd>
      </div>
    );
  }
  return (
    <>
      <div>
        <dt>{text("alerts.breach_date")}</dt>
        <dd>
          <Day iso={breach.breachDate} />
        </dd>
      </div>
      <div>
        <dt>{text("alerts.added")}</dt>
        <dd>
          <Moment iso={breach.addedDate} />
        </dd>
      </div>
    </>
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
