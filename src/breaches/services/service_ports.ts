import type { DeletionDifficulty, SecondStep } from "../../shared/services.ts";

type Listed = { url?: string };
/** A snapshot of a public directory: its date as YYYY-MM-DD, and its entries by domain or host in lower case. */
export type Directory<Entry> = { asOf: string; entries: ReadonlyMap<string, Entry> };

/** What public directories know of services. Links and addresses are theirs, unchecked. */
export type Directories = {
  deletion: Directory<Listed & { difficulty: DeletionDifficulty; email?: string }>;
  secondStep: Directory<Listed & { kinds: SecondStep[] }>;
  passkeys: Directory<Listed & { signsIn: boolean }>;
};

export type ServiceDirectories = { read(): Promise<Directories> };

/** Whether a domain has a page for changing passwords. */
export type PageAnswer =
  | { kind: "page" }
  | { kind: "none" }
  /** No conclusive response. */
  | { kind: "later"; reason: string };

/** Asks a domain for its page to change passwords, as the W3C's "A Well-Known URL for Changing Passwords" describes. */
export type ChangePasswordPages = { ask(domain: string): Promise<PageAnswer> };

export type ClaimedDomain = { domain: string; failures: number };

/** Which of the catalogue's domains have a page for changing passwords. */
export type ServicePageRepository = {
  /**
   * Claims domains of listed breaches that were never asked, or are due again, until `until`; in alphabetical order, so that
   * requests say nothing about whose accounts are concerned.
   */
  claimDue(limit: number, now: Date, until: Date): Promise<ClaimedDomain[]>;
  keep(domain: string, hasPage: boolean, nextAt: Date): Promise<void>;
  /** Schedules the next attempt; what is known is kept. */
  postpone(domain: string, nextAt: Date, failures: number): Promise<void>;
  has(domain: string): Promise<boolean>;
};
