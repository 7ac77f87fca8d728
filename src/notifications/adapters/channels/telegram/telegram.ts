import type { Mac } from "../../../../shared/secrets.ts";
import type { Content } from "../../../messages/content.ts";
import type { MessageSender } from "../../../ports.ts";
import {
  isGroup,
  type TelegramBot,
  type TelegramReply,
  type TelegramUpdate,
} from "../../../telegram/telegram_ports.ts";
import { buttonData } from "../../../telegram/telegram_token.ts";
import { type TelegramAnswer, type TelegramApiOptions, telegramApi } from "./telegram_api.ts";
import { updateOf } from "./telegram_model.ts";
import { kindOf, telegramOutcome } from "./telegram_outcome.ts";
import { escaped, telegramText } from "./telegram_text.ts";

const POLL_SECONDS = 25;
/** The duration of a long poll, with a margin for the network. */
const POLL_TIMEOUT_MS = (POLL_SECONDS + 15) * 1000;
/** One response may contain a hundred updates with messages of maximum length. */
const POLL_BODY_LIMIT = 4 * 1024 * 1024;
const LINK_URL = "https://t.me";
const TROUBLE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;
/**
 * Telegram allows about 30 messages per second for a bot, one per second in a chat, and 20 per minute in a group
 * (core.telegram.org/bots/faq).
 */
export const MESSAGES_PER_SECOND = 25;
const CHAT_EVERY_MS = 1000;
const GROUP_EVERY_MS = 3000;
/** Always sent, as Telegram keeps the last setting. */
const UPDATES = ["message", "my_chat_member", "callback_query"];

export type TelegramOptions = TelegramApiOptions & {
  /** Webhook for updates; without it the bot polls. */
  webhook?: { url: string; secret: string } | undefined;
  /** Base URL of links to the bot. */
  linkUrl?: string | undefined;
  mac: Mac;
  sleep: (ms: number) => Promise<void>;
  /** Waits until the bot may send the next message. */
  pace: () => Promise<void>;
  /** Reports errors to the operator. */
  report: (error: unknown, context: Record<string, unknown>) => void;
  /** Translates the bot's commands, once it registers them: by language code; "" is the default. */
  commands: () => Record<string, { command: string; description: string }[]>;
};

type Keyboard = Record<string, string>[][];

