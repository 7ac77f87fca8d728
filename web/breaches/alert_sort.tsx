import { ActionIcon, NativeSelect, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { ALERT_SORTS, type AlertSort, firstDirection } from "../../src/shared/alert.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { nextOrder, turned } from "./alert_filter.ts";
import type { Part } from "./alert_filters.tsx";
import classes from "./alert_sort.module.css";

const LABELS = {
  found: "alerts.sort_found",
  happened: "alerts.breach_date",
  known: "alerts.added",
  service: "alerts.service",
  address: "alerts.address",
  seriousness: "alerts.seriousness",
} as const satisfies Record<AlertSort, TextId>;

/** A sortable column heading. */
export function SortHead({ by, view, show }: Part & { by: AlertSort }) {
  const text = useText();
  const isSorted = view.sort === by;
  const Mark = isSorted ? (view.direction === "asc" ? IconArrowUp : IconArrowDown) : IconArrowsSort;
  const direction = view.direction === "asc" ? "ascending" : "descending";
  return (
    <th aria-sort={isSorted ? direction : undefined}>
      <UnstyledButton
        className={classes.head}
        data-sorted={isSorted || undefined}
        onClick={() => show({ ...nextOrder(view, by), page: 1 })}
      >
        {`${text(LABELS[by])}\u00a0`}
        <Mark size={15} aria-hidden="true" />
      </UnstyledButton>
    </th>
  );
}

/** The sort order as a select, for layouts without columns. */
export function SortChoice({ view, show }: Part) {
  const text = useText();
  const Mark = view.direction === "asc" ? IconArrowUp : IconArrowDown;
  return (
    <div className={classes.choice}>
      <NativeSelect
        aria-label={text("alerts.sort")}
        data={ALERT_SORTS.map((by) => ({ value: by, label: text(LABELS[by]) }))}
        value={view.sort}
        onChange={({ currentTarget }) => {
          const sort = currentTarget.value as AlertSort;
          show({ sort, direction: firstDirection(sort), page: 1 });
        }}
      />
      <ActionIcon
        variant="default"
        size={36}
        aria-label={text(view.direction === "asc" ? "alerts.ascending" : "alerts.descending")}
        onClick={() => show({ direction: turned(view.direction), page: 1 })}
      >
        <Mark size={18} aria-hidden="true" />
      </ActionIcon>
    </div>
  );
}
