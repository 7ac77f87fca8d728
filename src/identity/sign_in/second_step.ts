import { ipBucket, ipPrefix } from "../../shared/ip_bucket.ts";
import type { Language } from "../../shared/language.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { mailboxMark, networkMark } from "../../shared/stranger_mail.ts";
import { auditor } from "../account/audit.ts";
import { securityNotice } from "../account/owner_mails.ts";
import type { ProviderIdentity } from "../factors/factor_ports.ts";
import type { Client, IdentityDeps, IdentityStore, LoginCode, Session, User } from "../ports.ts";
import { WRONG_CODES_MAX } from "./attempts.ts";
import { knownDevices } from "./known_device.ts";
import { CODE_TRIES, loginCodes, type MailLimited } from "./login_code.ts";
import { loginThrottle } from "./login_throttle.ts";
import { providerNames } from "./provider_names.ts";
import { lifetimes, SESSIONS_PER_ACCOUNT } from "./session.ts";
import type { ProviderSession } from "./session_ports.ts";
import { signInNotices } from "./sign_in_notices.ts";
import { staffByProvider } from "./staff_by_provider.ts";

/** Methods of the second step. A stronger one replaces the mailed code, as the mailbox may have leaked. */
export type Method = "email" | "authenticator" | "passkey" | "recovery_code";

/** A completed first step: the token of the partial session, and the available methods. */
export type Started = { email: string; token: string; methods: Method[] };
/**
 * A completed sign-in: the token of the full session, its cookie's lifetime in seconds, and the cookie that makes this browser a
 * known one.
 */
export type Completed = { language: Language; token: string; cookieSeconds: number; deviceToken: string };
/** An account at its first step: the available methods, and its former challenge. */
type Asked = { deviceId: string | undefined; methods: Method[]; former: LoginCode | undefined };
export type Proven = {
  confirmedAt: Date | undefined;
  link: ProviderIdentity | undefined;
  provider?: ProviderSession | undefined;
};
/** What is recorded of it: the step, and the method. */
type Opening = { event: "sign_in_started" | "signed_in"; by: string };
/** An attempt at the second step: the partial session, its account and its challenge with the counted guesses. */
export type Step = {
  session: Session & { challengeId: string };
  user: User;
  challenge: Pick<LoginCode, "mac" | "tries">;
};

export async function methodsOf(
  { secondFactors }: Pick<IdentityStore, "secondFactors">,
  accountId: string,
): Promise<Method[]> {
  const { passkey, authenticator, recoveryCode } = await secondFactors.of(accountId);
  const strong: Method[] = [];
  if (passkey) strong.push("passkey");
  if (authenticator) strong.push("authenticator");
  if (strong.length === 0) return ["email"];
  return recoveryCode ? [...strong, "recovery_code"] : strong;
}

/** Methods that can be guessed with enough time: locked after too many consecutive wrong guesses. */
const GUESSABLE: readonly Method[] = ["email", "authenticator"];

/** The methods that are not locked; if there is none, only a password reset helps. */
export async function openMethodsOf(store: IdentityStore, user: Pick<User, "id" | "wrongCodes">): Promise<Method[]> {
  return openOf(await methodsOf(store, user.id), user);
}

function openOf(methods: Method[], { wrongCodes }: Pick<User, "wrongCodes">): Method[] {
  return wrongCodes < WRONG_CODES_MAX ? methods : methods.filter((method) => !GUESSABLE.includes(method));
}

/**
 * Shared by all ways of signing in: opening the partial session, and turning it into a full one. Rows are locked in one order
 * (the counters of the IP address and of the account or the device, the account, its challenge, its other counters, its
 * sessions), so that parallel sign-ins cannot deadlock.
 */
