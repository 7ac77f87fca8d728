import type { Language } from "../shared/language.ts";

/** A breach, or a website in stealer logs, in which an address was found. */
export type FindingKind = "breach" | "site";

export type Finding = {
  /** The part of the address before the "@", lower case. */
  alias: string;
  kind: FindingKind;
  /** The catalogue's name of the breach, or the website. */
  name: string;
};
export type StoredFinding = Finding & { sensitive: boolean; foundAt: Date };

/** `role`: a function such as `info`, by its name; `alias`: one of many names for a mailbox, by the administrator. */
export const MAILBOX_KINDS = ["person", "role", "alias"] as const;
export type MailboxKind = (typeof MAILBOX_KINDS)[number];

/**
 * What the person behind an address lets the administrators see: everything but sensitive breaches and stealer logs, everything,
 * or nothing, which only a person can choose who has taken the address over.
 */
export const SAYS = ["standard", "all", "nothing"] as const;
export type Say = (typeof SAYS)[number];

/** An address at a domain in which something was found. Shared by all who hold the domain. */
export type Mailbox = {
  domain: string;
  alias: string;
  kind: MailboxKind;
  /** Breaches that are not sensitive. */
  plain: number;
  /** Sensitive breaches, and websites in stealer logs. */
  sensitive: number;
  latestAt: Date;
  /** When its person was told who administers the domain; findings of a person are shown from then on. */
  toldAt: Date | undefined;
  /** Findings up to then have been told to its person. */
  newsAt: Date | undefined;
  /** When it was last written to in vain, because it had too many mails from strangers. */
  putOffAt: Date | undefined;
  language: Language | undefined;
  say: Say;
  /** When its person took it over by the link that was mailed there. */
  takenAt: Date | undefined;
};

/** What an administrator may see. */
export type Sight = { roleSensitive: boolean };

type Seen = Pick<Mailbox, "kind" | "say" | "toldAt" | "takenAt">;

/** Whether any finding of an address may be shown: a person is told first. */
export function isOpen({ kind, say, toldAt }: Omit<Seen, "takenAt">): boolean {
  return say !== "nothing" && (kind !== "person" || toldAt !== undefined);
}

/** Whether its sensitive findings may be shown as well. */
export function showsSensitive(mailbox: Seen, { roleSensitive }: Sight): boolean {
  return isOpen(mailbox) && (mailbox.say === "all" || (isByRole(mailbox) && roleSensitive));
}

/** A role mailbox follows the setting until its person has decided. */
const isByRole = ({ kind, takenAt }: Seen) => kind === "role" && takenAt === undefined;

/** How many of its findings may be shown. */
export function shownCount(mailbox: Seen & Pick<Mailbox, "plain" | "sensitive">, sight: Sight): number {
  if (!isOpen(mailbox)) return 0;
  return mailbox.plain + (showsSensitive(mailbox, sight) ? mailbox.sensitive : 0);
}
