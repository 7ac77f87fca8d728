import type { FormerAddress } from "../../shared/former_address.ts";

/** A pending change of email; a newer request voids it. */
export type EmailChange = {
  accountId: string;
  email: string;
  formerAddress: FormerAddress;
  tokenHash: string;
  createdAt: Date;
  expiresAt: Date;
};

export type EmailChangeRepository = {
  /** Replaces the account's former one. */
  save(change: EmailChange): Promise<void>;
  find(accountId: string, now: Date): Promise<EmailChange | undefined>;
  findLiving(tokenHash: string, now: Date): Promise<EmailChange | undefined>;
  /** Conditional write that consumes the link. True for the one caller that did so before it expired. */
  use(tokenHash: string, now: Date): Promise<boolean>;
  remove(accountId: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};

/** What other modules store for an account, in numbers. */
export type Belongings = {
  addresses: number;
  alerts: number;
  contacts: number;
  /** `plan` is null where there is none. `bought`: paid, and cancelled with the account. */
  subscription: { plan: string | null; active: boolean; bought: boolean };
  /** Who tracks the account's own address, with or without consent: some of them, and the total. */
  watchedBy: { items: { name: string; email: string }[]; total: number };
};

/** What the profile needs from other modules. */
export type ProfileDeps = {
  /** What is deleted with the account. */
  belongings: { of(accountId: string): Promise<Belongings> };
  /** By module, all its data about the account, as JSON. */
  records: Record<string, (accountId: string) => Promise<unknown>>;
};
