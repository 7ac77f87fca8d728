import { Button } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { toast } from "sonner";
import { DESCRIPTION_MAX, postInput } from "../../src/support/inputs.ts";
import { post } from "../api/call.ts";
import type { StaffTicket } from "../api/staff_tickets_api.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { NO_KEY, useSentKey } from "../forms/idempotency_key.ts";
import { LeaveGuard } from "../ui/form/leave_guard.tsx";
import { CountedText } from "../ui/form/text_fields.tsx";
import { languageName } from "../ui/frame/language_name.ts";
import classes from "./staff.module.css";

const check = schemaResolver(postInput, { sync: true });

type Props = { ticket: StaffTicket; onSent: (after: StaffTicket) => void };

/** The staff's answer to a ticket, sent by mail. */
export function AnswerForm({ ticket: { reference, messages, email, language }, onSent }: Props) {
  const text = useText();
  const keyOf = useSentKey();
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { text: "" },
    validate: (values) => check({ ...values, key: NO_KEY }),
    send: (values) =>
      post("/api/staff/tickets/:reference/answers", {
        params: { reference },
        body: { ...values, key: keyOf([values, messages.length]) },
      }),
    failureTitle: "tickets.answer_failed",
    draft: `answer-${reference}`,
    onSuccess(after) {
      form.reset();
      toast.success(text("tickets.answer_sent"));
      onSent(after);
    },
  });
  const hint = text("tickets.answer_hint", { email, language: languageName(language) });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <CountedText label={text("tickets.answer")} hint={hint} most={DESCRIPTION_MAX} given={field("text")} />
      <div>
        <Button type="submit" loading={pending}>
          {text("tickets.answer_send")}
        </Button>
      </div>
      <LeaveGuard isUnsaved={() => form.isDirty()} />
    </form>
  );
}
