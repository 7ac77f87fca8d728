import type { HandleReason } from "../../shared/alert.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { Alert, BreachDeps, BreachStore } from "../ports.ts";
import { countAgain } from "../scanning/announce.ts";
import type { AlertTransition } from "./alert_ports.ts";
import { type AlertView, viewOf } from "./alerts.ts";

/** The alert and the version that the person saw, for optimistic locking between tabs. */
export type VersionedAlert = Pick<Alert, "id" | "version">;
/** The optional reason and note of handling an alert. */
export type HandlingNote = { reason?: HandleReason | null | undefined; note?: string | null | undefined };
/** `conflicts` were changed meanwhile, or do not exist. */
export type AlertsChanged = { changed: AlertView[]; conflicts: string[] };

/** Transitions between pending and handled, for one alert or several. */
export function alertHandling({ transaction, now }: BreachDeps) {
  const toHandled = ({ reason, note }: HandlingNote): AlertTransition => ({
    state: "handled",
    reason: reason ?? undefined,
    at: now(),
    note: note?.trim() || undefined,
  });
  const toPending = (): AlertTransition => ({ state: "pending", reason: undefined, note: undefined, at: now() });

  async function transitionOne(
    accountId: string,
    saw: VersionedAlert,
    transition: AlertTransition,
  ): Promise<Result<AlertView, "NOT_FOUND" | "ALERT_CHANGED">> {
    return transaction(async (store) => {
      if ((await store.alerts.find(accountId, saw.id)) === undefined) return fail("NOT_FOUND");
      const [changed] = await transitionAll(store, { accountId, saw: [saw], transition });
      return changed ? ok(changed) : fail("ALERT_CHANGED");
    });
  }

  function transitionSeveral(
    accountId: string,
    saw: VersionedAlert[],
    transition: AlertTransition,
  ): Promise<Result<AlertsChanged>> {
    return transaction(async (store) => {
      const changed = await transitionAll(store, { accountId, saw, transition });
      const done = new Set(changed.map(({ id }) => id));
      return ok({ changed, conflicts: saw.flatMap(({ id }) => (done.has(id.toLowerCase()) ? [] : id)) });
    });
  }

  return {
    /** Pending to handled. An alert that is handled already gets the new reason and note. */
    handleAlert: (accountId: string, id: string, version: number, why: HandlingNote = {}) =>
      transitionOne(accountId, { id, version }, toHandled(why)),

    reopenAlert: (accountId: string, id: string, version: number) =>
      transitionOne(accountId, { id, version }, toPending()),

    /** Changes all alerts whose version is current; the others are returned as conflicts. */
    handleAlerts: (accountId: string, saw: VersionedAlert[], why: HandlingNote = {}) =>
      transitionSeveral(accountId, saw, toHandled(why)),

    reopenAlerts: (accountId: string, saw: VersionedAlert[]) => transitionSeveral(accountId, saw, toPending()),
  };
}

type Transition = { accountId: string; saw: VersionedAlert[]; transition: AlertTransition };

/** In the order of the request. */
async function transitionAll(store: BreachStore, { accountId, saw, transition }: Transition): Promise<AlertView[]> {
  const versions = new Map(saw.map(({ id, version }) => [id.toLowerCase(), version]));
  const own = await store.alerts.findAll(accountId, [...versions.keys()]);
  const asSeen = own.filter(({ id, version }) => versions.get(id) === version);
  const changed = await store.alerts.transition(asSeen, transition);
  await countAgain(
    store,
    changed.map(({ associationId }) => associationId),
  );
  const seen = new Map(own.map((alert) => [alert.id, alert]));
  const views = changed.flatMap((alert) => {
    const before = seen.get(alert.id);
    return before ? [viewOf({ ...before, ...alert })] : [];
  });
  const places = [...versions.keys()];
  return views.toSorted((a, b) => places.indexOf(a.id) - places.indexOf(b.id));
}
