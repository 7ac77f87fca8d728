import type { Language } from "../../shared/language.ts";
import type { Level } from "../../shared/severity.ts";

export type Link = { label: string; url: string };

/** A part of a message, in reading order. Always plain text, which each sender escapes for its medium. */
export type Block =
  | { kind: "paragraph"; text: string }
  /** Something to know before acting: a flag of the source, a late disclosure, or the severity with its level. */
  | { kind: "note"; label: string; text: string; level?: Level }
  | { kind: "facts"; facts: { label: string; value: string }[] }
  | { kind: "tags"; label: string; tags: string[] }
  | { kind: "steps"; label: string; steps: string[] }
  | { kind: "breaches"; label: string; breaches: BreachItem[] }
  | ({ kind: "button" } & Link);

export type BreachItem = {
  title: string;
  /** `identifies`: whose address it is, which even the shortest version says. */
  facts: { label: string; value: string; identifies?: true }[];
  badges: string[];
  /** The severity, for senders that can display it. Undefined when no details are shared. */
  level?: Level;
};

/** The colon after a label, with the spacing of the language. */
export function colonIn(language: Language): string {
  return language === "fr" ? "\u00a0: " : ": ";
}

/** The content of a message, independent of the channel. */
export type Content = {
  language: Language;
  subject: string;
  /** The preview line, which mail programs show beside the subject. */
  preview: string;
  heading: string;
  /** A one-time code, shown large and easy to copy; `line` is the sentence by which phones recognise it. */
  code?: { value: string; line: string };
  blocks: Block[];
  /** The alert, at this version, that a button under the message marks as handled, in channels with buttons. */
  handle?: { alertId: string; version: number; label: string };
  /** Why the recipient got this message, and how to stop it. */
  footer: string[];
  links: Link[];
  /** The sources of the data, as their licences require. */
  attribution?: { text: string; links: Link[] };
};
