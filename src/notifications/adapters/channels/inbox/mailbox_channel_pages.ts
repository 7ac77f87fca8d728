import type { PushMessage, PushoverState, PushReceipt } from "../pushover/pushover_stand_in.ts";
import type { ChatButton, ChatMessage, ChatPerson, TelegramState } from "../telegram/telegram_stand_in_model.ts";
import { emptyItem, live, type PageOptions, tabPage, timeOf } from "./mailbox_shell.ts";

const e = Bun.escapeHTML;

type Act = { path: "telegram" | "pushover"; label: string; fields: Record<string, string | number>; isMain?: boolean };

/** A form with a single button. */
function actForm({ path, label, fields, isMain = false }: Act): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${e(String(value))}">`,
  );
  const look = isMain ? ` class="mb-main-button"` : "";
  return `<form method="post" action="/mailbox/${path}">${hidden.join("")}<button${look}>${e(label)}</button></form>`;
}

const acts = (forms: string[]) => (forms.length === 0 ? "" : `<div class="mb-acts">${forms.join("")}</div>`);

/** An opened link to the bot; `typed` is the username of its contact, or the name of the group. */
export type OpenedLink = { bot: string; payload: string; typed: string; place: "chat" | "group" };

function startCard({ bot, payload, typed, place }: OpenedLink, { say }: PageOptions): string {
  const name = `<label for="username">${e(say("mailbox.start_name"))}</label><input id="username" name="username" value="${e(typed)}" required pattern="@?[A-Za-z][A-Za-z0-9_]{3,31}" autocomplete="off">`;
  const hidden = `<input type="hidden" name="act" value="start"><input type="hidden" name="payload" value="${e(payload)}"><input type="hidden" name="place" value="${place}">`;
  return `<form class="mb-card" method="post" action="/mailbox/telegram"><h2>@${e(bot)}</h2><p class="mb-said">${e(say("mailbox.start_text"))}</p>${name}${hidden}<div class="mb-acts"><button class="mb-main-button">${e(say("mailbox.start"))}</button></div></form>`;
}

function buttonOf(button: ChatButton, messageId: number): string {
  if (button.url !== undefined)
    return `<a class="mb-button" href="${e(button.url)}" target="_blank" rel="noopener noreferrer">${e(button.text)}</a>`;
  const fields = { act: "press", message: messageId, data: button.callback_data ?? "" };
  return actForm({ path: "telegram", label: button.text, fields });
}

/** The bot's HTML was validated tag by tag on arrival; people's messages are plain text. */
function chatItem(message: ChatMessage, name: string, { say }: PageOptions): string {
  const { id, at, from, text, keyboard, answer } = message;
  const isOwn = from === "person";
  const way = say(isOwn ? "mailbox.to_bot" : "mailbox.from_bot", { name: `@${name}` });
  const head = `<div class="mb-line"><span class="mb-meta">${e(way)}</span><span class="mb-meta">${timeOf(new Date(at))}</span></div>`;
  const body = `<div class="mb-said">${isOwn ? e(text.replace(/^(\/start) .*$/, "$1")) : text}</div>`;
  const told = answer === undefined ? "" : `<p class="mb-said" role="status">✓ ${e(answer)}</p>`;
  const own = isOwn ? " data-own" : "";
  return `<li class="mb-item" id="chat-${id}"${own}>${head}${body}${acts(keyboard.flat().map((each) => buttonOf(each, id)))}${told}</li>`;
}

/** What a person can do in the chat besides pressing buttons under messages. */
function personItem({ id, username, hasBlocked }: ChatPerson, commands: string[], { say }: PageOptions): string {
  const write = (text: string) =>
    actForm({ path: "telegram", label: text, fields: { act: "write", person: id, text } });
  const act = hasBlocked ? "unblock" : "block";
  const block = actForm({ path: "telegram", label: say(`mailbox.${act}`), fields: { act, person: id } });
  const forms = hasBlocked ? [block] : [...commands.map((command) => write(`/${command}`)), block];
  return `<li class="mb-item" id="person-${id}"><span class="mb-name">@${e(username)}</span>${acts(forms)}</li>`;
}

export function telegramPage(state: TelegramState, opened: OpenedLink | undefined, options: PageOptions): string {
  const { people, messages, commands } = state;
  const nameOf = (chatId: number) => people.find(({ id }) => id === chatId)?.username ?? String(chatId);
  const items = messages.map((message) => chatItem(message, nameOf(message.chatId), options));
  const list = live("chats", items.length > 0 ? items : [emptyItem(options.say("mailbox.telegram_empty"))]);
  const persons = live(
    "people",
    people.map((person) => personItem(person, commands, options)),
  );
  return tabPage("telegram", `${opened ? startCard(opened, options) : ""}${persons}${list}`, options);
}

function receiptState(receipt: PushReceipt, now: Date): "acknowledged" | "ended" | "repeats" {
  if (receipt.acknowledgedAt !== undefined) return "acknowledged";
  return receipt.isCancelled || receipt.expiresAt <= now.getTime() ? "ended" : "repeats";
}

function pushItem(push: PushMessage, receipt: PushReceipt | undefined, now: Date, { say }: PageOptions): string {
  const { id, at, title, message, priority, device, url, urlTitle } = push;
  const state = receipt && receiptState(receipt, now);
  const marks = [
    ...(priority > 0 ? [say(priority === 2 ? "mailbox.emergency" : "mailbox.high")] : []),
    ...(device === undefined ? [] : [device]),
  ];
  const head = `<div class="mb-line"><span class="mb-name">${e(title)}</span><span class="mb-meta">${timeOf(new Date(at))}</span></div>`;
  const meta = marks.length === 0 ? "" : `<div class="mb-meta">${e(marks.join(" · "))}</div>`;
  const link =
    url === undefined
      ? ""
      : `<p class="mb-said"><a href="${e(url)}" target="_blank" rel="noopener noreferrer">${e(urlTitle ?? url)}</a></p>`;
  const said = state === undefined ? "" : `<p class="mb-said" role="status">${e(say(`mailbox.${state}`))}</p>`;
  const fields = { act: "acknowledge", receipt: push.receipt ?? "" };
  const form =
    state === "repeats"
      ? acts([actForm({ path: "pushover", label: say("mailbox.acknowledge"), fields, isMain: true })])
      : "";
  const mark = state === "repeats" ? " data-emergency" : "";
  return `<li class="mb-item" id="push-${e(id)}"${mark}>${head}${meta}<div class="mb-said">${e(message)}</div>${link}${said}${form}</li>`;
}

export function pushoverPage({ userKey, messages, receipts }: PushoverState, now: Date, options: PageOptions): string {
  const { say } = options;
  const key = `<div class="mb-card"><h2>${e(say("mailbox.key"))}</h2><span class="mb-code mb-key">${e(userKey)}</span><p class="mb-said">${e(say("mailbox.key_hint"))}</p></div>`;
  const items = messages.map((push) =>
    pushItem(push, push.receipt === undefined ? undefined : receipts[push.receipt], now, options),
  );
  const list = live("pushes", items.length > 0 ? items : [emptyItem(say("mailbox.pushover_empty"))]);
  return tabPage("pushover", key + list, options);
}
