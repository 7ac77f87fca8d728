import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { profileQuery } from "../api/queries.ts";
import type { Ticket, TicketKind } from "../api/support_api.ts";
import { useText } from "../app/i18n.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { Conversation } from "./conversation.tsx";
import { TICKETS_KEY } from "./queries.ts";
import { SentCard } from "./sent_card.tsx";
import classes from "./support.module.css";
import { SupportForm } from "./support_form.tsx";
import { TicketList } from "./ticket_list.tsx";
import { WORDS } from "./words.ts";

/** The support page: the form and earlier tickets, or the ticket named in the query. */
export function SupportPage({ kind }: { kind: TicketKind }) {
  const [query] = useSearchParams();
  const reference = query.get("ticket");
  return reference === null ? (
    <SupportScreen kind={kind} />
  ) : (
    <Conversation key={reference} kind={kind} reference={reference} />
  );
}

function SupportScreen({ kind }: { kind: TicketKind }) {
  const text = useText();
  const profile = useQuery(profileQuery);
  const queryClient = useQueryClient();
  const [sent, setSent] = useState<Ticket>();
  const words = WORDS[kind];
  function onSent(ticket: Ticket) {
    setSent(ticket);
    void queryClient.invalidateQueries({ queryKey: [TICKETS_KEY] });
  }
  return (
    <div className={classes.page}>
      <PageHead title={text(words.title)}>{text(words.lead)}</PageHead>
      {sent ? (
        <SentCard ticket={sent} onAnother={() => setSent(undefined)} />
      ) : (
        <Fetched query={profile} failureTitle={text("support.form_failed")} height={640}>
          {(known) => <SupportForm kind={kind} profile={known} onSent={onSent} />}
        </Fetched>
      )}
      <TicketList kind={kind} />
    </div>
  );
}
