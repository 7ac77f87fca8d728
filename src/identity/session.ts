import { ok, type Result } from "../shared/result.ts";
import type { IdentityDeps, Session, SignedIn } from "./ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PARTIAL_MS = 15 * MINUTE_MS;
const IDLE_MS = 24 * HOUR_MS;
const ABSOLUTE_MS = 7 * 24 * HOUR_MS;
const SEEN_EVERY_MS = MINUTE_MS;
/** Of each level; the oldest goes. */
export const SESSIONS_PER_ACCOUNT = 20;

/** When a session ends if nothing more happens: a full one after an idle day, and after a week however busy. */
export function expiryOf({ level, createdAt }: Pick<Session, "level" | "createdAt">, now: Date): Date {
  if (level === "partial") return new Date(now.getTime() + PARTIAL_MS);
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + ABSOLUTE_MS));
}

export function newSession(parts: Pick<Session, "id" | "tokenHash" | "accountId" | "challengeId">, now: Date): Session {
  const level = parts.challengeId === undefined ? "authenticated" : "partial";
  return { ...parts, level, createdAt: now, lastSeenAt: now, expiresAt: expiryOf({ level, createdAt: now }, now) };
}

/** Living sessions and their end. */
export function sessions({ transaction, hashToken, now }: IdentityDeps) {
  return {
    /** Who holds this token, asked at every request. Its use is written down at most once a minute. */
    sessionOf(token: string): Promise<SignedIn | undefined> {
      return transaction(async ({ sessions }) => {
        const session = await sessions.findLiving(hashToken(token), now());
        if (!session) return undefined;
        const isStale = now().getTime() - session.lastSeenAt.getTime() >= SEEN_EVERY_MS;
        if (isStale && session.level === "authenticated")
          await sessions.touch(session.id, now(), expiryOf(session, now()));
        return { accountId: session.accountId, level: session.level, language: session.language };
      });
    },

    async logout(token: string | undefined): Promise<Result<undefined, never>> {
      if (token !== undefined) await transaction(({ sessions }) => sessions.remove(hashToken(token)));
      return ok();
    },
  };
}
