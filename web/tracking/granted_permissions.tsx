import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Dashboard, MayWatch, WatchedBy } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Pager } from "../ui/display/pager.tsx";
import rows from "../ui/display/rows.module.css";
import { type Paged, useExistingPage } from "../ui/display/use_existing_page.ts";
import type { Show } from "./dashboard_view.ts";
import { MayWatchRow, WatchedByRow } from "./grant_rows.tsx";
import classes from "./section.module.css";
import { Section } from "./section.tsx";

type Props = Pick<Dashboard, "watchedBy" | "mayWatch"> & { show: Show };

/** Permissions that others have granted to the account, and those that it has granted. */
export function GrantedPermissions({ watchedBy, mayWatch, show }: Props) {
  const text = useText();
  const toWatchedBy = (watchedByPage: number) => show({ watchedByPage });
  const toMayWatch = (mayWatchPage: number) => show({ mayWatchPage });
  useExistingPage(watchedBy, toWatchedBy);
  useExistingPage(mayWatch, toMayWatch);
  return (
    <Section
      id="granted-permissions"
      title={text("grants.title")}
      count={watchedBy.total + mayWatch.total}
      empty={text("grants.empty")}
    >
      <Group<WatchedBy> title={text("grants.watched_by")} shown={watchedBy} onPage={toWatchedBy}>
        {(grant) => <WatchedByRow key={grant.id} grant={grant} />}
      </Group>
      <Group<MayWatch> title={text("grants.may_watch")} shown={mayWatch} onPage={toMayWatch}>
        {(grant) => <MayWatchRow key={grant.id} grant={grant} />}
      </Group>
    </Section>
  );
}

/** Longer lists are collapsed: the addresses that the account may monitor are also listed above. */
const FEW = 3;

type GroupProps<Row> = {
  title: string;
  shown: Paged & { items: Row[] };
  onPage: (page: number) => void;
  children: (row: Row) => ReactNode;
};

function Group<Row>({ title, shown: { items, total, page, pageSize }, onPage, children }: GroupProps<Row>) {
  if (total === 0) return null;
  return (
    <details className={classes.group} open={total <= FEW}>
      <summary>
        <Title order={3}>
          {title} <span className={classes.count}>{total}</span>
        </Title>
      </summary>
      <ul className={rows.rows}>{items.map(children)}</ul>
      <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
    </details>
  );
}
