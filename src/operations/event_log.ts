import type { EventOf } from "../events/catalogue.ts";
import type { AlertFacts } from "../shared/breach.ts";
import type { LogEntry, LoggedEvent, OperatorEvent } from "./event_log_ports.ts";
import type { OperationsDeps } from "./ports.ts";

/** How long the log is kept. */
export const EVENTS_KEPT_DAYS = 90;
const DAY_MS = 24 * 3_600_000;
/** Raised when a field changes its meaning. */
const VERSION = 1;
const RADIX = 36;

/** Cursors are opaque to clients. */
export const cursorOf = (position: number): string => position.toString(RADIX);
export const positionOf = (cursor: string | undefined): number =>
  cursor === undefined ? 0 : Number.parseInt(cursor, RADIX);

type Breach = Pick<
  NonNullable<AlertFacts["breach"]>,
  "name" | "title" | "domain" | "breachDate" | "addedDate" | "dataClasses" | "flags"
>;
/** An event in its account's stream. A field is only present in the types that have it. */
export type AccountEvent = {
  id: string;
  type: LogEntry["type"];
  version: number;
  /** ISO 8601. */
  time: string;
  cursor: string;
  associationId?: string;
  /** Null once it is no longer tracked. */
  address?: string | null;
  alertId?: string;
  /** Whether it is from the address's first check. */
  baseline?: boolean;
  /** Null once the alert is deleted, and where the address's owner shares no details. */
  breach?: Breach | null;
  reason?: string;
  scope?: { details: boolean; sensitive: boolean };
  act?: string;
  by?: string;
};

function breachIn({ breach }: AlertFacts): Breach | null {
  if (breach === null) return null;
  const { name, title, domain, breachDate, addedDate, dataClasses, flags } = breach;
  return { name, title, domain, breachDate, addedDate, dataClasses, flags };
}

export function operatorEvent({ id, type, at, accountId, actorId, about }: LogEntry): OperatorEvent {
  const named = { account: accountId ?? null, actor: actorId ?? null };
  return { id, type, version: VERSION, time: at.toISOString(), ...named, ...about };
}

const textIn = ({ about }: LogEntry, name: string) => String(about[name]);

function accountEvent(
  entry: LogEntry,
  { alerts, addresses }: { alerts: Map<string, AlertFacts>; addresses: Map<string, string> },
): AccountEvent {
  const { id, type, at, position, about } = entry;
  const event = { id, type, version: VERSION, time: at.toISOString(), cursor: cursorOf(position) };
  if (type === "staff.acted") return { ...event, act: textIn(entry, "act"), by: textIn(entry, "by") };
  const associationId = textIn(entry, "associationId");
  const of = { ...event, associationId, address: addresses.get(associationId) ?? null };
  if (type === "alert.raised" || type === "alert.worsened") {
    const alertId = textIn(entry, "alertId");
    const facts = alerts.get(alertId);
    const baseline = type === "alert.raised" ? { baseline: about.baseline === true } : {};
    return { ...of, alertId, ...baseline, breach: facts ? breachIn(facts) : null };
  }
  if (type === "consent.ended") return { ...of, reason: textIn(entry, "reason") };
  if (type === "consent.requested") return of;
  return { ...of, scope: { details: about.details === true, sensitive: about.sensitive === true } };
}

/**
 * The log of alerts, consent and staff actions for programs. It holds ids; what an account's stream shows of them is looked up
 * on every read, so that it never shows more than the owner of an address shares at that moment.
 */
