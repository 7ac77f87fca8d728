import { Checkbox, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { toast } from "sonner";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { AssociationPage } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { Pager } from "../ui/display/pager.tsx";
import { FormButtons } from "../ui/form/form_buttons.tsx";
import classes from "./dashboard.module.css";
import { associationsQuery, useAction } from "./queries.ts";

type Props = { cap: number; onClose: () => void };

/** Chooses which addresses stay active when the plan does not cover all. */
export function KeepForm({ cap, onClose }: Props) {
  const text = useText();
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const query = useQuery(associationsQuery({ search: wanted, status: "all", page }));
  const { data: all } = useQuery(associationsQuery({ search: "", status: "all", page: 1 }));
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const kept = chosen ?? coveredNow(all, cap);
  const { mutate, isPending } = useAction({
    call: () => post("/api/associations/keep", { body: { ids: [...kept] } }),
    failureTitle: "keep.failed",
    onDone: () => toast.success(text("keep.done")),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (kept.size > 0) mutate(undefined, { onSettled: onClose });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text>{text("keep.text", { cap })}</Text>
        <TextInput
          type="search"
          aria-label={text("dashboard.search")}
          placeholder={text("dashboard.search")}
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setPage(1);
          }}
        />
        <Candidates query={query} cap={cap} kept={kept} onChange={setChosen} />
        {query.data && (
          <Pager page={query.data.page} pageSize={query.data.pageSize} total={query.data.total} onPage={setPage} />
        )}
        <Text size="sm" aria-live="polite">
          {text("keep.count", { count: kept.size, cap })}
        </Text>
        <FormButtons submitLabel={text("keep.save")} pending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** The addresses that are covered now; empty if the page does not contain all. */
function coveredNow(page: AssociationPage | undefined, cap: number): ReadonlySet<string> {
  if (page === undefined || page.total > page.pageSize) return new Set();
  const covered = page.items.filter(({ suspended }) => !suspended).map(({ id }) => id);
  return new Set(covered.slice(0, cap));
}

type CandidatesProps = {
  query: { data: AssociationPage | undefined; error: Error | null; refetch: () => unknown };
  cap: number;
  kept: ReadonlySet<string>;
  onChange: (kept: ReadonlySet<string>) => void;
};

function Candidates({ query: { data, error, refetch }, cap, kept, onChange }: CandidatesProps) {
  const text = useText();
  if (error && !data) return <LoadFailure title={text("dashboard.load_failed")} error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={160} radius="lg" />;
  if (data.items.length === 0) return <Text c="dimmed">{text("dashboard.none_title")}</Text>;
  return (
    <ul className={classes.candidates}>
      {data.items.map(({ id, address, suspended }) => {
        const isKept = kept.has(id);
        return (
          <li key={id}>
            <Checkbox
              label={shownAddress(address)}
              description={text(suspended ? "keep.resting" : "keep.watched")}
              checked={isKept}
              disabled={!isKept && kept.size >= cap}
              onChange={() => onChange(new Set(isKept ? [...kept].filter((other) => other !== id) : [...kept, id]))}
            />
          </li>
        );
      })}
    </ul>
  );
}
