import { fail, ok, type Result } from "../../shared/result.ts";
import type { Client, IdentityDeps, IdentityStore, User } from "../ports.ts";
import { type Counter, countersOf, placeAt } from "../sign_in/attempts.ts";
import { auditor } from "./audit.ts";

/** Reauthentication: a signed-in user types the password again before an action that is hard to undo. */
export function reauthentication(deps: IdentityDeps) {
  const { transaction, passwords, mac, now, newId } = deps;
  const record = auditor(deps);

  /** Reserves an attempt before the check; a right password resets the count. */
  return async function check(
    { accountId, sessionId }: { accountId: string; sessionId: string },
    password: string,
    client: Client,
  ): Promise<Result<User, "SESSION_EXPIRED" | "PASSWORD_WRONG" | "LOCKED" | "BUSY">> {
    const counter: Counter = ["passwordSession", sessionId];
    const place = placeAt(now(), newId());
    const counters = ({ attempts }: IdentityStore) => countersOf(attempts, mac, now());
    const admitted = await transaction(async (store) => {
      const { answer } = await counters(store).reserve([counter], place);
      if (!answer.ok) return answer;
      const user = await store.users.find(accountId);
      return user ? ok(user) : fail("SESSION_EXPIRED");
    });
    if (!admitted.ok) return admitted;
    const user = admitted.value;

    const checked = await passwords.verify(password, user.passwordHash);
    return transaction(async (store) => {
      const { conclude } = counters(store);
      if (!checked.ok) {
        await conclude([["free", counter]], place);
        return checked;
      }
      if (checked.value.matches) {
        await conclude([["cleared", counter]], place);
        return ok(user);
      }
      const { isLast } = await conclude([["wrong", counter]], place);
      await record(store, isLast ? "locked" : "password_wrong", { accountId, client, detail: { by: "confirm" } });
      return fail("PASSWORD_WRONG", { fields: { password: "PASSWORD_WRONG" } });
    });
  };
}
