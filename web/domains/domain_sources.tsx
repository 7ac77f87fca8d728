import { Button, Text as Paragraph, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { shownDomain } from "../../src/shared/shown_address.ts";
import { post } from "../api/call.ts";
import type { Domain, DomainSource } from "../api/domains_api.ts";
import { Text, useText } from "../app/i18n.tsx";
import { useSourceName } from "../shared/source_name.ts";
import { Badge, type Tone } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import rows from "../ui/display/rows.module.css";
import classes from "./domains.module.css";
import { CopiedLines } from "./published_proof.tsx";
import { sourcesQuery, useDomainAction } from "./queries.ts";

const TONES: Record<DomainSource["state"], Tone> = {
  unasked: "quiet",
  answered: "safe",
  unverified: "note",
  trouble: "alarm",
};

/** How far each source knows the domain, and what it needs. */
export function DomainSources({ domain }: { domain: Domain }) {
  const text = useText();
  const query = useQuery(sourcesQuery(domain.id));
  return (
    <section aria-labelledby="sources" data-screen-only>
      <Card className={classes.card}>
        <Title order={2} size="h3" id="sources">
          {text("domain.sources")}
        </Title>
        <Fetched query={query} failureTitle={text("domain.sources_failed")} height={120}>
          {({ items }) => (
            <ul className={rows.rows}>
              {items.map((source) => (
                <Source key={source.source} domain={domain} source={source} />
              ))}
            </ul>
          )}
        </Fetched>
      </Card>
    </section>
  );
}

type Props = { domain: Domain; source: DomainSource };

function Source({ domain, source }: Props) {
  const text = useText();
  const formatDate = useFormatDate();
  const nameOf = useSourceName();
  const { state, askedAt } = source;
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <h3 className={rows.name}>
          {nameOf(source.source)}
          <Badge tone={TONES[state]}>{text(`domain.source.${state}`)}</Badge>
        </h3>
        {askedAt !== null && (
          <p className={rows.facts}>
            {text("domain.asked_on", { date: formatDate(askedAt, { dateStyle: "medium", timeStyle: "short" }) })}
          </p>
        )}
        <Need domain={domain} source={source} />
      </div>
      {(state === "trouble" || state === "unverified") && <AskAgain domain={domain} source={source} />}
    </li>
  );
}

/** What stands in the way of an answer. */
function Need({ domain: { name }, source: { source, state, record, reason } }: Props) {
  const text = useText();
  const nameOf = useSourceName();
  if (state === "trouble" && reason !== null)
    return (
      <Paragraph>
        <Text id="domain.source_trouble" values={{ reason: <code lang="en">{reason}</code> }} />
      </Paragraph>
    );
  if (state !== "unverified") return null;
  if (record === null) return <Paragraph>{text("domain.source_operator", { source: nameOf(source) })}</Paragraph>;
  return (
    <>
      <Paragraph>{text("domain.source_record", { source: nameOf(source), domain: shownDomain(name) })}</Paragraph>
      <CopiedLines lines={[{ label: "domain.record_value", value: record }]} />
    </>
  );
}

function AskAgain({ domain: { id }, source: { source } }: Props) {
  const text = useText();
  const nameOf = useSourceName();
  const { mutate, isPending, isSuccess } = useDomainAction({
    call: () => post("/api/domains/:id/sources/:source", { params: { id, source } }),
    failureTitle: "domain.ask_failed",
  });
  return (
    <div className={rows.actions}>
      <Button
        size="sm"
        variant="default"
        loading={isPending}
        aria-label={text("domain.ask_again_label", { source: nameOf(source) })}
        onClick={() => mutate()}
      >
        {text("domain.ask_again")}
      </Button>
      <span role="status">{isSuccess && text("domain.asked_soon")}</span>
    </div>
  );
}
