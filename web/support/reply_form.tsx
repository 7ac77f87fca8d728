import { Button } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { toast } from "sonner";
import { DESCRIPTION_MAX, postInput } from "../../src/support/inputs.ts";
import { post } from "../api/call.ts";
import type { Ticket } from "../api/support_api.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { NO_KEY, useSentKey } from "../forms/idempotency_key.ts";
import { LeaveGuard } from "../ui/form/leave_guard.tsx";
import { CountedText } from "../ui/form/text_fields.tsx";
import classes from "./support.module.css";

const check = schemaResolver(postInput, { sync: true });

type Props = { ticket: Ticket; onSent: (after: Ticket) => void };

/** A follow-up message to a ticket. */
export function ReplyForm({ ticket: { reference, messages }, onSent }: Props) {
  const text = useText();
  const keyOf = useSentKey();
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { text: "" },
    validate: (values) => check({ ...values, key: NO_KEY }),
    // The number of messages is part of the key: the same text sent later is a new message.
    send: (values) =>
      post("/api/support/tickets/:reference/messages", {
        params: { reference },
        body: { ...values, key: keyOf([values, messages.length]) },
      }),
    failureTitle: "support.reply_failed",
    unexpected: "support.unexpected",
    draft: `support-${reference}`,
    onSuccess(after) {
      form.reset();
      toast.success(text("support.reply_sent"));
      onSent(after);
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <CountedText label={text("support.reply")} most={DESCRIPTION_MAX} given={field("text")} />
      <div className={classes.actions}>
        <Button type="submit" loading={pending}>
          {text("support.reply_send")}
        </Button>
      </div>
      <LeaveGuard isUnsaved={() => form.isDirty()} />
    </form>
  );
}
