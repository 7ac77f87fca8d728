import * as v from "valibot";
import { KEPT, type StandInMemory } from "../inbox/mailbox_state.ts";
import { type ChatMessage, type ChatPerson, problemOf, type TelegramState } from "./telegram_stand_in_model.ts";

const MAX_ANSWER = 200;
const MOST_UPDATES = 100;
const LONGEST_POLL_SECONDS = 50;
const button = v.object({ text: v.string(), url: v.optional(v.string()), callback_data: v.optional(v.string()) });
const sending = v.object({
  chat_id: v.number(),
  text: v.string(),
  parse_mode: v.optional(v.literal("HTML")),
  reply_markup: v.optional(v.object({ inline_keyboard: v.array(v.array(button)) })),
});
const polling = v.object({ offset: v.optional(v.number()), timeout: v.optional(v.number(), 0) });
const chatOnly = v.object({ chat_id: v.number() });
const answering = v.object({ callback_query_id: v.string(), text: v.optional(v.string(), "") });
const commanding = v.object({
  commands: v.array(v.object({ command: v.string() })),
  language_code: v.optional(v.string(), ""),
});

const fine = (result: unknown) => Response.json({ ok: true, result });
const refuse = (status: number, description: string) =>
  Response.json({ ok: false, error_code: status, description }, { status });
