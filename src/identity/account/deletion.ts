import type { EventOf } from "../../events/catalogue.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Client, IdentityDeps, IdentityStore, SignedIn, User } from "../ports.ts";
import { auditor, forgetPerson } from "./audit.ts";
import type { DeleteAccountInput } from "./profile_inputs.ts";
import type { Belongings } from "./profile_ports.ts";
import { reauthenticated } from "./reauthentication.ts";

/** What the other modules hear of an account's end: its email only when it was proven, so that a typed one counts for nothing. */
export function deletionOf({ id, email, verifiedAt }: User, keepGrants = false): EventOf<"identity.deleted"> {
  return { type: "identity.deleted", accountId: id, ...(verifiedAt && { email, ...(keepGrants && { keepGrants }) }) };
}

/** Takes an account that is held away, and with it, by event, what other modules keep. */
export function accountEnd(deps: IdentityDeps) {
  const record = auditor(deps);
  return async function endAccount(store: IdentityStore, user: User, keepGrants = false): Promise<void> {
    await forgetPerson(store, user.id);
    await record(store, "account_deleted", { accountId: undefined });
    await store.users.remove(user.id);
    await store.events.publish(deletionOf(user, keepGrants));
  };
}

/** For the mail: a line each, and how many there are besides. */
function namesOf({ items, total }: Belongings["watchedBy"]): Record<string, string> {
  if (items.length === 0) return {};
  const watchers = items.flatMap(({ name, email }) => [name, email]).join("\n");
  return { watchers, more: String(total - items.length) };
}

/** The end of an account. */
export function deletion(deps: IdentityDeps) {
  const { transaction, belongings, settled, now } = deps;
  const endAccount = accountEnd(deps);
  const check = reauthenticated(deps);

  return {
    /** What goes with the account, in numbers, and who watches its address. */
    async showDeletion(accountId: string): Promise<Result<Belongings>> {
      return ok(await belongings.of(accountId));
    },

    /**
     * Always asks for the password itself, however recently it was typed. What other modules keep, a running
     * subscription among it, goes with the event: each has a subscriber that forgets the account.
     */
    async deleteAccount(
      session: Pick<SignedIn, "accountId" | "sessionId">,
      { password, keepGrants }: DeleteAccountInput,
      client: Client,
    ): Promise<Result<undefined, "SESSION_EXPIRED" | "PASSWORD_WRONG" | "LOCKED" | "BUSY">> {
      const checked = await check(session, password, client);
      if (!checked.ok) return checked;
      // Afterwards nobody knows any more.
      const { watchedBy } = await belongings.of(session.accountId);
      const deleted = await transaction(async (store): Promise<Result<undefined, "SESSION_EXPIRED">> => {
        const user = await store.users.hold(session.accountId);
        if (user?.passwordHash !== checked.value.passwordHash) return fail("SESSION_EXPIRED");
        await endAccount(store, user, keepGrants);
        await store.events.publish({
          type: "mail.requested",
          to: user.email,
          language: user.language,
          template: "account_deleted",
          params: { at: now().toISOString(), grants: keepGrants ? "kept" : "ended", ...namesOf(watchedBy) },
        });
        return ok();
      });
      if (deleted.ok) await settled(session.accountId);
      return deleted;
    },
  };
}
