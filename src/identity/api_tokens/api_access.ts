import type { ApiScope } from "../../shared/api_scopes.ts";
import { ipPrefix } from "../../shared/ip_bucket.ts";
import type { IdentityDeps, SignedIn, Visitor } from "../ports.ts";
import { type Allowance, allowanceOf } from "./api_allowance.ts";
import { isApiToken } from "./api_token.ts";

const SEEN_EVERY_MS = 60_000;

/** A program that acts for an account, and the state of its rate limit. */
export type Program = { signedIn: SignedIn; scopes: ApiScope[]; allowance: Allowance };

/** Authentication of programs. */
export function apiAccess({ transaction, hashToken, now }: IdentityDeps) {
  return {
    /**
     * The account of a token, looked up and rate-limited on every request; its last use is written at most once a minute.
     * Undefined for an unknown, expired or revoked token, and for locked or deleted accounts.
     */
    async programOf(token: string, { ip }: Pick<Visitor, "ip">): Promise<Program | undefined> {
      if (!isApiToken(token)) return undefined;
      return transaction(async ({ apiTokens }) => {
        const found = await apiTokens.findLiving(hashToken(token), now());
        if (!found) return undefined;
        const { id, accountId, language, scopes, lastUsedAt } = found;
        const isStale = lastUsedAt === undefined || now().getTime() - lastUsedAt.getTime() >= SEEN_EVERY_MS;
        if (isStale) await apiTokens.touch(id, now(), ipPrefix(ip));
        const at = now();
        const allowance = allowanceOf(await apiTokens.take(id, at), at);
        // Never confirmed and never staff: a token does not prove that a person is present.
        const rights = { level: "authenticated", confirmed: false, staff: false } as const;
        return { signedIn: { accountId, sessionId: id, language, ...rights }, scopes, allowance };
      });
    },
  };
}