export function eventLog({ transaction, now, hashToken, goneAccounts, alertFacts, trackedAddresses }: OperationsDeps) {
  /** A UUID of version 8. */
  function idOf(...facts: (string | number)[]): string {
    const digits = hashToken(facts.join(" "));
    const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
    return [...parts, digits.slice(20, 32)].join("-");
  }

  async function log(events: LoggedEvent[]): Promise<void> {
    if (events.length === 0) return;
    await transaction((store) => store.eventLog.append(events, now()));
    // Afterwards, as an account may be deleted at any moment: an earlier deletion is seen here, a later one is an event.
    const ids = new Set(events.flatMap(({ accountId, actorId }) => [accountId, actorId]));
    const gone = await goneAccounts.of([...ids].filter((id) => id !== undefined));
    if (gone.length > 0) await transaction((store) => store.eventLog.forget(gone));
  }

  type Raised = { alertId: string; associationId: string; accountId: string };
  const raised = ({ alertId, associationId, accountId }: Raised, baseline: boolean): LoggedEvent => ({
    id: idOf("alert.raised", alertId),
    type: "alert.raised",
    at: now(),
    accountId,
    about: { alertId, associationId, baseline },
  });

  return {
    logAlerts: ({ alerts }: EventOf<"breaches.alertsRaised">): Promise<void> =>
      log(alerts.map((alert) => raised(alert, false))),

    logBaseline: ({ alertIds, ...of }: EventOf<"breaches.baselineReady">): Promise<void> =>
      log(alertIds.map((alertId) => raised({ alertId, ...of }, true))),

    logWorsening: ({ alerts, changeId }: EventOf<"breaches.alertsWorsened">): Promise<void> =>
      log(
        alerts.map(({ alertId, associationId, accountId }) => ({
          id: idOf("alert.worsened", alertId, changeId),
          type: "alert.worsened",
          at: now(),
          accountId,
          about: { alertId, associationId },
        })),
      ),

    logConsentRequest: ({ associationId, accountId, kind }: EventOf<"tracking.consentRequested">): Promise<void> =>
      log([
        {
          id: idOf("consent.requested", associationId),
          type: "consent.requested",
          at: now(),
          accountId,
          about: { associationId, kind },
        },
      ]),

    logConsent({ invitationId, associationId, accountId, scope, version }: EventOf<"invitations.granted">) {
      const about = { associationId, details: scope.details, sensitive: scope.sensitive };
      const id = idOf("consent.granted", invitationId, version);
      return log([{ id, type: "consent.granted", at: now(), accountId, about }]);
    },

    logConsentEnd: ({ invitationId, associationId, accountId, how }: EventOf<"invitations.ended">): Promise<void> =>
      log([
        {
          id: idOf("consent.ended", invitationId, how),
          type: "consent.ended",
          at: now(),
          accountId,
          about: { associationId, reason: how },
        },
      ]),

    logStaffAct({ id, at, actor, act, object }: EventOf<"staff.acted">): Promise<void> {
      const isAccount = object.kind === "account";
      const about = { act, by: actor.by, object: object.kind, ...(!isAccount && { objectId: object.id }) };
      const accountId = isAccount ? object.id : undefined;
      const actorId = actor.by === "staff" ? actor.accountId : undefined;
      return log([{ id, type: "staff.acted", at: new Date(at), accountId, actorId, about }]);
    },

    forgetEvents: ({ accountId }: EventOf<"identity.deleted">): Promise<void> =>
      transaction((store) => store.eventLog.forget([accountId])),

    forgetOldEvents: (): Promise<void> =>
      transaction((store) => store.eventLog.removeBefore(new Date(now().getTime() - EVENTS_KEPT_DAYS * DAY_MS))),

    /** An account's events behind a cursor, oldest first. */
    async accountEvents(accountId: string, after: string | undefined, limit: number): Promise<AccountEvent[]> {
      const entries = await transaction((store) => store.eventLog.list({ accountId }, positionOf(after), limit));
      const idsOf = (name: string) => [...new Set(entries.map(({ about }) => about[name]))].filter(isText);
      const [facts, addresses] = await Promise.all([
        alertFacts.of(idsOf("alertId")),
        trackedAddresses.of(accountId, idsOf("associationId")),
      ]);
      const own = facts.filter((one) => one.accountId === accountId);
      const alerts = new Map(own.map((one) => [one.alertId, one]));
      return entries.map((entry) => accountEvent(entry, { alerts, addresses }));
    },

    /** All events behind a cursor, oldest first, for the operator: ids only. */
    async operatorEvents(after: string | undefined, limit: number): Promise<(OperatorEvent & { cursor: string })[]> {
      const entries = await transaction((store) => store.eventLog.list({}, positionOf(after), limit));
      return entries.map((entry) => ({ ...operatorEvent(entry), cursor: cursorOf(entry.position) }));
    },

    /** The data that this module holds on an account. */
    async recordsOf(accountId: string) {
      const entries = await transaction((store) => store.eventLog.list({ accountId }, 0, MOST_RECORDS));
      return { events: entries.map(({ actorId: _, ...entry }) => entry) };
    },
  };
}

/** Above what an account can accumulate in the log's retention. */
const MOST_RECORDS = 1_000_000;
const isText = (value: unknown): value is string => typeof value === "string";
