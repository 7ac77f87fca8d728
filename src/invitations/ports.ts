import type { EventPublisher } from "../events/catalogue.ts";
import type { Language } from "../shared/language.ts";
import type { HashToken, Mac, NewToken, Seal } from "../shared/secrets.ts";
import type { StrangerMailRepository } from "../shared/stranger_mail.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { ConsentRecord, Invitation, InvitationState } from "./invitation.ts";
import type { Range } from "./page.ts";

/** Who may find an invitation: a link's holder, its inviter, or the owner of the address; everybody else finds nothing. */
export type InvitationKey =
  | { tokenHash: string }
  | { id: string; inviterId: string }
  | { id: string; address: string }
  | { associationId: string }
  /** Only for who has proven more than knowing the id. */
  | { id: string };

/** Some of the invitations, newest first, and how many there are. */
export type InvitationPage = { invitations: Invitation[]; total: number };

export type InvitationRepository = {
  /** False when there is one for the association already. */
  add(invitation: Invitation): Promise<boolean>;
  find(key: InvitationKey): Promise<Invitation | undefined>;
  /** One conditional write: false when the stored version is not the one before this. */
  save(invitation: Invitation): Promise<boolean>;

  pageByInviter(inviterId: string, state: InvitationState, range: Range): Promise<InvitationPage>;
  pageByAddress(address: string, state: InvitationState, range: Range): Promise<InvitationPage>;
  /** Those that its owner can answer now, but for these inviters. */
  pageOpen(address: string, but: { inviters: string[]; now: Date }, range: Range): Promise<InvitationPage>;
  /** When the owners of these addresses last said no to the inviter, if that was after `since`. */
  listDeclines(inviterId: string, addresses: string[], since: Date): Promise<Map<string, Date>>;

  /** Until the transaction ends no other one sends: counting before sending is safe. */
  takeTurn(): Promise<void>;
  /** Those with a first mail that is due. */
  listWaitingInviters(now: Date): Promise<string[]>;
  /** The inviter's first mail that has been due for longest. */
  findWaiting(inviterId: string, now: Date): Promise<Invitation | undefined>;
  /** Those with a reminder that is due and not pointless, the longest due first. */
  listRemindable(now: Date, limit: number): Promise<Invitation[]>;
  /** Those whose time is over and that nobody has ended yet. */
  listExpired(now: Date, limit: number): Promise<Invitation[]>;

  /** Takes up to `limit` of the inviter out, with their records. */
  removeByInviter(inviterId: string, limit: number): Promise<Invitation[]>;
  /** Those that nobody ever agreed to and that ended before `before`, with their records. */
  removeRefused(before: Date): Promise<void>;
  /** Those that ended before `before`, whatever was agreed to, with their records. */
  removeEnded(before: Date): Promise<void>;
};

export type ConsentRecordRepository = {
  add(record: ConsentRecord): Promise<void>;
  /** Oldest first. */
  list(invitationId: string): Promise<ConsentRecord[]>;
};

export type Block = { addressMark: string; inviterId: string; at: Date };

/** Owners who never want to hear of an inviter again; an address is only known by its mark. */
export type BlockRepository = {
  add(block: Block): Promise<void>;
  /** Whether one of these marks, which stand for one owner, has blocked the inviter. */
  has(addressMarks: string[], inviterId: string): Promise<boolean>;
  listInviters(addressMarks: string[]): Promise<string[]>;
  listByInviter(inviterId: string): Promise<Block[]>;
  removeByInviter(inviterId: string): Promise<void>;
};

/** What an owner said to somebody who asked; both are known by the marks of their mailboxes, which outlive accounts. */
export type Refusal = {
  ownerMark: string;
  askerMark: string;
  blockedAt: Date | undefined;
  declinedAt: Date | undefined;
};
export type RefusalRepository = {
  /** Beside what is known of the two: the first block and the latest decline stay. */
  add(refusal: Refusal): Promise<void>;
  /** By any of these owners to this asker. */
  list(ownerMarks: string[], askerMark: string): Promise<Refusal[]>;
  listByAsker(askerMark: string): Promise<Refusal[]>;
  /** Those that are no block and were declined before this moment. */
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

/** What is known of who asks. */
export type Inviter = { email: string; language: Language; firstName: string; lastName: string };

export type InvitationDeps = {
  transaction: Transaction<InvitationStore>;
  /** Asked of identity. */
  accounts: { of(accountId: string): Promise<Inviter | undefined> };
  /** Asked of identity: the account's own address, once it is proven. */
  ownAddress: { of(accountId: string): Promise<string | undefined> };
  /** Asked of tracking: other accounts that watch this account's address as if it were their own. */
  ownWatchers: {
    of(address: string, accountId: string): Promise<{ id: string; accountId: string; since: Date }[]>;
    /** Makes one of them a question to the owner. Returns the id under which it is asked; undefined when nothing is. */
    ask(accountId: string, associationId: string): Promise<string | undefined>;
  };
  /** Resolves when everybody has heard what was told of this association: then what was done holds for the next request. */
  settled(associationId: string): Promise<void>;
  newId: () => string;
  newToken: NewToken;
  hashToken: HashToken;
  mac: Mac;
  seal: Seal;
  now: () => Date;
};
