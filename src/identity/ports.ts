import type { EventPublisher } from "../events/catalogue.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import type { Result } from "../shared/result.ts";
import type { HashToken, Mac, NewToken, Seal } from "../shared/secrets.ts";
import type { StrangerMailRepository } from "../shared/stranger_mail.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { AuditRepository } from "./account/audit_ports.ts";
import type { EmailChangeRepository, ProfileDeps } from "./account/profile_ports.ts";
import type { TermsAcceptanceRepository } from "./account/terms_ports.ts";
import type { ApiTokenRepository } from "./api_tokens/api_token_ports.ts";
import type { FactorDeps } from "./factors/ceremony_ports.ts";
import type {
  AuthenticatorRepository,
  PasskeyRepository,
  ProviderLinkRepository,
  RecoveryCodeRepository,
  SecondFactorRepository,
} from "./factors/factor_ports.ts";
import type { Device } from "./sign_in/device.ts";
import type { IdentityProvider } from "./sign_in/provider_ports.ts";
import type { Session, SessionRepository } from "./sign_in/session_ports.ts";
import type { AccountFactsGate, StaffActRepository, StaffUserRepository } from "./staff/staff_ports.ts";

export type { LivingSession, Session, SessionRepository } from "./sign_in/session_ports.ts";

/** A registered user. `email` is normalised; `verifiedAt` is the moment its owner first proved it with a code. */
export type User = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  companyName: string | undefined;
  language: Language;
  passwordHash: string;
  /** Prefill new tracks; as typed, not yet confirmed by their owners. */
  defaultContacts: ContactAddress[];
  /** Wrong second steps in a row, over all challenges. */
  wrongCodes: number;
  /** Browsers that the account knew under an earlier number are strangers. */
  deviceEpoch: number;
  /** May see the staff's area. */
  staff: boolean;
  /** When the operator shut the account; watching goes on. */
  lockedAt: Date | undefined;
  createdAt: Date;
  verifiedAt: Date | undefined;
};

/** What a person may change of an account without further proof. */
export type UserDetails = Pick<User, "firstName" | "lastName" | "companyName" | "language" | "defaultContacts">;

export type UserRepository = StaffUserRepository<User> & {
  /** False when another account has the email. */
  add(user: User): Promise<boolean>;
  find(id: string): Promise<User | undefined>;
  listByIds(ids: string[]): Promise<User[]>;
  findByEmail(email: string): Promise<User | undefined>;
  /** Like `find`, and everybody else who would hold or remove the account waits until the transaction ends. */
  hold(id: string): Promise<User | undefined>;
  /** The first moment stays. */
  markVerified(id: string, now: Date): Promise<void>;
  /** False when `from` is no longer the stored hash. */
  replacePasswordHash(id: string, from: string, to: string): Promise<boolean>;
  saveDetails(id: string, details: UserDetails): Promise<void>;
  /** False when another account has the email. */
  replaceEmail(id: string, email: string): Promise<boolean>;
  /** One more wrong second step in a row. */
  countWrongCode(id: string): Promise<void>;
  resetWrongCodes(id: string): Promise<void>;
  /** Returns the new one; 0 when there is no such account. */
  raiseDeviceEpoch(id: string): Promise<number>;
  /** Takes everything of the account along, except what the audit log keeps. False when it is gone already. */
  remove(id: string): Promise<boolean>;
  /** Takes its sessions, codes and reset link along. False when it is verified or gone. */
  removeUnverified(id: string): Promise<boolean>;
  /** Ids of accounts created before `before` that nobody has proven, oldest first. */
  listUnverified(before: Date, limit: number): Promise<string[]>;
};

/** The challenge of one sign-in: what was mailed, as a keyed hash, and how often it was guessed. */
export type LoginCode = {
  id: string;
  accountId: string;
  /** Undefined while no code has been sent. */
  mac: string | undefined;
  tries: number;
  createdAt: Date;
  sentAt: Date | undefined;
  expiresAt: Date;
};

export type LoginCodeRepository = {
  /** Adds it, or replaces the one with its id. */
  save(code: LoginCode): Promise<void>;
  find(id: string): Promise<LoginCode | undefined>;
  /** One conditional write: counts a try and answers only while fewer than `limit` were counted and it has not expired. */
  countTry(id: string, limit: number, now: Date): Promise<Pick<LoginCode, "mac" | "tries"> | undefined>;
  /** Takes the partial sessions that wait for it along. True for the one caller that removed it. */
  remove(id: string): Promise<boolean>;
  /** Takes the partial sessions that wait for them along. */
  removeByAccount(accountId: string): Promise<void>;
  /** Those that expired before `before`. */
  removeExpired(before: Date): Promise<void>;
};

/** The link that an account's owner was mailed to choose a new password: the newest voids the one before. */
export type ResetToken = { accountId: string; tokenHash: string; createdAt: Date; expiresAt: Date };

