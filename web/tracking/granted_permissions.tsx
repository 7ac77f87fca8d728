import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useState } from "react";
import type { MayWatch, WatchedBy } from "../api.ts";
import { useText } from "../i18n.tsx";
import type { Fetch } from "../ui/fetched.tsx";
import { Pager } from "../ui/pager.tsx";
import rows from "../ui/rows.module.css";
import { type Paged, useExistingPage } from "../ui/use_existing_page.ts";
import { MayWatchRow, WatchedByRow } from "./grant_rows.tsx";
import { mayWatchQuery, watchedByQuery } from "./queries.ts";
import classes from "./section.module.css";
import { Section } from "./section.tsx";

/** What others have agreed to, and what the account has agreed to itself. */
export function GrantedPermissions() {
  const text = useText();
  const [watchedByPage, setWatchedByPage] = useState(1);
  const [mayWatchPage, setMayWatchPage] = useState(1);
  const watchedBy = useQuery(watchedByQuery(watchedByPage));
  const mayWatch = useQuery(mayWatchQuery(mayWatchPage));
  useExistingPage(watchedBy.data, setWatchedByPage);
  useExistingPage(mayWatch.data, setMayWatchPage);
  return (
    <Section
      id="granted-permissions"
      title={text("grants.title")}
      query={bothOf(watchedBy, mayWatch)}
      count={([one, other]) => one.total + other.total}
      empty={text("grants.empty")}
      failureTitle={text("grants.load_failed")}
    >
      {([byOthers, ofOthers]) => (
        <>
          <Group<WatchedBy> title={text("grants.watched_by")} shown={byOthers} onPage={setWatchedByPage}>
            {(grant) => <WatchedByRow key={grant.id} grant={grant} />}
          </Group>
          <Group<MayWatch> title={text("grants.may_watch")} shown={ofOthers} onPage={setMayWatchPage}>
            {(grant) => <MayWatchRow key={grant.id} grant={grant} />}
          </Group>
        </>
      )}
    </Section>
  );
}

/** There when both are, failed when one is; what failed is fetched again. */
function bothOf<One, Other>(one: Fetch<One>, other: Fetch<Other>): Fetch<[One, Other]> {
  return {
    data: one.data !== undefined && other.data !== undefined ? [one.data, other.data] : undefined,
    error: one.error ?? other.error,
    refetch: () => [one, other].filter(({ error }) => error).map(({ refetch }) => refetch()),
  };
}

type GroupProps<Row> = {
  title: string;
  shown: Paged & { items: Row[] };
  onPage: (page: number) => void;
  children: (row: Row) => ReactNode;
};

function Group<Row>({ title, shown: { items, total, page, pageSize }, onPage, children }: GroupProps<Row>) {
  if (total === 0) return null;
  return (
    <div className={classes.group}>
      <Title order={3}>{title}</Title>
      <ul className={rows.rows}>{items.map(children)}</ul>
      <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
    </div>
  );
}
