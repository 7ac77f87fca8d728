import type { ApiScope } from "../../shared/api_scopes.ts";
import { ipPrefix } from "../../shared/ip_bucket.ts";
import type { IdentityDeps, SignedIn, Visitor } from "../ports.ts";
import { type Allowance, allowances } from "./api_allowance.ts";
import { isApiToken } from "./api_token.ts";

const SEEN_EVERY_MS = 60_000;

/** A program that acts for an account, and how many requests it has left. */
export type Program = { signedIn: SignedIn; scopes: ApiScope[]; allowance: Allowance };

/** Requests of programs. */
export function apiAccess({ transaction, hashToken, now }: IdentityDeps) {
  const admit = allowances(now);

  return {
    /**
     * Whose token this is, asked at every request and counted; its use is written down at most once a minute. Undefined for
     * one that is unknown, expired or revoked, and for all of an account that is locked or gone.
     */
    async programOf(token: string, { ip }: Pick<Visitor, "ip">): Promise<Program | undefined> {
      if (!isApiToken(token)) return undefined;
      return transaction(async ({ apiTokens }) => {
        const found = await apiTokens.findLiving(hashToken(token), now());
        if (!found) return undefined;
        const { id, accountId, language, scopes, lastUsedAt } = found;
        const isStale = lastUsedAt === undefined || now().getTime() - lastUsedAt.getTime() >= SEEN_EVERY_MS;
        if (isStale) await apiTokens.touch(id, now(), ipPrefix(ip));
        const allowance = await admit(id, (wanted) => apiTokens.take(id, wanted, now()));
        // Never confirmed, never staff: no token stands for a person in front of a screen.
        const rights = { level: "authenticated", confirmed: false, staff: false } as const;
        return { signedIn: { accountId, sessionId: id, language, ...rights }, scopes, allowance };
      });
    },
  };
}
