/** A private chat with a person; `id` is what messages go to, as text (it exceeds 32 bits). */
export type TelegramChat = { id: string; username: string | undefined; name: string; languageCode: string | undefined };

/** What people do in their chat with the bot. */
export type TelegramUpdate = { id: number; chat: TelegramChat } & (
  | { kind: "start"; payload: string | undefined }
  | { kind: "stop" | "status" | "help" | "blocked" | "unblocked" }
  | { kind: "button"; callbackId: string; data: string }
);

/** What the bot answers; plain text. */
export type TelegramReply = { text: string; buttons: ({ text: string } & ({ url: string } | { data: string }))[] };

/** `ids` are those of all updates that came, also of kinds that mean nothing here. */
export type TelegramUpdates =
  | { kind: "updates"; updates: TelegramUpdate[]; lastId: number | undefined }
  | { kind: "trouble"; reason: string; afterMs: number };

/** The bot of this installation. Nothing here throws for Telegram's answers. */
export type TelegramBot = {
  /** The link that opens the bot's chat with a Start that brings this along; undefined while Telegram cannot be asked. */
  startLink(payload: string): Promise<string | undefined>;
  /** Tells Telegram how updates come, once. */
  prepare(): Promise<void>;
  /** Waits for updates after `lastId`, which acknowledges all up to it. None when a webhook brings them. */
  updates?(lastId: number | undefined, signal: AbortSignal): Promise<TelegramUpdates>;
  /** Tells whether it arrived. */
  reply(chatId: string, reply: TelegramReply): Promise<boolean>;
  /** Ends the waiting of a pressed button; `text` shows for a moment. */
  answerButton(callbackId: string, text: string): Promise<void>;
  /** All names that this chat's person has now; empty when Telegram does not tell. */
  usernamesOf(chatId: string): Promise<string[]>;
};

/** A link that binds a contact to the chat of whoever opens it. One per contact: a new one replaces the old. */
export type TelegramLink = {
  contactId: string;
  accountId: string;
  tokenHash: string;
  expiresAt: Date;
  usedAt: Date | undefined;
  /** Who opened it under another name than the one typed: the account decides. */
  candidate: TelegramChat | undefined;
};

export type TelegramRepository = {
  /** Adds the link, or replaces the contact's former one. */
  putLink(link: TelegramLink): Promise<void>;
  /** Locked until the transaction ends, so that a link binds once. */
  findLink(by: { tokenHash: string } | { contactId: string }): Promise<TelegramLink | undefined>;
  removeLink(contactId: string): Promise<void>;
  listLinks(accountId: string): Promise<TelegramLink[]>;
  /** Those that nobody can use any more, and with them whoever has opened one under another name. */
  removeExpired(now: Date): Promise<void>;
  removeByAccount(accountId: string): Promise<void>;
  /** Telegram sends again what it is not sure of. */
  hasSeen(updateId: number): Promise<boolean>;
  /** Forgets those before `since`. */
  markSeen(updateId: number, now: Date, since: Date): Promise<void>;
  /** Takes or renews the right to wait for updates: one process at a time. */
  lease(holder: string, now: Date, until: Date): Promise<boolean>;
};
