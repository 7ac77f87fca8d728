import type { Chat } from "../../../shared/chats.ts";
import type { ChatKind } from "./chat_sender.ts";
import { slack } from "./slack/slack.ts";

/** Every chat; one line for each folder. */
export const CHAT_KINDS: Record<Chat, ChatKind> = { slack };
