import { Button, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Traces as Known } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useSourceName } from "../shared/source_name.ts";
import { Card } from "../ui/display/card.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { tracesQuery } from "./queries.ts";
import { useAskTraces } from "./trace_mutations.ts";
import { Pastes } from "./trace_pastes.tsx";
import { Sites } from "./trace_sites.tsx";
import classes from "./traces.module.css";

/** Pastes and stealer logs of an own address, on request; absent if the source has none to offer. */
export function Traces({ address }: { address: string }) {
  const text = useText();
  const { data, error, refetch } = useQuery(tracesQuery(address));
  if (data === undefined)
    return error === null ? null : (
      <Card>
        <LoadFailure title={text("traces.load_failed")} error={error} onRetry={() => refetch()} />
      </Card>
    );
  const isOffered = data.offers.pastes || data.offers.sites;
  if (!isOffered && data.askedAt === null) return null;
  const hasSites = data.offers.sites || data.sites !== null;
  const title = text(hasSites ? "traces.title" : "traces.title_pastes");
  return (
    <Card as="section" label={title} className={classes.section}>
      <div>
        <Title order={2} size="h4">
          {title}
        </Title>
        <p className={classes.soft}>{text(hasSites ? "traces.lead" : "traces.lead_pastes")}</p>
      </div>
      {data.askedAt !== null && <Answer known={data} />}
      {isOffered && <Ask known={data} />}
    </Card>
  );
}

/** The button, and what it sends; disabled while the source may not be asked again. */
function Ask({ known: { address, source, sendsAddress, askedAt, askAgainAt } }: { known: Known }) {
  const text = useText();
  const nameOf = useSourceName();
  const formatDate = useFormatDate();
  const { mutate, isPending } = useAskTraces(address);
  const name = nameOf(source ?? "");
  return (
    <div className={classes.ask} data-screen-only>
      <Button
        variant={askedAt === null ? "filled" : "default"}
        loading={isPending}
        disabled={askAgainAt !== null}
        onClick={() => mutate()}
      >
        {askedAt !== null
          ? text("traces.ask_again")
          : sendsAddress
            ? text("traces.ask", { source: name })
            : text("traces.ask_example")}
      </Button>
      <p className={classes.soft}>
        {askAgainAt === null
          ? sendsAddress
            ? text("traces.sends", { source: name })
            : text("traces.sends_nothing")
          : text("traces.again", { time: formatDate(askAgainAt, { timeStyle: "short" }) })}
      </p>
    </div>
  );
}

/** The parts of the last answer; what the source does not say is left out. */
function Answer({ known: { address, source, askedAt, sites, sitesRefused, pastes } }: { known: Known }) {
  const text = useText();
  const nameOf = useSourceName();
  const formatDate = useFormatDate();
  const name = { source: nameOf(source ?? "") };
  return (
    <>
      {sites && sites.length > 0 && <Sites address={address} sites={sites} />}
      {pastes && pastes.length > 0 && <Pastes pastes={pastes} />}
      <div>
        {sites?.length === 0 && <Text>{text("traces.no_sites", name)}</Text>}
        {pastes?.length === 0 && <Text>{text("traces.no_pastes", name)}</Text>}
        {sitesRefused && <Text>{text("traces.refused", name)}</Text>}
        <p className={classes.soft}>
          {text("traces.asked", { date: formatDate(askedAt ?? "", { dateStyle: "long", timeStyle: "short" }) })}
        </p>
      </div>
    </>
  );
}
