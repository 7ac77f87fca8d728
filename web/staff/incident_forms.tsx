import { Text } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import {
  type ChangeIncidentInput,
  changeIncidentInput,
  type IncidentKind,
  type IncidentUpdateInput,
  incidentUpdateInput,
  type OpenIncidentInput,
  openIncidentInput,
} from "../../src/operations/inputs.ts";
import { post, put } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { useServerForm } from "../forms/forms.ts";
import { FormButtons } from "../ui/form/form_buttons.tsx";
import { PartFields, StateField, TextFields, TimeFields } from "./incident_fields.tsx";
import {
  headOf,
  type Incident,
  type NewsValues,
  newValues,
  noTexts,
  textsOf,
  typedState,
  type Update,
  valuesOf,
} from "./incident_values.ts";
import classes from "./incidents.module.css";

type Shared = { onDone: () => void; onCancel: () => void };

export function OpenForm({ kind, onDone, onCancel }: Shared & { kind: IncidentKind }) {
  const text = useText();
  const check = schemaResolver(openIncidentInput, { sync: true });
  const { element, field, submit, pending } = useServerForm({
    initialValues: newValues(kind, new Date()),
    validate: (values) => check({ ...values, kind, ...headOf(kind, values) } as OpenIncidentInput),
    send: (values) => post("/api/staff/incidents", { body: { ...values, kind, ...headOf(kind, values) } }),
    failureTitle: "incidents.failed",
    onSuccess: onDone,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <TextFields name="title" field={field} />
      {kind === "incident" && <StateField kind={kind} field={field} />}
      <TimeFields kind={kind} field={field} />
      <PartFields field={field} />
      <TextFields name="text" field={field} />
      <FormButtons submitLabel={text("incidents.publish")} pending={pending} onCancel={onCancel} />
    </form>
  );
}

export function ChangeForm({ incident, onDone, onCancel }: Shared & { incident: Incident }) {
  const { id, kind } = incident;
  const text = useText();
  const check = schemaResolver(changeIncidentInput, { sync: true });
  const { element, field, submit, pending } = useServerForm({
    initialValues: valuesOf(incident),
    validate: (values) => check(headOf(kind, values) as ChangeIncidentInput),
    send: (values) => put("/api/staff/incidents/:id", { params: { id }, body: headOf(kind, values) }),
    failureTitle: "incidents.failed",
    onSuccess: onDone,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <TextFields name="title" field={field} />
      <TimeFields kind={kind} field={field} />
      <PartFields field={field} />
      <FormButtons submitLabel={text("incidents.save")} pending={pending} onCancel={onCancel} />
    </form>
  );
}

export function NewsForm({ incident: { id, kind, updates }, onDone, onCancel }: Shared & { incident: Incident }) {
  const values = { state: typedState(updates[0]?.state), text: noTexts() };
  const send = (given: NewsValues) => post("/api/staff/incidents/:id/updates", { params: { id }, body: given });
  return (
    <TellForm
      kind={kind}
      values={values}
      send={send}
      onDone={onDone}
      onCancel={onCancel}
      submitLabel="incidents.publish"
    />
  );
}

/** Corrects an update that has been published. */
export function CorrectionForm({
  incident: { id, kind },
  update,
  onDone,
  onCancel,
}: Shared & { incident: Incident; update: Update }) {
  const text = useText();
  const values = { state: typedState(update.state), text: textsOf(update.text) };
  const send = (given: NewsValues) =>
    put("/api/staff/incidents/:id/updates/:updateId", { params: { id, updateId: update.id }, body: given });
  return (
    <>
      <Text mb="md">{text("incidents.change_news_text")}</Text>
      <TellForm
        kind={kind}
        values={values}
        send={send}
        onDone={onDone}
        onCancel={onCancel}
        submitLabel="incidents.save"
      />
    </>
  );
}

type TellProps = Shared & {
  kind: IncidentKind;
  values: NewsValues;
  submitLabel: TextId;
  send: (given: NewsValues) => Promise<unknown>;
};

function TellForm({ kind, values, submitLabel, send, onDone, onCancel }: TellProps) {
  const text = useText();
  const check = schemaResolver(incidentUpdateInput, { sync: true });
  const { element, field, submit, pending } = useServerForm({
    initialValues: values,
    validate: (given) => check(given as IncidentUpdateInput),
    send,
    failureTitle: "incidents.failed",
    onSuccess: onDone,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <StateField kind={kind} field={field} />
      <TextFields name="text" field={field} />
      <FormButtons submitLabel={text(submitLabel)} pending={pending} onCancel={onCancel} />
    </form>
  );
}
