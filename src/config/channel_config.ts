import * as v from "valibot";
import { CHAT_NAMES, type Chat, isChat } from "../shared/chats.ts";
import { isSecure, matching, onOff, type SettingsOf } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

/** Channels that the local inbox can replace. */
const EMBEDDED_CHANNELS = ["telegram", "pushover"] as const;
export type EmbeddedChannel = (typeof EMBEDDED_CHANNELS)[number];

/** The configured channels besides mail. */
export type ChannelConfig = {
  /** With a secret, Telegram calls our webhook; without, the bot polls for updates. */
  telegram?: { baseUrl: string; token: string; webhookSecret: string | undefined };
  pushover?: { baseUrl: string; appToken: string };
  ntfy?: { baseUrl: string; token: string | undefined };
  /** Channels without tokens that the local inbox replaces in development. */
  embedded: EmbeddedChannel[];
  webhooks: boolean;
  webPush: boolean;
  /** The chats that people may connect. */
  chats: Chat[];
  /** Contacts may point to private network addresses. */
  allowPrivate: boolean;
};

const secrets = ["TELEGRAM_BOT_TOKEN", "TELEGRAM_WEBHOOK_SECRET", "PUSHOVER_APP_TOKEN", "NTFY_TOKEN"] as const;

const isSafe = (text: string) => isSecure(text) && URL.parse(text)?.search === "";
const address = v.pipe(v.string(), v.check(isSafe, "must be an https address (http only on this machine)"));

const WITHOUT_TLS = /^(http:\/\/[^?#]*)\?tls=off$/i;
/** A server that people run themselves may be in their private network, where `?tls=off` permits plain http. */
const ownServer = v.pipe(
  v.string(),
  v.check(
    (text) => isSafe(WITHOUT_TLS.exec(text)?.[1]?.replace(/^http:/i, "https:") ?? text),
    "must be an https address (plain http on this machine, or with ?tls=off in a private network)",
  ),
  v.transform((text) => WITHOUT_TLS.exec(text)?.[1] ?? text),
);

/** The chats of a list; undefined if there is another word in it. */
function chatsIn(list: string): Chat[] | undefined {
  if (list === "off") return [];
  const names = list.split(",").map((name) => name.trim());
  return names.every(isChat) ? names : undefined;
}

const entries = {
  TELEGRAM_BASE_URL: v.optional(ownServer, "https://api.telegram.org"),
  TELEGRAM_BOT_TOKEN: v.optional(matching(/^\d+:[\w-]{30,}$/, "must be a token of @BotFather")),
  TELEGRAM_WEBHOOK_SECRET: v.optional(
    matching(/^[\w-]{32,256}$/, "must be 32 to 256 letters, digits, hyphens and underscores"),
  ),
  PUSHOVER_BASE_URL: v.optional(address, "https://api.pushover.net/1"),
  PUSHOVER_APP_TOKEN: v.optional(
    matching(/^[A-Za-z0-9]{30}$/, "must be the 30 letters and digits of an application token"),
  ),
  NTFY_BASE_URL: v.optional(
    v.pipe(
      ownServer,
      v.check(
        (text) => URL.parse(text)?.pathname === "/",
        "must be an address without a path, such as https://ntfy.sh",
      ),
    ),
  ),
  NTFY_TOKEN: v.optional(matching(/^[\x21-\x7e]+$/, "must be an access token")),
  WEBHOOKS: v.optional(onOff, "off"),
  WEB_PUSH: v.optional(onOff, "on"),
  CHATS: v.optional(
    v.pipe(
      v.string(),
      v.check((list) => chatsIn(list) !== undefined, `must be "off" or some of ${CHAT_NAMES.join(", ")}`),
    ),
    CHAT_NAMES.join(","),
  ),
  WEBHOOK_ALLOW_PRIVATE: v.optional(v.picklist(["true", "false"], 'must be "true" or "false"'), "false"),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  TELEGRAM_BASE_URL: {
    says: "the base URL of Telegram’s API, or of your own Bot API server; in a private network, `http://…?tls=off` permits plain http",
  },
  TELEGRAM_BOT_TOKEN: {
    says: "the token of your Telegram bot, created with @BotFather; one process polls for its updates",
    standard: "local inbox; in production Telegram is off",
  },
  TELEGRAM_WEBHOOK_SECRET: {
    says: "if set, Telegram sends updates to `PUBLIC_URL/api/telegram/webhook` instead (32 to 256 letters, digits, `-`, `_`)",
  },
  PUSHOVER_BASE_URL: { says: "the base URL of Pushover’s API" },
  PUSHOVER_APP_TOKEN: {
    says: "the token of your Pushover application",
    standard: "local inbox; in production Pushover is off",
  },
  NTFY_BASE_URL: {
    says: "the ntfy server for topics without a server name; enables alerts by ntfy; in a private network, `http://…?tls=off` permits plain http",
    required: "with `NTFY_TOKEN`",
  },
  NTFY_TOKEN: { says: "the access token of the ntfy server, if it requires one" },
  WEBHOOKS: { says: "`on` lets people have alerts sent as signed webhooks to their own https addresses" },
  WEB_PUSH: {
    says: "`on` lets people get notifications in their browser; the keys are generated, and browsers need https",
  },
  CHATS: { says: "the chats that people may connect, separated by commas, or `off`" },
  WEBHOOK_ALLOW_PRIVATE: {
    says: "`true` allows webhooks, chats, push services and other ntfy servers in private networks",
  },
};
type Settings = SettingsOf<typeof entries>;

/** Conflicting settings. */
function problems({ NTFY_BASE_URL, NTFY_TOKEN }: Settings): string[] {
  return NTFY_TOKEN && !NTFY_BASE_URL ? ["NTFY_BASE_URL is missing: NTFY_TOKEN is for one server"] : [];
}

/** `hasInbox`: in development, the local inbox shows what would be sent by Telegram and Pushover. */
export function channelsOf(settings: Settings, hasInbox: boolean): ChannelConfig {
  const { PUSHOVER_BASE_URL, PUSHOVER_APP_TOKEN: appToken, NTFY_BASE_URL, NTFY_TOKEN: token } = settings;
  const { TELEGRAM_BASE_URL, TELEGRAM_BOT_TOKEN, TELEGRAM_WEBHOOK_SECRET: webhookSecret } = settings;
  const given = { telegram: TELEGRAM_BOT_TOKEN, pushover: appToken };
  return {
    ...(TELEGRAM_BOT_TOKEN !== undefined && {
      telegram: { baseUrl: TELEGRAM_BASE_URL, token: TELEGRAM_BOT_TOKEN, webhookSecret },
    }),
    ...(appToken !== undefined && { pushover: { baseUrl: PUSHOVER_BASE_URL, appToken } }),
    ...(NTFY_BASE_URL !== undefined && { ntfy: { baseUrl: NTFY_BASE_URL, token } }),
    embedded: EMBEDDED_CHANNELS.filter((channel) => hasInbox && given[channel] === undefined),
    webhooks: settings.WEBHOOKS === "on",
    webPush: settings.WEB_PUSH === "on",
    chats: chatsIn(settings.CHATS) ?? [],
    allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE === "true",
  };
}

export const channelSettings = { entries, words, secrets, problems };
