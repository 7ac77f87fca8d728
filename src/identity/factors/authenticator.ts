import { fail, ok, type Result } from "../../shared/result.ts";
import type { VerifyCodeInput } from "../inputs.ts";
import type { Client, IdentityDeps, IdentityStore } from "../ports.ts";
import { secondStep } from "../sign_in/second_step.ts";
import type { Authenticator } from "./factor_ports.ts";
import { factorChanges, type Holder, hasStrongFactor, type WithRecoveryCodes } from "./factors.ts";

const STEP_MS = 30_000;
/** Accepted time steps: the phone's clock may be off by one, and people type slowly. */
const DRIFTS = [0, -1, 1];

/** An authenticator app as second step. */
export function authenticators(deps: IdentityDeps) {
  const { transaction, oneTimePasswords, cipher, now } = deps;
  const changes = factorChanges(deps);
  const { take } = secondStep(deps);

  /** A code can be used once: its time step and all earlier ones are then refused. */
  async function takes(
    store: IdentityStore,
    { accountId, sealedSecret }: Authenticator,
    code: string,
  ): Promise<boolean> {
    const secret = cipher.decrypt(sealedSecret);
    const thisStep = Math.floor(now().getTime() / STEP_MS);
    const step = DRIFTS.map((drift) => thisStep + drift).find((near) =>
      oneTimePasswords.isRight(code, { secret, step: near }),
    );
    return step !== undefined && store.authenticators.takeStep(accountId, step);
  }

  return {
    /** A new secret for an app, which takes effect once a right code was entered. */
    addAuthenticator({
      accountId,
    }: Pick<Holder, "accountId">): Promise<
      Result<{ secret: string; uri: string }, "NOT_FOUND" | "AUTHENTICATOR_EXISTS">
    > {
      return transaction(async ({ users, authenticators }) => {
        const user = await users.findForUpdate(accountId);
        if (!user) return fail("NOT_FOUND");
        const secret = oneTimePasswords.newSecret();
        const times = { createdAt: now(), confirmedAt: undefined, lastStep: 0 };
        const saved = await authenticators.save({ accountId, sealedSecret: cipher.encrypt(secret), ...times });
        return saved ? ok({ secret, uri: oneTimePasswords.uri(secret, user.email) }) : fail("AUTHENTICATOR_EXISTS");
      });
    },

    confirmAuthenticator(
      { code }: VerifyCodeInput,
      holder: Holder,
    ): Promise<Result<WithRecoveryCodes, "NOT_FOUND" | "AUTHENTICATOR_EXISTS" | "CODE_INVALID">> {
      const { accountId } = holder;
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        const added = await store.authenticators.find(accountId);
        if (!user || !added) return fail("NOT_FOUND");
        if (added.confirmedAt) return fail("AUTHENTICATOR_EXISTS");
        if (!(await takes(store, added, code))) return fail("CODE_INVALID", { fields: { code: "CODE_INVALID" } });
        const isFirst = !(await hasStrongFactor(store, accountId));
        await store.authenticators.confirm(accountId, now());
        return ok(await changes.added(store, user, { event: "authenticator_added", holder, isFirst }));
      });
    },

    removeAuthenticator(holder: Holder): Promise<Result<undefined, "NOT_FOUND">> {
      const { accountId } = holder;
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        const confirmed = (await store.authenticators.find(accountId))?.confirmedAt;
        if (!user || !confirmed) return fail("NOT_FOUND");
        await store.authenticators.remove(accountId);
        await changes.removed(store, user, { event: "authenticator_removed", holder });
        return ok();
      });
    },

    /** The second step with the app's code. */
    verifyAuthenticator: ({ code }: VerifyCodeInput, client: Client) =>
      take("authenticator", client, async (store, { user }) => {
        const authenticator = await store.authenticators.find(user.id);
        return authenticator?.confirmedAt !== undefined && takes(store, authenticator, code);
      }),
  };
}
