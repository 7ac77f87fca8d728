import { Button, Checkbox, Group, TextInput } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link, useParams } from "react-router";
import type { Channel } from "../../src/shared/contacts.ts";
import type { Tracking } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { Notice } from "../ui/display/notice.tsx";
import { nameOf } from "../ui/frame/language_picker.tsx";
import { AlertFields } from "./alert_fields.tsx";
import { fieldErrors } from "./contact_values.ts";
import classes from "./track_form.module.css";
import { type NextStep, nextStep, type TrackValues, trackErrors, trackingOf } from "./track_values.ts";

type Props = {
  initialValues: TrackValues;
  ownEmail: string;
  offered: readonly Channel[] | undefined;
  send: (tracking: Tracking) => Promise<{ id: string }>;
  onDone: (step: NextStep, values: TrackValues) => void;
};

export function TrackForm({ initialValues, ownEmail, offered, send, onDone }: Props) {
  const text = useText();
  const { lang } = useParams();
  const { form, element, field, submit, pending } = useServerForm<TrackValues, { id: string }>({
    initialValues,
    validate: trackErrors,
    send: (values) => send(trackingOf(values)),
    failureTitle: "track.failed",
    fieldsOf: ({ fields }) => fieldErrors(fields),
    onSuccess: (_, values) => onDone(nextStep(values, ownEmail), values),
    draft: "new-track",
  });
  const address = field("address");
  const step = nextStep(form.values, ownEmail);
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        label={text("track.address")}
        type="email"
        autoComplete="off"
        {...address}
        onChange={(event) => {
          address.onChange(event);
          if (event.currentTarget.value !== form.values.address) form.setFieldValue("owner", false);
        }}
      />
      <Checkbox label={text("track.owner")} description={text("track.owner_hint")} {...field("owner", "checkbox")} />
      <AlertFields
        languageHint="track.language_hint"
        field={field}
        values={form.values}
        offered={offered}
        onChoose={() => form.clearFieldError("methods")}
      />
      <Notice icon={IconInfoCircle}>
        <div aria-live="polite">{text(`track.next_${step}`, { language: nameOf(form.values.language) })}</div>
      </Notice>
      <Group justify="flex-end" gap="sm">
        <Button component={Link} to={`/${lang}/dashboard`} variant="default">
          {text("cancel")}
        </Button>
        <Button type="submit" loading={pending}>
          {text(step === "own" ? "track.submit" : `track.submit_${step}`)}
        </Button>
      </Group>
    </form>
  );
}
