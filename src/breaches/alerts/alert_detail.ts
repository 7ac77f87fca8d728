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

export function alertDetails({ transaction, descriptions, directories }: BreachDeps) {
  async function serviceOf({ servicePages }: BreachStore, breach: Breach): Promise<ServiceHelp | null> {
    const domain = serviceDomain(breach);
    return domain === undefined ? null : serviceHelp(await directories.read(), domain, await servicePages.has(domain));
  }

  /** The data of one alert's drawer. */
  async function detailOf(store: BreachStore, alert: SeenAlert): Promise<AlertDetail> {
    const view = viewOf(alert);
    const breach = alert.known?.breach;
    if (breach === undefined) return { ...view, ...NOTHING_TOLD };
    return {
      ...view,
      description: (await descriptions.html(breach.description)) || null,
      disclosureUrl: secureLink(breach.disclosureUrl) ?? null,
      attribution: breach.attribution ?? null,
      changes: await changesOf(store, alert.breachName),
      service: await serviceOf(store, breach),
    };
  }

  return {
    showAlert(accountId: string, id: string): Promise<Result<AlertDetail, "NOT_FOUND">> {
      return transaction(async (store) => {
        const alert = await store.alerts.find(accountId, id);
        return alert ? ok(await detailOf(store, alert)) : fail("NOT_FOUND");
      });
    },
  };
}
