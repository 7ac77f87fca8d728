import type { Language } from "../../shared/language.ts";
import type { ProviderIdentity } from "../factors/factor_ports.ts";
import type { Device } from "./device.ts";

/** The provider by which a session was opened, by its key, and what single logout needs. */
export type ProviderSession = {
  provider: string;
  subject: string;
  /** The session's id there. */
  sid?: string | undefined;
  /** The ID token, encrypted. */
  idToken?: string | undefined;
  /** What the person's groups said; absent where they decide nothing. */
  isStaff?: boolean | undefined;
};

/** A partial session waits for the second step of its challenge; a full one has no challenge. */
export type Session = {
  id: string;
  tokenHash: string;
  accountId: string;
  level: "partial" | "authenticated";
  challengeId: string | undefined;
  device: Device;
  /** Network that it was opened from: /24 of IPv4, /48 of IPv6. */
  ipPrefix: string;
  /** When the password was last typed, or the provider last made sure who it is. */
  confirmedAt: Date | undefined;
  /** A provider's identity to link to the account after the second step. */
  link: ProviderIdentity | undefined;
  /** Absent for a sign-in with the password. */
  provider?: ProviderSession | undefined;
  /** The challenge for a passkey. */
  passkeyChallenge: string | undefined;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
};

/** What every request needs to know of its session and account. */
export type LivingSession = Pick<
  Session,
  "id" | "tokenHash" | "accountId" | "level" | "confirmedAt" | "createdAt" | "lastSeenAt"
> & { language: Language; staff: boolean };

export type SessionRepository = {
  /** With its account's language and role; undefined once expired, even if the row still exists. */
  findLiving(
    tokenHash: string,
    now: Date,
  ): Promise<(Session & { language: Language; staff: boolean; deviceEpoch: number }) | undefined>;
  /** The valid ones among these, reduced to what a request needs. */
  listLiving(tokenHashes: string[], now: Date): Promise<LivingSession[]>;
  touch(id: string, lastSeenAt: Date, expiresAt: Date): Promise<void>;
  remove(tokenHash: string): Promise<void>;
  /** Valid full sessions, the most recently used first. */
  list(accountId: string, now: Date): Promise<Session[]>;
  /** False when the account has no such session. */
  end(accountId: string, id: string): Promise<boolean>;
  /** Ends all other sessions of the account; returns their number. */
  endOthers(accountId: string, id: string): Promise<number>;
  /** The password was confirmed: rotates the token. False when that is no longer the session's. */
  confirm(session: Pick<Session, "id" | "tokenHash">, newTokenHash: string, now: Date): Promise<boolean>;
  setPasskeyChallenge(id: string, challenge: string): Promise<void>;
  /** Returns the challenge to exactly one caller. */
  takePasskeyChallenge(id: string): Promise<string | undefined>;
  /** Adds it, and ends the account's oldest sessions of this level beyond `most`. The account's row must be locked. */
  open(session: Session, most: number): Promise<void>;
  removeByAccount(accountId: string): Promise<void>;
  /**
   * Ends the sessions that were opened by this provider for this subject or with this session id there, of both levels. With
   * both, sessions with another id there stay. Returns the accounts of those that were full.
   */
  endByProvider(of: { provider: string; subject?: string | undefined; sid?: string | undefined }): Promise<string[]>;
  removeExpired(now: Date): Promise<void>;
};
