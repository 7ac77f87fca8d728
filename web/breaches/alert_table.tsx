import { Table } from "@mantine/core";
import type { Alert } from "../api.ts";
import { useText } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { DataClasses, Dates, Flags, Service, StateBadge } from "./alert_parts.tsx";
import classes from "./alerts.module.css";
import { ToggleButton } from "./toggle_button.tsx";

type Props = { alerts: Alert[]; onOpen: (id: string) => void };

export function AlertTable({ alerts, onOpen }: Props) {
  const text = useText();
  return (
    <div className={classes.table}>
      <Table verticalSpacing="md" horizontalSpacing="md" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text("alerts.service")}</Table.Th>
            <Table.Th>{text("alerts.address")}</Table.Th>
            <Table.Th>{text("alerts.dates")}</Table.Th>
            <Table.Th>{text("alerts.data")}</Table.Th>
            <Table.Th>{text("alerts.status")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {alerts.map((alert) => (
            <Row key={alert.id} alert={alert} onOpen={onOpen} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Row({ alert, onOpen }: { alert: Alert; onOpen: (id: string) => void }) {
  const text = useText();
  const { address, breach } = alert;
  return (
    <Table.Tr>
      <Table.Td>
        <Service breach={breach} onOpen={() => onOpen(alert.id)}>
          <Flags flags={breach?.flags ?? []} />
        </Service>
      </Table.Td>
      <Table.Td>
        <Address>{address}</Address>
      </Table.Td>
      <Table.Td className={classes.dates}>
        <dl>
          <Dates breach={breach} foundAt={alert.raisedAt} />
        </dl>
      </Table.Td>
      <Table.Td>{breach ? <DataClasses labels={breach.dataClasses} /> : text("alerts.not_shared")}</Table.Td>
      <Table.Td>
        <div className={classes.state}>
          <StateBadge state={alert.state} />
          <ToggleButton alert={alert} />
        </div>
      </Table.Td>
    </Table.Tr>
  );
}
