import { fail, ok, type Result } from "../../shared/result.ts";
import { type Shown, shown } from "../../shared/shown.ts";
import { auditor, sessionMarkOf } from "../account/audit.ts";
import type { AuditEvent } from "../account/audit_ports.ts";
import type { Client, IdentityDeps, Session, SignedIn } from "../ports.ts";
import { knownDevices } from "./known_device.ts";
import { lifetimes } from "./session.ts";

const SHOWN_DAYS = 90;
const SHOWN_EVENTS = 100;
const DAY_MS = 86_400_000;

/** One signed-in browser; instants in ISO 8601. */
export type SessionShown = Shown<Pick<Session, "id" | "ipPrefix" | "createdAt" | "lastSeenAt">> & {
  /** The session of this request. */
  current: boolean;
  browser: string | null;
  system: string | null;
};

/** An entry of the account's activity; `current`: in the session of this request. */
export type ActivityShown = Shown<Pick<AuditEvent, "id" | "at" | "event" | "ipPrefix" | "detail">> & {
  browser: string | null;
  system: string | null;
  current: boolean;
};

type Holder = Pick<SignedIn, "accountId" | "sessionId">;

/** The account's sessions and activity, and ending sessions. */
export function sessionList(deps: IdentityDeps) {
  const { transaction, now } = deps;
  const { isOver } = lifetimes(deps);
  const record = auditor(deps);
  const devices = knownDevices(deps);

  return {
    sessionsOf({ accountId, sessionId }: Holder): Promise<Result<{ sessions: SessionShown[] }, never>> {
      return transaction(async ({ sessions }) => {
        const living = (await sessions.list(accountId, now())).filter((session) => !isOver(session));
        const sessionsShown = living.map(({ id, device: { browser, system }, ipPrefix, createdAt, lastSeenAt }) =>
          shown({ id, current: id === sessionId, browser, system, ipPrefix, createdAt, lastSeenAt }),
        );
        return ok({ sessions: sessionsShown });
      });
    },

    /** NOT_FOUND for other accounts' sessions too. */
    endSession(
      { accountId, id }: Pick<SignedIn, "accountId"> & { id: string },
      client: Client,
    ): Promise<Result<undefined, "NOT_FOUND">> {
      return transaction(async (store) => {
        if (!(await store.sessions.end(accountId, id))) return fail("NOT_FOUND");
        await record(store, "session_ended", { accountId, client });
        return ok();
      });
    },

    /** Includes partial sessions. `ended`: the number of full ones. */
    endOtherSessions(
      { accountId, sessionId }: Holder,
      client: Client,
    ): Promise<Result<{ ended: number; deviceToken: string }, "SESSION_EXPIRED">> {
      return transaction(async (store) => {
        // Ending several sessions of one account is serialised by the account's row lock.
        if (!(await store.users.findForUpdate(accountId))) return fail("SESSION_EXPIRED");
        const living = await store.sessions.list(accountId, now());
        // Two browsers end each other at the same time: the first one wins.
        if (!living.some(({ id }) => id === sessionId)) return fail("SESSION_EXPIRED");
        await store.sessions.endOthers(accountId, sessionId);
        const ended = living.length - 1;
        await record(store, "other_sessions_ended", { accountId, client, detail: { ended: String(ended) } });
        // All browsers but this one become unknown.
        const epoch = await store.users.raiseDeviceEpoch(accountId);
        return ok({ ended, deviceToken: devices.remember(client.deviceToken, accountId, epoch) });
      });
    },

    activityOf(
      { accountId }: Pick<SignedIn, "accountId">,
      { token }: Client,
    ): Promise<Result<{ events: ActivityShown[] }, never>> {
      const mark = token === undefined ? undefined : sessionMarkOf(deps, token);
      const since = new Date(now().getTime() - SHOWN_DAYS * DAY_MS);
      return transaction(async ({ audit }) => {
        const events = await audit.list(accountId, since, SHOWN_EVENTS);
        const eventsShown = events.map(
          ({ id, at, event, device: { browser, system }, ipPrefix, sessionMark, detail }) => {
            const current = sessionMark !== undefined && sessionMark === mark;
            return shown({ id, at, event, browser, system, ipPrefix, current, detail });
          },
        );
        return ok({ events: eventsShown });
      });
    },
  };
}
