import type { HandleReason, PasswordChange } from "../../shared/alert.ts";
import { type FoundUnder, isNamedAfter } from "../../shared/aliases.ts";
import type { AlertFacts, BreachFacts } from "../../shared/breach.ts";
import { type Breach, standIn } from "../catalogue/breach.ts";
import { logoAddress } from "../catalogue/logos.ts";
import { isOfManyServices } from "../catalogue/many_services.ts";
import { storageOf } from "../catalogue/password_storage.ts";
import type { Alert, BreachDeps, BreachStore, SeenAlert } from "../ports.ts";

/** Handled alerts are listed for 30 days, and pending ones always. Their rows are kept as long as the address is tracked. */
export const HISTORY_MS = 30 * 24 * 3_600_000;

/** An alert as shown to its account; instants in ISO 8601. */
export type AlertView = Pick<Alert, "id" | "associationId" | "address" | "state" | "baseline" | "version"> & {
  raisedAt: string;
  handledAt: string | null;
  /** The reason given when it was handled. */
  reason: HandleReason | null;
  note: string | null;
  /** When its breach last escalated. */
  worsenedAt: string | null;
  /** Null if the owner of the address does not share details. */
  breach: BreachFacts | null;
  /** The sources that found it; empty without a breach. */
  sources: string[];
  /** The advised steps that are done; empty without a breach, as they would reveal what was stolen. */
  steps: string[];
  /** When the person last changed the password; null if they have not answered, and without a breach. */
  changedSince: PasswordChange | null;
  /** The addresses under which it was found; empty if that is `address` alone, and without a breach. */
  foundUnder: FoundUnder[];
};

/** An alert with the facts of its breach, as far as its account may see them. */
export function viewOf(alert: SeenAlert): AlertView {
  const { details, known } = alert;
  const breach = known?.breach ? factsOf(known.breach, known.logo) : unknownBreach(alert.breachName, alert.raisedAt);
  return {
    id: alert.id,
    associationId: alert.associationId,
    address: alert.address,
    state: alert.state,
    baseline: alert.baseline,
    raisedAt: alert.raisedAt.toISOString(),
    handledAt: alert.handledAt?.toISOString() ?? null,
    reason: alert.reason ?? null,
    note: alert.note ?? null,
    worsenedAt: alert.worsenedAt?.toISOString() ?? null,
    version: alert.version,
    breach: details ? breach : null,
    sources: known?.sources ?? [],
    steps: details ? alert.steps : [],
    changedSince: (details && alert.changedSince) || null,
    foundUnder: details ? foundUnderOf(alert, breach) : [],
  };
}

function foundUnderOf({ address, variants }: SeenAlert, breach: BreachFacts): FoundUnder[] {
  return variants.map((alias) => ({ address: alias, namesService: isNamedAfter(alias, address, breach) }));
}

export async function factsByName(
  { breaches, logos }: Pick<BreachStore, "breaches" | "logos">,
  names: string[],
): Promise<Map<string, BreachFacts>> {
  const asked = [...new Set(names)];
  // Concurrently, so that the queries are pipelined.
  const [found, files] = await Promise.all([breaches.listByNames(asked), logos.filesOf(asked)]);
  return new Map(found.map((breach) => [breach.name, factsOf(breach, files.get(breach.name))]));
}

/** What other modules query about alerts. */
export function alerts({ transaction }: BreachDeps) {
  return {
    /** The facts for messages about these alerts; deleted alerts are left out. */
    factsOfAlerts(ids: string[]): Promise<AlertFacts[]> {
      return transaction(async (store) => {
        const list = await store.alerts.listByIds(ids);
        const accounts = new Map(list.map((alert) => [alert.id, alert.accountId]));
        return list
          .map(viewOf)
          .map(({ id, associationId, address, state, version, raisedAt, breach, sources, foundUnder }) => ({
            alertId: id,
            associationId,
            accountId: accounts.get(id) ?? "",
            address,
            state,
            version,
            raisedAt,
            breach,
            sources,
            foundUnder,
          }));
      });
    },
  };
}

/** `logo`: the name of its file. */
function factsOf(breach: Breach, logo: string | undefined): BreachFacts {
  const { name, title, domain, breachDate, addedDate, dataClasses, flags, pwnCount } = breach;
  return {
    name,
    title,
    domain,
    breachDate,
    addedDate,
    dataClasses,
    flags,
    pwnCount,
    logo: logoAddress(logo),
    passwordStorage: storageOf(breach),
    manyServices: isOfManyServices(breach),
  };
}

/** Placeholder for a breach that is in no catalogue yet. */
export function unknownBreach(name: string, foundAt: Date): BreachFacts {
  return factsOf(standIn(name, foundAt), undefined);
}
