import { Text } from "@mantine/core";
import { IconShieldSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { PRODUCT } from "../../src/shared/product.ts";
import { isApiError } from "../api/api.ts";
import type { Domain, DomainOverview } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { YearFigures } from "../shared/exposure_figures.tsx";
import { SourceNote } from "../shared/source_note.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { AddressDrawer } from "./address_drawer.tsx";
import { AddressSection } from "./address_section.tsx";
import { BreachSection } from "./breach_section.tsx";
import { Counts, listedCount } from "./counts.tsx";
import { DomainSettingsCard } from "./domain_settings.tsx";
import { DomainSources } from "./domain_sources.tsx";
import classes from "./domains.module.css";
import { PlanLimit } from "./plan_limit.tsx";
import { overviewQuery } from "./queries.ts";
import { RemoveDomain } from "./remove_domain.tsx";
import { useAddressView } from "./use_address_view.ts";

/** What was found at a domain, and its settings. */
export function HeldDomain({ domain }: { domain: Domain }) {
  const text = useText();
  const overview = useQuery(overviewQuery(domain.id));
  // The plan has ended while the page was open.
  if (isApiError(overview.error) && overview.error.code === "USER_INACTIVE")
    return (
      <>
        <PlanLimit>{text("domain.suspended")}</PlanLimit>
        <RemoveDomain domain={domain} />
      </>
    );
  return (
    <>
      <Printed />
      <Fetched query={overview} failureTitle={text("domain.overview_failed")} height={420}>
        {(shown) => <Findings domain={domain} overview={shown} />}
      </Fetched>
      {!overview.isPending && (
        <>
          <DomainSources domain={domain} />
          <DomainSettingsCard domain={domain} />
          <RemoveDomain domain={domain} />
        </>
      )}
    </>
  );
}

/** In print only: the date of the report. */
function Printed() {
  const text = useText();
  const formatDate = useFormatDate();
  const date = formatDate(new Date(), { dateStyle: "long", timeStyle: "short" });
  return <p data-print-only>{text("domain.printed", { product: PRODUCT, date })}</p>;
}

function Findings({ domain, overview }: { domain: Domain; overview: DomainOverview }) {
  const { view, show } = useAddressView();
  const { breaches, years } = overview;
  return (
    <>
      <Counts overview={overview} />
      {breaches.length > 0 && (
        <BreachSection breaches={breaches} chosen={view.breach} onChoose={(breach) => show({ breach })} />
      )}
      {years.length > 1 && (
        <Card>
          <YearFigures years={years} />
        </Card>
      )}
      {listedCount(overview) > 0 ? (
        <AddressSection domain={domain} breaches={breaches} view={view} show={show} />
      ) : (
        <Nothing />
      )}
      <Administrators overview={overview} />
      <SourceNote shown={breaches.map((breach) => ({ breach, sources: [] }))} />
      <AddressDrawer domain={domain} alias={view.address} onClose={() => show({ address: "" })} />
    </>
  );
}

function Nothing() {
  const text = useText();
  return (
    <Card>
      <EmptyState order={2} icon={IconShieldSearch} title={text("domain.nothing")}>
        {text("domain.nothing_text")}
      </EmptyState>
    </Card>
  );
}

/** All who administer the domain, if there are several. */
function Administrators({ overview: { administrators } }: { overview: DomainOverview }) {
  const text = useText();
  if (administrators.length < 2) return null;
  return (
    <Card className={classes.card}>
      <Text>{text("domain.administrators")}</Text>
      <ul className={classes.list}>
        {administrators.map(({ name, email }) => (
          <li key={email} dir="auto">
            {name} ({email})
          </li>
        ))}
      </ul>
    </Card>
  );
}
