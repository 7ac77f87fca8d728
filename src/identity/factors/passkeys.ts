import { fail, ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import type { Client, IdentityDeps, IdentityStore } from "../ports.ts";
import { type Completed, methodsOf, secondStep } from "../sign_in/second_step.ts";
import type { PasskeyCreationOptions, PasskeyRequestOptions } from "./ceremony_ports.ts";
import type { AddPasskeyInput, PasskeyNameInput, VerifyPasskeyInput } from "./factor_inputs.ts";
import { factorChanges, type Holder, hasStrongFactor, type WithRecoveryCodes } from "./factors.ts";

export const PASSKEYS_PER_ACCOUNT = 10;
/** Longer than browsers wait for the user. */
const CHALLENGE_MS = 10 * 60_000;

/** Passkeys as second step. The challenge is stored with the session, and is short-lived and used once. */
export function passkeys(deps: IdentityDeps) {
  const { transaction, passkeyCeremonies, now, newToken } = deps;
  const changes = factorChanges(deps);
  const record = auditor(deps);
  const { take, partialSession } = secondStep(deps);

  async function newChallenge({ sessions }: IdentityStore, sessionId: string): Promise<string> {
    const challenge = newToken();
    await sessions.setPasskeyChallenge(sessionId, `${now().getTime() + CHALLENGE_MS}.${challenge}`);
    return challenge;
  }

  async function takeChallenge({ sessions }: IdentityStore, sessionId: string): Promise<string | undefined> {
    const [until, challenge] = (await sessions.takePasskeyChallenge(sessionId))?.split(".") ?? [];
    return Number(until) > now().getTime() ? challenge : undefined;
  }

  return {
    async passkeyCreationOptions({
      accountId,
      sessionId,
    }: Pick<Holder, "accountId" | "sessionId">): Promise<
      Result<PasskeyCreationOptions, "NOT_FOUND" | "TOO_MANY_PASSKEYS">
    > {
      const begun = await transaction(async (store) => {
        const user = await store.users.find(accountId);
        const known = await store.passkeys.list(accountId);
        if (!user) return fail("NOT_FOUND");
        if (known.length >= PASSKEYS_PER_ACCOUNT) return fail("TOO_MANY_PASSKEYS");
        return ok({ accountId, email: user.email, known, challenge: await newChallenge(store, sessionId) });
      });
      if (!begun.ok) return begun;
      const { challenge, ...of } = begun.value;
      return ok(passkeyCeremonies.creationOptions(challenge, of));
    },

    async addPasskey(
      { name, response }: AddPasskeyInput,
      holder: Holder,
    ): Promise<Result<WithRecoveryCodes, "PASSKEY_INVALID" | "TOO_MANY_PASSKEYS">> {
      const { accountId, sessionId } = holder;
      const challenge = await transaction((store) => takeChallenge(store, sessionId));
      const created = challenge === undefined ? undefined : await passkeyCeremonies.created(response, challenge);
      if (!created) return fail("PASSKEY_INVALID");

      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        if ((await store.passkeys.list(accountId)).length >= PASSKEYS_PER_ACCOUNT) return fail("TOO_MANY_PASSKEYS");
        const isFirst = !(await hasStrongFactor(store, accountId));
        const passkey = { ...created, accountId, name, createdAt: now(), lastUsedAt: undefined };
        if (!user || !(await store.passkeys.add(passkey))) return fail("PASSKEY_INVALID");
        return ok(await changes.added(store, user, { event: "passkey_added", detail: { name }, holder, isFirst }));
      });
    },

    renamePasskey(
      id: string,
      { name, holder }: PasskeyNameInput & { holder: Holder },
    ): Promise<Result<undefined, "NOT_FOUND">> {
      const { accountId, client } = holder;
      return transaction(async (store) => {
        if (!(await store.passkeys.rename(accountId, id, name))) return fail("NOT_FOUND");
        await record(store, "passkey_renamed", { accountId, client, detail: { name } });
        return ok();
      });
    },

    removePasskey(id: string, holder: Holder): Promise<Result<undefined, "NOT_FOUND">> {
      const { accountId } = holder;
      return transaction(async (store) => {
        const user = await store.users.findForUpdate(accountId);
        const passkey = await store.passkeys.find(accountId, id);
        if (!user || !passkey) return fail("NOT_FOUND");
        await store.passkeys.remove(accountId, id);
        const { name } = passkey;
        await changes.removed(store, user, { event: "passkey_removed", detail: { name }, holder });
        return ok();
      });
    },

    /** For a sign-in at its second step. */
    async passkeyRequestOptions({
      token,
    }: Pick<Client, "token">): Promise<Result<PasskeyRequestOptions, "UNAUTHENTICATED" | "PASSKEY_INVALID">> {
      if (token === undefined) return fail("UNAUTHENTICATED");
      const begun = await transaction(async (store) => {
        const session = await partialSession(store, token);
        if (!session) return fail("UNAUTHENTICATED");
        if (!(await methodsOf(store, session.accountId)).includes("passkey")) return fail("PASSKEY_INVALID");
        const known = await store.passkeys.list(session.accountId);
        return ok({ known, challenge: await newChallenge(store, session.id) });
      });
      if (!begun.ok) return begun;
      return ok(passkeyCeremonies.requestOptions(begun.value.challenge, begun.value.known));
    },

    /** The second step with a passkey. */
    async verifyPasskey(
      { response }: VerifyPasskeyInput,
      client: Client,
    ): Promise<
      Result<Completed, "UNAUTHENTICATED" | "PASSKEY_INVALID" | "LOCKED" | "BUSY" | "PASSWORD_RESET_REQUIRED">
    > {
      const taken = await take("passkey", client, async (store, { session, user }) => {
        const challenge = await takeChallenge(store, session.id);
        const passkey = await store.passkeys.find(user.id, response.id);
        if (challenge === undefined || !passkey) return false;
        const signed = await passkeyCeremonies.signed(response, { challenge, passkey });
        return signed !== undefined && store.passkeys.used(user.id, passkey.id, signed.counter, now());
      });
      if (taken.ok) return taken;
      return { ...taken, code: taken.code === "CODE_INVALID" ? "PASSKEY_INVALID" : taken.code };
    },
  };
}
