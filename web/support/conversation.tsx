import { Anchor, Button, Title } from "@mantine/core";
import { IconArrowLeft, IconInfoCircle } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { toast } from "sonner";
import { post } from "../api/call.ts";
import type { Ticket, TicketKind } from "../api/support_api.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { ConversationList, TicketBadges } from "../shared/ticket_parts.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import { TICKETS_KEY, ticketQuery } from "./queries.ts";
import { ReplyForm } from "./reply_form.tsx";
import classes from "./support.module.css";
import { WORDS } from "./words.ts";

type Props = { kind: TicketKind; reference: string };

/** One ticket with its answers. */
export function Conversation({ kind, reference }: Props) {
  const text = useText();
  const query = useQuery(ticketQuery(reference));
  const { page, back } = WORDS[kind];
  return (
    <div className={classes.page}>
      <Anchor component={Link} to={`../${page}`}>
        <IconArrowLeft size={16} aria-hidden="true" /> {text(back)}
      </Anchor>
      <PageHead title={<span dir="auto">{query.data?.title ?? reference}</span>}>
        {text("support.reference")} {reference}
      </PageHead>
      <Fetched query={query} failureTitle={text("support.load_failed")} height={320}>
        {(ticket) => <Shown ticket={ticket} />}
      </Fetched>
    </div>
  );
}

function Shown({ ticket }: { ticket: Ticket }) {
  const text = useText();
  const queryClient = useQueryClient();
  const showError = useShowError("support.turn_failed");
  const { reference, state, messages } = ticket;
  const isClosed = state === "closed";
  function renew(after: Ticket) {
    queryClient.setQueryData(ticketQuery(reference).queryKey, after);
    void queryClient.invalidateQueries({ queryKey: [TICKETS_KEY] });
  }
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      isClosed
        ? post("/api/support/tickets/:reference/reopen", { params: { reference } })
        : post("/api/support/tickets/:reference/close", { params: { reference } }),
    onSuccess(after) {
      renew(after);
      toast.success(text(isClosed ? "support.reopened" : "support.closed_now"));
    },
    onError: showError,
  });
  return (
    <>
      <TicketBadges {...ticket} />
      <section className={classes.list} aria-labelledby="conversation">
        <Title order={2} id="conversation">
          {text("support.conversation")}
        </Title>
        <ConversationList messages={messages} sender={text("support.you")} />
      </section>
      {isClosed ? (
        <Notice icon={IconInfoCircle}>{text("support.is_closed")}</Notice>
      ) : (
        <Card>
          <ReplyForm ticket={ticket} onSent={renew} />
        </Card>
      )}
      <div className={classes.actions}>
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {text(isClosed ? "support.reopen" : "support.close")}
        </Button>
      </div>
    </>
  );
}
