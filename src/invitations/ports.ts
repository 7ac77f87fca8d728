import type { EventPublisher } from "../events/catalogue.ts";
import type { Told } from "../shared/disclosure.ts";
import type { Due } from "../shared/due.ts";
import type { Language } from "../shared/language.ts";
import type { Cipher, HashToken, Mac, NewToken } from "../shared/secrets.ts";
import type { StrangerMailRepository } from "../shared/stranger_mail.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { ConsentRecord, Invitation, InvitationState } from "./invitation.ts";
import type { Range } from "./page.ts";

/** How an invitation is looked up: by the link, by its inviter, or by the owner of the address; others do not find it. */
export type InvitationKey =
  | { tokenHash: string }
  | { id: string; inviterId: string }
  | { id: string; address: string }
  | { associationId: string }
  /** Only after authorization by other means than the id. */
  | { id: string };

/** A page of invitations, newest first, and their total number. */
export type InvitationPage = { invitations: Invitation[]; total: number };

export type InvitationRepository = {
  /** False when the association has one already. */
  add(invitation: Invitation): Promise<boolean>;
  find(key: InvitationKey): Promise<Invitation | undefined>;
  /** Optimistic lock: false when the stored version is not the one before this. */
  save(invitation: Invitation): Promise<boolean>;

  /** Of an inviter, or to the owner of an address. */
  page(by: { inviterId: string } | { address: string }, state: InvitationState, range: Range): Promise<InvitationPage>;
  /** Those that the owner can answer now, without those of these inviters. */
  pageOpen(address: string, but: { inviters: string[]; now: Date }, range: Range): Promise<InvitationPage>;
  /** When the owners of these addresses last refused the inviter, if that was after `since`. */
  listDeclines(inviterId: string, addresses: string[], since: Date): Promise<Map<string, Date>>;

  /** Locks sending until the end of the transaction, so that checking a limit before sending is safe. */
  lockSending(): Promise<void>;
  /** Inviters with a first mail that is due. */
  listWaitingInviters(now: Date): Promise<string[]>;
  /** The inviter's first mail that is longest overdue. */
  findWaiting(inviterId: string, now: Date): Promise<Invitation | undefined>;
  /** Invitations with a reminder that is due and still useful, the longest overdue first. */
  listRemindable(now: Date, limit: number): Promise<Invitation[]>;
  /** Those that have expired without being ended, the longest due first, those that follow `after` in this order. */
  listExpired(now: Date, after: Due | undefined, limit: number): Promise<Due[]>;

  /** Removes up to `limit` of the inviter's invitations, with their records, and returns them. */
  removeByInviter(inviterId: string, limit: number): Promise<Invitation[]>;
  /** Removes those without consent that ended before `before`, with their records. */
  removeRefused(before: Date): Promise<void>;
  /** Removes all that ended before `before`, with their records. */
  removeEnded(before: Date): Promise<void>;
};

export type ConsentRecordRepository = {
  add(record: ConsentRecord): Promise<void>;
  /** Oldest first. */
  list(invitationId: string): Promise<ConsentRecord[]>;
};

export type Block = { addressMark: string; inviterId: string; at: Date };

/** Owners who have blocked an inviter; addresses are stored as HMACs. */
export type BlockRepository = {
  add(block: Block): Promise<void>;
  /** Whether the owner, identified by any of these HMACs, has blocked the inviter. */
  has(addressMarks: string[], inviterId: string): Promise<boolean>;
  listInviters(addressMarks: string[]): Promise<string[]>;
  listByInviter(inviterId: string): Promise<Block[]>;
  removeByInviter(inviterId: string): Promise<void>;
};

/** A refusal or block by an owner; both sides are identified by the HMACs of their mailboxes, which outlive accounts. */
export type Refusal = {
  ownerMark: string;
  askerMark: string;
  blockedAt: Date | undefined;
  declinedAt: Date | undefined;
};
export type RefusalRepository = {
  /** Merges with an existing row: the first block and the latest refusal are kept. */
  add(refusal: Refusal): Promise<void>;
  /** Refusals by any of these owners to this inviter. */
  list(ownerMarks: string[], askerMark: string): Promise<Refusal[]>;
  listByAsker(askerMark: string): Promise<Refusal[]>;
  /** Those without a block that were declined before this instant. */
  removeDeclined(before: Date): Promise<void>;
};

export type InvitationStore = {
  invitations: InvitationRepository;
  records: ConsentRecordRepository;
  blocks: BlockRepository;
  refusals: RefusalRepository;
  strangerMail: StrangerMailRepository;
  events: EventPublisher;
};

/** The inviter's account data. */
export type Inviter = {
  email: string;
  language: Language;
  firstName: string;
  lastName: string;
  /** Keyed hash of the network it last signed in from. */
  network?: string | undefined;
};

export type InvitationDeps = {
  transaction: Transaction<InvitationStore>;
  /** Implemented by identity. */
  accounts: { of(accountId: string): Promise<Inviter | undefined> };
  /** Implemented by identity: the account's own address, once it is verified. */
  ownAddress: { of(accountId: string): Promise<string | undefined> };
  /** Implemented by tracking: other accounts that track this account's address as if it were their own. */
  ownWatchers: {
    of(address: string, accountId: string): Promise<{ id: string; accountId: string; since: Date }[]>;
    /** Turns one of them into a request to the owner. Returns its id; undefined when there is none. */
    ask(accountId: string, associationId: string): Promise<string | undefined>;
  };
  /** Implemented by breaches: what the sources were told about an address. */
  disclosures: { of(address: string): Promise<Told[]> };
  /** Resolves when all handlers have processed the events of this association, so that the next request sees their effects. */
  drainFor(associationId: string): Promise<void>;
  newId: () => string;
  newToken: NewToken;
  hashToken: HashToken;
  mac: Mac;
  cipher: Cipher;
  now: () => Date;
  report: (error: unknown, context: Record<string, unknown>) => void;
};
