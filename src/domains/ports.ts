import type { EventPublisher } from "../events/catalogue.ts";
import type { BreachFacts } from "../shared/breach.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { Due } from "../shared/due.ts";
import type { Language } from "../shared/language.ts";
import type { Cipher, HashToken, Mac, NewToken } from "../shared/secrets.ts";
import type { StrangerMailRepository } from "../shared/stranger_mail.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Domain } from "./domain.ts";
import type { Finding, Mailbox, MailboxKind, Say, Sight, StoredFinding } from "./finding.ts";
import type { DomainProofs } from "./proof_ports.ts";
import type { DomainSources } from "./source_ports.ts";

export type * from "./proof_ports.ts";
export type * from "./source_ports.ts";

export type DomainRepository = {
  /** Locks the account's domains until the end of the transaction, and counts them. */
  count(accountId: string): Promise<number>;
  /** Locks this domain for all accounts until the end of the transaction, so that only one of two proofs is the first. */
  lockName(name: string): Promise<void>;
  /** False when the account has this domain already. */
  add(domain: Domain): Promise<boolean>;
  /** Oldest first. */
  list(accountId: string): Promise<Domain[]>;
  find(accountId: string, id: string): Promise<Domain | undefined>;
  /** For jobs and mailed links, which are authorised by other means than the account. */
  findById(id: string): Promise<Domain | undefined>;
  /** Those of these ids that exist, for the routes of messages. */
  listByIds(ids: string[]): Promise<Domain[]>;
  /** The claims of all accounts to one domain, oldest first. */
  listByName(name: string): Promise<Domain[]>;
  /** Optimistic lock: false when the stored version is not the one before this. */
  save(domain: Domain): Promise<boolean>;
  remove(accountId: string, id: string): Promise<Domain | undefined>;
  removeByAccount(accountId: string): Promise<Domain[]>;
  /** Those whose proof is to be looked for, the longest overdue first: one claim to each domain, none to those in `except`. */
  listDue(now: Date, { limit, except }: { limit: number; except: string[] }): Promise<Domain[]>;
  /** The names of the domains that anyone holds, in alphabetical order. */
  listHeldNames(): Promise<string[]>;
  /** There may be people, or administrators, to tell something. Not part of the claim, so `save` leaves it as it is. */
  wake(name: string, now: Date): Promise<void>;
  /** Held domains whose people may have to be told, the longest overdue first. */
  listPeopleDue(now: Date, limit: number): Promise<string[]>;
  /** When the people of a domain are looked at next; undefined: once they are woken. */
  setPeopleDue(name: string, dueAt: Date | undefined): Promise<void>;
  /** Held domains whose administrators may have to be told, the longest due first, those that follow `after` in this order. */
  listTellingDue(now: Date, after: Due | undefined, limit: number): Promise<TellingDue[]>;
  setTellingDue(id: string, dueAt: Date | undefined): Promise<void>;
  /** Everything from before `at` is told: it is no longer due, unless it was woken since. */
  endTelling(id: string, at: Date): Promise<void>;
};

/** A domain whose administrators may have to be told. */
export type TellingDue = Due & Pick<Domain, "accountId" | "name">;

/** A filter of the list of addresses. */
export type MailboxFilter = {
  kind: MailboxKind | undefined;
  /** Only those in this breach. */
  breach: string | undefined;
  /** A part of the address before the "@", in lower case. */
  search: string;
};
/** How many addresses an administrator can see, by kind; `untold`: people who are told first; `withheld`: looked after by their owners. */
export type MailboxCounts = Record<MailboxKind, number> & { untold: number; withheld: number };
/** An address and the number of its findings that are shown. */
export type ListedMailbox = Pick<Mailbox, "alias" | "kind" | "say" | "takenAt"> & { shown: number };
/** A breach and how many addresses that are shown it concerns; `latestAt`: when the last of them was found. */
export type ListedBreach = { name: string; addresses: number; latestAt: Date };

