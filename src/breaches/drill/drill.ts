import { fail, ok, type Result } from "../../shared/result.ts";
import { type AlertView, viewOf } from "../alerts/alerts.ts";
import { type Breach, standIn } from "../catalogue/breach.ts";
import type { Alert, BreachDeps, BreachStore, Drill } from "../ports.ts";
import { announce, countAgain } from "../scanning/announce.ts";

/** Long enough to find out what does not work, short enough not to be mistaken for a real breach later. */
const LASTS_MS = 24 * 3_600_000;
const AT_ONCE = 50;
/** The source of made-up breaches; it has no feed, so no synchronisation affects them. */
const SOURCE = "drill";

/** A fire drill as shown to its account; instants in ISO 8601. */
export type DrillView = Omit<Drill, "accountId" | "breachName" | "startedAt"> &
  Pick<AlertView, "state" | "version" | "handledAt"> & {
    startedAt: string;
    /** The automatic end. */
    endsAt: string;
  };

/** Recognisable as a drill wherever it is shown, by its title and by a flag that every message explains. */
function madeUp(name: string, now: Date): Breach {
  return {
    ...standIn(name, now),
    title: "Fire drill",
    breachDate: now.toISOString().slice(0, 10),
    dataClasses: ["Email addresses", "Passwords"],
    flags: ["drill"],
  };
}

/** A made-up breach that takes the whole path from detection to handling, and is removed afterwards. */
export function drills({ transaction, newId, now }: BreachDeps) {
  async function show(store: BreachStore, drill: Drill): Promise<DrillView | undefined> {
    const { accountId, breachName: _, startedAt, ...shown } = drill;
    const alert = await store.alerts.find(accountId, drill.alertId);
    if (!alert) return undefined;
    const { state, version, handledAt } = viewOf(alert);
    const endsAt = new Date(startedAt.getTime() + LASTS_MS).toISOString();
    return { ...shown, startedAt: startedAt.toISOString(), endsAt, state, version, handledAt };
  }

  async function end(store: BreachStore, accountId: string): Promise<boolean> {
    const drill = await store.drills.end(accountId);
    if (!drill) return false;
    const { alertId, associationId } = drill;
    await countAgain(store, [associationId]);
    await store.events.publish({ type: "breaches.drillEnded", accountId, alertId, associationId });
    return true;
  }

  return {
    /** Raises the alert of a made-up breach for one of the account's associations. */
    startDrill(
      accountId: string,
      associationId: string,
    ): Promise<Result<DrillView, "NOT_FOUND" | "MONITORING_SUSPENDED" | "DRILL_RUNNING">> {
      return transaction(async (store) => {
        const watch = await store.watches.find(associationId);
        if (watch?.accountId !== accountId) return fail("NOT_FOUND");
        if (watch.suspended) return fail("MONITORING_SUSPENDED");
        const { address } = watch;
        const [id, alertId, at] = [newId(), newId(), now()];
        const breachName = `${SOURCE}:${id}`;
        const alert: Alert = {
          id: alertId,
          associationId,
          accountId,
          address,
          breachName,
          state: "pending",
          baseline: false,
          raisedAt: at,
          handledAt: undefined,
          worsenedAt: undefined,
          changedSince: undefined,
          variants: [],
          reason: undefined,
          note: undefined,
          steps: [],
          version: 1,
        };
        const drill = { id, accountId, associationId, address, breachName, alertId, startedAt: at };
        const started = await store.drills.start(drill, { breach: madeUp(breachName, at), alert });
        if (!started) return fail("DRILL_RUNNING");
        await announce(store, { raised: [alert], at });
        const view = await show(store, drill);
        return view ? ok(view) : fail("NOT_FOUND");
      });
    },

    /** The account's current drill, if any. */
    showDrill(accountId: string): Promise<Result<{ drill: DrillView | null }>> {
      return transaction(async (store) => {
        const drill = await store.drills.find(accountId);
        return ok({ drill: (drill && (await show(store, drill))) ?? null });
      });
    },

    /** Removes everything about it, including its entries in the delivery log. */
    endDrill: (accountId: string): Promise<Result<Record<string, never>, "NOT_FOUND">> =>
      transaction(async (store) => ((await end(store, accountId)) ? ok({}) : fail("NOT_FOUND"))),

    /** Job: ends drills that are overdue. */
    async endDrillsDue(): Promise<number> {
      const before = new Date(now().getTime() - LASTS_MS);
      const over = await transaction((store) => store.drills.listStartedBefore(before, AT_ONCE));
      for (const { accountId } of over) await transaction((store) => end(store, accountId));
      return over.length;
    },
  };
}
