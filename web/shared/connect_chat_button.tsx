import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlugConnected } from "@tabler/icons-react";
import type { Chat } from "../../src/shared/chats.ts";
import type { ContactHealth } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { useChannelName } from "./channel_name.ts";
import { ConnectChat } from "./connect_chat.tsx";
import { contactName } from "./contact_name.ts";

type Props = {
  chat: Chat;
  /** The contact that is connected anew; without it, a new one is added. */
  contact?: ContactHealth;
  onConnected?: (contact: ContactHealth) => void;
};

/** Connects a chat in a dialog, wherever one is needed. */
export function ConnectChatButton({ chat, contact, onConnected }: Props) {
  const text = useText();
  const nameOf = useChannelName();
  const [opened, { open, close }] = useDisclosure();
  const label = contact
    ? text("chat.again_label", { value: contactName(contact) })
    : text("chat.add", { chat: nameOf(chat) });
  return (
    <>
      <Button
        size="compact-sm"
        {...(contact ? { variant: "subtle", color: "gray" } : { variant: "light" })}
        leftSection={<IconPlugConnected size={17} aria-hidden="true" />}
        aria-label={label}
        onClick={open}
      >
        {contact ? text("chat.again") : label}
      </Button>
      <Dialog opened={opened} onClose={close} size="lg" title={<span className="breakable">{label}</span>}>
        {opened && (
          <ConnectChat
            chat={chat}
            everywhere={false}
            onConnected={(connected) => onConnected?.(connected)}
            {...(contact && { contact })}
          />
        )}
      </Dialog>
    </>
  );
}
