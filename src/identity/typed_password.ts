import { fail, ok, type Result } from "../shared/result.ts";
import { countersOf } from "./attempts.ts";
import { auditor } from "./audit.ts";
import type { Client, IdentityDeps, User } from "./ports.ts";

/** The password of somebody who is signed in, typed once more before something that is hard to undo. */
export function typedPassword(deps: IdentityDeps) {
  const { transaction, passwords, mac, now } = deps;
  const record = auditor(deps);

  /** Counted before it is checked; a right one ends the count. */
  return async function check(
    { accountId, sessionId }: { accountId: string; sessionId: string },
    password: string,
    client: Client,
  ): Promise<Result<User, "SESSION_EXPIRED" | "PASSWORD_WRONG" | "LOCKED" | "BUSY">> {
    const admitted = await transaction(async ({ users, attempts }) => {
      const { wait, isLast } = await countersOf(attempts, mac, now()).tryAll([["passwordSession", sessionId]]);
      if (wait > 0) return fail("LOCKED", { retryAfter: wait });
      const user = await users.find(accountId);
      return user ? ok({ user, isLast }) : fail("SESSION_EXPIRED");
    }, "one write");
    if (!admitted.ok) return admitted;
    const { user, isLast } = admitted.value;

    const checked = await passwords.verify(password, user.passwordHash);
    return transaction(async (store) => {
      const { giveBack, reset } = countersOf(store.attempts, mac, now());
      if (!checked.ok) {
        await giveBack("passwordSession", sessionId);
        return checked;
      }
      if (checked.value.matches) {
        await reset("passwordSession", sessionId);
        return ok(user);
      }
      await record(store, isLast ? "locked" : "password_wrong", { accountId, client, detail: { by: "confirm" } });
      return fail("PASSWORD_WRONG", { fields: { password: "PASSWORD_WRONG" } });
    }, "one write");
  };
}
