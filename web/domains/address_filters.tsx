import { Chip, Group, NativeSelect } from "@mantine/core";
import type { DomainBreach } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { SearchField } from "../ui/form/search_field.tsx";
import { KINDS } from "./counts.tsx";
import classes from "./domains.module.css";
import type { AddressView, ShowAddresses } from "./use_address_view.ts";

const LONGEST_ALIAS = 64;

type Props = { breaches: DomainBreach[]; view: AddressView; show: ShowAddresses };

export function AddressFilters({ breaches, view, show }: Props) {
  const text = useText();
  return (
    <div className={classes.filters} data-screen-only>
      <Kinds view={view} show={show} />
      {/* The server notes each look, so it is asked for whole words. */}
      <SearchField
        label={text("domain.search")}
        className={classes.search}
        most={LONGEST_ALIAS}
        value={view.search}
        onSearch={(search) => show({ search })}
      />
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
