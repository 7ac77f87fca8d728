import { Skeleton, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconMailSearch, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AssociationFilter } from "../api.ts";
import { useExplain } from "../errors.tsx";
import { useText } from "../i18n.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty_state.tsx";
import { LoadFailure } from "../ui/load_failure.tsx";
import { Pager } from "../ui/pager.tsx";
import { useExistingPage } from "../ui/use_existing_page.ts";
import { AssociationCard } from "./association_card.tsx";
import classes from "./dashboard.module.css";
import { associationsQuery } from "./queries.ts";
import { SectionTitle } from "./section.tsx";
import { SelectionBar } from "./selection_bar.tsx";
import { type Filter, StatusFilter } from "./status_filter.tsx";

/** The addresses that are watched: searched, filtered and paged by the server. */
export function TrackedEmails() {
  const text = useText();
  const [typed, setTyped] = useState("");
  const [status, setStatus] = useState<Filter>("all");
  const [page, setPage] = useState(1);
  const [search] = useDebouncedValue(typed.trim(), 250);
  const { data } = useQuery(associationsQuery({ search, status, page }));
  return (
    <section aria-labelledby="tracked-emails">
      <div className={classes.bar}>
        <SectionTitle id="tracked-emails" title={text("dashboard.tracked")} count={data?.counts.all} />
        <TextInput
          type="search"
          aria-label={text("dashboard.search")}
          placeholder={text("dashboard.search")}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          className={classes.search}
          value={typed}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setPage(1);
          }}
        />
        <StatusFilter
          value={status}
          counts={data?.counts}
          onChange={(next) => {
            setStatus(next);
            setPage(1);
          }}
        />
      </div>
      <Associations filter={{ search, status, page }} onPage={setPage} />
    </section>
  );
}

function Associations({ filter, onPage }: { filter: AssociationFilter; onPage: (page: number) => void }) {
  const text = useText();
  const explain = useExplain();
  const { data, error, refetch } = useQuery(associationsQuery(filter));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useExistingPage(data, onPage);
  if (error && !data) {
    return (
      <Card>
        <LoadFailure title={text("dashboard.load_failed")} message={explain(error)} onRetry={() => refetch()} />
      </Card>
    );
  }
  if (!data) return <Skeleton height={132} radius="lg" />;
  const change = (ids: string[], isSelected: boolean) =>
    setSelected((before) => {
      const after = new Set(before);
      for (const id of ids) isSelected ? after.add(id) : after.delete(id);
      return after;
    });
  return (
    <>
      <SelectionBar items={data.items} selected={selected} onChange={change} onClear={() => setSelected(new Set())} />
      {data.items.length === 0 && <Nothing isNoneTracked={data.counts.all === 0} />}
      <ul className={classes.list}>
        {data.items.map((association) => (
          <AssociationCard
            key={association.id}
            association={association}
            isSelected={selected.has(association.id)}
            onSelect={(isSelected) => change([association.id], isSelected)}
          />
        ))}
      </ul>
      <Pager page={data.page} pageSize={data.pageSize} total={data.total} onPage={onPage} />
    </>
  );
}

/** Nothing matches; or everything still waits for its owner's answer. */
function Nothing({ isNoneTracked }: { isNoneTracked: boolean }) {
  const text = useText();
  return (
    <Card>
      <EmptyState
        icon={isNoneTracked ? IconMailSearch : IconSearch}
        title={text(isNoneTracked ? "dashboard.empty_title" : "dashboard.none_title")}
      >
        {text(isNoneTracked ? "dashboard.only_sent" : "dashboard.none")}
      </EmptyState>
    </Card>
  );
}
