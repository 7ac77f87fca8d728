/** A local user of Telegram, whose private chat with the bot has the same id; or a group, with a negative id. */
export type ChatPerson = { id: number; username: string; hasStarted: boolean; hasBlocked: boolean };
export type ChatButton = { text: string; url?: string | undefined; callback_data?: string | undefined };
/** A message of either side; the bot's is HTML in Telegram's format. `answer`: the notification after a pressed button. */
export type ChatMessage = {
  id: number;
  chatId: number;
  at: number;
  from: "bot" | "person";
  text: string;
  keyboard: ChatButton[][];
  answer?: string;
};
type Update = { update_id: number; [kind: string]: unknown };
export type TelegramState = {
  /** Shared by people, messages and updates. Starts from the clock, so that ids are not reused if this file is lost. */
  nextId: number;
  people: ChatPerson[];
  messages: ChatMessage[];
  updates: Update[];
  /** The message of a pressed button, until it is answered. */
  presses: Record<string, number>;
  commands: string[];
};
export const noTelegram = (): TelegramState => ({
  nextId: Date.now(),
  people: [],
  messages: [],
  updates: [],
  presses: {},
  commands: [],
});

const MAX_TEXT = 4096;
const MAX_INPUT = 32_768;
const TAG = /<(\/?)(b|strong|i|em|u|ins|s|strike|del|code|pre|blockquote)>|<a href="https?:[^"<>]*">|<\/a>/g;
const ENTITY = /&(?:amp|lt|gt|quot|#\d+);/g;

/** Whether all tags are known and properly nested. */
function isReadable(html: string): boolean {
  const open: string[] = [];
  for (const [tag] of html.matchAll(TAG)) {
    const name = /\w+/.exec(tag)?.[0] ?? "";
    if (!tag.startsWith("</")) open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0 && !/[<>&]/.test(html.replaceAll(TAG, "").replaceAll(ENTITY, ""));
}

type Sending = {
  text: string;
  parse_mode?: "HTML" | undefined;
  reply_markup?: { inline_keyboard: ChatButton[][] } | undefined;
};

/** Telegram's error for a message, regardless of its recipient. */
export function problemOf({ text, parse_mode, reply_markup }: Sending): string | undefined {
  if (Buffer.byteLength(text) > MAX_INPUT) return "Text is too long";
  if (parse_mode === "HTML" && !isReadable(text)) return "can't parse entities";
  const read = parse_mode === "HTML" ? text.replaceAll(TAG, "").replaceAll(ENTITY, "&") : text;
  if (read.trim() === "") return "message text is empty";
  if (read.length > MAX_TEXT) return "message is too long";
  for (const { url, callback_data: data } of reply_markup?.inline_keyboard.flat() ?? []) {
    if ((url === undefined) === (data === undefined)) return "a button needs exactly one action";
    if (data !== undefined && (data === "" || Buffer.byteLength(data) > 64)) return "BUTTON_DATA_INVALID";
    if (url !== undefined && !/^https?:\/\/(?!localhost|127\.)/.test(url))
      return "inline keyboard button URL is invalid";
  }
  return undefined;
}
