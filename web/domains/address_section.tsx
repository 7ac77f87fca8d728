import { Button, Group, Text, Title } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { PRODUCT } from "../../src/shared/product.ts";
import { fetchFile } from "../api/call.ts";
import type { Domain, DomainAddress, DomainBreach } from "../api/domains_api.ts";
import { useShowError } from "../app/errors.tsx";
import { useLanguage, useText } from "../app/i18n.tsx";
import { saveFile } from "../shared/save_file.ts";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import rows from "../ui/display/rows.module.css";
import { AddressFilters } from "./address_filters.tsx";
import classes from "./domains.module.css";
import { addressesQuery } from "./queries.ts";
import { type AddressView, filterOf, type ShowAddresses } from "./use_address_view.ts";

type AddressPages = UseInfiniteQueryResult<InfiniteData<{ items: DomainAddress[] }>>;

/** More rows would take a browser too long to print. */
const MOST_PRINTED = 2000;

type Props = { domain: Domain; breaches: DomainBreach[]; view: AddressView; show: ShowAddresses };

/** The addresses of a domain in which something was found. */
export function AddressSection({ domain, breaches, view, show }: Props) {
  const text = useText();
  const query = useInfiniteQuery(addressesQuery(domain.id, filterOf(view)));
  return (
    <section aria-labelledby="addresses">
      <Card className={classes.card}>
        <Group justify="space-between" gap="sm">
          <Title order={2} size="h3" id="addresses">
            {text("domain.addresses")}
          </Title>
          <Group gap="sm" data-screen-only>
            <ExportButton domain={domain} view={view} />
            <PrintButton query={query} />
          </Group>
        </Group>
        <AddressFilters breaches={breaches} view={view} show={show} />
        <Fetched query={query} failureTitle={text("domain.addresses_failed")} height={320}>
          {({ pages }) => (
            <Rows
              addresses={pages.flatMap(({ items }) => items)}
              domain={domain}
              onOpen={(address) => show({ address })}
            />
          )}
        </Fetched>
        {query.hasNextPage && (
          <div>
            <p data-print-only>{text("domain.printed_part", { count: countOf(query.data) })}</p>
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
              {text("domain.more")}
            </Button>
          </div>
        )}
      </Card>
    </section>
  );
}

/** All addresses that match the filter, as a file. */
function ExportButton({ domain: { id, name }, view }: Pick<Props, "domain" | "view">) {
  const text = useText();
  const language = useLanguage();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      fetchFile("/api/domains/:id/addresses/file", { params: { id }, body: { ...filterOf(view), language } }),
    onSuccess: (file) => saveFile(`${PRODUCT.toLowerCase()}-${name}.csv`, file, file.type),
    onError: useShowError("domain.export_failed"),
  });
  return (
    <Button
      size="sm"
      variant="default"
      loading={isPending}
      leftSection={<IconDownload size={18} aria-hidden="true" />}
      onClick={() => mutate()}
    >
      {text("domain.export")}
    </Button>
  );
}

const countOf = (data: AddressPages["data"]) => data?.pages.flatMap(({ items }) => items).length ?? 0;

/** Loads the addresses that are not shown yet, and prints them. */
function PrintButton({ query }: { query: AddressPages }) {
  const text = useText();
  const [isReady, setReady] = useState(false);
  const { mutate, isPending } = useMutation({
    async mutationFn() {
      let shown = query;
      while (shown.hasNextPage && countOf(shown.data) < MOST_PRINTED)
        shown = await query.fetchNextPage({ throwOnError: true });
    },
    onSuccess: () => setReady(true),
    onError: useShowError("domain.addresses_failed"),
  });
  useEffect(() => {
    if (!isReady) return;
    setReady(false);
    window.print();
  }, [isReady]);
  return (
    <Button
      size="sm"
      variant="default"
      loading={isPending}
      leftSection={<IconPrinter size={18} aria-hidden="true" />}
      onClick={() => mutate()}
    >
      {text("domain.print")}
    </Button>
  );
}

type RowsProps = { addresses: DomainAddress[]; domain: Domain; onOpen: (alias: string) => void };

function Rows({ addresses, domain: { name }, onOpen }: RowsProps) {
  const text = useText();
  if (addresses.length === 0) return <Text c="dimmed">{text("domain.no_addresses")}</Text>;
  return (
    <ul className={rows.rows}>
      {addresses.map(({ alias, kind, findings, taken, allowed }) => (
        <li key={alias} className={rows.row}>
          <div className={rows.words}>
            <h3 className={rows.name}>
              <button type="button" className={classes.open} onClick={() => onOpen(alias)}>
                <Address>{`${alias}@${name}`}</Address>
              </button>
            </h3>
            <p className={rows.facts}>
              <span>{text(`domain.kind.${kind}`)}</span>
              <span>{text("domain.findings", { count: findings })}</span>
            </p>
          </div>
          {taken && <Badge tone="note">{text(allowed ? "domain.allowed" : "domain.taken")}</Badge>}
        </li>
      ))}
    </ul>
  );
}
