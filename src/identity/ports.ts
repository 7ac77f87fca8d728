import type { EventPublisher } from "../events/catalogue.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import type { RegistrationPolicy } from "../shared/registration.ts";
import type { Result } from "../shared/result.ts";
import type { Cipher, HashToken, Mac, NewToken } from "../shared/secrets.ts";
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
  /** `NO_PASSWORD` for an account that has none. */
  passwordHash: string;
  /** Defaults for new addresses; as typed, not yet confirmed by their owners. */
  defaultContacts: ContactAddress[];
  /** Consecutive wrong second steps, over all challenges. */
  wrongCodes: number;
  /** Browsers that were remembered under an earlier epoch are unknown. */
  deviceEpoch: number;
  /** Keyed hash of the network it last signed in from; undefined before the first sign-in. */
  network: string | undefined;
  /** May use the staff's area. */
  staff: boolean;
  /** The key of the provider whose groups make it staff; undefined when that was done by hand. */
  staffBy?: string | undefined;
  /** When the staff locked the account; tracking continues. */
  lockedAt: Date | undefined;
  createdAt: Date;
  verifiedAt: Date | undefined;
};

/** The hash of an account without a password, which no password matches. */
export const NO_PASSWORD = "";

/** What a person may change of an account without further proof. */
export type UserDetails = Pick<User, "firstName" | "lastName" | "companyName" | "language" | "defaultContacts">;

export type UserRepository = StaffUserRepository<User> & {
  /** False when another account has the email. */
  add(user: User): Promise<boolean>;
  find(id: string): Promise<User | undefined>;
  listByIds(ids: string[]): Promise<User[]>;
  /** Those of these ids that no account has. */
  listGone(ids: string[]): Promise<string[]>;
  findByEmail(email: string): Promise<User | undefined>;
  /** Whether anybody has an account with a proven email. */
  hasVerified(): Promise<boolean>;
  /** Like `find`, but locks the row until the transaction ends. */
  findForUpdate(id: string): Promise<User | undefined>;
  /** Later calls do not change the time. */
  markVerified(id: string, now: Date): Promise<void>;
  /** False when `from` is no longer the stored hash. */
  replacePasswordHash(id: string, from: string, to: string): Promise<boolean>;
  saveDetails(id: string, details: UserDetails): Promise<void>;
  /** False when another account has the email. */
  replaceEmail(id: string, email: string): Promise<boolean>;
  /** Counts a consecutive wrong second step. */
  countWrongCode(id: string): Promise<void>;
  resetWrongCodes(id: string): Promise<void>;
  setNetwork(id: string, network: string): Promise<void>;
  /** Returns the new epoch; 0 when there is no such account. */
  raiseDeviceEpoch(id: string): Promise<number>;
  /** Deletes all of the account's rows except the audit log. False when it does not exist. */
  remove(id: string): Promise<boolean>;
  /** Also deletes its sessions, codes and reset link. False when it is verified or does not exist. */
  removeUnverified(id: string): Promise<boolean>;
  /** Ids of unproven accounts created before `before`, oldest first. */
  listUnverified(before: Date, limit: number): Promise<string[]>;
};

/** The challenge of one sign-in: keyed hash of the mailed code, and the number of guesses. */
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
  /** Conditional write: counts a guess and returns the hash only while fewer than `limit` were counted and it has not expired. */
  countTry(id: string, limit: number, now: Date): Promise<Pick<LoginCode, "mac" | "tries"> | undefined>;
  /** Also deletes the partial sessions that wait for it. True for the one caller that removed it. */
  remove(id: string): Promise<boolean>;
  /** Also deletes the partial sessions that wait for them. */
  removeByAccount(accountId: string): Promise<void>;
  /** Those that expired before `before`. */
  removeExpired(before: Date): Promise<void>;
};

/** A mailed password reset link; a newer one voids it. */
export type ResetToken = { accountId: string; tokenHash: string; createdAt: Date; expiresAt: Date };

