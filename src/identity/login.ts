import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { countersOf, secondsUntil } from "./attempts.ts";
import type { LoginInput, VerifyCodeInput } from "./inputs.ts";
import { ipBucket } from "./ip_bucket.ts";
import { CODE_TRIES, isLiving, loginCodes, RESEND_SECONDS, resendAt } from "./login_code.ts";
import type { Client, IdentityDeps, IdentityStore, LoginCode, Session, User } from "./ports.ts";
import { expiryOf, newSession, SESSIONS_PER_ACCOUNT } from "./session.ts";

/**
 * Signing in: the password opens a partial session, the mailed code a full one. Rows are locked in one order
 * (the IP address' counter, the account's, the account, its challenge, the mail counter), so that parallel sign-ins
 * never wait for each other in a circle.
 */
export function login(deps: IdentityDeps) {
  const { transaction, passwords, mac, now, newId, newToken, hashToken } = deps;
  const codes = loginCodes(deps);
  const counters = ({ attempts }: IdentityStore) => countersOf(attempts, mac, now());

  /** The old token dies with the transaction that creates the new one. */
  async function openSession(
    { sessions }: IdentityStore,
    of: Pick<Session, "accountId" | "challengeId">,
  ): Promise<string> {
    const token = newToken();
    const session = newSession({ ...of, id: newId(), tokenHash: hashToken(token) }, now());
    await sessions.add(session);
    await sessions.keepNewest(session.accountId, session.level, SESSIONS_PER_ACCOUNT);
    return token;
  }

  /** A code that has just been mailed serves this sign-in too; past the limit of mails the answer is the same without one. */
  async function challengeFor(store: IdentityStore, user: User): Promise<LoginCode> {
    const newest = await store.loginCodes.findNewest(user.id);
    const living = newest && isLiving(newest, now()) ? newest : undefined;
    if (living && now() < resendAt(living)) return living;
    const mailAllowed = (await counters(store).count("codeMail", user.id)) === 0;
    if (!mailAllowed && living) return living;
    const challenge = codes.challengeFor(user.id);
    if (mailAllowed) await codes.send(store, user, challenge);
    else await store.loginCodes.save(challenge);
    return challenge;
  }

  async function partialSession({ sessions }: IdentityStore, token: string) {
    const session = await sessions.findLiving(hashToken(token), now());
    return session?.challengeId === undefined ? undefined : { ...session, challengeId: session.challengeId };
  }

  return {
    /** Password right: a partial session, and a code by mail. An unknown email costs and answers the same as a wrong password. */
    async login(
      { email, password }: LoginInput,
      { ip, token }: Client,
    ): Promise<Result<{ email: string; token: string }, "CREDENTIALS_INVALID" | "LOCKED" | "BUSY">> {
      const bucket = ipBucket(ip);
      const admitted = await transaction(async (store) => {
        const { count } = counters(store);
        const wait = (await count("passwordIp", bucket)) || (await count("passwordAccount", email));
        return wait > 0 ? fail("LOCKED", { retryAfter: wait }) : ok(await store.users.findByEmail(email));
      });
      if (!admitted.ok) return admitted;
      const known = admitted.value;

      const checked = await passwords.verify(password, known?.passwordHash);
      if (!checked.ok) {
        await transaction(async (store) => {
          await counters(store).giveBack("passwordIp", bucket);
          await counters(store).giveBack("passwordAccount", email);
        });
        return checked;
      }
      if (!known || !checked.value.matches) return fail("CREDENTIALS_INVALID");
      const rehashed = checked.value.outdated ? await passwords.hash(password) : undefined;

      return transaction(async (store) => {
        const { users, sessions } = store;
        await counters(store).giveBack("passwordIp", bucket);
        await counters(store).reset("passwordAccount", email);
        const user = await users.hold(known.id);
        if (user?.passwordHash !== known.passwordHash) return fail("CREDENTIALS_INVALID");
        if (rehashed?.ok) await users.replacePasswordHash(user.id, user.passwordHash, rehashed.value);
        const challenge = await challengeFor(store, user);
        if (token !== undefined) await sessions.remove(hashToken(token));
        return ok({ email, token: await openSession(store, { accountId: user.id, challengeId: challenge.id }) });
      });
    },

    /** Code right: a full session under a new token, and the email is proven. Every wrong, late, used or foreign code is the same. */
    async verifyCode(
      { code }: VerifyCodeInput,
      { ip, token }: Client,
    ): Promise<Result<{ language: Language; token: string }, "UNAUTHENTICATED" | "CODE_INVALID" | "LOCKED">> {
      if (token === undefined) return fail("UNAUTHENTICATED");
      const bucket = ipBucket(ip);
      return transaction(async (store) => {
        const { users, loginCodes } = store;
        const { count, giveBack, reset } = counters(store);
        const session = await partialSession(store, token);
        const wait = (await count("codeIp", bucket)) || (session ? await count("codeAccount", session.accountId) : 0);
        if (wait > 0) return fail("LOCKED", { retryAfter: wait });
        const user = session && (await users.hold(session.accountId));
        if (!session || !user) return fail("CODE_INVALID");

        const tried = await loginCodes.countTry(session.challengeId, CODE_TRIES, now());
        if (!tried) return fail("CODE_INVALID");
        if (!codes.isRight(session.challengeId, code, tried.mac)) {
          if (tried.tries >= CODE_TRIES) await loginCodes.remove(session.challengeId);
          return fail("CODE_INVALID");
        }
        if (!(await loginCodes.remove(session.challengeId))) return fail("CODE_INVALID");

        await users.markVerified(user.id, now());
        await giveBack("codeIp", bucket);
        await reset("codeAccount", user.id);
        await reset("codeMail", user.id);
        const opened = await openSession(store, { accountId: user.id, challengeId: undefined });
        return ok({ language: user.language, token: opened });
      });
    },

    /** Mails a new code for the same challenge; the former one is void, and its tries stay counted. */
    async resendCode(
      token: string | undefined,
    ): Promise<Result<{ retryAfter: number }, "UNAUTHENTICATED" | "SESSION_EXPIRED" | "CODE_RESEND_TOO_SOON">> {
      if (token === undefined) return fail("UNAUTHENTICATED");
      return transaction(async (store) => {
        const session = await partialSession(store, token);
        const user = session && (await store.users.hold(session.accountId));
        const challenge = session && (await store.loginCodes.find(session.challengeId));
        if (!user || !challenge) return fail("SESSION_EXPIRED");
        if (now() < resendAt(challenge))
          return fail("CODE_RESEND_TOO_SOON", { retryAfter: secondsUntil(resendAt(challenge), now()) });
        const wait = await counters(store).count("codeMail", user.id);
        if (wait > 0) return fail("CODE_RESEND_TOO_SOON", { retryAfter: wait });
        await codes.send(store, user, challenge);
        // The mail promises ten minutes, so the session that needs the code must outlive them.
        await store.sessions.touch(session.id, now(), expiryOf(session, now()));
        return ok({ retryAfter: RESEND_SECONDS });
      });
    },
  };
}
