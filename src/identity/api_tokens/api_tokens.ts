import type { MailRequested } from "../../events/catalogue.ts";
import { API_SCOPES } from "../../shared/api_scopes.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { type Shown, shown } from "../../shared/shown.ts";
import { auditor } from "../account/audit.ts";
import { mailTo, securityNotice } from "../account/owner_mails.ts";
import type { Client, IdentityDeps, IdentityStore, User } from "../ports.ts";
import { type ApiToken, apiTokenOf, TOKENS_PER_ACCOUNT } from "./api_token.ts";
import type { ApiTokenInput } from "./api_token_inputs.ts";

const DAY_MS = 86_400_000;

/** A token as its account sees it, without the token itself. Instants in ISO 8601. */
export type ApiTokenShown = Shown<
  Pick<ApiToken, "id" | "name" | "scopes" | "createdAt" | "expiresAt" | "lastUsedAt" | "lastIpPrefix">
> & { expired: boolean };

/**
 * The mail about a new password. As that does not revoke tokens, it names the valid ones. A change in the profile keeps the
 * session that made it; a reset keeps none.
 */
export async function newPasswordMail(
  { apiTokens }: Pick<IdentityStore, "apiTokens">,
  user: User,
  { now, loggedOut }: { now: Date; loggedOut: "all" | "others" },
): Promise<MailRequested> {
  const working = (await apiTokens.list(user.id)).filter(({ expiresAt }) => !expiresAt || expiresAt > now);
  const tokens = working.length > 0 ? { tokens: working.map(({ name }) => name).join("\n") } : {};
  return mailTo(user, { template: "password_changed", params: { changedAt: now.toISOString(), loggedOut, ...tokens } });
}

/** An account's personal tokens: creating, listing and revoking them. */
export function apiTokens(deps: IdentityDeps) {
  const { transaction, newId, newToken, hashToken, now } = deps;
  const record = auditor(deps);
  const tell = securityNotice(deps);

  function show({ id, name, scopes, createdAt, expiresAt, lastUsedAt, lastIpPrefix }: ApiToken): ApiTokenShown {
    const expired = expiresAt !== undefined && expiresAt <= now();
    return shown({ id, name, scopes, createdAt, expiresAt, expired, lastUsedAt, lastIpPrefix });
  }

  function make(accountId: string, { name, scopes, days }: ApiTokenInput): { token: string; row: ApiToken } {
    const token = apiTokenOf(newToken());
    const at = now();
    const row: ApiToken = {
      id: newId(),
      accountId,
      tokenHash: hashToken(token),
      name,
      createdAt: at,
      scopes: API_SCOPES.filter((scope) => scopes.includes(scope)),
      expiresAt: days === null ? undefined : new Date(at.getTime() + days * DAY_MS),
      lastUsedAt: undefined,
      lastIpPrefix: undefined,
      busyUntil: at,
    };
    return { token, row };
  }

  return {
    listApiTokens(accountId: string): Promise<Result<{ items: ApiTokenShown[]; max: number }, never>> {
      return transaction(async ({ apiTokens }) => {
        const items = (await apiTokens.list(accountId)).map(show);
        return ok({ items, max: TOKENS_PER_ACCOUNT });
      });
    },

    /** The only answer that contains the token itself. Its owner is notified by mail. */
    createApiToken(
      accountId: string,
      input: ApiTokenInput,
      client: Client,
    ): Promise<Result<ApiTokenShown & { token: string }, "NOT_FOUND" | "TOO_MANY_TOKENS">> {
      return transaction(async (store) => {
        // Concurrent creations are serialised by the account's row lock.
        const user = await store.users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        if ((await store.apiTokens.list(accountId)).length >= TOKENS_PER_ACCOUNT) return fail("TOO_MANY_TOKENS");
        const { token, row } = make(accountId, input);
        await store.apiTokens.add(row);
        await tell(store, user, { event: "api_token_created", client, detail: { name: row.name } });
        return ok({ ...show(row), token });
      });
    },

    /** NOT_FOUND for other accounts' tokens too. Takes effect with the next request, in every process. */
    revokeApiToken(
      { accountId, id }: { accountId: string; id: string },
      client: Client,
    ): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async (store) => {
        const removed = await store.apiTokens.remove(accountId, id);
        if (!removed) return fail("NOT_FOUND");
        await record(store, "api_token_revoked", { accountId, client, detail: { name: removed.name } });
        return ok();
      });
    },

    revokeAllApiTokens(accountId: string, client: Client): Promise<Result<{ revoked: number }, "NOT_FOUND">> {
      return transaction(async (store) => {
        if (!(await store.users.findForUpdate(accountId))) return fail("NOT_FOUND");
        const revoked = await store.apiTokens.removeAll(accountId);
        if (revoked > 0)
          await record(store, "api_tokens_revoked", { accountId, client, detail: { count: String(revoked) } });
        return ok({ revoked });
      });
    },
  };
}
