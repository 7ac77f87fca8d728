import * as v from "valibot";
import { CHAT_NAMES, type Chat, isChat } from "./chats.ts";
import { EMAIL_TYPED_MAX, normaliseEmail } from "./email_address.ts";
import type { Language } from "./language.ts";
import type { ErrorCode } from "./result.ts";
import { text } from "./text.ts";
import { normalised, trimmed } from "./unicode.ts";

/** Channels whose contacts are typed as they are. */
const TYPED = ["email", "telegram", "pushover", "ntfy", "webhook"] as const;
type TypedChannel = (typeof TYPED)[number];
/** Channels whose contacts are connected first: a contact's value is a name, and its address is a secret that is kept apart. */
export type ConnectedChannel = "webpush" | Chat;
export type Channel = TypedChannel | ConnectedChannel;
/** The channels by which a message can reach a person. */
export const CHANNELS: readonly Channel[] = [...TYPED, "webpush", ...CHAT_NAMES];

export function isConnected(channel: Channel): channel is ConnectedChannel {
  return channel === "webpush" || isChat(channel);
}

/** The error of a list that has no contact. */
export function contactRequired(channel: Channel): ErrorCode {
  if (isConnected(channel)) return "CONNECTION_REQUIRED";
  return `${channel.toUpperCase() as Uppercase<TypedChannel>}_CONTACT_REQUIRED`;
}

/** Builds a record with one value for each channel. */
export function byChannel<Value>(of: (channel: Channel) => Value): Record<Channel, Value> {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, of(channel)])) as Record<Channel, Value>;
}

/** One recipient address as it was typed. For email the value is the normalised address. */
export type ContactAddress = { channel: Channel; value: string };

/** The contacts and the language for the alerts of one association. */
export type AlertRoute = {
  associationId: string;
  accountId: string;
  address: string;
  /** The account has proven that the address is its own; for any other, its owner has allowed this account alone. */
  own: boolean;
  language: Language;
  contacts: ContactAddress[];
};

/** Limit for each channel. */
export const MAX_CONTACTS = 10;
const MAX_NAME_LENGTH = 64;
/** The longest stored value of each channel, in characters. */
export const MAX_CONTACT_LENGTH: Record<Channel, number> = {
  ...byChannel(() => MAX_NAME_LENGTH),
  email: 254,
  telegram: 32,
  pushover: 30,
  ntfy: 254,
  webhook: 1000,
};

/** The longest input for a channel, in characters. */
function typedContactMax(channel: Channel): number {
  return Math.max(EMAIL_TYPED_MAX, MAX_CONTACT_LENGTH[channel]);
}

/** A person's page in Telegram, as people copy it. */
const TELEGRAM_LINK = /^(?:https?:\/\/)?t\.me\/(\w+)\/?$/i;

/** The input in NFKC, trimmed; undefined when it is too long. */
export function typedContact(channel: Channel, typed: string): string | undefined {
  if (typed.length > typedContactMax(channel)) return undefined;
  const text = trimmed(normalised(typed, "NFKC"));
  return channel === "telegram" ? text.replace(TELEGRAM_LINK, "$1") : text;
}

/** Telegram: 4 to 32 letters, digits and underscores, with or without @; names of four letters are sold as collectibles (fragment.com). */
const TELEGRAM_USERNAME = /^@?[a-z]\w{3,31}$/i;
/** Pushover: user and group keys have 30 letters and digits (pushover.net/api). */
const PUSHOVER_KEY = /^[a-z0-9]{30}$/i;

/** ntfy: letters, digits, - and _ (docs.ntfy.sh/publish). */
const NTFY_TOPIC = /^[\w-]{1,64}$/;

/** The name of something connected. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** A URL that can be used as it is: https, without credentials (a log would show them) or a fragment (it is never sent). */
export function httpsAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === "https:" && url.username === "" && url.password === "" && !text.includes("#");
  return isPlain ? url : undefined;
}

/** A topic on the installation's own server, or the URL of one elsewhere, as ntfy's app shows it. */
function ntfyTopic(text: string): string | undefined {
  if (NTFY_TOPIC.test(text)) return text;
  const url = httpsAddress(text);
  const topic = url?.pathname.slice(1) ?? "";
  return url && url.search === "" && NTFY_TOPIC.test(topic) ? `${url.origin}/${topic}` : undefined;
}

/** The stored form of a contact; undefined when it is invalid for that channel. Telegram ignores case. */
export function contactValue(channel: Channel, typed: string): string | undefined {
  if (channel === "email") return normaliseEmail(typed);
  const text = typedContact(channel, typed);
  if (text === undefined) return undefined;
  if (channel === "telegram") return TELEGRAM_USERNAME.test(text) ? text.replace(/^@/, "").toLowerCase() : undefined;
  if (channel === "pushover") return PUSHOVER_KEY.test(text) ? text : undefined;
  if (isConnected(channel)) return NAME.test(text) && text.length <= MAX_NAME_LENGTH ? text : undefined;
  const value = channel === "ntfy" ? ntfyTopic(text) : httpsAddress(text)?.href;
  return value !== undefined && value.length <= MAX_CONTACT_LENGTH[channel] ? value : undefined;
}

const INVALID = {
  email: "EMAIL_INVALID",
  telegram: "TELEGRAM_NAME_INVALID",
  pushover: "PUSHOVER_KEY_INVALID",
  ntfy: "NTFY_TOPIC_INVALID",
  webhook: "WEBHOOK_INVALID",
} as const satisfies Record<TypedChannel, ErrorCode>;

/** The error of a single value that is invalid for its channel. */
export function contactError(channel: Channel, typed: string): ErrorCode {
  if (typedContact(channel, typed) === "") return "FIELD_REQUIRED";
  return isConnected(channel) ? "CONTACT_INVALID" : INVALID[channel];
}

function listOf(channel: Channel) {
  const value = v.pipe(
    text(typedContactMax(channel), "CONTACT_INVALID"),
    v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
      const contact = contactValue(channel, dataset.value);
      if (contact !== undefined) return contact;
      addIssue({ message: "CONTACT_INVALID" });
      return NEVER;
    }),
  );
  return v.pipe(
    v.array(value, "CONTACT_INVALID"),
    v.maxLength(MAX_CONTACTS, "TOO_MANY_CONTACTS"),
    v.transform((values) => [...new Set(values)]),
  );
}

/** A form's contacts by channel; whether one is required is up to the form. */
export const contactLists = v.strictObject(byChannel((channel) => v.optional(listOf(channel), [])));
export type ContactLists = v.InferOutput<typeof contactLists>;

export function contactsOf(lists: ContactLists): ContactAddress[] {
  return CHANNELS.flatMap((channel) => lists[channel].map((value) => ({ channel, value })));
}

export function listsOf(contacts: readonly ContactAddress[]): ContactLists {
  const of = (channel: Channel) => contacts.filter((contact) => contact.channel === channel).map(({ value }) => value);
  return byChannel(of);
}
