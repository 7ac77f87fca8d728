import { Text, Title } from "@mantine/core";
import { useIntl } from "react-intl";
import type { DomainOverview } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fact } from "../ui/display/fact.tsx";
import classes from "./domains.module.css";

export const KINDS = ["person", "role", "alias"] as const;

/** How many addresses are listed. */
export function listedCount({ counts }: DomainOverview): number {
  return KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

/** How many addresses were found, and why some are not listed. */
export function Counts({ overview: { counts, limit, isCut } }: { overview: DomainOverview }) {
  const text = useText();
  const { formatNumber } = useIntl();
  const { untold, withheld } = counts;
  return (
    <section aria-labelledby="counts">
      <Card className={classes.card}>
        <Title order={2} size="h3" id="counts">
          {text("domain.counts")}
        </Title>
        <dl className={classes.counts}>
          {KINDS.map((kind) => (
            <Fact key={kind} label={text(`domain.kinds.${kind}`)}>
              {formatNumber(counts[kind])}
            </Fact>
          ))}
        </dl>
        {untold > 0 && <Text>{text("domain.untold", { count: untold })}</Text>}
        {withheld > 0 && <Text>{text("domain.withheld", { count: withheld })}</Text>}
        {isCut && limit !== null && <Text>{text("domain.cut", { limit })}</Text>}
        <Text className={classes.soft}>{text("domain.looks_told")}</Text>
      </Card>
    </section>
  );
}
