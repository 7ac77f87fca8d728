import { isChat } from "../../src/shared/chats.ts";
import type { ContactHealth } from "../api/api.ts";
import type { TextId } from "../app/text_id.ts";

type Stateful = Pick<ContactHealth, "channel" | "state" | "settings" | "asked" | "own">;

/** What a contact that receives no messages needs; undefined for one that works. */
export function todoOf({ channel, state, settings, asked, own }: Stateful): TextId | undefined {
  const isTelegram = channel === "telegram";
  switch (state) {
    case "active":
      return undefined;
    case "unconfirmed":
      if (isTelegram) return "contact_todo.unconnected";
      if (channel === "webpush") return "contact_todo.unconnected_device";
      if (isChat(channel)) return "contact_todo.unconnected_chat";
      if (hasNoSecret({ channel, settings })) return "contact_todo.no_secret";
      return asked ? "contact_todo.unconfirmed" : "contact_todo.unasked";
    case "unsubscribed":
      if (own) return "contact_todo.unsubscribed_own";
      return isTelegram ? "contact_todo.unsubscribed_telegram" : "contact_todo.unsubscribed";
    case "broken":
      if (channel === "webpush") return "contact_todo.broken_device";
      if (isChat(channel)) return "contact_todo.broken_chat";
      return isTelegram ? "contact_todo.broken_telegram" : "contact_todo.broken";
  }
}

/** A webhook gets its confirmation request only once it has a secret, with which its owner can verify the sender. */
export function hasNoSecret({ channel, settings }: Pick<ContactHealth, "channel" | "settings">): boolean {
  return channel === "webhook" && !settings.hasSecret;
}

const FAILURES: [RegExp, TextId][] = [
  [/blocked by the user/i, "failure.blocked"],
  [/deactivated/i, "failure.deactivated"],
  [/private network|not https|leads nowhere|no web address/i, "failure.place"],
  [/subscription has ended|no push subscription/, "failure.ended"],
  [/\b[45]\.2\.2\b|mailbox (is )?full|quota/i, "failure.full"],
  [
    /\b5\.1\.[0-6]\b|unknown|no such|not found|chat not found|no email address|no ntfy topic|nothing is connected|no_service|archived/i,
    "failure.missing",
  ],
  [/\b(429|421)\b/, "failure.busy"],
  [/Cannot reach|no answer|ended without|connection|E(CONN|TIMEDOUT|SOCKET|DNS|NOTFOUND|TLS)/i, "failure.unreachable"],
  [/(answered|Telegram|Pushover) 5\d\d/, "failure.theirs"],
  [/(answered|Telegram|Pushover) 4\d\d|EENVELOPE|EMESSAGE/, "failure.refused"],
];

/** A user-facing text for the provider's error message. */
export function failureOf(detail: string | null): TextId {
  return FAILURES.find(([pattern]) => pattern.test(detail ?? ""))?.[1] ?? "failure.other";
}