const conflict = () =>
  refuse(409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running");

type Options = { memory: StandInMemory<TelegramState>; token: string; now: () => Date };

/** The part of Telegram's Bot API that the product uses, and the actions of people in their chats with the bot. */
export function telegramStandIn({ memory, token, now }: Options) {
  const username = "breachbell_bot";
  let waiting: { wake: () => void; end: (answer: Response) => void } | undefined;

  function takeId(state: TelegramState): number {
    state.nextId += 1;
    return state.nextId;
  }

  function add(state: TelegramState, message: Omit<ChatMessage, "id" | "at">): ChatMessage {
    const added = { id: takeId(state), at: now().getTime(), ...message };
    state.messages = [added, ...state.messages].slice(0, KEPT);
    return added;
  }

  function tell(state: TelegramState, update: Record<string, unknown>): void {
    state.updates.push({ update_id: takeId(state), ...update });
  }

  function sendMessage(body: v.InferOutput<typeof sending>): Response {
    const problem = problemOf(body);
    if (problem !== undefined) return refuse(400, `Bad Request: ${problem}`);
    return memory.change((state) => {
      const person = state.people.find(({ id }) => id === body.chat_id);
      if (!person) return refuse(400, "Bad Request: chat not found");
      if (person.hasBlocked) return refuse(403, "Forbidden: bot was blocked by the user");
      if (!person.hasStarted) return refuse(403, "Forbidden: bot can't initiate conversation with a user");
      const keyboard = body.reply_markup?.inline_keyboard ?? [];
      const { id, at } = add(state, { chatId: person.id, from: "bot", text: body.text, keyboard });
      return fine({ message_id: id, chat: { id: person.id, type: "private" }, date: Math.floor(at / 1000) });
    });
  }

  const pending = () => memory.change(({ updates }) => updates.slice(0, MOST_UPDATES));

  /** One poll at a time: a second one ends the first. */
  function getUpdates({ offset, timeout }: v.InferOutput<typeof polling>, signal: AbortSignal) {
    waiting?.end(conflict());
    if (offset !== undefined)
      memory.change((state) => {
        state.updates = state.updates.filter(({ update_id }) => update_id >= offset);
      });
    const now = pending();
    if (now.length > 0 || timeout <= 0) return fine(now);
    return new Promise<Response>((resolve) => {
      const late = setTimeout(() => wake(), Math.min(timeout, LONGEST_POLL_SECONDS) * 1000);
      const own = { wake, end };
      function end(answer: Response): void {
        clearTimeout(late);
        if (waiting === own) waiting = undefined;
        resolve(answer);
      }
      function wake(): void {
        end(fine(pending()));
      }
      signal.addEventListener("abort", wake);
      waiting = own;
    });
  }

  function getChat({ chat_id }: v.InferOutput<typeof chatOnly>): Response {
    const person = memory.change(({ people }) => people.find(({ id }) => id === chat_id));
    if (!person?.hasStarted) return refuse(400, "Bad Request: chat not found");
    const names = { username: person.username, active_usernames: [person.username] };
    return fine({ id: chat_id, type: "private", first_name: person.username, ...names });
  }

  function answerCallbackQuery({ callback_query_id: id, text }: v.InferOutput<typeof answering>): Response {
    if ([...text].length > MAX_ANSWER) return refuse(400, "Bad Request: MESSAGE_TOO_LONG");
    return memory.change((state) => {
      const message = state.messages.find((each) => each.id === state.presses[id]);
      if (state.presses[id] === undefined) return refuse(400, "Bad Request: query is too old or its ID is invalid");
      delete state.presses[id];
      if (message) message.answer = text;
      return fine(true);
    });
  }

  function setMyCommands({ commands, language_code }: v.InferOutput<typeof commanding>): Response {
    if (language_code === "")
      memory.change((state) => {
        state.commands = commands.map(({ command }) => command);
      });
    return fine(true);
  }

  /** A method with the schema of its parameters. */
  function taking<Body extends v.GenericSchema>(
    body: Body,
    run: (given: v.InferOutput<Body>, signal: AbortSignal) => Response | Promise<Response>,
  ) {
    return (given: unknown, signal: AbortSignal) => {
      const read = v.safeParse(body, given);
      return read.success ? run(read.output, signal) : refuse(400, "Bad Request: can't parse the request");
    };
  }
  const METHODS: Record<string, (given: unknown, signal: AbortSignal) => Response | Promise<Response>> = {
    getme: () => fine({ id: 1, is_bot: true, first_name: username, username }),
    // There is no webhook locally, so there is nothing to delete.
    deletewebhook: () => fine(true),
    getupdates: taking(polling, getUpdates),
    sendmessage: taking(sending, sendMessage),
    getchat: taking(chatOnly, getChat),
    answercallbackquery: taking(answering, answerCallbackQuery),
    setmycommands: taking(commanding, setMyCommands),
  };

  /** Performs a person's action and passes the resulting update to a waiting poll. */
  function act(work: (state: TelegramState) => void): void {
    memory.change(work);
    waiting?.wake();
  }
  const chatOf = ({ id, username }: ChatPerson) =>
    id < 0 ? { id, type: "supergroup", title: username } : { id, type: "private" };
  const fromOf = ({ id, username }: ChatPerson) => ({
    id: Math.abs(id),
    is_bot: false,
    first_name: username,
    username,
  });
  const personIn = (state: TelegramState, id: number) => state.people.find((person) => person.id === id);

  function write(state: TelegramState, person: ChatPerson, text: string): void {
    // Any message to a bot allows it to answer.
    Object.assign(person, { hasStarted: true, hasBlocked: false });
    const { id, at } = add(state, { chatId: person.id, from: "person", text, keyboard: [] });
    const date = Math.floor(at / 1000);
    tell(state, { message: { message_id: id, date, chat: chatOf(person), from: fromOf(person), text } });
  }

  return {
    username,
    look: () => memory.change((state) => structuredClone(state)),

    /** Answers a call of the API, at `/bot<token>/<method>`. */
    async answer(path: string, request: Request): Promise<Response> {
      const [, given = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
      if (given !== token) return refuse(401, "Unauthorized");
      const run = METHODS[method.toLowerCase()];
      if (!run) return refuse(404, "Not Found");
      const body: unknown = await request.json().catch(() => undefined);
      return run(body, request.signal);
    },

    /** A person opens the bot's link and presses Start, or adds the bot to a group of this name. */
    start(name: string, payload: string, isGroup: boolean): void {
      act((state) => {
        const isKnown = ({ id, username }: ChatPerson) =>
          username.toLowerCase() === name.toLowerCase() && id < 0 === isGroup;
        const known = state.people.find(isKnown);
        const id = known?.id ?? (isGroup ? -takeId(state) : takeId(state));
        const person = known ?? { id, username: name, hasStarted: false, hasBlocked: false };
        if (!known) state.people.push(person);
        write(state, person, payload === "" ? "/start" : `/start ${payload}`);
      });
    },

    write(chatId: number, text: string): void {
      act((state) => {
        const person = personIn(state, chatId);
        if (person) write(state, person, text);
      });
    },

    /** Presses a button under a message. */
    press(messageId: number, data: string): void {
      act((state) => {
        const message = state.messages.find(({ id }) => id === messageId);
        const person = message && personIn(state, message.chatId);
        if (!person || !message?.keyboard.flat().some(({ callback_data }) => callback_data === data)) return;
        delete message.answer;
        const id = `press-${takeId(state)}`;
        state.presses[id] = messageId;
        const query = { id, from: fromOf(person), data, message: { message_id: messageId, chat: chatOf(person) } };
        tell(state, { callback_query: query });
      });
    },

    block(chatId: number, hasBlocked: boolean): void {
      act((state) => {
        const person = personIn(state, chatId);
        if (!person || person.hasBlocked === hasBlocked) return;
        person.hasBlocked = hasBlocked;
        const status = hasBlocked ? "kicked" : "member";
        tell(state, {
          my_chat_member: { chat: chatOf(person), from: fromOf(person), new_chat_member: { status } },
        });
      });
    },
  };
}