export function secondStep(deps: IdentityDeps) {
  const { transaction, now, newId, newToken, hashToken, isUnderMaintenance = () => false } = deps;
  const codes = loginCodes(deps);
  const devices = knownDevices(deps);
  const throttleOf = loginThrottle(deps);
  const notices = signInNotices(deps);
  const record = auditor(deps);
  const tellOfChange = securityNotice(deps);
  const { newSession, cookieSeconds } = lifetimes(deps);
  const settleStaff = staffByProvider(deps);
  const { recordedAs } = providerNames(deps);

  /** Opens the session and records it in the account's activity. */
  async function openSession(
    store: IdentityStore,
    client: Client,
    { event, by, ...of }: Pick<Session, "accountId" | "challengeId" | "confirmedAt" | "link" | "provider"> & Opening,
  ): Promise<string> {
    const token = newToken();
    const { ip, device = {} } = client;
    const parts = { ...of, id: newId(), tokenHash: hashToken(token), device, ipPrefix: ipPrefix(ip) };
    const opened = store.sessions.open(newSession(parts), SESSIONS_PER_ACCOUNT);
    const recorded = record(store, event, {
      accountId: of.accountId,
      client: { ...client, token },
      detail: { by },
    });
    await Promise.all([opened, recorded]);
    return token;
  }

  /** Loads what the second step depends on; may be sent right behind the account's lock. */
  function askFor(
    store: IdentityStore,
    { id: accountId, deviceEpoch }: Pick<User, "id" | "deviceEpoch">,
    { deviceToken }: Client,
  ): Promise<Asked> {
    const deviceId = devices.idFor(deviceToken, accountId, deviceEpoch);
    const asked = [methodsOf(store, accountId), codes.formerOf(store, accountId, deviceId)] as const;
    return Promise.all(asked).then(([methods, former]) => ({ deviceId, methods, former }));
  }

  async function partialSession({ sessions }: IdentityStore, token: string) {
    const session = await sessions.findLiving(hashToken(token), now());
    return session?.challengeId === undefined ? undefined : { ...session, challengeId: session.challengeId };
  }

  type Door = ReturnType<typeof throttleOf>;
  type Tried = { user: User; client: Client; method: Method; door: Door };

  /** Counts a wrong attempt and records it; the one that triggers the lock is reported to the account's owner. */
  async function noteWrong(store: IdentityStore, { user, client, method, door }: Tried): Promise<void> {
    const { isLast } = await door.fail(store);
    await record(store, isLast ? "locked" : "code_wrong", { accountId: user.id, client, detail: { by: method } });
    if (isLast) await notices.tellOfLock(store, user);
  }

  async function complete(
    store: IdentityStore,
    { user, session }: Step,
    { client, method, door }: Tried,
  ): Promise<Completed> {
    // The account's row is locked, so it has not changed since it was read.
    if (user.wrongCodes > 0) await store.users.resetWrongCodes(user.id);
    // Entering the mailed code proves the mailbox.
    if (method === "email" && !user.verifiedAt) {
      await store.users.markVerified(user.id, now());
      // The mailbox's owner did ask for these mails.
      await store.strangerMail.removeClaimed(mailboxMark(deps.mac, user.email));
    }
    if (session.link) await linkProvider(store, user, session.link, client);
    const provider = await stillLinked(store, user, session.provider);
    // The next code may be mailed immediately, and a possible attack is over.
    const succeeded = door.succeed(store, [
      ["codeMail", session.challengeId],
      ["lockMail", user.id],
    ]);
    const { confirmedAt } = session;
    const isKnown = door.deviceId !== undefined;
    const completed = openFull(store, user, client, { confirmedAt, provider, by: method, isKnown });
    return (await Promise.all([completed, succeeded]))[0];
  }

  /** The provider's session, unless its identity has become another account's since the first step, or nobody's. */
  async function stillLinked(
    { providerLinks }: IdentityStore,
    user: User,
    session: ProviderSession | undefined,
  ): Promise<ProviderSession | undefined> {
    if (!session) return undefined;
    const linked = await providerLinks.find(session.provider, session.subject);
    return linked?.accountId === user.id ? session : undefined;
  }

  /** Opens the full session of a completed sign-in. The account's row must be locked. */
  async function openFull(
    store: IdentityStore,
    user: User,
    client: Client,
    { isKnown, by, ...proven }: Pick<Proven, "confirmedAt" | "provider"> & { isKnown: boolean; by: string },
  ): Promise<Completed> {
    const settled = settleStaff(store, user, proven.provider);
    const told = isKnown ? undefined : notices.tellOfNewDevice(store, user, client);
    const parts = { accountId: user.id, challengeId: undefined, link: undefined, ...proven };
    const opened = openSession(store, client, { ...parts, event: "signed_in", by });
    const network = networkMark(deps.mac, ipBucket(client.ip));
    const moved = user.network === network ? undefined : store.users.setNetwork(user.id, network);
    // Pipelined: sent one after the other, awaited once.
    const [token] = await Promise.all([opened, settled, told, moved]);
    const deviceToken = devices.remember(client.deviceToken, user.id, user.deviceEpoch);
    return { language: user.language, token, cookieSeconds: cookieSeconds(now()), deviceToken };
  }

  /** Why this account cannot sign in at the moment. */
  function barrier(user: User): "ACCOUNT_LOCKED" | "MAINTENANCE" | undefined {
    if (user.lockedAt) return "ACCOUNT_LOCKED";
    return isUnderMaintenance() && !user.staff ? "MAINTENANCE" : undefined;
  }

  async function linkProvider(store: IdentityStore, user: User, link: ProviderIdentity, client: Client): Promise<void> {
    const added = await store.providerLinks.add({ ...link, accountId: user.id, linkedAt: now() });
    const detail = { provider: recordedAs(link.provider) };
    if (added) await tellOfChange(store, user, { event: "provider_linked", client, detail });
  }

  return {
    partialSession,
    askFor,

    /** Signs in at once by a linked provider that has made its own second step. The account's row must be locked. */
    async openTrusted(
      store: IdentityStore,
      user: User,
      client: Client,
      proven: Pick<Proven, "confirmedAt"> & { provider: ProviderSession },
    ): Promise<Result<Completed, "ACCOUNT_LOCKED" | "MAINTENANCE">> {
      const barred = barrier(user);
      if (barred) return fail(barred);
      const isKnown = devices.idFor(client.deviceToken, user.id, user.deviceEpoch) !== undefined;
      // The old token is voided in the transaction that creates the new one.
      if (client.token !== undefined) await store.sessions.remove(hashToken(client.token));
      return ok(await openFull(store, user, client, { ...proven, by: recordedAs(proven.provider.provider), isKnown }));
    },

    /** Opens the partial session after the first step, by password or provider. The account's row must be locked. */
    async open(
      store: IdentityStore,
      user: User,
      client: Client,
      { asked, ...proven }: Proven & { asked: Asked },
    ): Promise<Result<Started, "PASSWORD_RESET_REQUIRED" | "ACCOUNT_LOCKED" | "MAINTENANCE" | MailLimited>> {
      const barred = barrier(user);
      if (barred) return fail(barred);
      const methods = openOf(asked.methods, user);
      if (methods.length === 0) return fail("PASSWORD_RESET_REQUIRED");
      const asking = methods.includes("email")
        ? await codes.mailedChallenge(store, user, asked, client.ip)
        : ok(codes.silentChallenge(store, user));
      if (!asking.ok) return asking;
      const { challenge, saved } = asking.value;
      // The old token is voided in the transaction that creates the new one.
      const removed = client.token === undefined ? undefined : store.sessions.remove(hashToken(client.token));
      const by = proven.provider ? recordedAs(proven.provider.provider) : "password";
      const parts = { accountId: user.id, challengeId: challenge.id, ...proven };
      const opened = openSession(store, client, { ...parts, event: "sign_in_started", by });
      // Pipelined: sent one after the other, awaited once.
      const [token] = await Promise.all([opened, saved, removed]);
      return ok({ email: user.email, token, methods });
    },

    /**
     * The second step: reserves an attempt before the check; wrong, late, used and foreign codes get the same answer. `isRight`
     * decides in the same transaction; `method` must be one of the account's.
     */
    take(
      method: Method,
      client: Client,
      isRight: (store: IdentityStore, step: Step) => Promise<boolean>,
    ): Promise<Result<Completed, "UNAUTHENTICATED" | "CODE_INVALID" | "LOCKED" | "BUSY" | "PASSWORD_RESET_REQUIRED">> {
      const { token } = client;
      if (token === undefined) return Promise.resolve(fail("UNAUTHENTICATED"));
      return transaction(async (store) => {
        const { users, loginCodes } = store;
        const session = await partialSession(store, token);
        const accountId = session?.accountId;
        const door = throttleOf("code", client, { accountId, account: accountId, epoch: session?.deviceEpoch });
        // In this order: counters are locked before the account.
        const asked = door.reserve(store);
        const held = session && users.findForUpdate(session.accountId);
        const known = session && methodsOf(store, session.accountId);
        const [reserved, user, all = []] = await Promise.all([asked, held, known]);
        const methods = user ? openOf(all, user) : [];
        const isShut = user !== undefined && methods.length === 0;
        if (isShut || !reserved.ok) await door.giveBack(store);
        if (isShut) return fail("PASSWORD_RESET_REQUIRED");
        if (!reserved.ok) return reserved;
        if (!session || !user) {
          await door.fail(store);
          return fail("CODE_INVALID");
        }

        const tried: Tried = { user, client, method, door };
        const challenge =
          methods.includes(method) && (await loginCodes.countTry(session.challengeId, CODE_TRIES, now()));
        if (!challenge) {
          await noteWrong(store, tried);
          return fail("CODE_INVALID");
        }
        const step: Step = { session, user, challenge };
        if (!(await isRight(store, step))) {
          await users.countWrongCode(user.id);
          await noteWrong(store, tried);
          if (challenge.tries >= CODE_TRIES) await loginCodes.remove(session.challengeId);
          return fail("CODE_INVALID");
        }
        // It exists, as its row was changed and is locked.
        const removed = loginCodes.remove(session.challengeId);
        const [completed] = await Promise.all([complete(store, step, tried), removed]);
        return ok(completed);
      });
    },
  };
}
