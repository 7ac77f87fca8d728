import { Title } from "@mantine/core";
import type { PersonView } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import rows from "../ui/display/rows.module.css";
import { BreachWords } from "./breach_words.tsx";
import classes from "./domains.module.css";

/** The breaches of one address, and the websites in stealer logs, which are text and never links. */
export function FindingParts({ breaches, sites }: Pick<PersonView, "breaches" | "sites">) {
  const text = useText();
  const formatDate = useFormatDate();
  return (
    <>
      {breaches.length > 0 && (
        <section>
          <Title order={3} size="h4" mb="sm">
            {text("domain.breaches")}
          </Title>
          <ul className={rows.rows}>
            {breaches.map((breach) => (
              <li key={breach.name} className={rows.row}>
                <BreachWords breach={breach}>
                  <span className={classes.soft}>
                    {text("domain.found_on", { date: formatDate(breach.foundAt, { dateStyle: "medium" }) })}
                  </span>
                </BreachWords>
              </li>
            ))}
          </ul>
        </section>
      )}
      {sites.length > 0 && (
        <section>
          <Title order={3} size="h4">
            {text("domain.sites")}
          </Title>
          <p className={classes.soft}>{text("domain.sites_text")}</p>
          <ul className={classes.list}>
            {sites.map((site) => (
              <li key={site} className="breakable" translate="no">
                {site}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
