import { Anchor, NativeSelect, TextInput } from "@mantine/core";
import { IconMessages, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { FEEDBACK_TYPES, PRIORITIES, TICKET_KINDS, TICKET_STATES, TICKET_TYPES } from "../../src/support/inputs.ts";
import { get } from "../api/call.ts";
import { LOOK_AGAIN_MS } from "../api/queries.ts";
import type { StaffTicketPage, TicketsAsked } from "../api/staff_tickets_api.ts";
import { useText } from "../app/i18n.tsx";
import { TicketBadges } from "../shared/ticket_parts.tsx";
import { Card } from "../ui/display/card.tsx";
import { Ago } from "../ui/display/dates.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { Pager } from "../ui/display/pager.tsx";
import rows from "../ui/display/rows.module.css";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

const WAITING: TicketsAsked = { kind: "", state: "open", type: "", priority: "", search: "", page: 1 };

/** Support tickets; those that wait for an answer first. */
export default function Tickets() {
  const text = useText();
  const [asked, setAsked] = useState(WAITING);
  const query = useQuery({
    queryKey: ["/api/staff/tickets", asked],
    queryFn: () => get("/api/staff/tickets", { query: asked }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
    staleTime: 0,
  });
  const ask = (change: Partial<TicketsAsked>) => setAsked((before) => ({ ...before, page: 1, ...change }));
  return (
    <StaffPage title={text("tickets.title")} lead={text("tickets.lead")}>
      <Filters asked={asked} onAsk={ask} />
      <Card>
        <Fetched query={query} failureTitle={text("tickets.list_failed")} height={320}>
          {(page) => <Rows {...page} onPage={(wanted) => ask({ page: wanted })} />}
        </Fetched>
      </Card>
    </StaffPage>
  );
}

type FiltersProps = { asked: TicketsAsked; onAsk: (change: Partial<TicketsAsked>) => void };

function Filters({ asked, onAsk }: FiltersProps) {
  const text = useText();
  const all = { value: "", label: text("tickets.all") };
  const types = { ticket: TICKET_TYPES, feedback: FEEDBACK_TYPES, "": [...TICKET_TYPES, ...FEEDBACK_TYPES] };
  const filters = [
    ["state", text("support.state"), TICKET_STATES.map((value) => ({ value, label: text(`support.state.${value}`) }))],
    ["kind", text("tickets.kind"), TICKET_KINDS.map((value) => ({ value, label: text(`tickets.kind.${value}`) }))],
    [
      "type",
      text("support.type"),
      types[asked.kind as keyof typeof types].map((value) => ({ value, label: text(`support.type.${value}`) })),
    ],
    [
      "priority",
      text("support.priority"),
      PRIORITIES.map((value) => ({ value, label: text(`support.priority.${value}`) })),
    ],
  ] as const;
  return (
    <search className={classes.filters}>
      <TextInput
        label={text("tickets.search")}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={asked.search}
        maxLength={40}
        onChange={({ currentTarget }) => onAsk({ search: currentTarget.value })}
      />
      {filters.map(([name, label, choices]) => (
        <NativeSelect
          key={name}
          label={label}
          data={[all, ...choices]}
          value={asked[name]}
          // Each kind has its own types, so changing the kind resets the type.
          onChange={({ currentTarget: { value } }) => onAsk({ ...(name === "kind" && { type: "" }), [name]: value })}
        />
      ))}
    </search>
  );
}

function Rows({ items, total, page, pageSize, onPage }: StaffTicketPage & { onPage: (page: number) => void }) {
  const text = useText();
  if (total === 0)
    return (
      <EmptyState order={2} icon={IconMessages} title={text("tickets.none")}>
        {text("tickets.none_text")}
      </EmptyState>
    );
  return (
    <>
      <ul className={rows.rows}>
        {items.map(({ reference, title, sender, changedAt, ...facts }) => (
          <li key={reference} className={rows.row}>
            <div className={rows.words}>
              <h2 className={rows.name}>
                <Anchor component={Link} to={`../staff/tickets/${reference}`} inherit dir="auto">
                  {title}
                </Anchor>
              </h2>
              <p className={rows.facts}>
                <span>{reference}</span>
                <span dir="auto">{sender}</span>
                <Ago iso={changedAt} />
              </p>
            </div>
            <TicketBadges {...facts} />
          </li>
        ))}
      </ul>
      <Pager page={page} pageSize={pageSize} total={total} onPage={onPage} />
    </>
  );
}
