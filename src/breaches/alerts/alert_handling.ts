import type { HandleReason } from "../../shared/alert.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Alert, BreachDeps, BreachStore } from "../ports.ts";
import { countAgain } from "../scanning/announce.ts";
import type { AlertTurn } from "./alert_ports.ts";
import { type AlertView, viewOf } from "./alerts.ts";

/** The alert and the version that the person saw, for optimistic locking between tabs. */
export type VersionedAlert = Pick<Alert, "id" | "version">;
/** The optional reason and note of handling an alert. */
export type Why = { reason?: HandleReason | null | undefined; note?: string | null | undefined };
/** `conflicts` were changed meanwhile, or do not exist. */
export type AlertsTurned = { changed: AlertView[]; conflicts: string[] };

/** Transitions between pending and handled, for one alert or several. */
export function alertHandling({ transaction, now }: BreachDeps) {
  const toHandled = ({ reason, note }: Why): AlertTurn => ({
    ...{ state: "handled", reason: reason ?? undefined, at: now() },
    note: note?.trim() || undefined,
  });
  const toPending = (): AlertTurn => ({ state: "pending", reason: undefined, note: undefined, at: now() });

  async function turnOne(
    accountId: string,
    saw: VersionedAlert,
    turn: AlertTurn,
  ): Promise<Result<AlertView, "NOT_FOUND" | "ALERT_CHANGED">> {
    return transaction(async (store) => {
      if ((await store.alerts.find(accountId, saw.id)) === undefined) return fail("NOT_FOUND");
      const [changed] = await turnAll(store, { accountId, saw: [saw], turn });
      return changed ? ok(changed) : fail("ALERT_CHANGED");
    });
  }

  function turnSeveral(accountId: string, saw: VersionedAlert[], turn: AlertTurn): Promise<Result<AlertsTurned>> {
    return transaction(async (store) => {
      const changed = await turnAll(store, { accountId, saw, turn });
      const done = new Set(changed.map(({ id }) => id));
      return ok({ changed, conflicts: saw.flatMap(({ id }) => (done.has(id.toLowerCase()) ? [] : id)) });
    });
  }

  return {
    /** Pending to handled. An alert that is handled already gets the new reason and note. */
    handleAlert: (accountId: string, id: string, version: number, why: Why = {}) =>
      turnOne(accountId, { id, version }, toHandled(why)),

    reopenAlert: (accountId: string, id: string, version: number) => turnOne(accountId, { id, version }, toPending()),

    /** Changes all alerts whose version is current; the others are returned as conflicts. */
    handleAlerts: (accountId: string, saw: VersionedAlert[], why: Why = {}) =>
      turnSeveral(accountId, saw, toHandled(why)),

    reopenAlerts: (accountId: string, saw: VersionedAlert[]) => turnSeveral(accountId, saw, toPending()),
  };
}

type Turning = { accountId: string; saw: VersionedAlert[]; turn: AlertTurn };

/** In the order of the request. */
async function turnAll(store: BreachStore, { accountId, saw, turn }: Turning): Promise<AlertView[]> {
  const versions = new Map(saw.map(({ id, version }) => [id.toLowerCase(), version]));
  const own = await store.alerts.findAll(accountId, [...versions.keys()]);
  const asSeen = own.filter(({ id, version }) => versions.get(id) === version);
  const changed = await store.alerts.turn(asSeen, turn);
  await countAgain(
    store,
    changed.map(({ associationId }) => associationId),
  );
  const details = new Map(own.map((alert) => [alert.id, alert.details]));
  const views = await viewOf(
    store,
    changed.map((alert) => ({ ...alert, details: details.get(alert.id) === true })),
  );
  const places = [...versions.keys()];
  return views.toSorted((a, b) => places.indexOf(a.id) - places.indexOf(b.id));
}
