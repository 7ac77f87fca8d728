import { Anchor, Checkbox, VisuallyHidden } from "@mantine/core";
import { IconFlame } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Association, Managed } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Ago } from "../ui/display/dates.tsx";
import { STATUS } from "../ui/display/status.ts";
import { AddressMenu } from "./address_menu.tsx";
import classes from "./address_table.module.css";
import { useDrilled } from "./drill.ts";
import { screenPath } from "./screen_path.ts";

type AddressRowProps = {
  association: Association;
  isWide: boolean;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
};

/** One tracked address: status, pending alerts, last check, and a menu. */
export function AddressRow({ association, isWide, isSelected, onSelect }: AddressRowProps) {
  const text = useText();
  const drilled = useDrilled();
  const { id, address, status, paused, suspended, checkedAt } = association;
  const reason = suspended ? "association.reason_plan" : "association.reason_paused";
  const isUnderMaintenance = status === "inactive" && (paused || suspended);
  return (
    <Row
      isWide={isWide}
      box={
        <Checkbox
          size="xs"
          aria-label={text("selection.one", { address })}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
      }
      address={address}
      status={status}
      note={
        <>
          {isUnderMaintenance && <span className={classes.note}>{text(reason)}</span>}
          {drilled === id && (
            <Badge tone="note" icon={IconFlame}>
              {text("alert.is_drill")}
            </Badge>
          )}
        </>
      }
      alerts={<OpenAlerts association={association} />}
      checkedAt={checkedAt}
      menu={<AddressMenu association={association} onRemoved={() => onSelect(false)} />}
    />
  );
}

/** The account's own address, tracked by another account. */
export function ManagedRow({ managed, isWide }: { managed: Managed; isWide: boolean }) {
  const text = useText();
  const { address, managedBy, status, breaches, checkedAt } = managed;
  return (
    <Row
      isWide={isWide}
      box={null}
      address={address}
      status={status}
      note={<span className={classes.note}>{text("association.managed_by", { name: managedBy })}</span>}
      alerts={breaches > 0 && text("association.found", { count: breaches })}
      checkedAt={checkedAt}
      menu={null}
    />
  );
}

type RowProps = {
  isWide: boolean;
  box: ReactNode;
  address: string;
  status: Association["status"];
  note: ReactNode;
  alerts: ReactNode;
  checkedAt: string | null;
  menu: ReactNode;
};

function Row({ isWide, box, address, status, note, alerts, checkedAt, menu }: RowProps) {
  const text = useText();
  const { tone, icon, label, meaning } = STATUS[status];
  const state = (
    <span className={classes.state} title={text(meaning)}>
      <Badge tone={tone} icon={icon}>
        {text(label)}
      </Badge>
      {note}
    </span>
  );
  const checked = checkedAt ? <Ago iso={checkedAt} /> : text("association.never");
  return (
    <tr>
      <td className={classes.box}>{box}</td>
      <th scope="row" className={classes.address}>
        <Anchor component={Link} to={screenPath(address)} inherit>
          <Address>{address}</Address>
        </Anchor>
        {!isWide && (
          <span className={classes.below}>
            {state} {alerts && <span>{alerts}</span>}{" "}
            <span>
              <VisuallyHidden>{text("association.last_check")}: </VisuallyHidden>
              {checked}
            </span>
          </span>
        )}
      </th>
      {isWide && (
        <>
          <td>{state}</td>
          <td>{alerts}</td>
          <td className={classes.quiet}>{checked}</td>
        </>
      )}
      <td className={classes.menu}>{menu}</td>
    </tr>
  );
}

function OpenAlerts({ association: { address, pendingAlerts } }: { association: Association }) {
  const text = useText();
  if (pendingAlerts === 0) return null;
  return (
    <Anchor component={Link} to={`../alerts?search=${encodeURIComponent(address)}`} fw={600} inherit>
      {text("association.alerts", { count: pendingAlerts })}
    </Anchor>
  );
}
