import { Chip, Group, Skeleton, TextInput } from "@mantine/core";
import { useDebouncedCallback, useMediaQuery } from "@mantine/hooks";
import { IconSearch, IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { useExplain } from "../errors.tsx";
import { useText } from "../i18n.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty_state.tsx";
import { LoadFailure } from "../ui/load_failure.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { Pager } from "../ui/pager.tsx";
import { AlertCards } from "./alert_cards.tsx";
import { AlertDetails } from "./alert_details.tsx";
import { type AlertView, paramsOf, STATES, viewOf } from "./alert_filter.ts";
import { AlertTable } from "./alert_table.tsx";
import classes from "./alerts.module.css";
import { alertPageQuery } from "./queries.ts";
import { SourceNote } from "./source_note.tsx";

const TYPING_MS = 300;

export default function Alerts() {
  const text = useText();
  const [params, setParams] = useSearchParams();
  const view = viewOf(params);
  const show = (change: Partial<AlertView>, replace = true) => {
    setParams((current) => paramsOf({ ...viewOf(current), ...change }), { replace, preventScrollReset: true });
  };
  return (
    <>
      <PageHead title={text("alerts.title")}>{text("alerts.lead")}</PageHead>
      <section aria-label={text("alerts.list")}>
        <Filters view={view} show={show} />
        <List view={view} show={show} />
      </section>
      <SourceNote />
      <AlertDetails id={view.open} onClose={() => show({ open: undefined })} />
    </>
  );
}

type Part = { view: AlertView; show: (change: Partial<AlertView>, replace?: boolean) => void };

function Filters({ view, show }: Part) {
  const text = useText();
  return (
    <div className={classes.bar}>
      <Chip.Group
        value={view.state}
        onChange={(state) => show({ state: STATES.find((known) => known === state) ?? "all", page: 1 })}
      >
        <Group gap={8} role="radiogroup" aria-label={text("alerts.status")}>
          {STATES.map((state) => (
            <Chip key={state} value={state} size="sm" variant="outline">
              {text(`alerts.filter_${state}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <SearchField value={view.search} onSearch={(search) => show({ search, page: 1 })} />
    </div>
  );
}

/** Follows the typing with a short pause, so that the address and the server hear of whole words. */
function SearchField({ value, onSearch }: { value: string; onSearch: (search: string) => void }) {
  const text = useText();
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const search = useDebouncedCallback(onSearch, TYPING_MS);
  useEffect(() => {
    // A link or the back button changed the search: the field follows.
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      type="search"
      aria-label={text("alerts.search")}
      placeholder={text("alerts.search")}
      leftSection={<IconSearch size={18} aria-hidden="true" />}
      className={classes.search}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        asked.current = currentTarget.value.trim();
        search(asked.current);
      }}
    />
  );
}

function List({ view, show }: Part) {
  const text = useText();
  const explain = useExplain();
  const wide = useMediaQuery("(min-width: 80em)", undefined, { getInitialValueInEffect: false });
  const { state, search, page } = view;
  const { data, error, refetch } = useQuery(alertPageQuery({ state, search, page }));
  if (error) {
    return (
      <Card>
        <LoadFailure title={text("alerts.load_failed")} message={explain(error)} onRetry={() => refetch()} />
      </Card>
    );
  }
  if (!data) return <Skeleton height={220} radius="lg" />;
  if (data.items.length === 0) return <Nothing filtered={state !== "all" || search !== ""} />;
  const open = (id: string) => show({ open: id }, false);
  return (
    <>
      {wide ? <AlertTable alerts={data.items} onOpen={open} /> : <AlertCards alerts={data.items} onOpen={open} />}
      <Pager page={data.page} pageSize={data.pageSize} total={data.total} onPage={(next) => show({ page: next })} />
    </>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  const text = useText();
  return (
    <Card>
      {filtered ? (
        <EmptyState icon={IconSearch} title={text("alerts.none_title")}>
          {text("alerts.none")}
        </EmptyState>
      ) : (
        <EmptyState icon={IconShieldCheck} tone="safe" title={text("alerts.empty_title")}>
          {text("alerts.empty")}
        </EmptyState>
      )}
    </Card>
  );
}
