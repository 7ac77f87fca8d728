import * as v from "valibot";
import { EMAIL_TYPED_MAX, normaliseEmail } from "./email_address.ts";
import type { Language } from "./language.ts";
import { normalised, text } from "./text.ts";

/** The ways a message can reach a person. A new channel is one more word here and one sender behind `MessageSender`. */
export const CHANNELS = ["email", "telegram", "pushover", "ntfy", "webhook"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Something for each channel. */
export function byChannel<Value>(of: (channel: Channel) => Value): Record<Channel, Value> {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, of(channel)])) as Record<Channel, Value>;
}

/** One place to send to, as it was typed. For email the value is the normalised address. */
export type ContactAddress = { channel: Channel; value: string };

/** Where the alerts of one association go, and in which language. */
export type AlertRoute = {
  associationId: string;
  accountId: string;
  address: string;
  language: Language;
  contacts: ContactAddress[];
};

/** Of one channel. */
export const MAX_CONTACTS = 10;
/** The longest value of each channel, in characters. */
export const MAX_CONTACT_LENGTH: Record<Channel, number> = {
  email: 254,
  telegram: 32,
  pushover: 30,
  ntfy: 254,
  webhook: 1000,
};

/** The longest that is typed for one. */
function typedContactMax(channel: Channel): number {
  return Math.max(EMAIL_TYPED_MAX, MAX_CONTACT_LENGTH[channel]);
}

/** What was typed as Unicode's compatibility form has it, without spaces at its ends; undefined when it is too long. */
export function typedContact(channel: Channel, typed: string): string | undefined {
  return typed.length > typedContactMax(channel) ? undefined : normalised(typed, "NFKC").trim();
}

/** Telegram: 5 to 32 letters, digits and underscores, with or without @ (core.telegram.org/method/account.checkUsername). */
const TELEGRAM_USERNAME = /^@?[a-z]\w{4,31}$/i;
/** Pushover: user and group keys have 30 letters and digits (pushover.net/api). */
const PUSHOVER_KEY = /^[a-z0-9]{30}$/i;

/** ntfy: letters, digits, - and _ (docs.ntfy.sh/publish). */
const NTFY_TOPIC = /^[\w-]{1,64}$/;

/** An address that can be posted to as it stands: https, nothing that a log should not show, nothing that is not sent. */
function httpsAddress(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === "https:" && url.username === "" && url.password === "" && !text.includes("#");
  return isPlain ? url : undefined;
}

/** A topic of the installation's own server, or the address of one elsewhere, as ntfy's app shows it. */
function ntfyTopic(text: string): string | undefined {
  if (NTFY_TOPIC.test(text)) return text;
  const url = httpsAddress(text);
  const topic = url?.pathname.slice(1) ?? "";
  return url && url.search === "" && NTFY_TOPIC.test(topic) ? `${url.origin}/${topic}` : undefined;
}

/** A contact in the form in which it is stored; undefined when it cannot be one of that channel. Telegram ignores case. */
export function contactValue(channel: Channel, typed: string): string | undefined {
  if (channel === "email") return normaliseEmail(typed);
  const text = typedContact(channel, typed);
  if (text === undefined) return undefined;
  if (channel === "telegram") return TELEGRAM_USERNAME.test(text) ? text.replace(/^@/, "").toLowerCase() : undefined;
  if (channel === "pushover") return PUSHOVER_KEY.test(text) ? text : undefined;
  const value = channel === "ntfy" ? ntfyTopic(text) : httpsAddress(text)?.href;
  return value !== undefined && value.length <= MAX_CONTACT_LENGTH[channel] ? value : undefined;
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

/** A form's contacts by channel; whether one is needed is the form's business. */
export const contactLists = v.strictObject(byChannel((channel) => v.optional(listOf(channel), [])));
export type ContactLists = v.InferOutput<typeof contactLists>;

export function contactsOf(lists: ContactLists): ContactAddress[] {
  return CHANNELS.flatMap((channel) => lists[channel].map((value) => ({ channel, value })));
}

export function listsOf(contacts: readonly ContactAddress[]): ContactLists {
  const of = (channel: Channel) => contacts.filter((contact) => contact.channel === channel).map(({ value }) => value);
  return byChannel(of);
}
