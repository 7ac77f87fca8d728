import type { AliasOrigin, AliasService, AliasState } from "../shared/aliases.ts";

/** Another address of the person whose own address an association tracks. */
export type Alias = {
  id: string;
  associationId: string;
  accountId: string;
  address: string;
  origin: AliasOrigin;
  state: AliasState;
  /** Of the link in the mail that asks for its confirmation. */
  tokenHash: string | undefined;
  /** When that mail is due; undefined once it is sent, and for aliases that need none. */
  mailAt: Date | undefined;
  /** When the link expires, and the alias with it; undefined until the mail is sent. */
  expiresAt: Date | undefined;
  createdAt: Date;
};

export type AliasRepository = {
  /** Ordered by address. */
  list(associationId: string): Promise<Alias[]>;
  listByAccount(accountId: string): Promise<Alias[]>;
  /** Those of the addresses that are aliases of the account. */
  listTracked(accountId: string, addresses: string[]): Promise<string[]>;
  /** Throws when the association has one of them already. */
  addAll(aliases: Alias[]): Promise<void>;
  findByToken(tokenHash: string): Promise<Alias | undefined>;
  /** Stores state, token and times; false when it was removed. */
  save(alias: Alias): Promise<boolean>;
  /** Accounts with a mail that is due. */
  listWaitingAccounts(now: Date): Promise<string[]>;
  /** The account's mail that is longest overdue. */
  findWaiting(accountId: string, now: Date): Promise<Alias | undefined>;
  remove(accountId: string, associationId: string, id: string): Promise<Alias | undefined>;
  removeByAssociation(associationId: string): Promise<void>;
  /** Removes this address from the aliases of all other accounts, unless a provider's rule proves it; returns what it removed. */
  removeOfOthers(address: string, accountId: string): Promise<Alias[]>;
  /** Removes pending ones whose link has expired; returns their number. */
  removeExpired(now: Date): Promise<number>;
};

/** A list as an alias service returned it. */
export type AliasList =
  /**
   * `proven`: those of the addresses whose mail only that service receives. At domains of its customers the mail may go elsewhere,
   * as a TXT record is enough to add one.
   */
  | { kind: "list"; addresses: string[]; proven: string[] }
  /** The service does not accept the key. */
  | { kind: "refused" }
  /** The list is longer than an address may have aliases. */
  | { kind: "tooMany" }
  /** There is no readable answer. */
  | { kind: "unavailable"; reason: string };

/** Asks alias services for an account's aliases. The key is used for this list only, and neither stored nor logged. */
export type AliasDirectory = {
  /** `base`: the URL of a self-hosted service; undefined for the service itself. */
  list(asked: { service: AliasService; key: string; base: URL | undefined }): Promise<AliasList>;
};
