import { type Language, negotiateLanguage } from "../../shared/language.ts";
import { PRODUCT } from "../../shared/product.ts";
import type { HashToken, Mac } from "../../shared/secrets.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import { change, masked, routesByContact, unsubscribed } from "../contacts/contact.ts";
import type {
  Accounts,
  AlertHandling,
  Contact,
  ContactUses,
  NotificationStore,
  StoreAndClock,
  TextParams,
  Texts,
} from "../ports.ts";
import { bind } from "./telegram_link.ts";
import {
  isGroup,
  type TelegramBot,
  type TelegramChat,
  type TelegramReply,
  type TelegramUpdate,
} from "./telegram_ports.ts";
import { buttonData, buttonOf } from "./telegram_token.ts";

type Say = (key: string, params?: TextParams) => string;
type Started =
  | { kind: "linked"; contact: Contact }
  | { kind: "asked" | "invalid" }
  /** The chat's username differs from the typed one; a person may have several. */
  | { kind: "unlike" };

type Needs = StoreAndClock &
  Texts & {
    telegramBot?: TelegramBot | undefined;
    alertHandling: AlertHandling;
    contactUses: ContactUses;
    accounts: Accounts;
    hashToken: HashToken;
    mac: Mac;
  };

/** The bot's reactions to messages, buttons, and being blocked or unblocked. */
export function telegramChat(needs: Needs): (update: TelegramUpdate) => Promise<void> {
  const { transaction, telegramBot, alertHandling, contactUses, accounts, hashToken, mac, now } = needs;
  const { translate, publicUrl } = needs;

  const wordsIn =
    (language: Language): Say =>
    (key, params = {}) =>
      translate(language, `telegram.${key}`, { product: PRODUCT, ...params });

  const plain = (text: string): TelegramReply => ({ text, buttons: [] });
  const site = (say: Say, text: string): TelegramReply => ({
    text,
    buttons: publicUrl.startsWith("https:") ? [{ text: say("button.site"), url: publicUrl }] : [],
  });

  const ofChat = ({ contacts }: NotificationStore, chat: TelegramChat) => contacts.listByChat(chat.id);

  /** In the language of the chat's messages; before there are any, in the one of the person's app. */
  async function wordsFor(chat: TelegramChat): Promise<Say> {
    const [contact] = await transaction((store) => ofChat(store, chat));
    return wordsIn(
      contact ? (contact.settings.language ?? contact.language) : negotiateLanguage([chat.languageCode ?? ""]),
    );
  }

  /** Binds the link's contact to the chat, if its person has the username that was typed. */
  function start(chat: TelegramChat, payload: string, usernames: string[] | undefined): Promise<Started> {
    return transaction(async (store) => {
      const link = await store.telegram.findLink({ tokenHash: hashToken(payload) });
      const contact = link && (await store.contacts.find(link.contactId));
      if (!link || !contact) return { kind: "invalid" };
      // Idempotent for repeated updates.
      if (link.usedAt && contact.chatId === chat.id && contact.state === "active") return { kind: "linked", contact };
      if (link.usedAt || link.expiresAt <= now()) return { kind: "invalid" };
      const names = [chat.username ?? "", ...(usernames ?? [])].map((name) => name.toLowerCase());
      if (names.includes(contact.value)) {
        const bound = await bind(store, link, { chat, now: now() });
        return bound ? { kind: "linked", contact: bound } : { kind: "invalid" };
      }
      if (usernames === undefined && !isGroup(chat.id)) return { kind: "unlike" };
      // The link may have reached somebody else, or any group, so the account has to confirm this chat first.
      await store.telegram.putLink({ ...link, candidate: chat });
      return { kind: "asked" };
    });
  }

  async function linked(contact: Contact): Promise<TelegramReply> {
    const say = wordsIn(contact.language);
    const account = await accounts.of(contact.accountId);
    const by = account ? masked({ channel: "email", value: account.email }) : say("somebody");
    const stop = buttonData(mac, contact.chatId ?? "", { action: "stop", id: contact.id, version: 0 });
    return { text: say("linked", { by }), buttons: [{ text: say("button.stop"), data: stop }] };
  }

  async function onStart(chat: TelegramChat, payload: string | undefined): Promise<TelegramReply | undefined> {
    const say = await wordsFor(chat);
    if (payload === undefined) return site(say, say("explain"));
    let started = await start(chat, payload, undefined);
    if (started.kind === "unlike")
      started = await start(chat, payload, (await telegramBot?.usernamesOf(chat.id)) ?? []);
    // A page that waits shows more; a group must not be written to for what somebody typed there.
    if (isGroup(chat.id)) return started.kind === "asked" ? plain(say("asked_group")) : undefined;
    if (started.kind === "linked") return linked(started.contact);
    return started.kind === "asked" ? plain(say("asked")) : site(say, say("invalid_link"));
  }

  /** Applies a rule to the chat's contacts; returns those that it changed. */
  function changeAll(chat: TelegramChat, rule: (contact: Contact) => Contact): Promise<Contact[]> {
    return transaction(async (store) => {
      const changed: Contact[] = [];
      for (const contact of await ofChat(store, chat)) {
        if (rule(contact) === contact) continue;
        const next = await change(store.contacts, contact.id, rule);
        if (next) changed.push(next);
      }
      return changed;
    });
  }

  async function onStop(chat: TelegramChat): Promise<TelegramReply> {
    const stopped = await changeAll(chat, unsubscribed);
    const say = await wordsFor(chat);
    return plain(say(stopped.length > 0 ? "stopped" : "nothing_to_stop"));
  }

  async function onStatus(chat: TelegramChat): Promise<TelegramReply> {
    const say = await wordsFor(chat);
    const contacts = (await transaction((store) => ofChat(store, chat))).filter(({ state }) => state === "active");
    const uses = await Promise.all(
      contacts.map(async (contact) => routesByContact(await contactUses.of(contact.accountId))(contact)),
    );
    const addresses = [
      ...new Set(uses.flat().map(({ address }) => shownAddress(masked({ channel: "email", value: address })))),
    ];
    if (addresses.length === 0) return plain(say("status_none"));
    return plain(
      [say("status", { count: addresses.length }), ...addresses.map((address) => `• ${address}`)].join("\n"),
    );
  }

  async function onHelp(chat: TelegramChat): Promise<TelegramReply> {
    const say = await wordsFor(chat);
    return site(say, say("help"));
  }

  async function onUnblocked(chat: TelegramChat): Promise<TelegramReply | undefined> {
    const back = await changeAll(chat, (contact) =>
      contact.state === "broken" ? { ...contact, state: "active", refusedAt: undefined } : contact,
    );
    return back.length > 0 ? plain((await wordsFor(chat))("unblocked")) : undefined;
  }

  /** Handles an alert that was sent to this chat, if its account still sends here; idempotent. */
  async function handleAlert(chat: TelegramChat, alertId: string, version: number): Promise<string> {
    const contacts = await transaction((store) => ofChat(store, chat));
    const accountIds = contacts.filter(({ state }) => state === "active").map(({ accountId }) => accountId);
    for (const accountId of new Set(accountIds)) {
      const handled = await alertHandling.handle(accountId, alertId, version);
      if (handled.ok) return "handled";
      if (handled.code === "ALERT_CHANGED") return "handled_before";
    }
    return "alert_gone";
  }

  async function stopOne(chat: TelegramChat, contactId: string): Promise<string> {
    const stopped = await changeAll(chat, (contact) => (contact.id === contactId ? unsubscribed(contact) : contact));
    return stopped.length > 0 ? "stopped" : "nothing_to_stop";
  }

  async function onButton({ chat, callbackId, data }: Extract<TelegramUpdate, { kind: "button" }>): Promise<void> {
    const button = buttonOf(mac, chat.id, data);
    const said = !button
      ? "button_invalid"
      : button.action === "handle"
        ? await handleAlert(chat, button.id, button.version)
        : await stopOne(chat, button.id);
    await telegramBot?.answerButton(callbackId, (await wordsFor(chat))(said));
  }

  async function replyTo(update: TelegramUpdate): Promise<TelegramReply | undefined> {
    const { chat } = update;
    switch (update.kind) {
      case "start":
        return onStart(chat, update.payload);
      case "stop":
        return onStop(chat);
      case "status":
        return onStatus(chat);
      case "help":
        return onHelp(chat);
      case "blocked":
        await changeAll(chat, (contact) => (contact.state === "active" ? { ...contact, state: "broken" } : contact));
        return undefined;
      case "unblocked":
        return onUnblocked(chat);
      case "button":
        return void (await onButton(update));
    }
  }

  return async function onUpdate(update) {
    const reply = await replyTo(update);
    if (reply) await telegramBot?.reply(update.chat, reply);
  };
}
