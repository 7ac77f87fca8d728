import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isChat } from "../../src/shared/chats.ts";
import type { Channel } from "../../src/shared/contacts.ts";
import { contactsQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { shownChannels } from "./offered_channels.ts";

/** The channels that a form shows: chats only once the account has connected one of their kind, or when `more` is pressed. */
export function useFormChannels(offered: readonly Channel[] | undefined, isUsed: (channel: Channel) => boolean) {
  const { data } = useQuery(contactsQuery());
  const [showsAll, setShowsAll] = useState(false);
  const all = shownChannels(offered, isUsed);
  const isKnown = (channel: Channel) =>
    !isChat(channel) || isUsed(channel) || data?.items.some((contact) => contact.channel === channel);
  const channels = showsAll ? all : all.filter(isKnown);
  const more = channels.length < all.length ? <MoreChannels onPress={() => setShowsAll(true)} /> : null;
  return { channels, more };
}

function MoreChannels({ onPress }: { onPress: () => void }) {
  const text = useText();
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      style={{ justifySelf: "start" }}
      onClick={onPress}
    >
      {text("contacts.more")}
    </Button>
  );
}
