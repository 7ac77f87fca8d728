/** A private chat with a person, or a group with its title as `name`; `id` is text, as it exceeds 32 bits. */
export type TelegramChat = {
  id: string;
  username: string | undefined;
  name: string;
  languageCode: string | undefined;
  /** The topic of the group in which the bot was started. */
  thread?: number;
};

/** Telegram's ids of groups are negative. */
export function isGroup(chatId: string | undefined): boolean {
  return chatId?.startsWith("-") ?? false;
}

/** An action of a person in the chat with the bot. */
export type TelegramUpdate = { id: number; chat: TelegramChat } & (
  | { kind: "start"; payload: string | undefined }
  | { kind: "stop" | "status" | "help" | "blocked" | "unblocked" }
  | { kind: "button"; callbackId: string; data: string }
);

/** A message of the bot; plain text. */
export type TelegramReply = { text: string; buttons: ({ text: string } & ({ url: string } | { data: string }))[] };

/** `ids` are those of all received updates, including kinds that are not used. */
export type TelegramUpdates =
  | { kind: "updates"; updates: TelegramUpdate[]; lastId: number | undefined }
  | { kind: "trouble"; reason: string; afterMs: number };

/** The bot of this installation. Never throws for Telegram's answers. */
export type TelegramBot = {
  /**
   * A link that opens the chat with a Start button for this payload, or lets people choose a group for the bot; undefined while
   * Telegram is unavailable.
   */
  startLink(payload: string, place: "chat" | "group"): Promise<string | undefined>;
  /** Registers how updates are delivered; runs once. */
  prepare(): Promise<void>;
  /** Long-polls for updates after `lastId`, which acknowledges all up to it. Undefined when a webhook is used. */
  updates?(lastId: number | undefined, signal: AbortSignal): Promise<TelegramUpdates>;
  /** Returns whether it was delivered. */
  reply(chat: Pick<TelegramChat, "id" | "thread">, reply: TelegramReply): Promise<boolean>;
  /** Ends a pressed button's loading state; `text` is shown briefly. */
  answerButton(callbackId: string, text: string): Promise<void>;
  /** The current usernames of this chat's person; empty when Telegram does not disclose them. */
  usernamesOf(chatId: string): Promise<string[]>;
};

/** A link that binds a contact to the chat of whoever opens it. One per contact: a new one replaces the old. */
export type TelegramLink = {
  contactId: string;
  accountId: string;
  tokenHash: string;
  expiresAt: Date;
  usedAt: Date | undefined;
  /** Who opened it with a username other than the typed one, to be confirmed by the account. */
  candidate: TelegramChat | undefined;
};

export type TelegramRepository = {
  /** Adds the link, or replaces the contact's former one. */
  putLink(link: TelegramLink): Promise<void>;
  /** With a row lock until the end of the transaction, so that a link binds only once. */
  findLink(by: { tokenHash: string } | { contactId: string }): Promise<TelegramLink | undefined>;
  removeLink(contactId: string): Promise<void>;
  listLinks(accountId: string): Promise<TelegramLink[]>;
  /** Removes expired links, along with who opened them. */
  removeExpired(now: Date): Promise<void>;
  removeByAccount(accountId: string): Promise<void>;
  /** Telegram repeats updates that were not acknowledged. */
  hasSeen(updateId: number): Promise<boolean>;
  /** Also removes those before `since`. */
  markSeen(updateId: number, now: Date, since: Date): Promise<void>;
  /** Acquires or renews the lease for polling: one process at a time. */
  lease(holder: string, now: Date, until: Date): Promise<boolean>;
  /** Releases the holder's lease, so that another process can acquire it immediately. */
  endLease(holder: string): Promise<void>;
};
