import { Chip, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { DomainBreach } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { KINDS } from "./counts.tsx";
import classes from "./domains.module.css";
import type { AddressView, ShowAddresses } from "./use_address_view.ts";

const TYPING_MS = 300;
const LONGEST_ALIAS = 64;

type Props = { breaches: DomainBreach[]; view: AddressView; show: ShowAddresses };

export function AddressFilters({ breaches, view, show }: Props) {
  const text = useText();
  return (
    <div className={classes.filters} data-screen-only>
      <Kinds view={view} show={show} />
      <Search view={view} show={show} />
      {breaches.length > 0 && (
        <NativeSelect
          size="sm"
          className={classes.breaches ?? ""}
          aria-label={text("domain.breach")}
          value={view.breach}
          onChange={({ currentTarget }) => show({ breach: currentTarget.value })}
          data={[
            { value: "", label: text("domain.any_breach") },
            ...breaches.map(({ name, title }) => ({ value: name, label: title })),
          ]}
        />
      )}
    </div>
  );
}

function Kinds({ view, show }: Omit<Props, "breaches">) {
  const text = useText();
  return (
    <Chip.Group value={view.kind} onChange={(kind) => show({ kind: KINDS.find((known) => known === kind) ?? "" })}>
      <Group gap={6} role="radiogroup" aria-label={text("domain.kind")}>
        <Chip name="mailbox-kind" value="" size="sm" variant="outline">
          {text("domain.all")}
        </Chip>
        {KINDS.map((kind) => (
          <Chip key={kind} name="mailbox-kind" value={kind} size="sm" variant="outline">
            {text(`domain.kinds.${kind}`)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

/** Debounced, so that the server is asked for whole words, and notes one look. */
function Search({ view, show }: Omit<Props, "breaches">) {
  const text = useText();
  const [typed, setTyped] = useState(view.search);
  const search = useDebouncedCallback((words: string) => show({ search: words.trim() }), TYPING_MS);
  return (
    <TextInput
      type="search"
      size="sm"
      className={classes.search ?? ""}
      aria-label={text("domain.search")}
      placeholder={text("domain.search")}
      leftSection={<IconSearch size={18} aria-hidden="true" />}
      maxLength={LONGEST_ALIAS}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
    />
  );
}
