import { type Failure as HttpFailure, type PeerRequest, refusing } from "./channel_peer.ts";
import { jsonAnswer, type PeerAnswer } from "./hibp_peer_failures.ts";

/** A Telegram user. The bot cannot write to users who have not pressed Start. */
export type TelegramPerson = {
  id: number;
  first_name: string;
  username?: string;
  language_code?: string;
  /** Other usernames of the same person. */
  otherNames?: string[];
};
type Failure =
  | { status: number; description: string; parameters?: Record<string, unknown>; retryAfter?: string }
  | { raw: string; status?: number }
  | "hang"
  | "reset";
/** A group with topics; its id is negative. */
export type TelegramGroup = { id: number; title: string };
type Sent = {
  chat_id: number;
  text: string;
  message_thread_id?: number;
  reply_markup?: { inline_keyboard: Record<string, string>[][] };
};
export type TelegramPeer = ReturnType<typeof startTelegramPeer>;

const TOKEN = "123456:peer-token_of-the-tests-0123456789";
const refusal = (error_code: number, description: string, parameters?: Record<string, unknown>) =>
  refusing(jsonAnswer(error_code, { ok: false, error_code, description, ...(parameters && { parameters }) }));

/** Rejections specific to Telegram, by name. */
export const TELEGRAM_FAILURES = {
  "400 chat not found": refusal(400, "Bad Request: chat not found"),
  "400 unreadable": refusal(400, "Bad Request: can't parse entities: Unsupported start tag"),
  "401 unauthorized": refusal(401, "Unauthorized"),
  "400 thread not found": refusal(400, "Bad Request: message thread not found"),
  "403 kicked": refusal(403, "Forbidden: bot was kicked from the supergroup chat"),
  "403 blocked": refusal(403, "Forbidden: bot was blocked by the user"),
  "403 deactivated": refusal(403, "Forbidden: user is deactivated"),
  "403 never started": refusal(403, "Forbidden: bot can't initiate conversation with a user"),
  "404 not found": refusal(404, "Not Found"),
  "413 too large": refusal(413, "Request Entity Too Large"),
  "421 misdirected": refusal(421, "Misdirected Request: unallowed token specified"),
  "429 retry after 30": refusal(429, "Too Many Requests: retry after 30", { retry_after: 30 }),
  "429 retry after ever": refusal(429, "Too Many Requests: retry after ever", { retry_after: 1_000_000_000 }),
  "500 internal": refusal(500, "Internal Server Error"),
} satisfies Record<string, HttpFailure>;

const MAX_TEXT = 4096;
const MAX_INPUT = 32_768;
const ALLOWED_TAGS = /<\/?(?:b|strong|i|em|u|ins|s|strike|del|code|pre|blockquote|a)(?: [^<>]*)?>/g;

/**
 * A fake of Telegram's Bot API on loopback, as far as the product uses it, with its refusals; it can be told to fail.
 */
