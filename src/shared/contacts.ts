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
