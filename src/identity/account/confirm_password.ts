import { fail, ok, type Result } from "../../shared/result.ts";
import type { ConfirmPasswordInput } from "../inputs.ts";
import type { Client, IdentityDeps, SignedIn } from "../ports.ts";
import { lifetimes } from "../sign_in/session.ts";
import { reauthenticated } from "./reauthentication.ts";

/** What replaces the cookie of a session that goes on under a new token. */
export type Renewed = { token: string; cookieSeconds: number; deviceToken?: string };

/** The password typed again, before what is hard to undo. */
export function passwordConfirmation(deps: IdentityDeps) {
  const { transaction, now, newToken, hashToken } = deps;
  const { cookieSeconds } = lifetimes(deps);
  const check = reauthenticated(deps);

  return {
    /** Wrong ones are counted and lock nothing but this door of this session. A right one gives the session a new token. */
    async confirmPassword(
      { accountId, sessionId, password }: Pick<SignedIn, "accountId" | "sessionId"> & ConfirmPasswordInput,
      client: Client,
    ): Promise<Result<Renewed, "PASSWORD_WRONG" | "LOCKED" | "BUSY" | "SESSION_EXPIRED">> {
      const checked = await check({ accountId, sessionId }, password, client);
      if (!checked.ok) return checked;
      return transaction(async ({ users, sessions }) => {
        const user = await users.hold(accountId);
        const session = await sessions.findLiving(hashToken(client.token ?? ""), now());
        // Meanwhile another password was chosen, or the session ended.
        const isStill = user?.passwordHash === checked.value.passwordHash && session?.id === sessionId;
        const token = newToken();
        if (!isStill || !(await sessions.confirm(session, hashToken(token), now()))) return fail("SESSION_EXPIRED");
        return ok({ token, cookieSeconds: cookieSeconds(session.createdAt) });
      });
    },
  };
}
