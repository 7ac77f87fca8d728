import { Text, Tooltip } from "@mantine/core";
import { IconBellRinging, IconChevronRight, IconCircleCheck, IconFlag, IconTrendingUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BreachFlag } from "../../src/shared/breach.ts";
import type { Alert, Breach } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Day, Moment } from "../ui/display/dates.tsx";
import classes from "./alert_parts.module.css";
import { useBreachTitle } from "./breach_name.ts";
import { BreachTile } from "./breach_tile.tsx";

type ServiceProps = { breach: Breach | null; onOpen?: (() => void) | undefined; children?: ReactNode };

/** Whose breach it is, or that this is not shared; its name opens the alert where there is one. */
export function Service({ breach, onOpen, children }: ServiceProps) {
  const text = useText();
  const titleOf = useBreachTitle();
  const title = breach ? titleOf(breach) : text("alerts.undisclosed");
  return (
    <div className={classes.service}>
      <BreachTile breach={breach} />
      <div>
        {onOpen ? (
          <button type="button" className={classes.open} onClick={onOpen} data-print-as-text>
            {title}
          </button>
        ) : (
          <strong className="breakable">{title}</strong>
        )}
        <Text size="sm" c="dimmed">
          {breach ? <Address>{breach.domain}</Address> : text("alerts.undisclosed_hint")}
        </Text>
      </div>
      {children}
    </div>
  );
}

type StateBadgeProps = { state: Alert["state"]; pendingLabel?: TextId };

export function StateBadge({ state, pendingLabel = "alerts.pending" }: StateBadgeProps) {
  const text = useText();
  return state === "pending" ? (
    <Badge tone="accent" icon={IconBellRinging}>
      {text(pendingLabel)}
    </Badge>
  ) : (
    <Badge tone="safe" icon={IconCircleCheck}>
      {text("alerts.handled")}
    </Badge>
  );
}

/** Says that the row or card leads somewhere; its name is what leads there. */
export function Chevron() {
  return <IconChevronRight className={classes.chevron} size={20} aria-hidden="true" />;
}

/** Keeps what can be used by itself above a row that can be used as a whole. */
export function Above({ children }: { children: ReactNode }) {
  return <div className={classes.above}>{children}</div>;
}

/** The breach turned out worse than it was when it was found. */
export function WorseBadge() {
  const text = useText();
  return (
    <Badge tone="alarm" icon={IconTrendingUp}>
      {text("alerts.worse")}
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
