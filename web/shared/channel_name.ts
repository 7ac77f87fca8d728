import { useCallback } from "react";
import { CHATS, isChat } from "../../src/shared/chats.ts";
import type { Channel } from "../../src/shared/contacts.ts";
import { useText } from "../app/i18n.tsx";

/** A channel's name; that of a chat is the same in every language. */
export function useChannelName(): (channel: Channel) => string {
  const text = useText();
  return useCallback((channel) => (isChat(channel) ? CHATS[channel].name : text(`channel.${channel}`)), [text]);
}
