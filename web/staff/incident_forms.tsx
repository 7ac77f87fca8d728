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
import { useServerForm } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { incidentsApi } from "../incidents_api.ts";
import { FormButtons } from "../ui/form_buttons.tsx";
import { PartFields, StateField, TextFields, TimeFields } from "./incident_fields.tsx";
import { headOf, type Incident, newValues, noTexts, valuesOf } from "./incident_values.ts";
import classes from "./incidents.module.css";

type Shared = { onDone: () => void; onCancel: () => void };

export function OpenForm({ kind, onDone, onCancel }: Shared & { kind: IncidentKind }) {
  const text = useText();
  const check = schemaResolver(openIncidentInput, { sync: true });
  const { element, field, submit, pending } = useServerForm({
    initialValues: newValues(kind, new Date()),
    validate: (values) => check({ ...values, kind, ...headOf(kind, values) } as OpenIncidentInput),
    send: (values) => incidentsApi.open({ ...values, kind, ...headOf(kind, values) }),
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
    send: (values) => incidentsApi.change(id, headOf(kind, values)),
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
  const text = useText();
  const last = updates[0]?.state;
  const state = last === "planned" || last === "running" || last === undefined ? "investigating" : last;
  const check = schemaResolver(incidentUpdateInput, { sync: true });
  const { element, field, submit, pending } = useServerForm({
    initialValues: { state, text: noTexts() },
    validate: (values) => check(values as IncidentUpdateInput),
    send: (values) => incidentsApi.tell(id, values),
    failureTitle: "incidents.failed",
    onSuccess: onDone,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <StateField kind={kind} field={field} />
      <TextFields name="text" field={field} />
      <FormButtons submitLabel={text("incidents.publish")} pending={pending} onCancel={onCancel} />
    </form>
  );
}
