import type { Language } from "../../shared/language.ts";
import type { Taken } from "./api_allowance.ts";
import type { ApiToken } from "./api_token.ts";

export type ApiTokenRepository = {
  add(token: ApiToken): Promise<void>;
  /** With its account's language; undefined from `expiresAt` on, and while the account is locked. */
  findLiving(tokenHash: string, now: Date): Promise<(ApiToken & { language: Language }) | undefined>;
  /** Newest first, also those that have expired. */
  list(accountId: string): Promise<ApiToken[]>;
  touch(id: string, lastUsedAt: Date, lastIpPrefix: string): Promise<void>;
  /** Takes up to `wanted` requests out of what the token has left; of parallel takers each gets its own. */
  take(id: string, wanted: number, now: Date): Promise<Taken>;
  /** What it was, or undefined when the account has no such token. */
  remove(accountId: string, id: string): Promise<ApiToken | undefined>;
  /** Returns how many. */
  removeAll(accountId: string): Promise<number>;
  /** Those that expired before `before`. */
  removeExpired(before: Date): Promise<void>;
};
