import { Button, Title } from "@mantine/core";
import { useState } from "react";
import type { DomainBreach } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { usePrinting } from "../ui/display/printing.ts";
import rows from "../ui/display/rows.module.css";
import { BreachWords } from "./breach_words.tsx";
import classes from "./domains.module.css";

const AT_FIRST = 10;

type Props = { breaches: DomainBreach[]; chosen: string; onChoose: (breach: string) => void };

/** The breaches of a domain, each with its number of addresses; one of them can filter the addresses. */
export function BreachSection({ breaches, chosen, onChoose }: Props) {
  const text = useText();
  const [isAll, setAll] = useState(false);
  const isWhole = usePrinting() || isAll || breaches.length <= AT_FIRST + 1;
  return (
    <section aria-labelledby="breaches">
      <Card className={classes.card}>
        <Title order={2} size="h3" id="breaches">
          {text("domain.breaches")}
        </Title>
        <ul className={rows.rows}>
          {breaches.slice(0, isWhole ? breaches.length : AT_FIRST).map((breach) => (
            <li key={breach.name} className={rows.row}>
              <BreachWords breach={breach} />
              <Button
                size="sm"
                variant={chosen === breach.name ? "light" : "default"}
                aria-pressed={chosen === breach.name}
                data-print-as-text
                aria-label={text("domain.addresses_of_label", { count: breach.addresses, title: breach.title })}
                onClick={() => onChoose(chosen === breach.name ? "" : breach.name)}
              >
                {text("domain.addresses_of", { count: breach.addresses })}
              </Button>
            </li>
          ))}
        </ul>
        {!isWhole && (
          <div>
            <Button variant="subtle" onClick={() => setAll(true)}>
              {text("domain.all_breaches", { count: breaches.length })}
            </Button>
          </div>
        )}
      </Card>
    </section>
  );
}
