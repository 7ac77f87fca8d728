import { lookUp } from "../../shared/batching.ts";
import { ok, type Result } from "../../shared/result.ts";
import { auditor } from "../account/audit.ts";
import type { Client, IdentityDeps, Session, SignedIn } from "../ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PARTIAL_MS = 15 * MINUTE_MS;
/** Idle and absolute timeouts of full sessions. Strict follows NIST's second assurance level. */
const PROFILES = {
  default: { idleMs: 24 * HOUR_MS, absoluteMs: 7 * 24 * HOUR_MS },
  strict: { idleMs: HOUR_MS, absoluteMs: 24 * HOUR_MS },
};
const SEEN_EVERY_MS = MINUTE_MS;
/** How long a typed password counts as reauthentication. */
const CONFIRMED_MS = 15 * MINUTE_MS;
/** Limit per level; the oldest session is ended. */
export const SESSIONS_PER_ACCOUNT = 20;

type Opened = Pick<
  Session,
  "id" | "tokenHash" | "accountId" | "challengeId" | "device" | "ipPrefix" | "confirmedAt" | "link" | "provider"
>;

/** The session lifetimes of this installation. */
export function lifetimes({ sessionProfile, now }: Pick<IdentityDeps, "sessionProfile" | "now">) {
  const { idleMs, absoluteMs } = PROFILES[sessionProfile];
  const endOf = ({ level, createdAt }: Pick<Session, "level" | "createdAt">, lastSeen: Date): Date => {
    if (level === "partial") return new Date(lastSeen.getTime() + PARTIAL_MS);
    return new Date(Math.min(lastSeen.getTime() + idleMs, createdAt.getTime() + absoluteMs));
  };
  return {
    /** When a session that is used now expires without further use. */
    expiryOf: (session: Pick<Session, "level" | "createdAt">): Date => endOf(session, now()),

    /** Whether it exceeds the current profile: it may have been opened under a longer one. */
    isOver: (session: Pick<Session, "level" | "createdAt" | "lastSeenAt">): boolean =>
      session.level === "authenticated" && endOf(session, session.lastSeenAt) <= now(),

    /** Lifetime of the cookie, in seconds, of a full session that was opened then. */
    cookieSeconds: (createdAt: Date): number =>
      Math.max(0, Math.ceil((createdAt.getTime() + absoluteMs - now().getTime()) / 1000)),

    newSession(parts: Opened): Session {
      const level = parts.challengeId === undefined ? "authenticated" : "partial";
      const times = { createdAt: now(), lastSeenAt: now(), expiresAt: endOf({ level, createdAt: now() }, now()) };
      return { ...parts, level, passkeyChallenge: undefined, ...times };
    },
  };
}

/** Valid sessions and their end. */
export function sessions(deps: IdentityDeps) {
  const { transaction, hashToken, providers, cipher, now } = deps;
  const { expiryOf, isOver } = lifetimes(deps);
  const record = auditor(deps);
  const findLiving = lookUp(
    (tokenHashes) => transaction((store) => store.sessions.listLiving(tokenHashes, now())),
    ({ tokenHash }) => tokenHash,
  );
  return {
    /**
     * The holder of this token, looked up on every request. Its use is written at most once a minute, and not for background
     * polls: otherwise a forgotten tab would never let the session become idle.
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

    /** `url`: where the browser ends the session at the provider that opened this one, if it has single logout. */
    async logout(client: Client): Promise<Result<{ url: string | undefined }, never>> {
      const { token } = client;
      if (token === undefined) return ok({ url: undefined });
      const by = await transaction(async (store) => {
        const session = await store.sessions.findLiving(hashToken(token), now());
        await store.sessions.remove(hashToken(token));
        if (session?.level !== "authenticated") return undefined;
        await record(store, "signed_out", { accountId: session.accountId, client });
        return session.provider;
      });
      const provider = by && providers.find(({ key }) => key === by.provider);
      const url = await provider?.logoutUrl(by?.idToken === undefined ? undefined : cipher.decrypt(by.idToken));
      return ok({ url: url?.href });
    },
  };
}
