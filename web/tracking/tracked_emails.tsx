import { Text } from "@mantine/core";
import { useState } from "react";
import { containsText } from "../../src/shared/shown_address.ts";
import type { Dashboard, Managed } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Pager } from "../ui/display/pager.tsx";
import { useExistingPage } from "../ui/display/use_existing_page.ts";
import { SearchField } from "../ui/form/search_field.tsx";
import { AddressTable } from "./address_table.tsx";
import classes from "./dashboard.module.css";
import { type DashboardView, LONGEST_SEARCH, type Show } from "./dashboard_view.ts";
import { SectionTitle } from "./section.tsx";
import { SelectionBar } from "./selection_bar.tsx";
import { StatusFilter } from "./status_filter.tsx";

type Counts = Dashboard["tracked"]["counts"];
type Props = { dashboard: Dashboard; view: DashboardView; show: Show };

/** The tracked addresses; search, filter, order and paging are done by the server. */
export function TrackedEmails({ dashboard, view, show }: Props) {
  const text = useText();
  const { tracked, managed } = dashboard;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useExistingPage(tracked, (page) => show({ page }));
  const change = (ids: string[], isSelected: boolean) =>
    setSelected((before) => {
      const after = new Set(before);
      for (const id of ids) isSelected ? after.add(id) : after.delete(id);
      return after;
    });
  const counts = withManaged(tracked.counts, managed);
  const shownManaged = managed && tracked.page === 1 && isShown(managed, view) ? managed : null;
  return (
    <section aria-labelledby="tracked-emails">
      <div className={classes.bar}>
        <SectionTitle id="tracked-emails" title={text("dashboard.tracked")} count={counts.all} />
        <SearchField
          label={text("dashboard.search")}
          className={classes.search}
          most={LONGEST_SEARCH}
          value={view.search}
          onSearch={(search) => show({ search, page: 1 })}
        />
        <StatusFilter value={view.status} counts={counts} onChange={(status) => show({ status, page: 1 })} />
      </div>
      <SelectionBar selected={selected} onClear={() => setSelected(new Set())} />
      <div className={classes.surface}>
        {tracked.items.length === 0 && shownManaged === null ? (
          <Nothing isNoneTracked={counts.all === 0} />
        ) : (
          <AddressTable associations={tracked.items} managed={shownManaged} selected={selected} onSelect={change} />
        )}
      </div>
      {counts.all > 0 && (
        <Text size="sm" c="dimmed" mt={8}>
          {text("table.rhythm")}
        </Text>
      )}
      <Pager page={tracked.page} pageSize={tracked.pageSize} total={tracked.total} onPage={(page) => show({ page })} />
    </section>
  );
}

function withManaged(counts: Counts, managed: Managed | null): Counts {
  return managed ? { ...counts, all: counts.all + 1, [managed.status]: counts[managed.status] + 1 } : counts;
}

function isShown({ address, status }: Managed, view: DashboardView): boolean {
  return containsText(address, view.search.toLowerCase()) && (view.status === "all" || view.status === status);
}

/** Shown if nothing matches, or nothing is tracked yet. */
function Nothing({ isNoneTracked }: { isNoneTracked: boolean }) {
  const text = useText();
  return (
    <Text c="dimmed" className={classes.nothing}>
      {isNoneTracked ? text("dashboard.empty_title") : `${text("dashboard.none_title")}. ${text("dashboard.none")}`}
    </Text>
  );
}
