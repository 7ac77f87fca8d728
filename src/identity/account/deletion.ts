import type { EventOf } from "../../events/catalogue.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Client, IdentityDeps, IdentityStore, SignedIn, User } from "../ports.ts";
import { auditor, forgetPerson } from "./audit.ts";
import type { DeleteAccountInput } from "./profile_inputs.ts";
import type { Belongings } from "./profile_ports.ts";
import { reauthentication } from "./reauthentication.ts";

/** The event of a deleted account: with its email only if that was proven, as anybody can type an email. */
export function deletionOf({ id, email, verifiedAt }: User, keepGrants = false): EventOf<"identity.deleted"> {
  return { type: "identity.deleted", accountId: id, ...(verifiedAt && { email, ...(keepGrants && { keepGrants }) }) };
}

/** Removes a locked account row; other modules delete their data on the event. */
export function accountEnd(deps: IdentityDeps) {
  const record = auditor(deps);
  return async function endAccount(store: IdentityStore, user: User, keepGrants = false): Promise<void> {
    await forgetPerson(store, user.id);
    await record(store, "account_deleted", { accountId: undefined });
    await store.users.remove(user.id);
    await store.events.publish(deletionOf(user, keepGrants));
  };
}

/** Lines for the mail, and the number of further ones. */
function namesOf({ items, total }: Belongings["watchedBy"]): Record<string, string> {
  if (items.length === 0) return {};
  const watchers = items.flatMap(({ name, email }) => [name, email]).join("\n");
  return { watchers, more: String(total - items.length) };
}

type Holder = Pick<SignedIn, "accountId" | "sessionId"> & Partial<Pick<SignedIn, "confirmed">>;
type Refusal =
  | ("SESSION_EXPIRED" | "PASSWORD_WRONG" | "LOCKED" | "BUSY")
  | ("INVALID_INPUT" | "REAUTHENTICATION_REQUIRED");

/** Deletion of an account by its owner. */
export function deletion(deps: IdentityDeps) {
  const { transaction, belongings, drainFor, providersOnly = false, now } = deps;
  const endAccount = accountEnd(deps);
  const check = reauthentication(deps);

  async function confirmed(
    session: Holder,
    password: string | undefined,
    client: Client,
  ): Promise<Result<User, Refusal>> {
    if (!providersOnly) {
      if (password === undefined) return fail("INVALID_INPUT", { fields: { password: "PASSWORD_REQUIRED" } });
      return check(session, password, client);
    }
    if (!session.confirmed) return fail("REAUTHENTICATION_REQUIRED");
    const user = await transaction(({ users }) => users.find(session.accountId));
    return user ? ok(user) : fail("SESSION_EXPIRED");
  }

  return {
    /** What is deleted with the account, in numbers, and who tracks its address. */
    async showDeletion(accountId: string): Promise<Result<Belongings>> {
      return ok(await belongings.of(accountId));
    },

    /**
     * Always asks for the password, even if it was typed recently; without passwords, for recent reauthentication. Other modules
     * delete their data on the event, and a running subscription is cancelled.
     */
    async deleteAccount(
      session: Holder,
      { password, keepGrants }: DeleteAccountInput,
      client: Client,
    ): Promise<Result<undefined, Refusal>> {
      const checked = await confirmed(session, password, client);
      if (!checked.ok) return checked;
      // Must be read before the deletion.
      const { watchedBy } = await belongings.of(session.accountId);
      const deleted = await transaction(async (store): Promise<Result<undefined, "SESSION_EXPIRED">> => {
        const user = await store.users.findForUpdate(session.accountId);
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
      if (deleted.ok) await drainFor(session.accountId);
      return deleted;
    },
  };
}
