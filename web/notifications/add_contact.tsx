import { Button, Checkbox, Chip, Group, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import * as v from "valibot";
import { contactInput } from "../../src/notifications/inputs.ts";
import { isChat } from "../../src/shared/chats.ts";
import { type Channel, type ConnectedChannel, isConnected } from "../../src/shared/contacts.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import { type Answer, post } from "../api/call.ts";
import { instanceQuery, useRefreshContacts } from "../api/queries.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { type Field, useServerForm } from "../forms/forms.ts";
import { useChannelName } from "../shared/channel_name.ts";
import { ConnectChat } from "../shared/connect_chat.tsx";
import { contactName } from "../shared/contact_name.ts";
import { InboxLink } from "../shared/inbox_link.tsx";
import { isOff, shownChannels } from "../shared/offered_channels.ts";
import { Card } from "../ui/display/card.tsx";
import classes from "./add_contact.module.css";
import { todoOf } from "./contact_state.ts";
import { PushDevice } from "./push_device.tsx";

type Values = { channel: Channel; value: string; everywhere: boolean };

const EMPTY: Values = { channel: "email", value: "", everywhere: true };

function useAddContact() {
  const text = useText();
  const language = useLanguage();
  const refresh = useRefreshContacts();
  const added = useServerForm<Values, Answer<"/api/contacts", "$post">>({
    initialValues: EMPTY,
    validate(values) {
      const { issues = [] } = v.safeParse(contactInput, { ...values, language });
      return issues[0] ? { value: issues[0].message as ErrorCode } : {};
    },
    send: (values) => post("/api/contacts", { body: { ...values, language } }),
    failureTitle: "contact_add.failed",
    draft: "new-contact",
    onSuccess(contact) {
      const value = contactName(contact);
      const todo = todoOf(contact);
      if (contact.added) toast.success(text("contact_add.done", { value }));
      else toast.info(text("contact_add.known", { value }), { description: todo && text(todo) });
      added.form.setFieldValue("value", "");
      void refresh();
    },
  });
  return added;
}

type PickerProps = { channel: Channel; onChoose: (channel: Channel) => void };

/** The channels to choose from; those that this server has not configured are disabled. */
function ChannelPicker({ channel, onChoose }: PickerProps) {
  const text = useText();
  const nameOf = useChannelName();
  const { data: instance } = useQuery(instanceQuery);
  return (
    <Chip.Group value={channel} onChange={(chosen) => onChoose(chosen as Channel)}>
      <Group gap={8} role="radiogroup" aria-label={text("contact_add.channel")}>
        {shownChannels(instance?.channels).map((value) => (
          <Chip key={value} name="channel" value={value} variant="outline" disabled={isOff(value, instance?.channels)}>
            {nameOf(value)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

/** Adds a contact to all tracked addresses, or only to later ones. */
export function AddContact() {
  const text = useText();
  const { form, element, field, submit, pending } = useAddContact();
  const { channel, everywhere } = form.values;
  return (
    <Card className={classes.card}>
      <form ref={element} onSubmit={submit} noValidate className={classes.form}>
        <h2 className={classes.title}>{text("contact_add.title")}</h2>
        <ChannelPicker
          channel={channel}
          onChoose={(chosen) => {
            form.clearErrors();
            form.setFieldValue("channel", chosen);
          }}
        />
        {channel === "webpush" && <PushDevice everywhere={everywhere} />}
        {!isConnected(channel) && <TypedContact {...{ channel, field, pending }} />}
        <Checkbox
          label={text("contact_add.everywhere")}
          description={text("contact_add.everywhere_hint")}
          {...field("everywhere", "checkbox")}
        />
      </form>
      {isChat(channel) && (
        <ConnectChat
          key={channel}
          chat={channel}
          everywhere={everywhere}
          onConnected={(contact) => toast.success(text("chat.done", { value: contactName(contact) }))}
        />
      )}
    </Card>
  );
}

type TypedProps = { channel: Exclude<Channel, ConnectedChannel>; field: Field; pending: boolean };

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
