import type { Language } from "../../shared/language.ts";
import type { ProviderIdentity } from "../factors/factor_ports.ts";
import type { Device } from "./device.ts";

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
  /** When the password was last typed. */
  confirmedAt: Date | undefined;
  /** A provider's identity to link to the account after the second step. */
  link: ProviderIdentity | undefined;
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
  add(session: Session): Promise<void>;
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
  removeExpired(now: Date): Promise<void>;
};
