import type { BreachChange } from "../../shared/breach_change.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import type { ServiceHelp } from "../../shared/services.ts";
import type { Breach } from "../catalogue/breach.ts";
import { secureLink } from "../catalogue/secure_link.ts";
import { changesOf } from "../catalogue/severity_escalation.ts";
import type { BreachDeps, BreachStore, SeenAlert } from "../ports.ts";
import { serviceDomain, serviceHelp } from "../services/service_help.ts";
import { type AlertView, viewOf } from "./alerts.ts";

/** An alert with the details of its breach; only the alert itself where its owner shares no details. */
export type AlertDetail = AlertView & {
  /** Sanitised HTML. */
  description: string | null;
  disclosureUrl: string | null;
  attribution: string | null;
  /** Detected changes of the breach, the newest first. */
  changes: BreachChange[];
  /** Null where the data comes from no single service with a domain. */
  service: ServiceHelp | null;
};

const NOTHING_TOLD = { description: null, disclosureUrl: null, attribution: null, changes: [], service: null };
type DetailDeps = Pick<BreachDeps, "descriptions" | "directories">;

/** The data of one alert's drawer. */
export async function detailOf(
  { store, descriptions, directories }: DetailDeps & { store: BreachStore },
  alert: SeenAlert,
): Promise<AlertDetail> {
  const view = viewOf(alert);
  const breach = alert.known?.breach;
  if (breach === undefined) return { ...view, ...NOTHING_TOLD };
  return {
    ...view,
    ...NOTHING_TOLD,
    description: (await descriptions.html(breach.description)) || null,
    disclosureUrl: secureLink(breach.disclosureUrl) ?? null,
    attribution: breach.attribution ?? null,
    changes: await changesOf(store, alert.breachName),
    service: await serviceOf({ store, directories }, breach),
  };
}

async function serviceOf(
  { store, directories }: Pick<DetailDeps, "directories"> & { store: BreachStore },
  breach: Breach,
): Promise<ServiceHelp | null> {
  const domain = serviceDomain(breach);
  if (domain === undefined) return null;
  return serviceHelp(await directories.read(), domain, await store.servicePages.has(domain));
}

export function alertDetails({ transaction, descriptions, directories }: BreachDeps) {
  return {
    showAlert(accountId: string, id: string): Promise<Result<AlertDetail, "NOT_FOUND">> {
      return transaction(async (store) => {
        const alert = await store.alerts.find(accountId, id);
        return alert ? ok(await detailOf({ store, descriptions, directories }, alert)) : fail("NOT_FOUND");
      });
    },
  };
}
