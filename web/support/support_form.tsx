import { Button, Checkbox, TextInput, Title } from "@mantine/core";
import { IconShieldLock } from "@tabler/icons-react";
import { TERMS_PATHS } from "../../src/shared/terms.ts";
import {
  DESCRIPTION_MAX,
  FEEDBACK_TYPES,
  type FeedbackInput,
  PRIORITIES,
  SUBJECT_MAX,
  TICKET_TYPES,
  type TicketInput,
} from "../../src/support/inputs.ts";
import type { Profile } from "../api/api.ts";
import { post } from "../api/call.ts";
import type { Ticket, TicketKind } from "../api/support_api.ts";
import { useShowError } from "../app/errors.tsx";
import { Text, useText } from "../app/i18n.tsx";
import { type Field, useServerForm } from "../forms/forms.ts";
import { useSentKey } from "../forms/idempotency_key.ts";
import { Card } from "../ui/display/card.tsx";
import { NewTab } from "../ui/display/links.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { LeaveGuard } from "../ui/form/leave_guard.tsx";
import { OptionalLabel } from "../ui/form/optional_label.tsx";
import { Choice, CountedLine, CountedText } from "../ui/form/text_fields.tsx";
import classes from "./support.module.css";
import { bodyOf, problemsOf, startingWith, type Values } from "./values.ts";
import { WORDS } from "./words.ts";

type Props = { kind: TicketKind; profile: Profile; onSent: (ticket: Ticket) => void };

/** Keeps a draft, and sends a ticket or feedback once, however often that is tried. */
function useSupportForm({ kind, profile, onSent }: Props) {
  const words = WORDS[kind];
  const keyOf = useSentKey();
  const showError = useShowError(words.failed);
  return useServerForm<Values, Ticket>({
    initialValues: startingWith(profile),
    validate: problemsOf(kind),
    send(values) {
      const body = bodyOf(kind, values);
      const whole = { ...body, key: keyOf(body) };
      // Validation has ensured the type.
      if (kind === "ticket") return post("/api/support/tickets", { body: whole as TicketInput });
      return post("/api/support/feedback", { body: whole as FeedbackInput });
    },
    failureTitle: words.failed,
    unexpected: "support.unexpected",
    // If the server finds further errors, the dialog asks to check the form, and the fields show them.
    fieldsOf(error) {
      if (Object.keys(error.fields).length > 0) showError(error);
      return error.fields;
    },
    draft: words.page,
    onSuccess: onSent,
  });
}

/** The form for a new ticket, with the sender's details. */
export function SupportForm(props: Props) {
  const { kind } = props;
  const text = useText();
  const words = WORDS[kind];
  const { form, element, field, submit, pending } = useSupportForm(props);
  return (
    <Card>
      <form ref={element} onSubmit={submit} noValidate className={classes.form}>
        <Title order={2}>{text(words.form)}</Title>
        <Notice icon={IconShieldLock} tone="note">
          {text("support.secrets")}
        </Notice>
        <SenderFields field={field} />
        <SubjectFields kind={kind} field={field} />
        <CountedText label={text("support.description")} most={DESCRIPTION_MAX} given={field("description")} />
        <Consent given={field("privacy", "checkbox")} />
        {Object.keys(form.errors).length > 0 && (
          <p role="alert" className={classes.review}>
            {text("support.review")}
          </p>
        )}
        <div className={classes.actions}>
          <Button type="submit" size="md" loading={pending}>
            {text(words.send)}
          </Button>
        </div>
      </form>
      <LeaveGuard isUnsaved={() => form.isDirty()} />
    </Card>
  );
}

type FieldsProps = { field: Field };

function SenderFields({ field }: FieldsProps) {
  const text = useText();
  return (
    <>
      <div className={classes.pair}>
        <TextInput label={text("field.first_name")} autoComplete="given-name" {...field("firstName")} />
        <TextInput label={text("field.last_name")} autoComplete="family-name" {...field("lastName")} />
      </div>
      <div className={classes.pair}>
        <TextInput label={text("field.email")} type="email" autoComplete="email" {...field("email")} />
        <TextInput
          label={<OptionalLabel label={text("field.company")} />}
          autoComplete="organization"
          {...field("company")}
        />
      </div>
    </>
  );
}

/** What it is about; feedback has neither priority nor subject. */
function SubjectFields({ kind, field }: FieldsProps & { kind: TicketKind }) {
  const text = useText();
  const types = (kind === "ticket" ? TICKET_TYPES : FEEDBACK_TYPES).map((value) => ({
    value,
    label: text(`support.type.${value}`),
  }));
  const priorities = PRIORITIES.map((value) => ({ value, label: text(`support.priority.${value}`) }));
  return (
    <>
      <div className={classes.pair}>
        <Choice label={text("support.type")} choices={types} given={field("type")} />
        {kind === "ticket" && (
          <Choice label={text("support.priority")} choices={priorities} given={field("priority")} />
        )}
      </div>
      {kind === "ticket" && <CountedLine label={text("support.subject")} most={SUBJECT_MAX} given={field("subject")} />}
    </>
  );
}

function Consent({ given }: { given: object }) {
  return (
    <Checkbox
      label={
        <Text
          id="support.privacy"
          values={{
            link: (parts) => (
              <NewTab key="link" page={TERMS_PATHS.privacy} inherit>
                {parts}
              </NewTab>
            ),
          }}
        />
      }
      {...given}
    />
  );
}
