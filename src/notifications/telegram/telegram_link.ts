import { fail, ok, type Result } from "../../shared/result.ts";
import type { HashToken, NewToken } from "../../shared/secrets.ts";
import { change } from "../contacts/contact.ts";
import type { Contact, ContactSettings, NotificationStore, StoreAndClock } from "../ports.ts";
import { isGroup, type TelegramBot, type TelegramChat, type TelegramLink } from "./telegram_ports.ts";

const MINUTE_MS = 60_000;
/** How long the account is shown that a link has expired. */
const SHOWN_EXPIRED_MS = 7 * 24 * 3_600_000;
const VALID_MS = { me: 15 * MINUTE_MS, group: 15 * MINUTE_MS, somebody: 72 * 60 * MINUTE_MS };

export type LinkView = {
  state: "none" | "waiting" | "needs_confirmation" | "linked" | "expired";
  /** Who opened the link with a username other than the typed one. */
  candidate: { username: string | null; name: string; isGroup: boolean } | null;
  /** ISO 8601. */
  expiresAt: string | null;
};

/** The label of a chat: its username and displayed name. */
export function labelOf({ username, name }: TelegramChat): string {
  return username === undefined ? name : name === "" ? `@${username}` : `@${username} (${name})`;
}

/** Messages in a group are discreet at first, as several people read them. */
function settingsIn({ id, thread }: TelegramChat, { thread: _, ...settings }: ContactSettings): ContactSettings {
  if (!isGroup(id)) return settings;
  return { ...settings, discreet: true, ...(thread !== undefined && { thread }) };
}

/** Binds a contact to a chat, and releases the messages that were waiting for this. */
export async function bind(
  { contacts, deliveries, telegram }: NotificationStore,
  link: TelegramLink,
  { chat, now }: { chat: TelegramChat; now: Date },
): Promise<Contact | undefined> {
  const contact = await change(contacts, link.contactId, (stored) => ({
    ...stored,
    state: "active",
    chatId: chat.id,
    settings: settingsIn(chat, stored.settings),
    label: labelOf(chat),
    confirmedAt: now,
    refusedAt: undefined,
  }));
  if (!contact) return undefined;
  await telegram.putLink({ ...link, usedAt: now, candidate: undefined });
  await deliveries.releaseHeld("unconfirmed", contact.id, now);
  return contact;
}

type Needs = StoreAndClock & { telegramBot?: TelegramBot | undefined; newToken: NewToken; hashToken: HashToken };

/** Bots cannot write first: a typed username becomes a chat when its person opens this link and presses Start. */
export function telegramLinks({ transaction, telegramBot, newToken, hashToken, now }: Needs) {
  function ofAccount<T>(
    accountId: string,
    contactId: string,
    work: (store: NotificationStore, contact: Contact) => Promise<Result<T, "NOT_FOUND" | "LINK_INVALID">>,
  ): Promise<Result<T, "NOT_FOUND" | "LINK_INVALID">> {
    return transaction(async (store) => {
      const contact = await store.contacts.find(contactId);
      if (contact?.accountId !== accountId || contact.channel !== "telegram") return fail("NOT_FOUND");
      return work(store, contact);
    });
  }

  return {
    /** Job: removes unused links a week after they expired, along with who opened them. */
    forgetOldLinks: (): Promise<void> =>
      transaction(({ telegram }) => telegram.removeExpired(new Date(now().getTime() - SHOWN_EXPIRED_MS))),

    /** Creates a link; the contact's former one becomes invalid. `expiresAt` is ISO 8601. */
    async startTelegramLink(
      accountId: string,
      { contactId, whose }: { contactId: string; whose: keyof typeof VALID_MS },
    ): Promise<Result<{ url: string; expiresAt: string }, "NOT_FOUND" | "LINK_INVALID" | "CHANNEL_UNAVAILABLE">> {
      const known = await ofAccount(accountId, contactId, async () => ok());
      if (!known.ok) return known;
      const token = newToken();
      const url = await telegramBot?.startLink(token, whose === "group" ? "group" : "chat");
      if (url === undefined) return fail("CHANNEL_UNAVAILABLE");
      const expiresAt = new Date(now().getTime() + VALID_MS[whose]);
      return ofAccount(accountId, contactId, async ({ telegram }) => {
        const link = { contactId, accountId, tokenHash: hashToken(token), expiresAt };
        await telegram.putLink({ ...link, usedAt: undefined, candidate: undefined });
        return ok({ url, expiresAt: expiresAt.toISOString() });
      });
    },

    /** The username typed for the recipient of a link, for the local Telegram, where anyone can claim it. */
    nameOfTelegramLink: (token: string): Promise<string | undefined> =>
      transaction(async ({ telegram, contacts }) => {
        const link = await telegram.findLink({ tokenHash: hashToken(token) });
        return link && (await contacts.find(link.contactId))?.value;
      }),

    /** The state of the link, for the page that waits for it. */
    showTelegramLink: (accountId: string, contactId: string) =>
      ofAccount<LinkView>(accountId, contactId, async ({ telegram }, contact) => {
        const link = await telegram.findLink({ contactId });
        const candidate = link?.candidate;
        return ok({
          state: stateOf(link, contact, now()),
          candidate: candidate
            ? { username: candidate.username ?? null, name: candidate.name, isGroup: isGroup(candidate.id) }
            : null,
          expiresAt: link?.expiresAt.toISOString() ?? null,
        });
      }),

    /** Confirms by the account that the right person opened the link. */
    confirmTelegramLink: (accountId: string, contactId: string) =>
      ofAccount<LinkView>(accountId, contactId, async (store) => {
        const link = await store.telegram.findLink({ contactId });
        if (!link?.candidate || link.usedAt || link.expiresAt <= now()) return fail("LINK_INVALID");
        const { candidate, expiresAt } = link;
        if (!(await bind(store, link, { chat: candidate, now: now() }))) return fail("NOT_FOUND");
        return ok({ state: "linked", candidate: null, expiresAt: expiresAt.toISOString() });
      }),
  };
}

function stateOf(link: TelegramLink | undefined, contact: Contact, now: Date): LinkView["state"] {
  const isOpen = link !== undefined && link.usedAt === undefined;
  if (!isOpen) return contact.chatId !== undefined && contact.state === "active" ? "linked" : "none";
  if (link.expiresAt <= now) return "expired";
  return link.candidate ? "needs_confirmation" : "waiting";
}
