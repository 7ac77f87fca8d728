import { Button, Group, NativeSelect, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { api, type Profile } from "../../api/api.ts";
import { instanceQuery, profileQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { ContactList } from "../../shared/contact_list.tsx";
import { isOff, shownChannels } from "../../shared/offered_channels.ts";
import { Card } from "../../ui/display/card.tsx";
import { LeaveGuard } from "../../ui/form/leave_guard.tsx";
import { OptionalLabel } from "../../ui/form/optional_label.tsx";
import { LANGUAGE_OPTIONS } from "../../ui/frame/language_picker.tsx";
import { useRefresh } from "./account_action.tsx";
import classes from "./profile.module.css";
import { listErrors, profileErrors, valuesOf } from "./profile_values.ts";

/** The profile fields that can be changed without reauthentication. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const text = useText();
  const { lang } = useParams();
  const { data: instance } = useQuery(instanceQuery);
  const done = useDone(profile);
  const saved = useRef(false);
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: valuesOf(profile),
    validate: profileErrors,
    send: api.changeProfile,
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
          <TextInput
            label={text("field.first_name")}
            autoComplete="given-name"
            attributes={{ input: { dir: "auto" } }}
            {...field("firstName")}
          />
          <TextInput
            label={text("field.last_name")}
            autoComplete="family-name"
            attributes={{ input: { dir: "auto" } }}
            {...field("lastName")}
          />
        </div>
        <div className={classes.pair}>
          <NativeSelect
            label={text("field.language")}
            description={text("register.language_hint")}
            data={LANGUAGE_OPTIONS}
            {...field("language")}
          />
          <TextInput
            label={<OptionalLabel label={text("field.company")} />}
            autoComplete="organization"
            attributes={{ input: { dir: "auto" } }}
            {...field("companyName")}
          />
        </div>
        <div className={classes.part}>
          <Title order={2}>{text("profile.contacts")}</Title>
          <Text c="dimmed" size="sm">
            {text("profile.contacts_hint")}
          </Text>
        </div>
        {shownChannels(instance?.channels, (channel) => form.values.defaultContacts[channel].length > 0).map(
          (channel) => (
            <ContactList
              key={channel}
              channel={channel}
              isOff={isOff(channel, instance?.channels)}
              {...field(`defaultContacts.${channel}`)}
            />
          ),
        )}
        {Object.keys(form.errors).length > 0 && (
          <p role="alert" className={classes.problem}>
            {text("edit.failed")}
          </p>
        )}
        <Group justify="flex-end" gap="sm">
          <Button component={Link} to={`/${lang}/profile`} variant="default">
            {text("cancel")}
          </Button>
          <Button type="submit" loading={pending}>
            {text("edit.save")}
          </Button>
        </Group>
      </form>
      <LeaveGuard isUnsaved={() => form.isDirty() && !saved.current} />
    </Card>
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
