import * as v from "valibot";
import { text } from "../../../../shared/text.ts";
import type { TelegramChat, TelegramUpdate } from "../../../telegram/telegram_ports.ts";

/** Telegram's own limits are far lower: 4,096 characters for a text, 64 for a name. */
const TEXT_MAX = 16_384;
const NAME_MAX = 1024;

const person = v.object({
  id: v.number(),
  is_bot: v.optional(v.boolean(), false),
  first_name: v.optional(text(NAME_MAX), ""),
  last_name: v.optional(text(NAME_MAX), ""),
  username: v.optional(text(NAME_MAX)),
  language_code: v.optional(text(NAME_MAX)),
});
const chat = v.object({ id: v.number(), type: text(NAME_MAX) });
export const update = v.object({
  update_id: v.number(),
  message: v.optional(v.object({ chat, from: v.optional(person), text: v.optional(text(TEXT_MAX), "") })),
  my_chat_member: v.optional(v.object({ chat, from: person, new_chat_member: v.object({ status: text(NAME_MAX) }) })),
  callback_query: v.optional(
    v.object({
      id: text(NAME_MAX),
      from: person,
      data: v.optional(text(NAME_MAX), ""),
      message: v.optional(v.object({ chat: v.optional(chat) })),
    }),
  ),
});
const LONGEST_NAME = 64;

type Person = v.InferOutput<typeof person>;

/** In a private chat the chat and its person have the same id. */
function chatOf({ id, first_name, last_name, username, language_code }: Person): TelegramChat {
  const name = [...`${first_name} ${last_name}`.trim()].slice(0, LONGEST_NAME).join("");
  return { id: String(id), username, name, languageCode: language_code };
}

function commandOf(
  written: string,
): { kind: "start"; payload: string | undefined } | { kind: "stop" | "status" | "help" } {
  const [, command = "", payload] = /^\/(\w+)(?:@\w+)?(?:\s+(\S+))?/.exec(written.trim()) ?? [];
  if (command === "start") return { kind: "start", payload: payload?.slice(0, LONGEST_NAME) };
  return { kind: command === "stop" || command === "status" ? command : "help" };
}

/** Parses an update; its content is undefined for groups, other bots and kinds that the product does not use. */
export function updateOf(json: unknown): { id: number; update: TelegramUpdate | undefined } | undefined {
  const read = v.safeParse(update, json);
  if (!read.success) return undefined;
  const { update_id: id, message, my_chat_member: member, callback_query: query } = read.output;
  const nothing = { id, update: undefined };
  if (message) {
    if (message.chat.type !== "private" || !message.from || message.from.is_bot) return nothing;
    return { id, update: { id, chat: chatOf(message.from), ...commandOf(message.text) } };
  }
  if (member) {
    const { status } = member.new_chat_member;
    const kind = status === "kicked" ? "blocked" : status === "member" ? "unblocked" : undefined;
    if (member.chat.type !== "private" || kind === undefined) return nothing;
    return { id, update: { id, chat: chatOf(member.from), kind } };
  }
  if (query && (query.message?.chat === undefined || query.message.chat.type === "private"))
    return { id, update: { id, chat: chatOf(query.from), kind: "button", callbackId: query.id, data: query.data } };
  return nothing;
}
