import { telegram } from "../../src/notifications/adapters/channels/telegram/telegram.ts";
import type { NotificationDeps } from "../../src/notifications/mod.ts";
import { startTelegramPeer, type TelegramPerson } from "../support/telegram_peer.ts";
import { keys, postOffice } from "./post_office.ts";

export const BOB: TelegramPerson = {
  id: 7_000_000_001,
  first_name: "Bob",
  username: "Bob_Miller",
  language_code: "de",
};
export const EVE: TelegramPerson = { id: 7_000_000_002, first_name: "Eve", username: "eve_online" };

/** The module with a real bot connected to a peer on this machine; Alice's alerts go to Bob's Telegram. */
export function telegramWorld(cleanUps: (() => unknown)[], changes: Partial<NotificationDeps> = {}) {
  const peer = startTelegramPeer();
  cleanUps.push(() => peer.close());
  const troubles: unknown[] = [];
  const pauses: number[] = [];
  const open = (options: { webhook?: { url: string; secret: string } } = {}) =>
    telegram({
      baseUrl: peer.baseUrl,
      token: peer.token,
      mac: keys.mac,
      now: () => new Date("2026-03-02T08:00:00Z"),
      sleep: async (ms) => void pauses.push(ms),
      pace: async () => {},
      report: (error) => void troubles.push(error),
      commands: () => ({ "": [{ command: "help", description: "Show the commands" }] }),
      ...options,
    });
  const { bot, sender } = open();
  const handled: { accountId: string; alertId: string; version: number }[] = [];
  const post = postOffice({
    telegramBot: bot,
    alertHandling: {
      async handle(accountId, alertId, version) {
        const facts = post.facts.get(alertId);
        if (facts?.accountId !== accountId) return { ok: false, code: "NOT_FOUND" };
        if (facts.version !== version) return { ok: false, code: "ALERT_CHANGED" };
        post.facts.set(alertId, { ...facts, state: "handled", version: version + 1 });
        handled.push({ accountId, alertId, version });
        return { ok: true, value: {} };
      },
    },
    ...changes,
  });
  post.deps.senders.telegram = sender;

  /** A contact of Alice's, as listed by her association. */
  async function contactOf(value = "bob_miller", accountId = "alice") {
    const contacts = [{ channel: "telegram" as const, value }];
    post.watch(`${accountId}-home`, "alice@home.example", contacts, accountId);
    await post.onContactsChanged({
      type: "tracking.contactsChanged",
      associationId: `${accountId}-home`,
      accountId,
      language: "de",
      contacts,
    });
    const all = await post.deps.transaction((store) => store.contacts.list(accountId));
    const contact = all.find((each) => each.value === value);
    if (!contact) throw new Error("The contact was not made");
    return contact;
  }

  async function linkOf(contactId: string, accountId = "alice"): Promise<string> {
    const started = await post.startTelegramLink(accountId, { contactId, whose: "me" });
    if (!started.ok) throw new Error(started.code);
    return started.value.url;
  }

  return {
    ...post,
    peer,
    bot,
    sender,
    open,
    troubles,
    pauses,
    handled,
    contactOf,
    linkOf,
    find: (id: string) => post.deps.transaction((store) => store.contacts.find(id)),
    /** Bob's contact, connected. */
    async connected() {
      const contact = await contactOf();
      peer.open(BOB, await linkOf(contact.id));
      await post.pollTelegram();
      return contact;
    },
  };
}

/** The last button with this text under the last message to a user. */
export function buttonUnder(message: ReturnType<typeof startTelegramPeer>["sent"][number] | undefined, text: string) {
  return message?.reply_markup?.inline_keyboard.flat().find((button) => button.text === text);
}
