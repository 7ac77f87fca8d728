import { Button, Stack, TextInput } from "@mantine/core";
import { IconEyeOff, IconPlugConnected } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import * as v from "valibot";
import { chatInput } from "../../src/notifications/inputs.ts";
import { byChatField, CHATS, type Chat, type ChatField, fieldsOf } from "../../src/shared/chats.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { ContactHealth } from "../api/api.ts";
import { type Body, post } from "../api/call.ts";
import { useRefreshContacts } from "../api/queries.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { Notice } from "../ui/display/notice.tsx";
import classes from "./connect_chat.module.css";
import { TestRun } from "./test_run.tsx";

type Props = {
  chat: Chat;
  /** Whether alerts about everything that is tracked go there. */
  everywhere: boolean;
  /** The contact that is connected anew. */
  contact?: ContactHealth;
  onConnected: (contact: ContactHealth) => void;
};
type Values = { entered: Record<ChatField, string>; name: string };

/** Connects the chat and sends a first message there; the id of that message, if it could be sent. */
async function connected(body: Body<"/api/chats", "$post">) {
  const contact = await post("/api/chats", { body });
  const sent = await post("/api/test-alerts", { body: { contactIds: [contact.id] } }).catch(() => undefined);
  return { contact, testId: sent?.items[0]?.id };
}

function useConnectChat({ chat, everywhere, contact, onConnected }: Props) {
  const language = useLanguage();
  const refresh = useRefreshContacts();
  const [testId, setTestId] = useState<string>();
  const initialValues: Values = { entered: byChatField(() => ""), name: contact?.label ?? "" };
  const bodyOf = ({ entered, name }: Values) => ({
    channel: chat,
    entered: Object.fromEntries(fieldsOf(chat).map((field) => [field, entered[field]])),
    name,
    ...(contact && { contactId: contact.id }),
    language,
    everywhere,
  });
  // Without a draft, as what is entered is a secret.
  const { form, element, field, submit, pending } = useServerForm<Values, Awaited<ReturnType<typeof connected>>>({
    initialValues,
    validate(values) {
      const { issues = [] } = v.safeParse(chatInput, bodyOf(values));
      return Object.fromEntries(issues.map((issue) => [v.getDotPath(issue) ?? "", issue.message as ErrorCode]));
    },
    send: (values) => connected(bodyOf(values)),
    failureTitle: "chat.failed",
    onSuccess(answer) {
      setTestId(answer.testId);
      form.setValues(initialValues);
      void refresh();
      onConnected(answer.contact);
    },
  });
  return { element, field, submit, pending, testId };
}

/** How to connect a chat, and the form for it; then the outcome of a first message. */
export function ConnectChat(props: Props) {
  const text = useText();
  const { chat } = props;
  const { element, field, submit, pending, testId } = useConnectChat(props);
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    // In a dialog, React passes events on to the form behind it.
    event.stopPropagation();
    submit(event);
  }
  return (
    <form ref={element} onSubmit={onSubmit} noValidate className={classes.form}>
      <ol className={classes.steps}>
        {text(`chat.${chat}.how`)
          .split("\n")
          .map((step) => (
            <li key={step}>{step}</li>
          ))}
      </ol>
      <Stack gap="sm" className={classes.fields}>
        {fieldsOf(chat).map((name) => (
          <TextInput
            key={name}
            label={text(`chat.field.${name}`)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...field(`entered.${name}`)}
          />
        ))}
        <TextInput label={text("chat.name")} description={text("chat.name_hint")} maxLength={60} {...field("name")} />
      </Stack>
      <Notice icon={IconEyeOff} tone="quiet">
        {text("chat.secret")} {CHATS[chat].isShared && text("chat.shared")}
      </Notice>
      <Button type="submit" loading={pending} leftSection={<IconPlugConnected size={18} aria-hidden="true" />}>
        {text("chat.connect")}
      </Button>
      {testId !== undefined && <TestRun ids={[testId]} besideContacts />}
    </form>
  );
}