export type ResetTokenRepository = {
  /** Replaces the account's former link. False when that one is as new or newer. */
  save(token: ResetToken): Promise<boolean>;
  findLiving(tokenHash: string, now: Date): Promise<ResetToken | undefined>;
  /** Conditional write that consumes the link. True for the one caller that did so before it expired. */
  use(tokenHash: string, now: Date): Promise<boolean>;
  remove(accountId: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};

/**
 * `tries` (two or more where there is a lock) within `windowMs`; the last of them locks for `lockMs`, and at least until the
 * window ends.
 */
export type Limit = { tries: number; windowMs: number; lockMs: number };

/** The result of counting an attempt. */
export type Tried = { allowed: boolean; tries: number; until: Date };

/** Reservation of a guess that is being checked; it expires in case its outcome is never reported. */
export type Place = string;

/** The result of a reservation: `tries` are the wrong guesses so far, forgotten at `until`. */
export type Reserved = { reserved: boolean; tries: number; until: Date };

/** The outcome of a guess: count it as wrong, only release the reservation, or also clear the count. */
export type Ending = "wrong" | "free" | "cleared";

/** Counters of attempts by key, shared by all processes. */
export type AttemptRepository = {
  /**
   * Conditional write: counts the attempt. `tries` stops at one above the limit, which is refused; `until` is when the next is
   * allowed.
   */
  count(key: string, limit: Limit, now: Date): Promise<Tried>;
  /** Uncounts one attempt, unless a later one was already refused. */
  giveBack(key: string, limit: Limit, now: Date): Promise<void>;
  /**
   * Conditional write: reserves with one counter after the other, up to the first that refuses. Wrong guesses and reservations
   * together never exceed the limit. Where one refuses, the caller settles the reservations before it.
   */
  reserve(counters: { key: string; limit: Limit }[], place: Place, now: Date): Promise<Reserved[]>;
  /** One write, in this order: ends the reservation everywhere. Returns the number of wrong guesses of the last counter. */
  conclude(
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

/** Deliberately slow, so its concurrency is limited: beyond a short queue it answers BUSY. */
export type PasswordHasher = {
  hash(password: string): Promise<Result<string, "BUSY">>;
  /**
   * Without a hash (no such account) it takes as long and does not match. `outdated`: the hash was made with other parameters
   * than the current ones.
   */
  verify(password: string, hash: string | undefined): Promise<Result<{ matches: boolean; outdated: boolean }, "BUSY">>;
};

/** The most common passwords and the words that they consist of; lower case. */
export type CommonPasswords = { has(candidate: string): boolean };

/** Passwords that became known through breaches. */
export type BreachedPasswords = {
  /** False also when the service cannot be asked, as nobody's account may depend on it. */
  has(password: string): Promise<boolean>;
};

/** The signed-in user of a request. `confirmed`: reauthenticated recently, usually with the password. */
export type SignedIn = {
  accountId: string;
  sessionId: string;
  level: Session["level"];
  language: Language;
  confirmed: boolean;
  staff: boolean;
};

/** The client of a request: its address, cookies and user agent. */
export type Client = {
  ip: string;
  token: string | undefined;
  /** The cookie of a browser that has completed a sign-in before. */
  deviceToken?: string | undefined;
  device?: Device;
};

/** A client for which it does not matter who is signed in. */
export type Visitor = Pick<Client, "ip"> & Partial<Client>;

export type IdentityDeps = FactorDeps &
  ProfileDeps & {
    transaction: Transaction<IdentityStore>;
    /** Resolves when all subscribers have handled the account's events: its trial has begun then. */
    drainFor(accountId: string): Promise<void>;
    /** Other modules' facts about an account, for the staff. */
    accountFacts: AccountFactsGate;
    /** Implemented by notifications: whether the mail with an account's code cannot be sent at the moment. */
    codeMails: { areDelayed(accountId: string): Promise<boolean> };
    passwords: PasswordHasher;
    commonPasswords: CommonPasswords;
    /** Undefined where the operator has not turned them on. */
    breachedPasswords?: BreachedPasswords | undefined;
    /** The configured providers. */
    providers: readonly IdentityProvider[];
    /** They are the only way to sign in. */
    providersOnly?: boolean;
    /** Host of the public URL: passwords must not be derived from it. */
    hostName: string;
    /** The current version of the terms. */
    termsVersion: string;
    /** In maintenance mode only the staff can sign in. */
    isUnderMaintenance?: () => boolean;
    /** Lifetime of full sessions: a day idle and a week in all ("default"), or an hour and a day ("strict"). */
    sessionProfile: "default" | "strict";
    registration: RegistrationPolicy;
    now: () => Date;
    newId: () => string;
    newToken: NewToken;
    hashToken: HashToken;
    /** Six digits, uniformly distributed. */
    newCode: () => string;
    mac: Mac;
    cipher: Cipher;
  };
