import { fail, ok, type Result } from "../../shared/result.ts";
import { newPasswordMail } from "../api_tokens/api_tokens.ts";
import type { Client, IdentityDeps, IdentityStore, SignedIn } from "../ports.ts";
import { countersOf } from "../sign_in/attempts.ts";
import { knownDevices } from "../sign_in/known_device.ts";
import { lifetimes } from "../sign_in/session.ts";
import { auditor } from "./audit.ts";
import type { Renewed } from "./confirm_password.ts";
import { hashNew } from "./password.ts";
import type { ChangePasswordInput } from "./profile_inputs.ts";

/** Changing the password of a signed-in user, who has to type the current one. */
export function passwordChange(deps: IdentityDeps) {
  const { transaction, mac, now, newToken, hashToken } = deps;
  const { cookieSeconds } = lifetimes(deps);
  const record = auditor(deps);
  const devices = knownDevices(deps);

  /** Rotates the session's token, and voids all codes, links and other sessions. */
  async function keepOnly(store: IdentityStore, accountId: string, client: Client): Promise<Renewed | undefined> {
    const { users, sessions, loginCodes, resetTokens, emailChanges } = store;
    const session = await sessions.findLiving(hashToken(client.token ?? ""), now());
    const token = newToken();
    if (session?.accountId !== accountId) return undefined;
    if (!(await sessions.confirm(session, hashToken(token), now()))) return undefined;
    await sessions.endOthers(accountId, session.id);
    const epoch = await users.raiseDeviceEpoch(accountId);
    await loginCodes.removeByAccount(accountId);
    await resetTokens.remove(accountId);
    await emailChanges.remove(accountId);
    const deviceToken = devices.remember(client.deviceToken, accountId, epoch);
    return { token, cookieSeconds: cookieSeconds(session.createdAt), deviceToken };
  }

  return {
    async changePassword(
      { accountId }: Pick<SignedIn, "accountId">,
      { password }: Pick<ChangePasswordInput, "password">,
      client: Client,
    ): Promise<Result<Renewed, "SESSION_EXPIRED" | "RATE_LIMITED" | "INVALID_INPUT" | "PASSWORD_UNCHANGED" | "BUSY">> {
      const admitted = await transaction(async ({ users, attempts }) => {
        const wait = await countersOf(attempts, mac, now()).count("passwordChange", accountId);
        if (wait > 0) return fail("RATE_LIMITED", { retryAfter: wait });
        const user = await users.find(accountId);
        return user ? ok(user) : fail("SESSION_EXPIRED");
      });
      if (!admitted.ok) return admitted;
      const hashed = await hashNew(admitted.value, password, deps);
      if (!hashed.ok) return hashed;

      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        // Of two concurrent changes, the first has ended the other's session or rotated its token.
        const renewed = user && (await keepOnly(store, accountId, client));
        if (!user || renewed === undefined) return fail("SESSION_EXPIRED");
        await store.users.replacePasswordHash(accountId, user.passwordHash, hashed.value);
        await store.users.resetWrongCodes(accountId);
        await record(store, "password_changed", { accountId, client: { ...client, token: renewed.token } });
        await store.events.publish(await newPasswordMail(store, user, { now: now(), loggedOut: "others" }));
        return ok(renewed);
      });
    },
  };
}
