import type { IdentityDeps, IdentityStore, LoginCode, User } from "./ports.ts";

export const CODE_TRIES = 5;
const CODE_MINUTES = 10;
/** Between two mails of one challenge. */
export const RESEND_SECONDS = 60;

/** Whether its code can still be entered. */
export function isLiving({ tries, expiresAt }: LoginCode, now: Date): boolean {
  return tries < CODE_TRIES && now < expiresAt;
}

/** When the next mail of this challenge may go out. */
export function resendAt({ sentAt }: LoginCode): Date {
  return new Date(sentAt === undefined ? 0 : sentAt.getTime() + RESEND_SECONDS * 1000);
}

/** Makes codes and has them mailed. In the clear a code exists only in memory and in the mail itself. */
export function loginCodes({
  mac,
  seal,
  newCode,
  newId,
  now,
}: Pick<IdentityDeps, "mac" | "seal" | "newCode" | "newId" | "now">) {
  const macOf = (challengeId: string, code: string) => mac("login-code", `${challengeId}:${code}`);
  return {
    /** A challenge whose code has yet to be sent. */
    challengeFor(accountId: string): LoginCode {
      return {
        id: newId(),
        accountId,
        mac: undefined,
        tries: 0,
        createdAt: now(),
        sentAt: undefined,
        expiresAt: now(),
      };
    },

    /** Gives the challenge a new code, which ends the former one. The tries stay counted. */
    async send({ loginCodes, events }: IdentityStore, user: User, challenge: LoginCode): Promise<void> {
      const code = newCode();
      const expiresAt = new Date(now().getTime() + CODE_MINUTES * 60_000);
      await loginCodes.save({ ...challenge, mac: macOf(challenge.id, code), sentAt: now(), expiresAt });
      await events.publish({
        type: "mail.requested",
        to: user.email,
        language: user.language,
        template: "login_code",
        params: { firstName: user.firstName, minutes: String(CODE_MINUTES) },
        sealed: seal.close(JSON.stringify({ code })),
        accountId: user.id,
        notAfter: expiresAt.toISOString(),
      });
    },

    /** Comparing keyed hashes tells a guesser nothing by its time: without the key nobody can aim at a prefix. */
    isRight: (challengeId: string, code: string, stored: string | undefined) => stored === macOf(challengeId, code),
  };
}
