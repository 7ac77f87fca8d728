import type { ErrorCode } from "./result.ts";

/** What people enter to connect a chat, and the longest input in characters. */
export const CHAT_FIELDS = {
  url: { max: 1000 },
  room: { max: 255 },
  token: { max: 500 },
  tag: { max: 200, isOptional: true },
} as const satisfies Record<string, { max: number; isOptional?: true }>;
export type ChatField = keyof typeof CHAT_FIELDS;

/**
 * Places for messages that people connect themselves. `name` is the same in every language. `isShared`: several people read
 * it, so messages are discreet unless its owner decides otherwise.
 */
export const CHATS = {
  slack: { name: "Slack, Mattermost, Rocket.Chat", fields: ["url"], isShared: true },
  discord: { name: "Discord", fields: ["url"], isShared: true },
  teams: { name: "Microsoft Teams", fields: ["url"], isShared: true },
  matrix: { name: "Matrix", fields: ["url", "room", "token"], isShared: true },
  gotify: { name: "Gotify", fields: ["url", "token"], isShared: false },
  apprise: { name: "Apprise API", fields: ["url", "tag"], isShared: true },
} as const satisfies Record<string, { name: string; fields: readonly ChatField[]; isShared: boolean }>;
export type Chat = keyof typeof CHATS;
export const CHAT_NAMES = Object.keys(CHATS) as Chat[];

export function isChat(channel: string): channel is Chat {
  return Object.hasOwn(CHATS, channel);
}

/** The fields of a chat. */
export function fieldsOf(chat: Chat): readonly ChatField[] {
  return CHATS[chat].fields;
}

/** Builds a record with one value for each field. */
export function byChatField<Value>(of: (field: ChatField) => Value): Record<ChatField, Value> {
  const names = Object.keys(CHAT_FIELDS) as ChatField[];
  return Object.fromEntries(names.map((field) => [field, of(field)])) as Record<ChatField, Value>;
}

/** The error of an entry that cannot be used. */
export function chatError(field: ChatField): ErrorCode {
  return field === "url" ? "CHAT_ADDRESS_INVALID" : "CHAT_ENTRY_INVALID";
}

/** Whether a field may stay empty. */
export function isOptional(field: ChatField): boolean {
  return "isOptional" in CHAT_FIELDS[field];
}
