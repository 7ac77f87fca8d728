import { useMediaQuery } from "@mantine/hooks";
import { IconCloudOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useText } from "../app/i18n.tsx";
import { SourceNote } from "../shared/source_note.tsx";
import { Card } from "../ui/display/card.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { Pager } from "../ui/display/pager.tsx";
import { useExistingPage } from "../ui/display/use_existing_page.ts";
import { AlertCards } from "./alert_cards.tsx";
import { filterOf } from "./alert_filter.ts";
import type { Part } from "./alert_filters.tsx";
import { SortChoice } from "./alert_sort.tsx";
import { AlertTable } from "./alert_table.tsx";
import classes from "./alerts.module.css";
import { AlertsLoading } from "./alerts_loading.tsx";
import { BulkBar } from "./bulk_bar.tsx";
import { NoAlerts } from "./no_alerts.tsx";
import { alertPageQuery } from "./queries.ts";
import { SelectAll } from "./select_boxes.tsx";
import { useSelection } from "./selection.ts";

/** The matching alerts, as a table or, on narrow screens, as cards. */
export function AlertList({ view, show }: Part) {
  const text = useText();
  const isWide = useMediaQuery("(min-width: 80em)", undefined, { getInitialValueInEffect: false });
  const { data, error, refetch } = useQuery(alertPageQuery({ ...filterOf(view), page: view.page }));
  const selection = useSelection(data?.items ?? []);
  useExistingPage(data, (page) => show({ page }));
  if (error && !data) {
    return (
      <Card>
        <LoadFailure title={text("alerts.load_failed")} error={error} onRetry={() => refetch()} />
      </Card>
    );
  }
  if (!data) return <AlertsLoading isWide={isWide ?? true} />;
  const open = (id: string) => show({ open: id }, false);
  const props = { alerts: data.items, selection, view, show, onOpen: open };
  return (
    <>
      {error && (
        <div className={classes.stale} role="status">
          <Notice icon={IconCloudOff} tone="note">
            {text("alerts.stale")}
          </Notice>
        </div>
      )}
      {data.items.length === 0 ? (
        <NoAlerts view={view} show={show} />
      ) : (
        <Shown isWide={isWide ?? true} {...props} total={data.total} />
      )}
      <Pager page={data.page} pageSize={data.pageSize} total={data.total} onPage={(next) => show({ page: next })} />
      <SourceNote shown={data.items} />
    </>
  );
}

type ShownProps = Parameters<typeof AlertTable>[0] & { isWide: boolean; total: number };

function Shown({ isWide, total, ...props }: ShownProps) {
  const { selection } = props;
  // On wide screens the bulk bar replaces the row above the list, so that the list does not shift.
  return (
    <>
      {(!isWide || selection.alerts.length === 0) && <Top isWide={isWide} total={total} {...props} />}
      <BulkBar selection={selection} />
      {isWide ? <AlertTable {...props} /> : <AlertCards {...props} />}
    </>
  );
}

function Top({ isWide, total, alerts, selection, view, show }: ShownProps) {
  const text = useText();
  return (
    <div className={classes.top}>
      {!isWide && <SelectAll alerts={alerts} selection={selection} label={text("alerts.select_all")} />}
      <p className={classes.total} role="status">
        {text("alerts.count", { count: total })}
      </p>
      {!isWide && <SortChoice view={view} show={show} />}
    </div>
  );
}
