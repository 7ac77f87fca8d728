import type { Alert } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Flags } from "../shared/breach_flags.tsx";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { Above, ChangedSinceBadge, Chevron, Dates, Service, StateBadge, WorseBadge } from "./alert_parts.tsx";
import type { ListProps } from "./alert_table.tsx";
import classes from "./alerts.module.css";
import { DataLine } from "./data_line.tsx";
import { FoundUnder } from "./found_under.tsx";
import { SelectOne } from "./select_boxes.tsx";
import { SeriousnessBadge } from "./severity.tsx";
import { ToggleButton } from "./toggle_button.tsx";

/** The same content as the table, for narrow screens. */
export function AlertCards({ alerts, selection, onOpen }: ListProps) {
  return (
    <ul className={classes.cards}>
      {alerts.map((alert) => (
        <AlertCard key={alert.id} alert={alert} selection={selection} onOpen={onOpen} />
      ))}
    </ul>
  );
}

type CardProps = Pick<ListProps, "selection" | "onOpen"> & { alert: Alert };

function AlertCard({ alert, selection, onOpen }: CardProps) {
  const text = useText();
  const { address, breach, state, worsenedAt, changedSince } = alert;
  return (
    <Card as="li">
      <div className={classes.cardHead}>
        <Service breach={breach} onOpen={() => onOpen(alert.id)} />
        <Above>
          <SelectOne alert={alert} selection={selection} />
        </Above>
      </div>
      <div className={classes.badges}>
        {breach && <SeriousnessBadge breach={breach} />}
        <StateBadge state={state} />
        {worsenedAt !== null && <WorseBadge />}
        {changedSince === "after" && <ChangedSinceBadge />}
      </div>
      <Flags flags={breach?.flags ?? []} />
      <dl className={classes.facts}>
        <Fact label={text("alerts.address")} wide>
          <Address>{address}</Address>
          <FoundUnder foundUnder={alert.foundUnder} />
        </Fact>
        <Dates breach={breach} foundAt={alert.raisedAt} />
        <Fact label={text("alerts.data")} wide>
          {breach ? <DataLine labels={breach.dataClasses} /> : text("alerts.not_shared")}
        </Fact>
      </dl>
      <div className={classes.cardEnd}>
        <Above>
          <ToggleButton alert={alert} />
        </Above>
        <Chevron />
      </div>
    </Card>
  );
}
