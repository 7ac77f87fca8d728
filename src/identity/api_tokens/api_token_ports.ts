import type { Language } from "../../shared/language.ts";
import type { Taken } from "./api_allowance.ts";
import type { ApiToken } from "./api_token.ts";

export type ApiTokenRepository = {
  add(token: ApiToken): Promise<void>;
  /** With its account's language; undefined once expired, and while the account is locked. */
  findLiving(tokenHash: string, now: Date): Promise<(ApiToken & { language: Language }) | undefined>;
  /** Newest first, including expired ones. */
  list(accountId: string): Promise<ApiToken[]>;
  touch(id: string, lastUsedAt: Date, lastIpPrefix: string): Promise<void>;
  /** Takes one request of what is left of the rate limit (GCRA: one timestamp per token); an unknown token gets none. */
  take(id: string, now: Date): Promise<Taken>;
  /** The removed token, or undefined when the account has no such token. */
  remove(accountId: string, id: string): Promise<ApiToken | undefined>;
  /** Returns the number of removed tokens. */
  removeAll(accountId: string): Promise<number>;
  /** Removes those that expired before `before`. */
  removeExpired(before: Date): Promise<void>;
};
