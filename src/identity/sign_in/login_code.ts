import { ipBucket } from "../../shared/ip_bucket.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Mac } from "../../shared/secrets.ts";
import {
  mailboxMark,
  networkMark,
  type StrangerMailRefusal,
  type StrangerMailRequest,
  secondsUntilFree,
  takeStrangerMail,
} from "../../shared/stranger_mail.ts";
import { mailTo } from "../account/owner_mails.ts";
import type { IdentityDeps, IdentityStore, LoginCode, User } from "../ports.ts";
import { countersOf } from "./attempts.ts";

export const CODE_TRIES = 5;
const CODE_MINUTES = 10;
/** As long as the partial session of the second step. */
const SILENT_MINUTES = 15;
/** Minimum interval between two mails of one challenge. */
export const RESEND_SECONDS = 60;

/** Whether its code can still be entered. */
function isLiving({ tries, expiresAt }: LoginCode, now: Date): boolean {
  return tries < CODE_TRIES && now < expiresAt;
}

/** When the next mail of this challenge may be sent. */
export function resendAt({ sentAt }: LoginCode): Date {
  return new Date(sentAt === undefined ? 0 : sentAt.getTime() + RESEND_SECONDS * 1000);
}

/** A mail to a claimed but unproven mailbox, for the limit of unsolicited mail. */
export function claimOf(mac: Mac, email: string, ip: string): StrangerMailRequest {
  return { mailbox: mailboxMark(mac, email), network: networkMark(mac, ipBucket(ip)), claimed: true };
}

export type MailLimited = "MAILBOX_LIMITED" | "MAIL_LIMITED";

/** The failure for a mail that may not be sent now: because of its recipient, or because of who requests it. */
export function mailLimited(refusal: StrangerMailRefusal, now: Date): Result<never, MailLimited> {
  const code = refusal.by === "mailbox" ? "MAILBOX_LIMITED" : "MAIL_LIMITED";
  return fail(code, { retryAfter: secondsUntilFree(refusal, now) });
}

type Former = { deviceId: string | undefined; former: LoginCode | undefined };
type Saved = { challenge: LoginCode; saved: Promise<void> };

/** Creates codes and has them mailed. In plain text a code exists only in memory and in the mail. */
export function loginCodes({ mac, cipher, newCode, newId, now, hashToken }: IdentityDeps) {
  const minutesFromNow = (minutes: number) => new Date(now().getTime() + minutes * 60_000);
  const macOf = (challengeId: string, code: string) => mac("login-code", `${challengeId}:${code}`);
  const mailCounter = ({ attempts }: IdentityStore) => countersOf(attempts, mac, now());

  function challengeUntil(id: string, accountId: string, expiresAt: Date): LoginCode {
    return { id, accountId, mac: undefined, tries: 0, createdAt: now(), sentAt: undefined, expiresAt };
  }

  /** One challenge per known device, one for all unknown ones: strangers cannot use up an owner's guesses or mails. */
  function mailedIdOf(accountId: string, deviceId: string | undefined): string {
    const hash = hashToken(`challenge:${accountId}:${deviceId ?? ""}`);
    return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  }

  /** Gives the challenge a new code, which voids the former one. The guesses stay counted. */
  async function send({ loginCodes, events }: IdentityStore, user: User, challenge: LoginCode): Promise<void> {
    const code = newCode();
    const expiresAt = minutesFromNow(CODE_MINUTES);
    const saved = loginCodes.save({ ...challenge, mac: macOf(challenge.id, code), sentAt: now(), expiresAt });
    const mail = mailTo(user, {
      template: "login_code",
      params: { firstName: user.firstName, minutes: String(CODE_MINUTES) },
      sealed: cipher.encrypt(JSON.stringify({ code })),
      notAfter: expiresAt.toISOString(),
    });
    await Promise.all([saved, events.publish(mail)]);
  }

  /**
   * Mails to a proven mailbox were asked for; before that anybody may have typed it, so the limit of unsolicited mail applies.
   */
  async function limitOf(
    { strangerMail }: IdentityStore,
    { email, verifiedAt }: User,
    ip: string,
  ): Promise<Result<never, MailLimited> | undefined> {
    if (verifiedAt) return undefined;
    const refusal = await takeStrangerMail(strangerMail, claimOf(mac, email, ip), now());
    return refusal && mailLimited(refusal, now());
  }

  return {
    send,
    limitOf,

    /** Seconds until this challenge may be mailed again, counting this mail; 0 for immediately. */
    waitForMail: (store: IdentityStore, challengeId: string) => mailCounter(store).count("codeMail", challengeId),

    /** This account's former challenge, for this device or for all unknown ones. */
    formerOf: ({ loginCodes }: IdentityStore, accountId: string, deviceId: string | undefined) =>
      loginCodes.find(mailedIdOf(accountId, deviceId)),

    /**
     * A recently mailed code is reused for this sign-in; beyond the limit of mails the answer is the same without a mail.
     * `saved` resolves when it is stored; further statements may be sent before.
     */
    async mailedChallenge(
      store: IdentityStore,
      user: User,
      of: Former,
      ip: string,
    ): Promise<Result<Saved, MailLimited>> {
      const id = mailedIdOf(user.id, of.deviceId);
      const living = of.former?.mac !== undefined && isLiving(of.former, now()) ? of.former : undefined;
      const former = () => ok({ challenge: living as LoginCode, saved: Promise.resolve() });
      if (living && now() < resendAt(living)) return former();
      const mailAllowed = (await mailCounter(store).count("codeMail", id)) === 0;
      if (!mailAllowed && living) return former();
      const limited = mailAllowed ? await limitOf(store, user, ip) : undefined;
      if (limited) return living ? former() : limited;
      const challenge = challengeUntil(id, user.id, now());
      return ok({ challenge, saved: mailAllowed ? send(store, user, challenge) : store.loginCodes.save(challenge) });
    },

    /** A challenge without a mailed code, for other methods. */
    silentChallenge({ loginCodes }: IdentityStore, user: User): Saved {
      const challenge = challengeUntil(newId(), user.id, minutesFromNow(SILENT_MINUTES));
      return { challenge, saved: loginCodes.save(challenge) };
    },

    /** Comparing keyed hashes leaks nothing by timing: without the key nobody can choose a prefix. */
    isRight: (challengeId: string, code: string, stored: string | undefined) => stored === macOf(challengeId, code),
  };
}
