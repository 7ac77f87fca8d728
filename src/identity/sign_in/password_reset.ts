import type { EventOf } from "../../events/catalogue.ts";
import { ipBucket } from "../../shared/ip_bucket.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { auditor, originOf } from "../account/audit.ts";
import { mailTo } from "../account/owner_mails.ts";
import { hashNew } from "../account/password.ts";
import { newPasswordMail } from "../api_tokens/api_tokens.ts";
import type { ForgotPasswordInput, ResetPasswordInput } from "../inputs.ts";
import type { IdentityDeps, IdentityStore, User, Visitor } from "../ports.ts";
import { countersOf } from "./attempts.ts";
import { knownDevices } from "./known_device.ts";
import { methodsOf } from "./second_step.ts";

export const LINK_MINUTES = 60;

/** Password reset: a mailed link, valid once and for an hour. */
export function passwordReset(deps: IdentityDeps) {
  const { transaction, mac, cipher, now, newToken, hashToken } = deps;
  const record = auditor(deps);
  const devices = knownDevices(deps);
  const counters = ({ attempts }: IdentityStore) => countersOf(attempts, mac, now());

  /** The account of a valid link. */
  async function ownerOf({ resetTokens, users }: IdentityStore, token: string) {
    const living = await resetTokens.findLiving(hashToken(token), now());
    return living && users.find(living.accountId);
  }

  /** Sets the password by a valid link, and with it ends the locks and sessions; the account, or undefined for a void link. */
  async function redeem(
    store: IdentityStore,
    known: User,
    { token, passwordHash }: { token: string; passwordHash: string },
  ): Promise<User | undefined> {
    const { users, sessions, loginCodes, resetTokens } = store;
    // Before the account is locked: the lock order of signing in.
    await counters(store).reset("passwordAccount", known.email);
    // The mailbox's reader can read the codes as well, so they are unlocked; a stronger second step stays locked.
    const methods = await methodsOf(store, known.id);
    const isProvable = methods.includes("passkey") || methods.includes("recovery_code");
    if (methods.includes("email")) await counters(store).reset("codeAccount", known.id);
    const user = await users.findForUpdate(known.id);
    if (!user || !(await resetTokens.use(hashToken(token), now()))) return undefined;
    await users.replacePasswordHash(user.id, user.passwordHash, passwordHash);
    if (!isProvable) await users.resetWrongCodes(user.id);
    // A possible attack is over, so the next lock is reported again.
    await counters(store).reset("lockMail", user.id);
    await loginCodes.removeByAccount(user.id);
    await sessions.removeByAccount(user.id);
    return user;
  }

  return {
    /** Looks nothing up, so that neither the answer nor its timing reveals whether the account exists. */
    async forgotPassword(
      { email }: ForgotPasswordInput,
      client: Visitor,
    ): Promise<Result<{ email: string }, "RATE_LIMITED">> {
      return transaction(async (store) => {
        const wait = await counters(store).count("forgotIp", ipBucket(client.ip));
        if (wait > 0) return fail("RATE_LIMITED", { retryAfter: wait });
        const asked = { email, requestedAt: now().toISOString(), from: originOf(client) };
        await store.events.publish({ type: "identity.resetRequested", ...asked });
        return ok({ email });
      });
    },

    /** Mails the link to the owner of a proven account. Idempotent: a repeated event finds its link. */
    onResetRequested({ email, requestedAt, from }: EventOf<"identity.resetRequested">): Promise<void> {
      return transaction(async (store) => {
        const user = await store.users.findByEmail(email);
        if (!user?.verifiedAt || (await counters(store).count("resetMail", user.id)) > 0) return;
        const token = newToken();
        const createdAt = new Date(requestedAt);
        const expiresAt = new Date(createdAt.getTime() + LINK_MINUTES * 60_000);
        const parts = { accountId: user.id, tokenHash: hashToken(token), createdAt, expiresAt };
        if (!(await store.resetTokens.save(parts))) return;
        await record(store, "reset_requested", { accountId: user.id, ...(from && { from }) });
        const content = {
          template: "password_reset" as const,
          params: { minutes: String(LINK_MINUTES) },
          sealed: cipher.encrypt(JSON.stringify({ token })),
          notAfter: expiresAt.toISOString(),
        };
        await store.events.publish(mailTo(user, content));
      });
    },

    /** Whether the link is still valid. Changes nothing. */
    checkResetLink(token: string): Promise<Result<undefined, "RESET_LINK_INVALID">> {
      return transaction(async (store) => ((await ownerOf(store, token)) ? ok() : fail("RESET_LINK_INVALID")));
    },

    /**
     * A refused password leaves the link valid; an accepted one voids the link, all sessions and codes, and every known browser
     * but this one.
     */
    async resetPassword(
      { token, password }: Omit<ResetPasswordInput, "confirmPassword">,
      client: Visitor,
    ): Promise<
      Result<
        { deviceToken: string } | undefined,
        "RESET_LINK_INVALID" | "RATE_LIMITED" | "INVALID_INPUT" | "PASSWORD_UNCHANGED" | "BUSY"
      >
    > {
      const admitted = await transaction(async (store) => {
        const user = await ownerOf(store, token);
        if (!user) return fail("RESET_LINK_INVALID");
        const wait = await counters(store).count("resetAccount", user.id);
        return wait > 0 ? fail("RATE_LIMITED", { retryAfter: wait }) : ok(user);
      });
      if (!admitted.ok) return admitted;
      const known = admitted.value;
      const hashed = await hashNew(known, password, deps);
      if (!hashed.ok) return hashed;

      return transaction(async (store) => {
        const user = await redeem(store, known, { token, passwordHash: hashed.value });
        if (!user) return fail("RESET_LINK_INVALID");
        const isKnown = devices.idFor(client.deviceToken, user.id, user.deviceEpoch) !== undefined;
        const epoch = await store.users.raiseDeviceEpoch(user.id);
        // An attacker may have requested it.
        await store.emailChanges.remove(user.id);
        await record(store, "password_reset", { accountId: user.id, client });
        await store.events.publish(await newPasswordMail(store, user, { now: now(), loggedOut: "all" }));
        return ok(isKnown ? { deviceToken: devices.remember(client.deviceToken, user.id, epoch) } : undefined);
      });
    },
  };
}
