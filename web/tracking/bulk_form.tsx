import { Button, Checkbox, Group } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import type { Channel } from "../../src/shared/contacts.ts";
import { ASKER_LIMIT } from "../../src/shared/stranger_mail.ts";
import { isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { Notice } from "../ui/display/notice.tsx";
import { nameOf } from "../ui/frame/language_picker.tsx";
import { AlertFields, InvitationLanguage } from "./alert_fields.tsx";
import { fieldErrors } from "./contact_values.ts";
import classes from "./track_form.module.css";
import { bulkErrors, bulkOf, type SettingValues } from "./track_values.ts";

type Props = {
  addresses: string[];
  initialValues: SettingValues;
  offered: readonly Channel[] | undefined;
  /** Called when the server refuses: the list must be validated again. */
  onRefused: () => void;
  onDone: (count: number) => void;
};

/** The settings for all addresses of a list. Either all of them are added or none. */
export function BulkForm({ addresses, initialValues, offered, onRefused, onDone }: Props) {
  const text = useText();
  const { form, element, field, submit, pending } = useServerForm<SettingValues, { added: number }>({
    initialValues,
    validate: (values) => bulkErrors(addresses, values),
    async send(values) {
      try {
        return await post("/api/associations/bulk", { body: bulkOf(addresses, values) });
      } catch (error) {
        // If the server was unreachable, the validation result still holds.
        if (!isApiError(error) || error.code !== "UNREACHABLE") onRefused();
        throw error;
      }
    },
    failureTitle: "bulk.failed",
    // Errors of single addresses are shown in the list.
    fieldsOf: ({ fields }) =>
      fieldErrors(Object.fromEntries(Object.entries(fields).filter(([path]) => !path.startsWith("addresses")))),
    onSuccess: ({ added }) => onDone(added),
    draft: "new-track/settings",
  });
  const { owner, language, invitationLanguage } = form.values;
  const step = owner ? "ownership" : "invitation";
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Checkbox label={text("bulk.owner")} description={text("track.owner_hint")} {...field("owner", "checkbox")} />
      {!owner && <InvitationLanguage field={field} />}
      <AlertFields
        languageHint="bulk.language_hint"
        field={field}
        values={form.values}
        offered={offered}
        onChoose={() => form.clearFieldError("methods")}
      />
      <Notice icon={IconInfoCircle}>
        {text(`bulk.next_${step}`, {
          language: nameOf(owner ? language : invitationLanguage),
          perDay: ASKER_LIMIT.count,
        })}
      </Notice>
      <Group justify="flex-end">
        <Button type="submit" loading={pending}>
          {text("bulk.submit", { count: addresses.length })}
        </Button>
      </Group>
    </form>
  );
}
