import { Chip, Group } from "@mantine/core";
import type { AssociationPage } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import classes from "./dashboard.module.css";
import { FILTERS, type Filter } from "./dashboard_view.ts";

type Props = { value: Filter; counts: AssociationPage["counts"] | undefined; onChange: (value: Filter) => void };

/**
 * The specification's filter with the number of addresses per choice; radio buttons of one name are a single tab stop.
 */
export function StatusFilter({ value, counts, onChange }: Props) {
  const text = useText();
  return (
    <Chip.Group value={value} onChange={(next) => onChange(FILTERS.find((filter) => filter === next) ?? "all")}>
      <Group gap={8} className={classes.filter} role="radiogroup" aria-label={text("dashboard.status")}>
        {FILTERS.map((filter) => (
          <Chip key={filter} name="address-status" value={filter} size="sm" variant="outline">
            {text(filter === "all" ? "dashboard.all" : `status.${filter}`)}{" "}
            {counts && <span className={classes.figure}>{counts[filter]}</span>}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}
