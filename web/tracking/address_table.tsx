import { Checkbox } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { Association, Managed } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { AddressRow, ManagedRow } from "./address_row.tsx";
import classes from "./address_table.module.css";

type Props = {
  associations: Association[];
  managed: Managed | null;
  selected: ReadonlySet<string>;
  onSelect: (ids: string[], isSelected: boolean) => void;
};

/** A table of addresses; on narrow screens the details are below each address. */
export function AddressTable({ associations, managed, selected, onSelect }: Props) {
  const text = useText();
  const isWide = useMediaQuery("(min-width: 48em)", undefined, { getInitialValueInEffect: false }) ?? true;
  const ids = associations.map(({ id }) => id);
  const isAll = ids.every((id) => selected.has(id));
  return (
    <table className={classes.table} aria-labelledby="tracked-emails">
      <thead>
        <tr>
          <td className={classes.box}>
            {ids.length > 1 && (
              <Checkbox
                size="xs"
                aria-label={text("selection.all")}
                checked={isAll}
                indeterminate={!isAll && ids.some((id) => selected.has(id))}
                onChange={() => onSelect(ids, !isAll)}
              />
            )}
          </td>
          <th scope="col">{text("table.address")}</th>
          {isWide && (
            <>
              <th scope="col">{text("table.status")}</th>
              <th scope="col">{text("table.alerts")}</th>
              <th scope="col">{text("table.last_check")}</th>
            </>
          )}
          <td />
        </tr>
      </thead>
      <tbody>
        {managed && <ManagedRow managed={managed} isWide={isWide} />}
        {associations.map((association) => (
          <AddressRow
            key={association.id}
            association={association}
            isWide={isWide}
            isSelected={selected.has(association.id)}
            onSelect={(isSelected) => onSelect([association.id], isSelected)}
          />
        ))}
      </tbody>
    </table>
  );
}
