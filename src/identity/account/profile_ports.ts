import type { FormerAddress } from "../../shared/former_address.ts";

/** A new email that waits for the link which was sent there: the newest voids the one before. */
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
  /** One conditional write: ends it. True for the one caller that did so while it was living. */
  use(tokenHash: string, now: Date): Promise<boolean>;
  remove(accountId: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};

/** What other modules keep for an account, in numbers. */
export type Belongings = {
  addresses: number;
  alerts: number;
  contacts: number;
  /** `plan` null: there is none, as where nobody pays. `bought`: it is paid for, and cancelled with the account. */
  subscription: { plan: string | null; active: boolean; bought: boolean };
  /** Who watches the account's own address whether or not it was asked: some of them, and how many there are. */
  watchedBy: { items: { name: string; email: string }[]; total: number };
};

/** What the profile asks of the other modules. */
export type ProfileDeps = {
  /** What goes when the account goes. */
  belongings: { of(accountId: string): Promise<Belongings> };
  /** By module, everything that it knows about the account, as JSON. */
  records: Record<string, (accountId: string) => Promise<unknown>>;
};