/** A bot: sending messages (`sender`), and receiving what people do in its chats (`bot`). */
export function telegram(options: TelegramOptions): { sender: MessageSender; bot: TelegramBot } {
  const { mac, now, sleep, pace, report, webhook, linkUrl = LINK_URL } = options;
  const call = telegramApi(options);
  let username: string | undefined;
  let isPrepared = false;
  const chatNextAt = new Map<string, number>();

  /** Waits for the rate limits of the chat, of which Telegram reminds other processes, and the bot. */
  async function waitForSlot(chatId: string): Promise<void> {
    const at = now().getTime();
    for (const [id, next] of chatNextAt) if (next <= at) chatNextAt.delete(id);
    const slot = Math.max(at, chatNextAt.get(chatId) ?? 0);
    chatNextAt.set(chatId, slot + (isGroup(chatId) ? GROUP_EVERY_MS : CHAT_EVERY_MS));
    if (slot > at) await sleep(slot - at);
    await pace();
  }

  function keyboardOf(chatId: string, { blocks, handle }: Content): Keyboard {
    // Telegram rejects URLs that are not on the public web.
    const links = blocks.flatMap((block) =>
      block.kind === "button" && block.url.startsWith("https:") ? [[{ text: block.label, url: block.url }]] : [],
    );
    // In a group anyone could press it.
    if (!handle || isGroup(chatId)) return links;
    const data = buttonData(mac, chatId, { action: "handle", id: handle.alertId, version: handle.version });
    return [...links, [{ text: handle.label, callback_data: data }]];
  }

  async function sendText(
    { id: chatId, thread }: { id: string; thread?: number | undefined },
    html: string,
    keyboard: Keyboard,
  ): Promise<TelegramAnswer> {
    await waitForSlot(chatId);
    const body = {
      ...(thread !== undefined && { message_thread_id: thread }),
      text: html,
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      ...(keyboard.length > 0 && { reply_markup: { inline_keyboard: keyboard } }),
    };
    const answer = await call("sendMessage", { chat_id: Number(chatId), ...body });
    if (answer.kind !== "refused" || answer.migrateTo === undefined) return answer;
    return call("sendMessage", { chat_id: Number(answer.migrateTo), ...body });
  }

  /** Registers the wanted updates, their transport, and the bot's commands. */
  async function prepare(): Promise<void> {
    if (isPrepared) return;
    const set = webhook
      ? await call("setWebhook", { url: webhook.url, secret_token: webhook.secret, allowed_updates: UPDATES })
      : await call("deleteWebhook");
    if (set.kind !== "ok") return report(new Error("Cannot tell Telegram how updates come"), { answer: kindOf(set) });
    for (const [language, commands] of Object.entries(options.commands()))
      await call("setMyCommands", { commands, ...(language !== "" && { language_code: language }) });
    isPrepared = true;
  }

  async function updates(lastId: number | undefined, signal: AbortSignal) {
    const body = {
      timeout: POLL_SECONDS,
      allowed_updates: UPDATES,
      ...(lastId !== undefined && { offset: lastId + 1 }),
    };
    const answer = await call("getUpdates", body, {
      timeoutMs: POLL_TIMEOUT_MS,
      bodyLimit: POLL_BODY_LIMIT,
      signal,
    });
    if (answer.kind !== "ok" || !Array.isArray(answer.result)) {
      // Another webhook or poller of this bot is active, so ours has to be registered again.
      if (answer.kind === "refused" && answer.status === 409) isPrepared = false;
      const asked = answer.kind === "refused" ? answer.retryAfterMs : undefined;
      const afterMs = Math.min(LONGEST_PAUSE_MS, asked ?? TROUBLE_MS);
      return { kind: "trouble" as const, reason: kindOf(answer), afterMs };
    }
    const read = answer.result.flatMap((entry) => updateOf(entry) ?? []);
    const ids = answer.result.flatMap((entry) => idOf(entry) ?? []);
    return {
      kind: "updates" as const,
      updates: read.flatMap(({ update }): TelegramUpdate[] => (update ? [update] : [])),
      lastId: ids.length > 0 ? Math.max(...ids) : undefined,
    };
  }

  /** The bot's username; undefined while Telegram is unavailable. */
  async function ownName(): Promise<string | undefined> {
    if (username !== undefined) return username;
    const answer = await call("getMe");
    const name = answer.kind === "ok" ? (answer.result as { username?: unknown }).username : undefined;
    if (typeof name === "string" && /^\w{4,32}$/.test(name)) username = name;
    else report(new Error("Cannot ask Telegram who our bot is"), { answer: kindOf(answer) });
    return username;
  }

  const bot: TelegramBot = {
    async startLink(payload, place) {
      const name = await ownName();
      const start = place === "group" ? "startgroup" : "start";
      return name === undefined ? undefined : `${linkUrl}/${name}?${start}=${payload}`;
    },
    prepare,
    ...(!webhook && { updates }),
    async reply(chat, { text, buttons }: TelegramReply) {
      const keyboard = buttons.map((button) => [
        "url" in button ? { text: button.text, url: button.url } : { text: button.text, callback_data: button.data },
      ]);
      const answer = await sendText(chat, text.split("\n").map(escaped).join("\n"), keyboard);
      return answer.kind === "ok";
    },
    async answerButton(callbackId, text) {
      await call("answerCallbackQuery", { callback_query_id: callbackId, text: [...text].slice(0, 200).join("") });
    },
    async usernamesOf(chatId) {
      const answer = await call("getChat", { chat_id: Number(chatId) });
      const names = answer.kind === "ok" ? (answer.result as { active_usernames?: unknown }).active_usernames : [];
      return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
    },
  };

  const sender: MessageSender = {
    channel: "telegram",
    limit: { current: () => ({ per: "second", most: MESSAGES_PER_SECOND }) },
    async send({ to: { chatId, thread }, content }) {
      if (chatId === undefined)
        return { kind: "dead", cause: "recipient", forGood: true, reason: "nobody has opened the bot's link" };
      if (content.code)
        return { kind: "dead", cause: "message", reason: "a sign-in code goes by mail and no other way" };
      return telegramOutcome(
        await sendText({ id: chatId, thread }, telegramText(content), keyboardOf(chatId, content)),
      );
    },
  };
  return { sender, bot };
}

function idOf(entry: unknown): number | undefined {
  const id = typeof entry === "object" && entry !== null && "update_id" in entry ? entry.update_id : undefined;
  return typeof id === "number" ? id : undefined;
}
