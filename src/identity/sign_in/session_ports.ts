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
  /** Of the address it was opened from: /24 of IPv4, /48 of IPv6. */
  ipPrefix: string;
  /** When its holder last typed the account's password. */
  confirmedAt: Date | undefined;
  /** A provider's identity that is linked to the account once the second step is done. */
  link: ProviderIdentity | undefined;
  /** What a passkey has to sign next. */
  passkeyChallenge: string | undefined;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
};

/** What every request has to know of its session, and of the account behind it. */
export type LivingSession = Pick<
  Session,
  "id" | "tokenHash" | "accountId" | "level" | "confirmedAt" | "createdAt" | "lastSeenAt"
> & { language: Language; staff: boolean };

export type SessionRepository = {
  add(session: Session): Promise<void>;
  /** With its account's language and mark; undefined from `expiresAt` on, whether or not the row is still there. */
  findLiving(
    tokenHash: string,
    now: Date,
  ): Promise<(Session & { language: Language; staff: boolean; deviceEpoch: number }) | undefined>;
  /** Of these, what a request has to know; without those that `findLiving` would not find. */
  listLiving(tokenHashes: string[], now: Date): Promise<LivingSession[]>;
  touch(id: string, lastSeenAt: Date, expiresAt: Date): Promise<void>;
  remove(tokenHash: string): Promise<void>;
  /** Living full sessions, the last used first. */
  list(accountId: string, now: Date): Promise<Session[]>;
  /** False when the account has no such session. */
  end(accountId: string, id: string): Promise<boolean>;
  /** All of the account but this one; returns how many. */
  endOthers(accountId: string, id: string): Promise<number>;
  /** Its holder typed the password: a new token replaces the former one. False when that is no longer the session's. */
  confirm(session: Pick<Session, "id" | "tokenHash">, newTokenHash: string, now: Date): Promise<boolean>;
  setPasskeyChallenge(id: string, challenge: string): Promise<void>;
  /** Gives the challenge to the one caller that takes it. */
  takePasskeyChallenge(id: string): Promise<string | undefined>;
  /** Adds it, and ends all but it and the newest of its account and level, `most` with it. The account must be held. */
  open(session: Session, most: number): Promise<void>;
  removeByAccount(accountId: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};
