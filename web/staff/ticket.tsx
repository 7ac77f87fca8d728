import { Anchor, Button, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { toast } from "sonner";
import { TICKET_STATES } from "../../src/support/inputs.ts";
import { get, post } from "../api/call.ts";
import { LOOK_AGAIN_MS } from "../api/queries.ts";
import type { StaffTicket } from "../api/staff_tickets_api.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { ConversationList, TicketBadges } from "../shared/ticket_parts.tsx";
import { Address } from "../ui/display/address.tsx";
import { Card } from "../ui/display/card.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { languageName } from "../ui/frame/language_name.ts";
import { AnswerForm } from "./answer_form.tsx";
import { Facts, Part } from "./part.tsx";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

const KEY = "/api/staff/tickets";

/** One ticket with its sender, conversation and actions. */
export default function StaffTicketPage() {
  const text = useText();
  const { reference = "" } = useParams();
  const query = useQuery({
    queryKey: [KEY, "one", reference],
    queryFn: () => get("/api/staff/tickets/:reference", { params: { reference } }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <StaffPage title={<span dir="auto">{query.data?.title ?? reference}</span>} lead={reference}>
      <Fetched query={query} failureTitle={text("support.load_failed")} height={420}>
        {(ticket) => <Shown ticket={ticket} />}
      </Fetched>
    </StaffPage>
  );
}

function Shown({ ticket }: { ticket: StaffTicket }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { reference, state, messages, firstName, lastName } = ticket;
  function renew(after: StaffTicket) {
    queryClient.setQueryData([KEY, "one", reference], after);
    void queryClient.invalidateQueries({ queryKey: [KEY] });
  }
  const { mutate, isPending } = useMutation({
    mutationFn: (wanted: StaffTicket["state"]) =>
      post("/api/staff/tickets/:reference/state", { params: { reference }, body: { state: wanted } }),
    onSuccess(after) {
      renew(after);
      toast.success(text("tickets.state_set"));
    },
    onError: useShowError("support.turn_failed"),
  });
  return (
    <>
      <Card className={classes.card}>
        <TicketBadges {...ticket} />
        <SenderFacts ticket={ticket} />
      </Card>
      <section aria-labelledby="conversation" className={classes.card}>
        <Title order={2} size="h3" id="conversation">
          {text("support.conversation")}
        </Title>
        <ConversationList messages={messages} sender={`${firstName} ${lastName}`} />
      </section>
      <Card>
        <AnswerForm ticket={ticket} onSent={renew} />
      </Card>
      <Part title={text("tickets.set_state")}>
        <div className={classes.filters}>
          {TICKET_STATES.filter((other) => other !== state).map((other) => (
            <Button key={other} variant="default" loading={isPending} onClick={() => mutate(other)}>
              {text(`support.state.${other}`)}
            </Button>
          ))}
        </div>
      </Part>
    </>
  );
}

function SenderFacts({ ticket }: { ticket: StaffTicket }) {
  const text = useText();
  const { firstName, lastName, email, company, language, createdAt, accountId } = ticket;
  const name = (
    <Anchor component={Link} to={`../staff/users/${accountId}`} underline="always">
      <span dir="auto">{`${firstName} ${lastName}`}</span>
    </Anchor>
  );
  return (
    <Facts
      facts={[
        [text("tickets.from"), name],
        [text("field.email"), <Address key="email">{email}</Address>],
        [text("field.company"), company ?? "–"],
        [text("tickets.language"), languageName(language)],
        [text("support.created"), <Moment key="at" iso={createdAt} withTime />],
      ]}
    />
  );
}
