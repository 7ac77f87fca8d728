import type { Alert } from "../api.ts";
import { useText } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { Card } from "../ui/card.tsx";
import { DataClasses, Dates, Flags, Service, StateBadge } from "./alert_parts.tsx";
import classes from "./alerts.module.css";
import { ToggleButton } from "./toggle_button.tsx";

type Props = { alerts: Alert[]; onOpen: (id: string) => void };

/** The same facts as the table, where a table would not fit. */
export function AlertCards({ alerts, onOpen }: Props) {
  return (
    <ul className={classes.cards}>
      {alerts.map((alert) => (
        <AlertCard key={alert.id} alert={alert} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function AlertCard({ alert, onOpen }: { alert: Alert; onOpen: (id: string) => void }) {
  const text = useText();
  const { address, breach, state } = alert;
  return (
    <Card as="li">
      <div className={classes.cardHead}>
        <Service breach={breach} onOpen={() => onOpen(alert.id)} />
        <StateBadge state={state} />
      </div>
      <Flags flags={breach?.flags ?? []} />
      <dl className={classes.facts}>
        <div data-wide>
          <dt>{text("alerts.address")}</dt>
          <dd>
            <Address>{address}</Address>
          </dd>
        </div>
        <Dates breach={breach} foundAt={alert.raisedAt} />
        <div data-wide>
          <dt>{text("alerts.data")}</dt>
          <dd>{breach ? <DataClasses labels={breach.dataClasses} /> : text("alerts.not_shared")}</dd>
        </div>
      </dl>
      <ToggleButton alert={alert} />
    </Card>
  );
}
