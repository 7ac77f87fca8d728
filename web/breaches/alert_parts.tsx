import { Text } from "@mantine/core";
import { IconBellRinging, IconChevronRight, IconCircleCheck, IconKey, IconTrendingUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Alert, Breach } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Day, Moment } from "../ui/display/dates.tsx";
import { Fact } from "../ui/display/fact.tsx";
import classes from "./alert_parts.module.css";
import { useBreachTitle } from "./breach_name.ts";
import { BreachTile } from "./breach_tile.tsx";

type ServiceProps = { breach: Breach | null; onOpen?: (() => void) | undefined; children?: ReactNode };

/** The breached service, or a text that it is not shared; its name opens the alert where there is one. */
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

/** Shows that the row can be opened; decorative, as the name is the button. */
export function Chevron() {
  return <IconChevronRight className={classes.chevron} size={20} aria-hidden="true" />;
}

/** Raises a control above the button that covers the whole row. */
export function Above({ children }: { children: ReactNode }) {
  return <div className={classes.above}>{children}</div>;
}

/** Marks a breach whose severity has increased since it was found. */
export function WorseBadge() {
  const text = useText();
  return (
    <Badge tone="alarm" icon={IconTrendingUp}>
      {text("alerts.worse")}
    </Badge>
  );
}

/** Marks a breach since which the person has changed the password. */
export function ChangedSinceBadge() {
  const text = useText();
  return (
    <Badge tone="safe" icon={IconKey}>
      {text("password_changed.badge")}
    </Badge>
  );
}

/** Breach and publication dates; without details, the date it was found. Used within a `dl`. */
export function Dates({ breach, foundAt }: { breach: Breach | null; foundAt: string }) {
  const text = useText();
  if (!breach) {
    return (
      <Fact label={text("alerts.found")}>
        <Moment iso={foundAt} />
      </Fact>
    );
  }
  return (
    <>
      <Fact label={text("alerts.breach_date")}>
        <Day iso={breach.breachDate} />
      </Fact>
      <Fact label={text("alerts.added")}>
        <Moment iso={breach.addedDate} />
      </Fact>
    </>
  );
}
