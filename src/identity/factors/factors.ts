import { fail, ok, type Result } from "../../shared/result.ts";
import { shown } from "../../shared/shown.ts";
import { auditor } from "../account/audit.ts";
import { type SecurityChange, securityNotice } from "../account/owner_mails.ts";
import type { Client, IdentityDeps, IdentityStore, SignedIn, User } from "../ports.ts";
import { methodsOf, secondStep } from "../sign_in/second_step.ts";
import type { RecoveryCodeInput } from "./factor_inputs.ts";
import { recoveryCodes } from "./recovery_codes.ts";

/** A user who changes their own factors, and the session. */
export type Holder = Pick<SignedIn, "accountId" | "sessionId"> & { client: Client };

/** Recovery codes created with the first strong factor, to be shown once. */
export type WithRecoveryCodes = { recoveryCodes: string[] | null };

/** The account's second factors; instants in ISO 8601. */
export type Factors = {
  authenticator: { since: string } | null;
  passkeys: { id: string; name: string; createdAt: string; lastUsedAt: string | null }[];
  /** Number of unused codes. */
  recoveryCodes: number;
  /** Breaches exposed the password of the mailbox that receives the codes, or everything typed on its owner's device. */
  mailboxLeaked: boolean;
};

type Happened = SecurityChange & { holder: Holder };

/** Without one, the mailed code is the second step. */
export async function hasStrongFactor(store: IdentityStore, accountId: string): Promise<boolean> {
  return !(await methodsOf(store, accountId)).includes("email");
}

/** Shared by all changes of factors. The account's row must be locked. */
export function factorChanges(deps: IdentityDeps) {
  const record = auditor(deps);
  const tell = securityNotice(deps);
  const codes = recoveryCodes(deps);

  /** Ends other sessions and sign-ins, which have to start again under the new rules. */
  async function endOthers({ sessions, loginCodes }: IdentityStore, { accountId, sessionId }: Holder): Promise<void> {
    await loginCodes.removeByAccount(accountId);
    await sessions.endOthers(accountId, sessionId);
  }

  return {
    tell,

    /** `isFirst`: the account had no strong factor before. */
    async added(
      store: IdentityStore,
      user: User,
      { holder, isFirst, ...happened }: Happened & { isFirst: boolean },
    ): Promise<WithRecoveryCodes> {
      const { client } = holder;
      await tell(store, user, { ...happened, client });
      await endOthers(store, holder);
      if (!isFirst) return { recoveryCodes: null };
      await record(store, "recovery_codes_made", { accountId: user.id, client });
      return { recoveryCodes: await codes.make(store, user.id) };
    },

    /** Recovery codes replace a strong factor, so they are removed with the last of these. */
    async removed(store: IdentityStore, user: User, { holder, ...happened }: Happened): Promise<void> {
      await tell(store, user, { ...happened, client: holder.client });
      await endOthers(store, holder);
      if (!(await hasStrongFactor(store, user.id))) await store.recoveryCodes.replaceAll(user.id, []);
    },

    async recoveryCodesMade(store: IdentityStore, user: User, holder: Holder): Promise<string[]> {
      await tell(store, user, { event: "recovery_codes_made", client: holder.client });
      await endOthers(store, holder);
      return codes.make(store, user.id);
    },
  };
}

/** An overview of the account's second factors, and its recovery codes. */
export function factors(deps: IdentityDeps) {
  const { transaction, mailboxLeaks } = deps;
  const changes = factorChanges(deps);
  const codes = recoveryCodes(deps);
  const { take } = secondStep(deps);

  return {
    async factorsOf(accountId: string): Promise<Result<Factors>> {
      const mailboxLeaked = await mailboxLeaks.of(accountId);
      return transaction(async (store) => {
        const since = (await store.authenticators.find(accountId))?.confirmedAt;
        const passkeys = (await store.passkeys.list(accountId)).map(({ id, name, createdAt, lastUsedAt }) =>
          shown({ id, name, createdAt, lastUsedAt }),
        );
        return ok({
          authenticator: since ? shown({ since }) : null,
          passkeys,
          recoveryCodes: await store.recoveryCodes.count(accountId),
          mailboxLeaked,
        });
      });
    },

    /** Creates recovery codes and voids the former ones. Requires a strong factor that they can replace. */
    makeRecoveryCodes(holder: Holder): Promise<Result<{ recoveryCodes: string[] }, "NOT_FOUND">> {
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(holder.accountId);
        if (!user || !(await hasStrongFactor(store, user.id))) return fail("NOT_FOUND");
        return ok({ recoveryCodes: await changes.recoveryCodesMade(store, user, holder) });
      });
    },

    /** The second step with a recovery code, which is used up. */
    verifyRecoveryCode: ({ code }: RecoveryCodeInput, client: Client) =>
      take("recovery_code", client, async (store, { user }) => {
        if (!(await codes.use(store, user.id, code))) return false;
        const left = String(await store.recoveryCodes.count(user.id));
        await changes.tell(store, user, { event: "recovery_code_used", client, detail: { left } });
        return true;
      }),
  };
}
