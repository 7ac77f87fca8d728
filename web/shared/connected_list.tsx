import { Anchor, MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { isChat } from "../../src/shared/chats.ts";
import { type Channel, type ConnectedChannel, MAX_CONTACTS } from "../../src/shared/contacts.ts";
import { contactsQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { useChannelName } from "./channel_name.ts";
import { ConnectChatButton } from "./connect_chat_button.tsx";
import classes from "./contact_list.module.css";
import { contactName } from "./contact_name.ts";

export type ContactListProps<Of extends Channel = Channel> = {
  channel: Of;
  isOff?: boolean;
  value?: string[];
  onChange?: (value: string[]) => void;
  error?: string;
};

/** The devices or chats that get alerts, chosen from those that the account has connected. */
export function ConnectedList({
  channel,
  isOff = false,
  value = [],
  onChange,
  error,
}: ContactListProps<ConnectedChannel>) {
  const text = useText();
  const nameOf = useChannelName();
  const { data } = useQuery(contactsQuery());
  const own = (data?.items ?? []).filter((contact) => contact.channel === channel);
  // One that is chosen stays in the list, even if it is not among the first contacts.
  const others = value.filter((one) => own.every((contact) => contact.value !== one));
  const choices = [
    ...own.map((contact) => ({ value: contact.value, label: contactName(contact) })),
    ...others.map((one) => ({ value: one, label: one })),
  ];
  const kind = isChat(channel) ? "chat" : channel;
  return (
    <div className={classes.field}>
      <MultiSelect
        {...(onChange && { onChange })}
        value={value}
        label={text(`contacts.${kind}`, { name: nameOf(channel) })}
        description={isOff ? text("channel.not_set_up") : text(`contacts.${kind}_hint`, { max: MAX_CONTACTS })}
        disabled={isOff && value.length === 0}
        placeholder={text(`contacts.${kind}_placeholder`)}
        data={choices}
        classNames={{ inputField: classes.typed ?? "" }}
        maxValues={MAX_CONTACTS}
        nothingFoundMessage={text(`contacts.${kind}_none`)}
        aria-invalid={error ? true : undefined}
        error={error}
      />
      {isChat(channel) ? (
        <ConnectChatButton
          chat={channel}
          onConnected={(contact) => {
            if (!value.includes(contact.value)) onChange?.([...value, contact.value]);
          }}
        />
      ) : (
        <ToContacts />
      )}
    </div>
  );
}

/** A device has to be connected on itself. */
function ToContacts() {
  const text = useText();
  return (
    <Anchor component={Link} to="../contacts" size="sm" underline="always">
      {text("contacts.webpush_connect")}
    </Anchor>
  );
}
