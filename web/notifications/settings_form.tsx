import { Checkbox, NativeSelect, Stack } from "@mantine/core";
import { toast } from "sonner";
import { CHATS, isChat } from "../../src/shared/chats.ts";
import type { ContactHealth } from "../api/api.ts";
import { put } from "../api/call.ts";
import { useRefreshContacts } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { type Field, useServerForm } from "../forms/forms.ts";
import { contactName } from "../shared/contact_name.ts";
import { FormButtons } from "../ui/form/form_buttons.tsx";
import { LANGUAGE_OPTIONS } from "../ui/frame/language_picker.tsx";
import { PushoverFields } from "./pushover_fields.tsx";
import {
  draftOfSettings,
  ownZone,
  type SettingsValues,
  settingsErrors,
  settingsFields,
  settingsOf,
  settingsValuesOf,
} from "./settings_values.ts";
import { TimeFields } from "./time_fields.tsx";

type Props = { contact: ContactHealth; onClose: () => void };

/** A contact's settings: quiet hours, priority, digest and language. */
export function SettingsForm({ contact, onClose }: Props) {
  const text = useText();
  const refresh = useRefreshContacts();
  const { id, channel, settings } = contact;
  const { form, element, field, submit, pending } = useServerForm<SettingsValues, ContactHealth>({
    initialValues: settingsValuesOf(contact, ownZone()),
    validate: settingsErrors,
    send: (values) => put("/api/contacts/:id/settings", { params: { id }, body: settingsOf(values) }),
    failureTitle: "contact_settings.failed",
    fieldsOf: ({ fields }) => settingsFields(fields),
    draft: draftOfSettings(id),
    onSuccess() {
      toast.success(text("contact_settings.saved", { value: contactName(contact) }));
      void refresh();
      onClose();
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TimeFields field={field} values={form.values} />
        <Words field={field} isShared={isChat(channel) && CHATS[channel].isShared} />
        {channel === "pushover" && <PushoverFields field={field} devices={settings.devices} />}
        <FormButtons submitLabel={text("contact_settings.save")} pending={pending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

function Words({ field, isShared }: { field: Field; isShared: boolean }) {
  const text = useText();
  return (
    <>
      <NativeSelect
        label={text("contact_settings.language")}
        data={[{ value: "", label: text("contact_settings.language_default") }, ...LANGUAGE_OPTIONS]}
        {...field("language")}
      />
      <Checkbox
        label={text("contact_settings.discreet")}
        description={text(isShared ? "contact_settings.discreet_chat_hint" : "contact_settings.discreet_hint")}
        {...field("discreet", "checkbox")}
      />
    </>
  );
}
