import { fail, ok, type Result } from "../../shared/result.ts";
import type { StaffActor } from "../../shared/staff.ts";
import { auditor } from "../account/audit.ts";
import { accountEnd } from "../account/deletion.ts";
import type { IdentityDeps, IdentityStore, User } from "../ports.ts";
import { countersOf } from "../sign_in/attempts.ts";
import { COMMAND_LINE, staffNotes } from "./staff_notes.ts";

type Because = { reason: string };
/** `evenLast`: the operator accepts that no staff is left afterwards. */
type LastStaff = { evenLast?: boolean };
type Refused = "NOT_FOUND" | "STAFF_OWN_ACCOUNT" | "STAFF_LAST";

/** The operator's actions on accounts. Each commits with its entry in the audit log. */
export function staffActs(deps: IdentityDeps) {
  const { transaction, mac, now } = deps;
  const record = auditor(deps);
  const { note, tell } = staffNotes(deps);
  const endAccount = accountEnd(deps);

  /**
   * Locks the account for an action that could remove the last member of the staff. All staff is locked first, so that two
   * members who act on each other are serialised, and a demoted one can do nothing more.
   */
  async function holdSafely(
    { users }: IdentityStore,
    actor: StaffActor,
    { accountId, evenLast = false }: { accountId: string } & LastStaff,
  ): Promise<Result<User, Refused>> {
    const staff = await users.holdStaff();
    if (actor.by === "staff" && !staff.includes(actor.accountId)) return fail("NOT_FOUND");
    if (actor.by === "staff" && actor.accountId === accountId) return fail("STAFF_OWN_ACCOUNT");
    if (!evenLast && staff.length === 1 && staff[0] === accountId) return fail("STAFF_LAST");
    const user = await users.findForUpdate(accountId);
    return user ? ok(user) : fail("NOT_FOUND");
  }

  return {
    /** Audits that a member of the staff viewed the account. */
    noteView(accountId: string, actor: StaffActor): Promise<void> {
      return transaction((store) => note(store, "account_viewed", { actor, accountId }));
    },

    /** Refuses sign-ins and ends all sessions; tracking continues, and the owner is notified. Idempotent. */
    lockAccount(
      accountId: string,
      { reason, evenLast }: Because & LastStaff,
      actor: StaffActor,
    ): Promise<Result<undefined, Refused>> {
      return transaction(async (store) => {
        const held = await holdSafely(store, actor, { accountId, ...(evenLast !== undefined && { evenLast }) });
        if (!held.ok) return held;
        if (held.value.lockedAt) return ok();
        await store.users.setLocked(accountId, now());
        await store.loginCodes.removeByAccount(accountId);
        await store.sessions.removeByAccount(accountId);
        await store.users.raiseDeviceEpoch(accountId);
        await record(store, "locked_by_operator", { accountId });
        await tell(store, held.value, { template: "account_locked" });
        await note(store, "account_locked", { actor, accountId, reason });
        return ok();
      });
    },

    /** Removes the staff's lock and those of wrong attempts. The owner is notified of the former. */
    unlockAccount(accountId: string, { reason }: Because, actor: StaffActor): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async (store) => {
        // Counters before the account, as when signing in.
        const found = await store.users.find(accountId);
        if (!found) return fail("NOT_FOUND");
        const { reset } = countersOf(store.attempts, mac, now());
        await reset("passwordAccount", found.email);
        await reset("codeAccount", accountId);
        const user = await store.users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        await store.users.resetWrongCodes(accountId);
        for (const kind of ["resetMail", "resetAccount", "lockMail"] as const) await reset(kind, accountId);
        if (user.lockedAt) {
          await store.users.setLocked(accountId, undefined);
          await record(store, "unlocked_by_operator", { accountId });
          await tell(store, user, { template: "account_unlocked" });
        }
        await note(store, "account_unlocked", { actor, accountId, reason });
        return ok();
      });
    },

    /** The same deletion as by its owner, without the password. */
    removeAccount(
      accountId: string,
      { reason, evenLast }: Because & LastStaff,
      actor: StaffActor,
    ): Promise<Result<undefined, Refused>> {
      return transaction(async (store) => {
        const held = await holdSafely(store, actor, { accountId, ...(evenLast !== undefined && { evenLast }) });
        if (!held.ok) return held;
        await endAccount(store, held.value);
        await tell(store, held.value, { template: "account_removed", isGone: true });
        await note(store, "account_deleted", { actor, accountId, reason });
        return ok();
      });
    },

    /** For the command line only: staff cannot appoint staff. */
    setStaff(
      accountId: string,
      { staff, reason, evenLast = false }: { staff: boolean; reason?: string } & LastStaff,
    ): Promise<Result<undefined, "NOT_FOUND" | "STAFF_UNVERIFIED" | "STAFF_LAST">> {
      return transaction(async (store) => {
        const all = await store.users.holdStaff();
        const user = await store.users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        // What a provider's group gave becomes given by hand.
        if (user.staff === staff && user.staffBy === undefined) return ok();
        if (staff && !user.verifiedAt) return fail("STAFF_UNVERIFIED");
        if (!staff && !evenLast && all.length === 1 && all[0] === accountId) return fail("STAFF_LAST");
        await store.users.setStaff(accountId, staff);
        await note(store, staff ? "staff_granted" : "staff_withdrawn", { actor: COMMAND_LINE, accountId, reason });
        return ok();
      });
    },
  };
}
