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
const chat = v.object({ id: v.number(), type: text(NAME_MAX), title: v.optional(text(NAME_MAX), "") });
export const update = v.object({
  update_id: v.number(),
  message: v.optional(
    v.object({
      chat,
      from: v.optional(person),
      text: v.optional(text(TEXT_MAX), ""),
      message_thread_id: v.optional(v.number()),
      is_topic_message: v.optional(v.boolean(), false),
    }),
  ),
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
type Group = v.InferOutput<typeof chat>;

const shortened = (name: string) => [...name.trim()].slice(0, LONGEST_NAME).join("");

/** In a private chat the chat and its person have the same id. */
function chatOf({ id, first_name, last_name, username, language_code }: Person): TelegramChat {
  return { id: String(id), username, name: shortened(`${first_name} ${last_name}`), languageCode: language_code };
}

function groupOf({ id, title }: Group, { language_code }: Person, thread?: number): TelegramChat {
  const topic = thread === undefined ? {} : { thread };
  return { id: String(id), username: undefined, name: shortened(title), languageCode: language_code, ...topic };
}

const isGroupType = ({ type }: Group) => type === "group" || type === "supergroup";

type Update = v.InferOutput<typeof update>;
type Written = NonNullable<Update["message"]>;
type Membership = NonNullable<Update["my_chat_member"]>;
type WithoutId<U> = U extends TelegramUpdate ? Omit<U, "id"> : never;
type TelegramUpdateContent = WithoutId<TelegramUpdate>;

const withId = (id: number, content: TelegramUpdateContent | undefined) =>
  content && ({ id, ...content } as TelegramUpdate);

function commandOf(
  written: string,
): { kind: "start"; payload: string | undefined } | { kind: "stop" | "status" | "help" } {
  const [, command = "", payload] = /^\/(\w+)(?:@\w+)?(?:\s+(\S+))?/.exec(written.trim()) ?? [];
  if (command === "start") return { kind: "start", payload: payload?.slice(0, LONGEST_NAME) };
  return { kind: command === "stop" || command === "status" ? command : "help" };
}

/** In a group the bot can only be started with a link's payload: the commands are for those whose alerts they are. */
function inGroup({
  chat,
  from,
  text,
  message_thread_id,
  is_topic_message,
}: Written): TelegramUpdateContent | undefined {
  const command = commandOf(text);
  if (!from || command.kind !== "start" || command.payload === undefined) return undefined;
  return { chat: groupOf(chat, from, is_topic_message ? message_thread_id : undefined), ...command };
}

/** The bot was removed from the chat, or is there again. */
function membershipOf({ chat, from, new_chat_member: { status } }: Membership): TelegramUpdateContent | undefined {
  const isThere = status === "member" || status === "administrator";
  if (isGroupType(chat)) {
    const hasLeft = status === "kicked" || status === "left";
    return hasLeft || isThere ? { chat: groupOf(chat, from), kind: hasLeft ? "blocked" : "unblocked" } : undefined;
  }
  if (chat.type !== "private" || !(isThere || status === "kicked")) return undefined;
  return { chat: chatOf(from), kind: isThere ? "unblocked" : "blocked" };
}

/** Parses an update; its content is undefined for channels, other bots and kinds that the product does not use. */
export function updateOf(json: unknown): { id: number; update: TelegramUpdate | undefined } | undefined {
  const read = v.safeParse(update, json);
  if (!read.success) return undefined;
  const { update_id: id, message, my_chat_member: member, callback_query: query } = read.output;
  const nothing = { id, update: undefined };
  if (message) {
    if (!message.from || message.from.is_bot) return nothing;
    if (isGroupType(message.chat)) return { id, update: withId(id, inGroup(message)) };
    if (message.chat.type !== "private") return nothing;
    return { id, update: { id, chat: chatOf(message.from), ...commandOf(message.text) } };
  }
  if (member) return { id, update: withId(id, membershipOf(member)) };
  if (query && (query.message?.chat === undefined || query.message.chat.type === "private"))
    return { id, update: { id, chat: chatOf(query.from), kind: "button", callbackId: query.id, data: query.data } };
  return nothing;
}
