import type { BreachChange } from "../../shared/breach_change.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { secureLink } from "../catalogue/secure_link.ts";
import { changesOf } from "../catalogue/severity_escalation.ts";
import type { BreachDeps, BreachStore, SeenAlert } from "../ports.ts";
import { type AlertView, viewOf } from "./alerts.ts";

/** An alert with the details of its breach; only the alert itself where its owner shares no details. */
export type AlertDetail = AlertView & {
  /** Sanitised HTML. */
  description: string | null;
  disclosureUrl: string | null;
  attribution: string | null;
  /** Detected changes of the breach, the newest first. */
  changes: BreachChange[];
};

const NOTHING_TOLD = { description: null, disclosureUrl: null, attribution: null, changes: [] };

/** The data of one alert's drawer. */
export async function detailOf(
  { store, descriptions }: Pick<BreachDeps, "descriptions"> & { store: BreachStore },
  alert: SeenAlert,
): Promise<AlertDetail | undefined> {
  const [view] = await viewOf(store, [alert]);
  if (view === undefined) return undefined;
  const breach = alert.details ? await store.breaches.find(alert.breachName) : undefined;
  if (breach === undefined) return { ...view, ...NOTHING_TOLD };
  return {
    ...view,
    ...NOTHING_TOLD,
    description: (await descriptions.html(breach.description)) || null,
    disclosureUrl: secureLink(breach.disclosureUrl) ?? null,
    attribution: breach.attribution ?? null,
    changes: await changesOf(store, alert.breachName),
  };
}

export function alertDetails({ transaction, descriptions }: BreachDeps) {
  return {
    showAlert(accountId: string, id: string): Promise<Result<AlertDetail, "NOT_FOUND">> {
      return transaction(async (store) => {
        const alert = await store.alerts.find(accountId, id);
        const detail = alert && (await detailOf({ store, descriptions }, alert));
        return detail ? ok(detail) : fail("NOT_FOUND");
      });
    },
  };
}
