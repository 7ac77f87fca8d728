import { Button, Checkbox, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useId } from "react";
import { useIntl } from "react-intl";
import { Link, useParams } from "react-router";
import { isLanguage, type Language } from "../../src/shared/language.ts";
import type { Tracking } from "../api.ts";
import { useServerForm } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { ContactList } from "../ui/contact_list.tsx";
import { LANGUAGE_OPTIONS } from "../ui/language_picker.tsx";
import classes from "./track_form.module.css";
import { contactErrors, type TrackValues, trackErrors, trackingOf } from "./track_values.ts";

type Props = {
  ownEmail: string;
  /** Whom the account wants told, unless somebody says otherwise here. */
  emails: string[];
  /** Nothing is tracked yet: then one's own address is the likely first. */
  isFirst: boolean;
  language: Language | undefined;
  send: (tracking: Tracking) => Promise<{ id: string }>;
  onDone: (values: TrackValues) => void;
};

export function TrackForm({ ownEmail, emails, isFirst, language, send, onDone }: Props) {
  const text = useText();
  const { lang } = useParams();
  const { locale } = useIntl();
  const methodsId = useId();
  const { form, element, field, submit, pending } = useServerForm<TrackValues, { id: string }>({
    initialValues: {
      address: isFirst ? ownEmail : "",
      owner: isFirst,
      language: language ?? (isLanguage(locale) ? locale : "en"),
      byEmail: true,
      emails,
    },
    validate: trackErrors,
    send: (values) => send(trackingOf(values)),
    failureTitle: "track.failed",
    fieldsOf: ({ fields }) => contactErrors(fields),
    onSuccess: (_, values) => onDone(values),
  });
  const { error: methodError, ...byEmail } = field("byEmail", "checkbox");
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <TextInput label={text("track.address")} type="email" autoComplete="off" {...field("address")} />
      <Checkbox label={text("track.owner")} description={text("track.owner_hint")} {...field("owner", "checkbox")} />
      <NativeSelect
        label={text("track.language")}
        description={text("track.language_hint")}
        data={LANGUAGE_OPTIONS}
        rightSection={<IconChevronDown size={16} aria-hidden="true" />}
        {...field("language")}
      />
      <fieldset className={classes.methods} aria-describedby={methodError ? methodsId : undefined}>
        <legend>{text("track.methods")}</legend>
        <Checkbox
          label={text("channel.email")}
          description={text("track.email_hint")}
          aria-invalid={methodError ? true : undefined}
          {...byEmail}
        />
        {methodError && (
          <Text id={methodsId} role="alert" size="sm" c="var(--mantine-color-error)">
            {methodError}
          </Text>
        )}
        {form.values.byEmail && <ContactList channel="email" {...field("emails")} />}
      </fieldset>
      <Group justify="flex-end" gap="sm">
        <Button component={Link} to={`/${lang}/dashboard`} variant="default">
          {text("cancel")}
        </Button>
        <Button type="submit" loading={pending}>
          {text("track.submit")}
        </Button>
      </Group>
    </form>
  );
}
