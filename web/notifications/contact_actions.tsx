import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSend, IconSettings } from "@tabler/icons-react";
import { isChat } from "../../src/shared/chats.ts";
import type { ContactHealth } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { hasDraft } from "../forms/drafts.ts";
import { ConnectChatButton } from "../shared/connect_chat_button.tsx";
import { contactName } from "../shared/contact_name.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import classes from "./contact_card.module.css";
import { useContactAction } from "./queries.ts";
import { RemoveContact } from "./remove_contact.tsx";
import { SecretButton } from "./secret_button.tsx";
import { SettingsForm } from "./settings_form.tsx";
import { draftOfSettings } from "./settings_values.ts";

type Props = { contact: ContactHealth; onTested: (id: string) => void };

export function ContactActions({ contact, onTested }: Props) {
  return (
    <div className={classes.actions}>
      {contact.state === "active" && <SendTest contact={contact} onTested={onTested} />}
      <Settings contact={contact} />
      {contact.channel === "webhook" && <SecretButton contact={contact} />}
      {isChat(contact.channel) && <ConnectChatButton chat={contact.channel} contact={contact} />}
      <RemoveContact contact={contact} />
    </div>
  );
}

function SendTest({ contact, onTested }: Props) {
  const text = useText();
  const { mutate, isPending } = useContactAction({
    call: () => post("/api/test-alerts", { body: { contactIds: [contact.id] } }),
    failureTitle: "test_alerts.failed",
    onDone: ({ items: [test] }) => test && onTested(test.id),
  });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconSend size={17} aria-hidden="true" />}
      loading={isPending}
      aria-label={text("contact_card.test_label", { value: contactName(contact) })}
      onClick={() => mutate()}
    >
      {text("contact_card.test")}
    </Button>
  );
}

function Settings({ contact }: { contact: ContactHealth }) {
  const text = useText();
  // If the session ended while editing, the form opens again after the login.
  const [opened, { open, close }] = useDisclosure(hasDraft(draftOfSettings(contact.id)));
  const value = contactName(contact);
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconSettings size={17} aria-hidden="true" />}
        aria-label={text("contact_card.settings_label", { value })}
        onClick={open}
      >
        {text("contact_card.settings")}
      </Button>
      <Dialog
        opened={opened}
        onClose={close}
        title={<span className="breakable">{text("contact_settings.title", { value })}</span>}
        size="lg"
      >
        <SettingsForm contact={contact} onClose={close} />
      </Dialog>
    </>
  );
}
