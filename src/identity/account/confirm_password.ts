import { fail, ok, type Result } from "../../shared/result.ts";
import type { ConfirmPasswordInput } from "../inputs.ts";
import type { Client, IdentityDeps, SignedIn } from "../ports.ts";
import { lifetimes } from "../sign_in/session.ts";
import { reauthentication } from "./reauthentication.ts";

/** Replaces the cookie of a session that continues under a new token. */
export type Renewed = { token: string; cookieSeconds: number; deviceToken?: string };

/** Password confirmation before actions that are hard to undo. */
export function passwordConfirmation(deps: IdentityDeps) {
  const { transaction, now, newToken, hashToken } = deps;
  const { cookieSeconds } = lifetimes(deps);
  const check = reauthentication(deps);

  return {
    /** Wrong passwords lock only further confirmations of this session. A right one rotates the session's token. */
    async confirmPassword(
      { accountId, sessionId, password }: Pick<SignedIn, "accountId" | "sessionId"> & ConfirmPasswordInput,
      client: Client,
    ): Promise<Result<Renewed, "PASSWORD_WRONG" | "LOCKED" | "BUSY" | "SESSION_EXPIRED">> {
      const checked = await check({ accountId, sessionId }, password, client);
      if (!checked.ok) return checked;
      return transaction(async ({ users, sessions }) => {
        const user = await users.findForUpdate(accountId);
        const session = await sessions.findLiving(hashToken(client.token ?? ""), now());
        // The password was changed or the session ended while it was checked.
        const isStill = user?.passwordHash === checked.value.passwordHash && session?.id === sessionId;
        const token = newToken();
        if (!isStill || !(await sessions.confirm(session, hashToken(token), now()))) return fail("SESSION_EXPIRED");
        return ok({ token, cookieSeconds: cookieSeconds(session.createdAt) });
      });
    },
  };
}
