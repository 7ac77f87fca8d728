import { NumberInput, Select, Text, Textarea } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import type { ReactNode } from "react";
import { type GrantInput, grantInput } from "../../src/billing/inputs.ts";
import { MAX_QUANTITY, PLANS, type Plan } from "../../src/shared/plans.ts";
import { becauseInput } from "../../src/shared/staff.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { useServerForm } from "../forms/forms.ts";
import { useConfirmed } from "../ui/dialog/confirmation.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { FormButtons } from "../ui/form/form_buttons.tsx";
import classes from "./staff.module.css";

type Shared = { opened: boolean; onClose: () => void; onDone: () => void };
type ReasonProps = Shared & {
  title: TextId;
  what: ReactNode;
  submit: TextId;
  danger?: boolean;
  send: (reason: string) => Promise<unknown>;
};

/** Asks for a reason, then performs the action. */
export function ReasonDialog({ opened, title, ...props }: ReasonProps) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={props.onClose} title={text(title)}>
      <ReasonForm {...props} />
    </Dialog>
  );
}

function ReasonForm({
  what,
  submit: label,
  danger = false,
  send,
  onClose,
  onDone,
}: Omit<ReasonProps, "opened" | "title">) {
  const text = useText();
  const confirmed = useConfirmed();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { reason: "" },
    validate: schemaResolver(becauseInput, { sync: true }),
    send: ({ reason }) => confirmed(() => send(reason)),
    failureTitle: "staff.failed",
    onSuccess: onDone,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Text>{what}</Text>
      <Reason {...field("reason")} />
      <FormButtons submitLabel={text(label)} danger={danger} pending={pending} onCancel={onClose} />
    </form>
  );
}

function Reason(props: object) {
  const text = useText();
  return (
    <Textarea
      label={text("staff.reason")}
      description={text("staff.reason.hint")}
      autosize
      minRows={2}
      maxLength={500}
      required
      data-autofocus
      {...props}
    />
  );
}

type GrantProps = Shared & { send: (input: GrantInput) => Promise<unknown> };

/** Grants a plan: which one, for how long, and for what reason. */
export function GrantDialog({ opened, ...props }: GrantProps) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={props.onClose} title={text("staff.grant.title")}>
      <GrantForm {...props} />
    </Dialog>
  );
}

function GrantForm({ send, onClose, onDone }: Omit<GrantProps, "opened">) {
  const text = useText();
  const confirmed = useConfirmed();
  const initialValues = { plan: "professional" as Plan, quantity: 1, days: 30, reason: "" };
  const { element, field, submit, pending } = useServerForm({
    initialValues,
    validate: schemaResolver(grantInput, { sync: true }),
    send: (input) => confirmed(() => send(input)),
    failureTitle: "staff.failed",
    onSuccess: onDone,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Text>{text("staff.grant.what")}</Text>
      <Select
        label={text("staff.grant.plan")}
        data={PLANS.map((plan) => ({ value: plan, label: text(`plan.${plan}`) }))}
        allowDeselect={false}
        {...field("plan")}
      />
      <NumberInput label={text("staff.grant.quantity")} min={1} max={MAX_QUANTITY} {...field("quantity")} />
      <NumberInput label={text("staff.grant.days")} min={1} max={3660} {...field("days")} />
      <Reason {...field("reason")} />
      <FormButtons submitLabel={text("staff.grant.submit")} pending={pending} onCancel={onClose} />
    </form>
  );
}
