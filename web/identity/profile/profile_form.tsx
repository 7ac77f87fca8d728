import { Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import type { Profile } from "../../api/api.ts";
import { put } from "../../api/call.ts";
import { instanceQuery, profileQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import { type Field, useServerForm } from "../../forms/forms.ts";
import { ContactList } from "../../shared/contact_list.tsx";
import { useFormChannels } from "../../shared/form_channels.tsx";
import { isOff } from "../../shared/offered_channels.ts";
import { Card } from "../../ui/display/card.tsx";
import { PageFormButtons } from "../../ui/form/form_buttons.tsx";
import { LeaveGuard } from "../../ui/form/leave_guard.tsx";
import { LanguageAndCompany, NameFields } from "../person_fields.tsx";
import { useRefresh } from "./account_action.tsx";
import classes from "./profile.module.css";
import { listErrors, type ProfileValues, profileErrors, valuesOf } from "./profile_values.ts";

/** The profile fields that can be changed without reauthentication. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const text = useText();
  const done = useDone(profile);
  const saved = useRef(false);
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: valuesOf(profile),
    validate: profileErrors,
    send: (body) => put("/api/profile", { body }),
    failureTitle: "edit.failed",
    fieldsOf: ({ fields }) => listErrors(fields),
    draft: "profile-edit",
    onSuccess: (answer) => {
      saved.current = true;
      done(answer);
    },
  });
  return (
    <Card>
      <form ref={element} onSubmit={submit} noValidate className={classes.form}>
        <Title order={2}>{text("edit.details")}</Title>
        <div className={classes.pair}>
          <NameFields field={field} />
        </div>
        <div className={classes.pair}>
          <LanguageAndCompany field={field} />
        </div>
        <DefaultContacts values={form.values.defaultContacts} field={field} />
        {Object.keys(form.errors).length > 0 && (
          <p role="alert" className={classes.problem}>
            {text("edit.failed")}
          </p>
        )}
        <PageFormButtons cancelTo="profile" submitLabel={text("edit.save")} pending={pending} />
      </form>
      <LeaveGuard isUnsaved={() => form.isDirty() && !saved.current} />
    </Card>
  );
}

type ContactsProps = { values: ProfileValues["defaultContacts"]; field: Field };

/** Where alerts go unless an address has contacts of its own. */
function DefaultContacts({ values, field }: ContactsProps) {
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  const { channels, more } = useFormChannels(instance?.channels, (channel) => values[channel].length > 0);
  return (
    <>
      <div className={classes.part}>
        <Title order={2}>{text("profile.contacts")}</Title>
        <Text c="dimmed" size="sm">
          {text("profile.contacts_hint")}
        </Text>
      </div>
      {channels.map((channel) => (
        <ContactList
          key={channel}
          channel={channel}
          isOff={isOff(channel, instance?.channels)}
          {...field(`defaultContacts.${channel}`)}
        />
      ))}
      {more}
    </>
  );
}

/** Returns to the profile, in the account's new language if that was changed. */
function useDone(before: Profile) {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  const queryClient = useQueryClient();
  const refresh = useRefresh("/api/profile", "/api/me");
  return (after: Profile) => {
    queryClient.setQueryData(profileQuery.queryKey, after);
    void refresh();
    toast.success(text("edit.saved"));
    void navigate(`/${after.language === before.language ? lang : after.language}/profile`);
  };
}
