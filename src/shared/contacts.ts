import * as v from "valibot";
import { normaliseEmail } from "./email_address.ts";
import type { Language } from "./language.ts";

/** The ways a message can reach a person. A new channel is one more word here and one sender behind `MessageSender`. */
export const CHANNELS = ["email", "telegram", "pushover"] as const;
export type Channel = (typeof CHANNELS)[number];

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

/** Telegram: 5 to 32 letters, digits and underscores, with or without @ (core.telegram.org/method/account.checkUsername). */
const TELEGRAM_USERNAME = /^@?[a-z]\w{4,31}$/i;
/** Pushover: user and group keys have 30 letters and digits (pushover.net/api). */
const PUSHOVER_KEY = /^[a-z0-9]{30}$/i;

/** A contact in the form in which it is stored; undefined when it cannot be one of that channel. Telegram ignores case. */
export function contactValue(channel: Channel, typed: string): string | undefined {
  if (channel === "email") return normaliseEmail(typed);
  const text = typed.normalize("NFKC").trim();
  if (channel === "telegram") return TELEGRAM_USERNAME.test(text) ? text.replace(/^@/, "").toLowerCase() : undefined;
  return PUSHOVER_KEY.test(text) ? text : undefined;
}

function listOf(channel: Channel) {
  const value = v.pipe(
    v.string("CONTACT_INVALID"),
    v.maxLength(320, "CONTACT_INVALID"),
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
export const contactLists = v.strictObject({
  email: v.optional(listOf("email"), []),
  telegram: v.optional(listOf("telegram"), []),
  pushover: v.optional(listOf("pushover"), []),
});
export type ContactLists = v.InferOutput<typeof contactLists>;

export function contactsOf(lists: ContactLists): ContactAddress[] {
  return CHANNELS.flatMap((channel) => lists[channel].map((value) => ({ channel, value })));
}

export function listsOf(contacts: readonly ContactAddress[]): ContactLists {
  const of = (channel: Channel) => contacts.filter((contact) => contact.channel === channel).map(({ value }) => value);
  return { email: of("email"), telegram: of("telegram"), pushover: of("pushover") };
}