export type FindingRepository = {
  /**
   * Adds what is missing in one set operation, counts each address anew, and returns the number of new findings. New addresses get
   * the kind that `kinds` gives their alias, or `otherwise`. `sensitive`: names of breaches.
   */
  add(
    domain: string,
    findings: Finding[],
    news: { sensitive: string[]; kinds: Record<string, MailboxKind>; otherwise: MailboxKind; at: Date },
  ): Promise<number>;
  /** Adopts which breaches are sensitive now, and counts anew where that changes something. */
  markSensitive(domain: string, sensitive: string[]): Promise<void>;
  /** At most `limit`, in alphabetical order, after that alias. Only addresses with a finding that is shown. */
  page(
    domain: string,
    view: Sight & { filter: MailboxFilter; after: string | undefined; limit: number },
  ): Promise<ListedMailbox[]>;
  counts(domain: string, sight: Sight): Promise<MailboxCounts>;
  /** The alias of the last address that a plan covers: the `most`th that is shown. Undefined when it covers all. */
  lastCovered(domain: string, sight: Sight, most: number): Promise<string | undefined>;
  /** As of the last `summarise`; most addresses first. */
  breaches(domain: string, sight: Sight): Promise<ListedBreach[]>;
  /** Counts for each breach of a domain how many addresses are shown: to be called after any change of what is shown. */
  summarise(domain: string): Promise<void>;
  findMailbox(domain: string, alias: string): Promise<Mailbox | undefined>;
  /** All findings of these addresses, whether they are shown or not; the latest first. */
  listOf(domain: string, aliases: string[]): Promise<StoredFinding[]>;
  /**
   * How many findings have come to be shown from `from` on and before `until`, and of how many addresses: found then, or opened by
   * telling their person.
   */
  countNews(
    domain: string,
    sight: Sight,
    { from, until }: { from: Date; until: Date },
  ): Promise<{ findings: number; addresses: number }>;
  /**
   * People who know who administers the domain and have findings that they were not told of; not those who have taken their
   * addresses over, as they choose how they are told.
   */
  listBehind(domain: string, limit: number): Promise<Mailbox[]>;
  markNews(domain: string, alias: string, at: Date): Promise<void>;
  /** It could not be written to: others come first from now on. */
  putOff(domain: string, alias: string, at: Date): Promise<void>;
  /** People who are to be told who administers the domain, those with most findings first; those who were put off come last. */
  listUntold(domain: string, limit: number): Promise<Mailbox[]>;
  /** False when it was marked before. */
  markTold(domain: string, alias: string, told: { at: Date; language: Language }): Promise<boolean>;
  setKind(domain: string, alias: string, kind: MailboxKind): Promise<boolean>;
  /** All people who were not told and did not take theirs over become aliases, or all aliases people. */
  setUntoldKind(domain: string, kind: "person" | "alias"): Promise<void>;
  setSay(domain: string, alias: string, say: Say, takenAt: Date | undefined): Promise<boolean>;
  /** Removes the findings; what people have said stays. */
  removeFindings(domain: string): Promise<void>;
  /** Also removes the people's choices. For a domain that no account claims any more. */
  forget(domain: string): Promise<void>;
};

/** A look of an administrator; `alias` is undefined for all addresses at once. Looks of the same hour are one. */
export type Look = { domain: string; accountId: string; what: LookKind; alias: string | undefined; at: Date };
export const LOOK_KINDS = ["list", "address", "file"] as const;
export type LookKind = (typeof LOOK_KINDS)[number];
export type LookRepository = {
  add(look: Look): Promise<void>;
  /** Those that concern this address, the latest first. */
  list(domain: string, alias: string, limit: number): Promise<Look[]>;
  listByAccount(accountId: string, limit: number): Promise<Look[]>;
  removeBefore(before: Date): Promise<void>;
  removeByAccount(accountId: string): Promise<void>;
};

/** What a source knows of a domain. */
export type SourceState = {
  domain: string;
  source: string;
  state: "unasked" | "answered" | "unverified" | "trouble";
  /** The generation of the catalogue that it was asked under. */
  generation: number | undefined;
  askedAt: Date | undefined;
  dueAt: Date;
  /** Why it gave no answer. */
  reason: string | undefined;
  /** The TXT record by which it verifies the domain. */
  record: string | undefined;
};
export type SourceStateRepository = {
  /** Those of a source that are due, the longest overdue first. */
  listDue(source: string, now: Date, limit: number): Promise<SourceState[]>;
  /** Adds those of these sources that a domain does not have yet, due now. */
  addMissing(domain: string, sources: string[], now: Date): Promise<void>;
  list(domain: string): Promise<SourceState[]>;
  find(domain: string, source: string): Promise<SourceState | undefined>;
  save(state: SourceState): Promise<void>;
  remove(domain: string): Promise<void>;
  /** Why sources gave no answer, with the number of domains; by source and reason. */
  countTroubles(): Promise<{ source: string; reason: string; domains: number }[]>;
};

export type DomainStore = {
  domains: DomainRepository;
  findings: FindingRepository;
  looks: LookRepository;
  sources: SourceStateRepository;
  strangerMail: StrangerMailRepository;
  events: EventPublisher;
};

export type Account = {
  email: string;
  verified: boolean;
  language: Language;
  firstName: string;
  lastName: string;
  /** Keyed hash of the network it last signed in from. */
  network?: string | undefined;
};

/** What a plan allows; null is unlimited. */
export type Allowance = { active: boolean; domains: number | null; addresses: number | null };

export type DomainDeps = {
  transaction: Transaction<DomainStore>;
  proofs: DomainProofs;
  sources: DomainSources;
  /** Implemented by billing. */
  allowance: { of(accountId: string): Promise<Allowance> };
  /** Implemented by identity. */
  accounts: { of(accountId: string): Promise<Account | undefined> };
  /** Implemented by identity: the accounts that have proven these addresses, by address. */
  owners: { of(addresses: string[]): Promise<Map<string, Account>> };
  /** Implemented by identity: the contacts to which an account's alerts go by default. */
  defaultContacts: { of(accountId: string): Promise<ContactAddress[]> };
  /** Implemented by breaches. */
  breachFacts: { of(names: string[]): Promise<Map<string, BreachFacts>>; sensitiveNames(): Promise<string[]> };
  /** A text of `locales/<language>/<topic>.json`, by `<topic>.<key>`. */
  translate: (language: Language, key: string) => string;
  newId: () => string;
  newToken: NewToken;
  newCode: () => string;
  hashToken: HashToken;
  mac: Mac;
  cipher: Cipher;
  now: () => Date;
  report: (error: unknown, context: Record<string, unknown>) => void;
};