export type ResetTokenRepository = {
  /** Replaces the account's former one. False when that one is as new or newer. */
  save(token: ResetToken): Promise<boolean>;
  findLiving(tokenHash: string, now: Date): Promise<ResetToken | undefined>;
  /** One conditional write: ends it. True for the one caller that did so while it was living. */
  use(tokenHash: string, now: Date): Promise<boolean>;
  remove(accountId: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};

/** `tries` (two or more where there is a lock) within `windowMs`; the last of them shuts the door for `lockMs`, and at least until the window ends. */
export type Limit = { tries: number; windowMs: number; lockMs: number };

/** What came of counting a try. */
export type Tried = { allowed: boolean; tries: number; until: Date };

/** Of a guess that is being checked; free again by itself a while later, in case nobody tells how it ended. */
export type Place = string;

/** What came of asking for a place: `tries` are the wrong ones before it, forgotten at `until`. */
export type Reserved = { reserved: boolean; tries: number; until: Date };

/** How a guess ended: wrong ones are counted, of the others only the place is given back, or the wrong ones before forgotten. */
export type Ending = "wrong" | "free" | "cleared";

/** Counters of tries by key, shared by every process. */
export type AttemptRepository = {
  /**
   * One conditional write: counts the try. `tries` stops at one above the limit, which is when it is refused; `until` is
   * when the next may be.
   */
  count(key: string, limit: Limit, now: Date): Promise<Tried>;
  /** Takes one counted try back, unless a later one was already refused. */
  giveBack(key: string, limit: Limit, now: Date): Promise<void>;
  /**
   * One conditional write: takes a place by one counter after the other, up to the first that has none. Wrong guesses and
   * places are never more than the limit. Where one refuses, the places before it are left to be settled.
   */
  reserve(counters: { key: string; limit: Limit }[], place: Place, now: Date): Promise<Reserved[]>;
  /** One write, in this order: ends the place everywhere. Answers with the wrong guesses that the last counter has then. */
  settle(
    counters: { key: string; limit: Limit; ending: Ending }[],
    place: Place,
    now: Date,
  ): Promise<number | undefined>;
  reset(key: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};

export type IdentityStore = {
  users: UserRepository;
  sessions: SessionRepository;
  loginCodes: LoginCodeRepository;
  resetTokens: ResetTokenRepository;
  emailChanges: EmailChangeRepository;
  authenticators: AuthenticatorRepository;
  passkeys: PasskeyRepository;
  recoveryCodes: RecoveryCodeRepository;
  secondFactors: SecondFactorRepository;
  providerLinks: ProviderLinkRepository;
  acceptances: TermsAcceptanceRepository;
  apiTokens: ApiTokenRepository;
  audit: AuditRepository;
  staffActs: StaffActRepository;
  attempts: AttemptRepository;
  strangerMail: StrangerMailRepository;
  events: EventPublisher;
};

/** Slow on purpose, so few at once: beyond a short queue it answers BUSY. */
export type PasswordHasher = {
  hash(password: string): Promise<Result<string, "BUSY">>;
  /**
   * Without a hash (no such account) it works just as long and answers no. `outdated` when the hash was made with other
   * parameters than today's.
   */
  verify(password: string, hash: string | undefined): Promise<Result<{ matches: boolean; outdated: boolean }, "BUSY">>;
};

/** Passwords that everybody tries first, and the words they are made of; lower case. */
export type CommonPasswords = { has(candidate: string): boolean };

/** Who makes a request, as its session says. `confirmed`: the password was typed not long ago. */
export type SignedIn = {
  accountId: string;
  sessionId: string;
  level: Session["level"];
  language: Language;
  confirmed: boolean;
  staff: boolean;
};

/** Where a request comes from: its address, the cookies it brought, and what its browser says of itself. */
export type Client = {
  ip: string;
  token: string | undefined;
  /** The cookie of a browser that has completed a sign-in here before. */
  deviceToken?: string | undefined;
  device?: Device;
};

/** The same of somebody for whom it does not matter who is signed in. */
export type Visitor = Pick<Client, "ip"> & Partial<Client>;

export type IdentityDeps = FactorDeps &
  ProfileDeps & {
    transaction: Transaction<IdentityStore>;
    /** Resolves when everybody has heard what was told of this account: its trial has begun then. */
    settled(accountId: string): Promise<void>;
    /** What the other modules know of an account, for the staff. */
    accountFacts: AccountFactsGate;
    passwords: PasswordHasher;
    commonPasswords: CommonPasswords;
    /** Those that are configured. */
    providers: readonly IdentityProvider[];
    /** Host of the public URL: nobody's password may be made of it. */
    hostName: string;
    /** The terms that are in force. */
    termsVersion: string;
    /** Only the staff signs in meanwhile. */
    isUnderMaintenance?: () => boolean;
    /** How long full sessions live: a day idle and a week in all, or an hour and a day. */
    sessionProfile: "default" | "strict";
    now: () => Date;
    newId: () => string;
    newToken: NewToken;
    hashToken: HashToken;
    /** Six digits, every one of the million equally likely. */
    newCode: () => string;
    mac: Mac;
    seal: Seal;
  };
