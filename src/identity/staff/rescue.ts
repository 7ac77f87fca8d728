import { fail, ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import { hasStrongFactor } from "../factors/factors.ts";
import type { IdentityDeps } from "../ports.ts";
import { LINK_MINUTES } from "../sign_in/password_reset.ts";
import { COMMAND_LINE, staffNotes } from "./staff_notes.ts";

/** For the command line only: staff must not be able to open somebody's account. Its owner is told of each by mail. */
export function rescue(deps: IdentityDeps) {
  const { transaction, now, newToken, hashToken } = deps;
  const record = auditor(deps);
  const { note, tell } = staffNotes(deps);

  return {
    /** Removes all passkeys, the authenticator app and the recovery codes, and ends all sessions. False if there were none. */
    resetFactors(accountId: string, { reason }: { reason: string }): Promise<Result<boolean, "NOT_FOUND">> {
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        if (!(await hasStrongFactor(store, accountId))) return ok(false);
        await store.authenticators.remove(accountId);
        for (const { id } of await store.passkeys.list(accountId)) await store.passkeys.remove(accountId, id);
        await store.recoveryCodes.replaceAll(accountId, []);
        await store.loginCodes.removeByAccount(accountId);
        await store.sessions.removeByAccount(accountId);
        await store.users.raiseDeviceEpoch(accountId);
        await record(store, "factors_reset_by_operator", { accountId });
        await tell(store, user, { template: "account_factors_reset" });
        await note(store, "factors_reset", { actor: COMMAND_LINE, accountId, reason });
        return ok(true);
      });
    },

    /** The token of a link with which a new password can be chosen, as if its owner had forgotten it; it replaces a former link. */
    makeResetLink(
      accountId: string,
      { reason }: { reason: string },
    ): Promise<Result<{ token: string; language: string; minutes: number }, "NOT_FOUND" | "STAFF_UNVERIFIED">> {
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        if (!user.verifiedAt) return fail("STAFF_UNVERIFIED");
        const token = newToken();
        const createdAt = now();
        const expiresAt = new Date(createdAt.getTime() + LINK_MINUTES * 60_000);
        await store.resetTokens.remove(accountId);
        await store.resetTokens.save({ accountId, tokenHash: hashToken(token), createdAt, expiresAt });
        await record(store, "reset_link_made_by_operator", { accountId });
        await tell(store, user, { template: "account_reset_link", params: { minutes: String(LINK_MINUTES) } });
        await note(store, "reset_link_made", { actor: COMMAND_LINE, accountId, reason });
        return ok({ token, language: user.language, minutes: LINK_MINUTES });
      });
    },
  };
}
