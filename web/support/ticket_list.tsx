import { Anchor, Title } from "@mantine/core";
import { IconMessages } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import type { TicketKind } from "../api/support_api.ts";
import { useText } from "../app/i18n.tsx";
import { StateBadge } from "../shared/ticket_parts.tsx";
import { Card } from "../ui/display/card.tsx";
import { Ago } from "../ui/display/dates.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { Pager } from "../ui/display/pager.tsx";
import rows from "../ui/display/rows.module.css";
import { ticketsQuery } from "./queries.ts";
import classes from "./support.module.css";
import { WORDS } from "./words.ts";

/** The account's tickets with their states. */
export function TicketList({ kind }: { kind: TicketKind }) {
  const text = useText();
  const [page, setPage] = useState(1);
  const query = useQuery(ticketsQuery(kind, page));
  const words = WORDS[kind];
  return (
    <section className={classes.list} aria-labelledby="own-tickets">
      <Title order={2} id="own-tickets">
        {text(words.list)}
      </Title>
      <Card>
        <Fetched query={query} failureTitle={text(words.list_failed)} height={120}>
          {({ items, total, pageSize, page: shown }) =>
            total === 0 ? (
              <EmptyState icon={IconMessages} title={text(words.none)}>
                {text("support.none_text")}
              </EmptyState>
            ) : (
              <>
                <ul className={rows.rows}>
                  {items.map(({ reference, title, state, changedAt }) => (
                    <li key={reference} className={rows.row}>
                      <div className={rows.words}>
                        <h3 className={rows.name}>
                          <Anchor component={Link} to={`../${words.page}?ticket=${reference}`} inherit dir="auto">
                            {title}
                          </Anchor>
                        </h3>
                        <p className={rows.facts}>
                          <span>{reference}</span>
                          <span>
                            {text("support.changed")} <Ago iso={changedAt} />
                          </span>
                        </p>
                      </div>
                      <StateBadge state={state} />
                    </li>
                  ))}
                </ul>
                <Pager page={shown} pageSize={pageSize} total={total} onPage={setPage} />
              </>
            )
          }
        </Fetched>
      </Card>
    </section>
  );
}
