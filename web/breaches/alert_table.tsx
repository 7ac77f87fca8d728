import { useMediaQuery } from "@mantine/hooks";
import type { Alert } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Flags } from "../shared/breach_flags.tsx";
import { Address } from "../ui/display/address.tsx";
import { Day, Moment } from "../ui/display/dates.tsx";
import tables from "../ui/display/table.module.css";
import type { Part } from "./alert_filters.tsx";
import { Above, ChangedSinceBadge, Chevron, Service, StateBadge, WorseBadge } from "./alert_parts.tsx";
import { SortHead } from "./alert_sort.tsx";
import classes from "./alert_table.module.css";
import { DataLine } from "./data_line.tsx";
import { FoundUnder } from "./found_under.tsx";
import { SelectAll, SelectOne } from "./select_boxes.tsx";
import type { Selection } from "./selection.ts";
import { SeriousnessBadge } from "./severity.tsx";
import { ToggleButton } from "./toggle_button.tsx";

export type ListProps = Part & { alerts: Alert[]; selection: Selection; onOpen: (id: string) => void };

export function AlertTable({ alerts, selection, view, show, onOpen }: ListProps) {
  const text = useText();
  const sorting = { view, show };
  return (
    <div className={classes.table}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th>
              <SelectAll alerts={alerts} selection={selection} />
            </th>
            <SortHead by="service" {...sorting} />
            <SortHead by="address" {...sorting} />
            <SortHead by="happened" {...sorting} />
            <SortHead by="known" {...sorting} />
            <th>{text("alerts.data")}</th>
            <SortHead by="seriousness" {...sorting} />
            <th>{text("alerts.status")}</th>
          </tr>
        </thead>
        <tbody>
          {alerts.map((alert) => (
            <Row key={alert.id} alert={alert} selection={selection} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = Pick<ListProps, "selection" | "onOpen"> & { alert: Alert };

function Row({ alert, selection, onOpen }: RowProps) {
  const { address, breach } = alert;
  return (
    <tr data-selected={selection.has(alert.id) || undefined}>
      <td>
        <Above>
          <SelectOne alert={alert} selection={selection} />
        </Above>
      </td>
      <td>
        <Service breach={breach} onOpen={() => onOpen(alert.id)}>
          <Flags flags={breach?.flags ?? []} />
        </Service>
      </td>
      <td>
        <Address>{address}</Address>
        <FoundUnder foundUnder={alert.foundUnder} />
      </td>
      <BreachCells alert={alert} />
      <td>
        <div className={classes.end}>
          <div className={classes.state}>
            <StateBadge state={alert.state} />
            <Above>
              <ToggleButton alert={alert} compact />
            </Above>
          </div>
          <Chevron />
        </div>
      </td>
    </tr>
  );
}

function BreachCells({ alert: { breach, raisedAt, worsenedAt, changedSince } }: { alert: Alert }) {
  const text = useText();
  const hasRoom = useMediaQuery("(min-width: 88em)", undefined, { getInitialValueInEffect: false }) ?? true;
  if (!breach) {
    return (
      <td colSpan={4} className={classes.undisclosed}>
        {text("alerts.not_shared")} · {text("alerts.found")} <Moment iso={raisedAt} />
      </td>
    );
  }
  return (
    <>
      <td className={classes.date}>
        <Day iso={breach.breachDate} />
      </td>
      <td className={classes.date}>
        <Moment iso={breach.addedDate} />
      </td>
      <td>
        <DataLine labels={breach.dataClasses} shown={hasRoom ? 2 : 1} />
      </td>
      <td>
        <div className={classes.state}>
          <SeriousnessBadge breach={breach} />
          {worsenedAt !== null && <WorseBadge />}
          {changedSince === "after" && <ChangedSinceBadge />}
        </div>
      </td>
    </>
  );
}
