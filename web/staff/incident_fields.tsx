import { Checkbox, Group, Select, Textarea, TextInput } from "@mantine/core";
import { useIntl } from "react-intl";
import { INCIDENT_STATES, type IncidentKind, PARTS } from "../../src/operations/inputs.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { useText } from "../app/i18n.tsx";
import type { useServerForm } from "../forms/forms.ts";
import { useChannelName } from "../shared/channel_name.ts";
import classes from "./incidents.module.css";

type Field = ReturnType<typeof useServerForm>["field"];
type TextsProps = { name: "title" | "text"; field: Field };

/** English is required, as the fallback for all other languages. */
export function TextFields({ name, field }: TextsProps) {
  const text = useText();
  const { formatDisplayName } = useIntl();
  const label = text(`incidents.field_${name}`);
  const labelIn = (language: string) =>
    text("incidents.in_language", { label, language: formatDisplayName(language, { type: "language" }) ?? language });
  const fieldOf = (language: string) =>
    name === "title" ? (
      <TextInput key={language} label={labelIn(language)} lang={language} {...field(`${name}.${language}`)} />
    ) : (
      <Textarea
        key={language}
        label={labelIn(language)}
        lang={language}
        autosize
        minRows={3}
        {...field(`${name}.${language}`)}
      />
    );
  return (
    <>
      {fieldOf("en")}
      <details className={classes.others}>
        <summary>{text("incidents.other_languages")}</summary>
        <p>{text("incidents.other_hint")}</p>
        {LANGUAGES.filter((language) => language !== "en").map(fieldOf)}
      </details>
    </>
  );
}

export function PartFields({ field }: { field: Field }) {
  const text = useText();
  const nameOf = useChannelName();
  const labelOf = (part: (typeof PARTS)[number]) =>
    part === "website" || part === "checks" || part === "payments" ? text(`service_status.part_${part}`) : nameOf(part);
  return (
    <Checkbox.Group label={text("incidents.field_parts")} {...field("parts")}>
      <Group mt={6} gap="sm">
        {PARTS.map((part) => (
          <Checkbox key={part} value={part} label={labelOf(part)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

export function TimeFields({ kind, field }: { kind: IncidentKind; field: Field }) {
  const text = useText();
  const hint = text("incidents.zone_hint");
  return (
    <div className={classes.pair}>
      <TextInput
        type="datetime-local"
        label={text("incidents.field_starts")}
        description={hint}
        {...field("startsAt")}
      />
      {kind === "maintenance" && (
        <TextInput type="datetime-local" label={text("incidents.field_ends")} description={hint} {...field("endsAt")} />
      )}
    </div>
  );
}

/** A maintenance changes its state by schedule, unless it is marked as completed. */
export function StateField({ kind, field }: { kind: IncidentKind; field: Field }) {
  const text = useText();
  const states = kind === "incident" ? INCIDENT_STATES : (["investigating", "resolved"] as const);
  const labelOf = (state: (typeof INCIDENT_STATES)[number]) =>
    kind === "maintenance" && state !== "resolved" ? text("incidents.goes_on") : text(`service_status.state_${state}`);
  return (
    <Select
      label={text("incidents.field_state")}
      data={states.map((value) => ({ value, label: labelOf(value) }))}
      allowDeselect={false}
      {...field("state")}
    />
  );
}
