import { joined } from "../../shared/batch_loader.ts";
import { ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import type { Client, IdentityDeps, Session, SignedIn } from "../ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PARTIAL_MS = 15 * MINUTE_MS;
/** Full sessions end after an idle while, and for good after another one however busy. Strict is NIST's second level. */
const PROFILES = {
  default: { idleMs: 24 * HOUR_MS, absoluteMs: 7 * 24 * HOUR_MS },
  strict: { idleMs: HOUR_MS, absoluteMs: 24 * HOUR_MS },
};
const SEEN_EVERY_MS = MINUTE_MS;
/** How long a typed password speaks for the person in front of the screen. */
const CONFIRMED_MS = 15 * MINUTE_MS;
/** Of each level; the oldest goes. */
export const SESSIONS_PER_ACCOUNT = 20;

type Opened = Pick<
  Session,
  "id" | "tokenHash" | "accountId" | "challengeId" | "device" | "ipPrefix" | "confirmedAt" | "link"
>;

/** How long sessions live in this installation. */
export function lifetimes({ sessionProfile, now }: Pick<IdentityDeps, "sessionProfile" | "now">) {
  const { idleMs, absoluteMs } = PROFILES[sessionProfile];
  const endOf = ({ level, createdAt }: Pick<Session, "level" | "createdAt">, lastSeen: Date): Date => {
    if (level === "partial") return new Date(lastSeen.getTime() + PARTIAL_MS);
    return new Date(Math.min(lastSeen.getTime() + idleMs, createdAt.getTime() + absoluteMs));
  };
  return {
    /** When a session that is used now ends if nothing more happens. */
    expiryOf: (session: Pick<Session, "level" | "createdAt">): Date => endOf(session, now()),

    /** Whether it outlives what the profile of today allows: it may have been opened under a longer one. */
    isOver: (session: Pick<Session, "level" | "createdAt" | "lastSeenAt">): boolean =>
      session.level === "authenticated" && endOf(session, session.lastSeenAt) <= now(),

    /** For how many seconds a browser has to keep the cookie of a full session that was opened then. */
    cookieSeconds: (createdAt: Date): number =>
      Math.max(0, Math.ceil((createdAt.getTime() + absoluteMs - now().getTime()) / 1000)),

    newSession(parts: Opened): Session {
      const level = parts.challengeId === undefined ? "authenticated" : "partial";
      const times = { createdAt: now(), lastSeenAt: now(), expiresAt: endOf({ level, createdAt: now() }, now()) };
      return { ...parts, level, passkeyChallenge: undefined, ...times };
    },
  };
}

/** Living sessions and their end. */
export function sessions(deps: IdentityDeps) {
  const { transaction, hashToken, now } = deps;
  const { expiryOf, isOver } = lifetimes(deps);
  const record = auditor(deps);
  const findLiving = joined(async (tokenHashes: string[]) => {
    const living = await transaction((store) => store.sessions.listLiving(tokenHashes, now()));
    return new Map(living.map((session) => [session.tokenHash, session]));
  });
  return {
    /**
     * Who holds this token, asked at every request. Its use is written down at most once a minute, and not at all when
     * nobody looks: else a forgotten tab would keep a session from ever being idle.
     */
    async sessionOf(token: string, isUnattended = false): Promise<SignedIn | undefined> {
      const session = await findLiving(hashToken(token));
      if (!session || isOver(session)) return undefined;
      const isStale = now().getTime() - session.lastSeenAt.getTime() >= SEEN_EVERY_MS;
      if (isStale && !isUnattended && session.level === "authenticated")
        await transaction((store) => store.sessions.touch(session.id, now(), expiryOf(session)));
      const { id: sessionId, accountId, level, language, staff, confirmedAt } = session;
      const confirmed = confirmedAt !== undefined && now().getTime() - confirmedAt.getTime() < CONFIRMED_MS;
      return { accountId, sessionId, level, language, confirmed, staff };
    },

    async logout(client: Client): Promise<Result<undefined, never>> {
      const { token } = client;
      if (token === undefined) return ok();
      return transaction(async (store) => {
        const session = await store.sessions.findLiving(hashToken(token), now());
        await store.sessions.remove(hashToken(token));
        if (session?.level === "authenticated")
          await record(store, "signed_out", { accountId: session.accountId, client });
        return ok();
      });
    },
  };
}
