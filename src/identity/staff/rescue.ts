import { fail, ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import { securityNotice } from "../account/owner_mails.ts";
import { hasStrongFactor } from "../factors/factors.ts";
import type { IdentityDeps } from "../ports.ts";
import { LINK_MINUTES } from "../sign_in/password_reset.ts";
import { providerNames } from "../sign_in/provider_names.ts";
import { COMMAND_LINE, staffNotes } from "./staff_notes.ts";

/** For the command line only: staff must not be able to open somebody's account. Its owner is told of each by mail. */
export function rescue(deps: IdentityDeps) {
  const { transaction, now, newToken, hashToken } = deps;
  const record = auditor(deps);
  const tellOfChange = securityNotice(deps);
  const { note, tell } = staffNotes(deps);
  const { recordedAs } = providerNames(deps);

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

    /**
     * Removes every linked identity and ends all sessions, for somebody whose identity at the provider has changed. Returns the
     * number of links.
     */
    unlinkAll(accountId: string, { reason }: { reason: string }): Promise<Result<number, "NOT_FOUND">> {
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        const links = await store.providerLinks.list(accountId);
        for (const { provider: key } of links) {
          await store.providerLinks.remove(accountId, key);
          await tellOfChange(store, user, { event: "provider_unlinked", detail: { provider: recordedAs(key) } });
        }
        if (links.length === 0) return ok(0);
        if (user.staffBy !== undefined) await store.users.setStaff(accountId, false);
        await store.sessions.removeByAccount(accountId);
        await note(store, "providers_unlinked", { actor: COMMAND_LINE, accountId, reason });
        return ok(links.length);
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
