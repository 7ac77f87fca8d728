import { Button, Checkbox, SegmentedControl, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import * as v from "valibot";
import { contactInput } from "../../src/notifications/inputs.ts";
import type { Channel } from "../../src/shared/contacts.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import { api, type ContactHealth } from "../api/api.ts";
import { instanceQuery, useRefreshContacts } from "../api/queries.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { type Field, useServerForm } from "../forms/forms.ts";
import { contactName } from "../shared/contact_name.ts";
import { InboxLink } from "../shared/inbox_link.tsx";
import { isOff, shownChannels } from "../shared/offered_channels.ts";
import { Card } from "../ui/display/card.tsx";
import classes from "./add_contact.module.css";
import { PushDevice } from "./push_device.tsx";

type Values = { channel: Channel; value: string; everywhere: boolean };

const EMPTY: Values = { channel: "email", value: "", everywhere: true };

function useAddContact() {
  const text = useText();
  const language = useLanguage();
  const refresh = useRefreshContacts();
  const added = useServerForm<Values, ContactHealth>({
    initialValues: EMPTY,
    validate(values) {
      const { issues = [] } = v.safeParse(contactInput, { ...values, language });
      return issues.length === 0 ? {} : { value: "CONTACT_INVALID" satisfies ErrorCode };
    },
    send: (values) => api.addContact({ ...values, language }),
    failureTitle: "contact_add.failed",
    draft: "new-contact",
    onSuccess(contact) {
      toast.success(text("contact_add.done", { value: contactName(contact) }));
      added.form.setFieldValue("value", "");
      void refresh();
    },
  });
  return added;
}

/** The channels to choose from; those that this server has not configured are disabled. */
function useChannelChoices() {
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  return shownChannels(instance?.channels).map((value) => ({
    value,
    label: text(`channel.${value}`),
    disabled: isOff(value, instance?.channels),
  }));
}

/** Adds a contact to all tracked addresses, or only to later ones. */
export function AddContact() {
  const text = useText();
  const { form, element, field, submit, pending } = useAddContact();
  const channels = useChannelChoices();
  const narrow = channels.length > 5 ? "(max-width: 48em)" : "(max-width: 36em)";
  const isStacked = useMediaQuery(narrow) === true && channels.length > 3;
  const { channel } = form.values;
  return (
    <Card className={classes.card}>
      <form ref={element} onSubmit={submit} noValidate className={classes.form}>
        <h2 className={classes.title}>{text("contact_add.title")}</h2>
        <SegmentedControl
          aria-label={text("contact_add.channel")}
          orientation={isStacked ? "vertical" : "horizontal"}
          fullWidth={isStacked}
          data={channels}
          {...field("channel")}
          onChange={(chosen) => {
            form.clearErrors();
            form.setFieldValue("channel", chosen as Channel);
          }}
        />
        {channel === "webpush" ? (
          <PushDevice everywhere={form.values.everywhere} />
        ) : (
          <TypedContact {...{ channel, field, pending }} />
        )}
        <Checkbox
          label={text("contact_add.everywhere")}
          description={text("contact_add.everywhere_hint")}
          {...field("everywhere", "checkbox")}
        />
      </form>
    </Card>
  );
}

type TypedProps = { channel: Channel; field: Field; pending: boolean };

function TypedContact({ channel, field, pending }: TypedProps) {
  const text = useText();
  return (
    <>
      <div className={classes.line}>
        <TextInput
          className={classes.value}
          label={text(`contacts.${channel}_placeholder`)}
          type={channel === "email" ? "email" : "text"}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...field("value")}
        />
        <Button type="submit" loading={pending} leftSection={<IconPlus size={18} aria-hidden="true" />}>
          {text("contact_add.submit")}
        </Button>
      </div>
      <InboxLink channel={channel} />
    </>
  );
}
