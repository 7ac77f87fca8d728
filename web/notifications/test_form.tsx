import { Button, Checkbox, Text as Paragraph, Stack } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import type { Channel } from "../../src/shared/contacts.ts";
import type { ContactHealth } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { type Field, useServerForm } from "../forms/forms.ts";
import { useChannelName } from "../shared/channel_name.ts";
import { badgeOf } from "../shared/contact_badge.ts";
import { contactName, moreThanName } from "../shared/contact_name.ts";
import { isOff } from "../shared/offered_channels.ts";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { LinkText } from "../ui/display/links.tsx";
import classes from "./test_alerts.module.css";
import { chosenOf, kindsOf, MOST_TESTS, type TestValues, testErrors, testValuesOf } from "./test_values.ts";

type Props = { contacts: ContactHealth[]; offered: readonly Channel[] | undefined; onSent: (ids: string[]) => void };

/** Selects the contacts to test, by channel. */
export function TestForm({ contacts, offered, onSent }: Props) {
  const text = useText();
  const { form, element, field, submit, pending } = useServerForm<TestValues, { items: { id: string }[] }>({
    initialValues: testValuesOf(contacts),
    validate: testErrors,
    send: (values) => post("/api/test-alerts", { body: { contactIds: chosenOf(values) } }),
    failureTitle: "test_alerts.failed",
    onSuccess: ({ items }) => onSent(items.map(({ id }) => id)),
  });
  const count = chosenOf(form.values).length;
  const problemId = useId();
  const { error: problem } = field("kinds");
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <fieldset className={classes.kinds} aria-describedby={problem ? problemId : undefined}>
        <legend>{text("test_alerts.kinds")}</legend>
        {problem && <Problem id={problemId}>{problem}</Problem>}
        {kindsOf(contacts, offered).map((channel) => (
          <Kind
            key={channel}
            channel={channel}
            contacts={contacts.filter((one) => one.channel === channel)}
            field={field}
            isOff={isOff(channel, offered) && contacts.every((one) => one.channel !== channel)}
            isChosen={form.values.kinds[channel]}
            isWrong={problem !== undefined}
            onChoose={() => form.clearErrors()}
          />
        ))}
      </fieldset>
      {count > MOST_TESTS && <Problem mt="md">{text("test_alerts.too_many")}</Problem>}
      <Button
        type="submit"
        mt="lg"
        loading={pending}
        disabled={count > MOST_TESTS}
        leftSection={<IconSend size={18} aria-hidden="true" />}
      >
        {text("test_alerts.submit", { count })}
      </Button>
    </form>
  );
}

function Problem({ children, ...place }: { id?: string; mt?: "md"; children: ReactNode }) {
  return (
    <Paragraph role="alert" size="sm" c="var(--mantine-color-error)" {...place}>
      {children}
    </Paragraph>
  );
}

type KindProps = {
  channel: Channel;
  contacts: ContactHealth[];
  field: Field;
  isOff: boolean;
  isChosen: boolean;
  isWrong: boolean;
  onChoose: () => void;
};

function Kind({ channel, contacts, field, isOff, isChosen, isWrong, onChoose }: KindProps) {
  const text = useText();
  const nameOf = useChannelName();
  const { onChange, ...kind } = field(`kinds.${channel}`, "checkbox");
  const { error } = field(`contacts.${channel}`);
  return (
    <div className={classes.kind}>
      <Checkbox
        label={nameOf(channel)}
        description={isOff ? text("channel.not_set_up") : undefined}
        disabled={isOff}
        aria-invalid={isWrong || error ? true : undefined}
        {...kind}
        onChange={(event) => {
          onChoose();
          onChange(event);
        }}
      />
      {isChosen && <Choices channel={channel} contacts={contacts} field={field} />}
    </div>
  );
}

function Choices({ channel, contacts, field }: Pick<KindProps, "channel" | "contacts" | "field">) {
  const nameOf = useChannelName();
  const { error, ...chosen } = field(`contacts.${channel}`);
  return (
    <Checkbox.Group aria-label={nameOf(channel)} error={error} errorProps={{ role: "alert" }} {...chosen}>
      <Stack gap="sm" className={classes.choices}>
        {contacts.map((contact) => (
          <Checkbox
            key={contact.id}
            value={contact.id}
            aria-invalid={error ? true : undefined}
            label={<Choice contact={contact} />}
          />
        ))}
        {contacts.length === 0 && (
          <Paragraph size="sm" c="dimmed">
            <LinkText id="test_alerts.none" to="../dashboard" inherit />
          </Paragraph>
        )}
      </Stack>
    </Checkbox.Group>
  );
}

function Choice({ contact }: { contact: ContactHealth }) {
  const text = useText();
  const { state } = contact;
  const more = moreThanName(contact);
  const { tone, label: badge } = badgeOf(contact);
  return (
    <span className={classes.choice}>
      <Address>{contactName(contact)}</Address>
      {more && <span className={classes.label}>{more}</span>}
      {state !== "active" && <Badge tone={tone}>{text(badge)}</Badge>}
    </span>
  );
}
