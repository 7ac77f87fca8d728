import { Checkbox } from "@mantine/core";
import type { Alert } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useBreachName } from "./breach_name.ts";
import type { Selection } from "./selection.ts";

type AllProps = { alerts: Alert[]; selection: Selection; label?: string };

/** Selects or deselects all alerts on the page; a column heading has no room for a label. */
export function SelectAll({ alerts, selection, label }: AllProps) {
  const text = useText();
  const isAll = alerts.every(({ id }) => selection.has(id));
  const isSome = alerts.some(({ id }) => selection.has(id));
  return (
    <Checkbox
      {...(label ? { label } : { "aria-label": text("alerts.select_all") })}
      checked={isAll}
      indeterminate={isSome && !isAll}
      onChange={() => selection.change(alerts, !isAll)}
    />
  );
}

/** Selects one alert for bulk actions. */
export function SelectOne({ alert, selection }: { alert: Alert; selection: Selection }) {
  const text = useText();
  const nameOf = useBreachName();
  const isSelected = selection.has(alert.id);
  return (
    <Checkbox
      aria-label={text("alerts.select_one", { title: nameOf(alert), address: alert.address })}
      checked={isSelected}
      disabled={selection.isFull && !isSelected}
      onChange={() => selection.change([alert], !isSelected)}
    />
  );
}