export function startTelegramPeer() {
  const people = new Map<number, TelegramPerson>();
  const started = new Set<number>();
  const blocked = new Set<number>();
  const deactivated = new Set<number>();
  const sent: Sent[] = [];
  const answered: { id: string; text: string }[] = [];
  const commands: { language_code?: string; commands: unknown[] }[] = [];
  const failures: Failure[] = [];
  const requests: { method: string; token: string }[] = [];
  let updates: { update_id: number; [kind: string]: unknown }[] = [];
  let webhook: { url: string; secret: string } | undefined;
  let nextUpdate = 100;
  let waiting: { wake: () => void; conflict: () => void } | undefined;

  const refuse = (status: number, description: string, parameters?: Record<string, unknown>) =>
    Response.json({ ok: false, error_code: status, description, ...(parameters && { parameters }) }, { status });
  const fine = (result: unknown) => Response.json({ ok: true, result });

  async function failNow(failure: Failure, request: Request): Promise<Response> {
    if (failure === "hang")
      return new Promise((resolve) => request.signal.addEventListener("abort", () => resolve(new Response())));
    if (failure === "reset")
      return new Response(new ReadableStream({ start: (stream) => stream.error(new Error("reset")) }));
    if ("raw" in failure) return new Response(failure.raw, { status: failure.status ?? 200 });
    const { status, description, parameters, retryAfter } = failure;
    const response = refuse(status, description, parameters);
    if (retryAfter) response.headers.set("Retry-After", retryAfter);
    return response;
  }

  function sendMessage({
    chat_id,
    text,
    message_thread_id,
    parse_mode,
    reply_markup,
  }: Sent & { parse_mode?: string }): Response {
    if (Buffer.byteLength(text) > MAX_INPUT) return refuse(400, "Bad Request: Text is too long");
    const read = parse_mode === "HTML" ? text.replaceAll(ALLOWED_TAGS, "") : text;
    if (parse_mode === "HTML" && /[<>]|&(?!(?:amp|lt|gt|quot|#\d+);)/.test(read))
      return refuse(400, "Bad Request: can't parse entities: Unsupported start tag");
    if (read.trim() === "") return refuse(400, "Bad Request: message text is empty");
    if (read.length > MAX_TEXT) return refuse(400, "Bad Request: message is too long");
    for (const button of reply_markup?.inline_keyboard.flat() ?? []) {
      if (button.callback_data !== undefined && Buffer.byteLength(button.callback_data) > 64)
        return refuse(400, "Bad Request: BUTTON_DATA_INVALID");
      if (button.url !== undefined && !/^https?:\/\/(?!localhost|127\.)/.test(button.url))
        return refuse(400, "Bad Request: inline keyboard button URL is invalid");
    }
    if (!people.has(chat_id)) return refuse(400, "Bad Request: chat not found");
    if (deactivated.has(chat_id)) return refuse(403, "Forbidden: user is deactivated");
    if (blocked.has(chat_id)) return refuse(403, "Forbidden: bot was blocked by the user");
    if (!started.has(chat_id)) return refuse(403, "Forbidden: bot can't initiate conversation with a user");
    sent.push({
      chat_id,
      text,
      ...(message_thread_id && { message_thread_id }),
      ...(reply_markup && { reply_markup }),
    });
    return fine({ message_id: sent.length, chat: { id: chat_id, type: "private" }, date: 1 });
  }

  async function getUpdates({ offset, timeout = 0 }: { offset?: number; timeout?: number }): Promise<Response> {
    if (webhook)
      return refuse(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    waiting?.conflict();
    if (offset !== undefined) updates = updates.filter(({ update_id }) => update_id >= offset);
    if (updates.length > 0 || timeout === 0) return fine(updates.slice(0, 100));
    return new Promise((resolve) => {
      const done = (response: Response) => {
        waiting = undefined;
        resolve(response);
      };
      waiting = {
        wake: () => done(fine(updates.slice(0, 100))),
        conflict: () =>
          done(
            refuse(
              409,
              "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
            ),
          ),
      };
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many methods
  const methods: Record<string, (body: any) => Response | Promise<Response>> = {
    getMe: () => fine({ id: 1, is_bot: true, first_name: "Breachbell", username: "breachbell_bot" }),
    getUpdates,
    sendMessage,
    setWebhook({ url, secret_token = "" }) {
      if (!/^https:/.test(url))
        return refuse(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook");
      if (!/^[\w-]{1,256}$/.test(secret_token))
        return refuse(400, "Bad Request: secret token contains unallowed characters");
      webhook = { url, secret: secret_token };
      waiting?.conflict();
      return fine(true);
    },
    deleteWebhook() {
      webhook = undefined;
      return fine(true);
    },
    getChat({ chat_id }) {
      const person = people.get(chat_id);
      if (!person || !started.has(chat_id)) return refuse(400, "Bad Request: chat not found");
      const names = [person.username, ...(person.otherNames ?? [])].filter((name) => name !== undefined);
      return fine({ id: chat_id, type: "private", first_name: person.first_name, active_usernames: names });
    },
    answerCallbackQuery({ callback_query_id, text }) {
      answered.push({ id: callback_query_id, text });
      return fine(true);
    },
    setMyCommands(body) {
      commands.push(body);
      return fine(true);
    },
  };

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const failure = pathname.endsWith("/getUpdates") ? undefined : failures.shift();
      if (failure) return failNow(failure, request);
      return answerTo(pathname, await request.text());
    },
  });

  async function answerTo(path: string, body: string): Promise<Response> {
    const [, token = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    requests.push({ method, token });
    const run = methods[method];
    if (token !== TOKEN) return refuse(401, "Unauthorized");
    if (!run) return refuse(404, "Not Found");
    return run(JSON.parse(body));
  }

  function tell(kind: string, body: unknown): void {
    updates.push({ update_id: nextUpdate, [kind]: body });
    nextUpdate += 1;
    waiting?.wake();
  }
  const chatOf = ({ id }: TelegramPerson) => ({ id, type: "private" });

  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    token: TOKEN,
    sent,
    answered,
    commands,
    requests,
    webhook: () => webhook,
    /** The messages sent to a user, in order. */
    sentTo: ({ id }: TelegramPerson) => sent.filter((message) => message.chat_id === id),
    /** Answers a request without HTTP, for tests that bring their own connection. */
    async answer({ path, body }: PeerRequest): Promise<PeerAnswer> {
      const response = await answerTo(path, body);
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
    /** Unacknowledged updates, as a webhook would receive them. */
    pending: () => updates,
    write(person: TelegramPerson, text: string): void {
      people.set(person.id, person);
      // Any message to a bot permits it to reply.
      started.add(person.id);
      blocked.delete(person.id);
      tell("message", { message_id: 1, date: 1, chat: chatOf(person), from: { ...person, is_bot: false }, text });
    },
    /** Opens a deep link as a user does: its payload is sent with Start. */
    open(person: TelegramPerson, link: string): void {
      this.write(person, `/start ${new URL(link).searchParams.get("start")}`);
    },
    /** Adds the bot to a group by a link; the payload is sent there by `by`, in a topic if one is given. */
    openInGroup({ id, title }: TelegramGroup, link: string, by: TelegramPerson, topic?: number): void {
      const payload = new URL(link).searchParams.get("startgroup");
      this.writeInGroup({ id, title }, `/start@breachbell_bot ${payload}`, by, topic);
    },
    writeInGroup({ id, title }: TelegramGroup, text: string, by: TelegramPerson, topic?: number): void {
      people.set(id, { id, first_name: title });
      started.add(id);
      blocked.delete(id);
      const chat = { id, type: "supergroup", title, is_forum: topic !== undefined };
      const inTopic = topic !== undefined && { message_thread_id: topic, is_topic_message: true };
      tell("message", { message_id: 1, date: 1, chat, from: { ...by, is_bot: false }, text, ...inTopic });
    },
    removeFrom({ id, title }: TelegramGroup, by: TelegramPerson): void {
      blocked.add(id);
      const chat = { id, type: "supergroup", title };
      tell("my_chat_member", { chat, from: by, date: 1, new_chat_member: { status: "left" } });
    },
    press(person: TelegramPerson, data: string): string {
      const id = `press-${nextUpdate}`;
      tell("callback_query", { id, from: person, data, message: { chat: chatOf(person) } });
      return id;
    },
    block(person: TelegramPerson): void {
      blocked.add(person.id);
      tell("my_chat_member", { chat: chatOf(person), from: person, date: 1, new_chat_member: { status: "kicked" } });
    },
    unblock(person: TelegramPerson): void {
      blocked.delete(person.id);
      tell("my_chat_member", { chat: chatOf(person), from: person, date: 1, new_chat_member: { status: "member" } });
    },
    deactivate: (person: TelegramPerson) => void deactivated.add(person.id),
    know: (person: TelegramPerson) => void people.set(person.id, person),
    tell,
    /** The responses to the next calls, except getUpdates. */
    fail: (...next: Failure[]) => void failures.push(...next),
    close: () => server.stop(true),
  };
}
