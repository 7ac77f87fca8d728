import type { Language } from "../../shared/language.ts";
import type { Level } from "../../shared/severity.ts";

export type Link = { label: string; url: string };

/** One part of a message, in reading order. All of it is plain text; a sender escapes it for its own medium. */
export type Block =
  | { kind: "paragraph"; text: string }
  /** Something to know before acting: a flag of the source, a late disclosure; how serious it is, with its level. */
  | { kind: "note"; label: string; text: string; level?: Level }
  | { kind: "facts"; facts: { label: string; value: string }[] }
  | { kind: "tags"; label: string; tags: string[] }
  | { kind: "steps"; label: string; steps: string[] }
  | { kind: "breaches"; label: string; breaches: BreachItem[] }
  | ({ kind: "button" } & Link);

export type BreachItem = {
  title: string;
  facts: { label: string; value: string }[];
  badges: string[];
  /** For senders that can show it beside the words. */
  /** None where nothing of it is shared. */
  level?: Level;
};

/** Between a label and its value, as the language writes it. */
export function colonIn(language: Language): string {
  return language === "fr" ? "\u00a0: " : ": ";
}

/** What a message says, whatever the channel. */
export type Content = {
  language: Language;
  subject: string;
  /** The line that mail programs show beside the subject. */
  preview: string;
  heading: string;
  /** A one-time code, shown big and ready to be copied; `line` is the sentence by which phones recognise it. */
  code?: { value: string; line: string };
  blocks: Block[];
  /** The alert that can be marked as handled right from the message, as of this version, where a channel has buttons. */
  handle?: { alertId: string; version: number; label: string };
  /** Why it came, and what to do if it should not have. */
  footer: string[];
  links: Link[];
  /** Whose data it tells; their licences ask for it. */
  attribution?: { text: string; links: Link[] };
};
