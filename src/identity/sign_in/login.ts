import { fail, ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import type { LoginInput, VerifyCodeInput } from "../inputs.ts";
import type { Client, IdentityDeps, User } from "../ports.ts";
import { secondsUntil, WRONG_CODES_MAX } from "./attempts.ts";
import { loginCodes, type MailLimited, RESEND_SECONDS, resendAt } from "./login_code.ts";
import { loginThrottle } from "./login_throttle.ts";
import { type Method, methodsOf, openMethodsOf, type Started, secondStep } from "./second_step.ts";
import { lifetimes } from "./session.ts";

/**
 * A sign-in at its second step. `resendAfter`: seconds until a new code may be mailed. `mailDelayed`: the code is mailed, but no
 * mail can be sent at the moment.
 */
export type SignInUnderWay = { email: string; methods: Method[]; resendAfter: number; mailDelayed: boolean };

/** Signing in: the password opens a partial session, the second step a full one. */
export function login(deps: IdentityDeps) {
  const { transaction, passwords, codeMails, now } = deps;
  const codes = loginCodes(deps);
  const throttleOf = loginThrottle(deps);
  const record = auditor(deps);
  const { expiryOf } = lifetimes(deps);
  const { partialSession, askFor, open, take } = secondStep(deps);

  /** Counts the attempt before the password is checked; `door` gives it back or settles it. */
  function reserveAttempt(email: string, client: Client) {
    return transaction(async (store) => {
      const doorOf = (owner?: User) =>
        throttleOf("password", client, { accountId: owner?.id, account: email, epoch: owner?.deviceEpoch });
      const found = store.users.findByEmail(email);
      // Only a known browser's counter depends on the account.
      const strangers = client.deviceToken === undefined ? doorOf() : undefined;
      const [user, asked] = await Promise.all([found, strangers?.reserve(store)]);
      const door = strangers ?? doorOf(user);
      const reserved = asked ?? (await door.reserve(store));
      return { known: user, door, reserved };
    });
  }

  /** Records a wrong password, also one for an unknown email. */
  function noteWrong(
    door: ReturnType<typeof throttleOf>,
    accountId: string | undefined,
    client: Client,
  ): Promise<void> {
    return transaction(async (store) => {
      const { isLast } = await door.fail(store);
      await record(store, isLast ? "locked" : "password_wrong", { accountId, client, detail: { by: "password" } });
    });
  }

  return {
    /**
     * The right password opens a partial session and usually mails a code. An unknown email takes as long and answers the same
     * as a wrong password.
     */
    async login(
      { email, password }: LoginInput,
      client: Client,
    ): Promise<
      Result<
        Started,
        | "CREDENTIALS_INVALID"
        | "LOCKED"
        | "BUSY"
        | "PASSWORD_RESET_REQUIRED"
        | "ACCOUNT_LOCKED"
        | "MAINTENANCE"
        | MailLimited
      >
    > {
      const { known, door, reserved } = await reserveAttempt(email, client);
      if (!reserved.ok) {
        await transaction(door.giveBack);
        return reserved;
      }

      const checked = await passwords.verify(password, known?.passwordHash);
      if (!checked.ok) {
        await transaction(door.giveBack);
        return checked;
      }
      if (!known || !checked.value.matches) {
        await noteWrong(door, known?.id, client);
        return fail("CREDENTIALS_INVALID");
      }
      const rehashed = checked.value.outdated ? await passwords.hash(password) : undefined;

      return transaction(async (store) => {
        const { users } = store;
        // In this order: counters are locked before the account.
        const succeeded = door.succeed(store);
        const [user, asked] = await Promise.all([
          users.findForUpdate(known.id),
          askFor(store, known, client),
          succeeded,
        ]);
        if (user?.passwordHash !== known.passwordHash) return fail("CREDENTIALS_INVALID");
        if (rehashed?.ok) await users.replacePasswordHash(user.id, user.passwordHash, rehashed.value);
        return open(store, user, client, { confirmedAt: now(), link: undefined, asked });
      });
    },

    /** The data of the second step's screen, also after a reload. */
    async signInUnderWay(token: string | undefined): Promise<Result<SignInUnderWay, "UNAUTHENTICATED">> {
      if (token === undefined) return fail("UNAUTHENTICATED");
      const found = await transaction(async (store) => {
        const session = await partialSession(store, token);
        const user = session && (await store.users.find(session.accountId));
        if (!user) return undefined;
        const challenge = await store.loginCodes.find(session.challengeId);
        const resendAfter = challenge && now() < resendAt(challenge) ? secondsUntil(resendAt(challenge), now()) : 0;
        return { user, methods: await openMethodsOf(store, user), resendAfter };
      });
      if (!found) return fail("UNAUTHENTICATED");
      const { user, methods, resendAfter } = found;
      const mailDelayed = methods.includes("email") && (await codeMails.areDelayed(user.id));
      return ok({ email: user.email, methods, resendAfter, mailDelayed });
    },

    /** The right code opens a full session under a new token and proves the email. */
    verifyCode: ({ code }: VerifyCodeInput, client: Client) =>
      take("email", client, async (_, { session, challenge }) =>
        codes.isRight(session.challengeId, code, challenge.mac),
      ),

    /** Mails a new code for the same challenge; the former one is void, and its guesses stay counted. */
    async resendCode(
      token: string | undefined,
      { ip }: Pick<Client, "ip">,
    ): Promise<
      Result<
        { retryAfter: number },
        "UNAUTHENTICATED" | "SESSION_EXPIRED" | "CODE_RESEND_TOO_SOON" | "PASSWORD_RESET_REQUIRED" | MailLimited
      >
    > {
      if (token === undefined) return fail("UNAUTHENTICATED");
      return transaction(async (store) => {
        const session = await partialSession(store, token);
        const user = session && (await store.users.findForUpdate(session.accountId));
        const challenge = session && (await store.loginCodes.find(session.challengeId));
        if (!user || !challenge) return fail("SESSION_EXPIRED");
        if (!(await methodsOf(store, user.id)).includes("email")) return fail("SESSION_EXPIRED");
        if (user.wrongCodes >= WRONG_CODES_MAX) return fail("PASSWORD_RESET_REQUIRED");
        if (now() < resendAt(challenge))
          return fail("CODE_RESEND_TOO_SOON", { retryAfter: secondsUntil(resendAt(challenge), now()) });
        const wait = await codes.waitForMail(store, challenge.id);
        if (wait > 0) return fail("CODE_RESEND_TOO_SOON", { retryAfter: wait });
        const limited = await codes.limitOf(store, user, ip);
        if (limited) return limited;
        await codes.send(store, user, challenge);
        // The code is valid for ten minutes, so the session that needs it must live longer.
        await store.sessions.touch(session.id, now(), expiryOf(session));
        return ok({ retryAfter: RESEND_SECONDS });
      });
    },
  };
}
