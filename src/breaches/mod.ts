import { alertDetails } from "./alert_detail.ts";
import { alertHandling } from "./alert_handling.ts";
import { alertList } from "./alert_list.ts";
import { alertSteps } from "./alert_steps.ts";
import { alerts } from "./alerts.ts";
import { alertsCsv } from "./alerts_csv.ts";
import { bell } from "./bell.ts";
import { catalogue } from "./catalogue.ts";
import { drills } from "./drill.ts";
import { alertFigures } from "./figures.ts";
import { importing } from "./import.ts";
import { leaks } from "./leaks.ts";
import { logos } from "./logos.ts";
import { monitoring } from "./monitoring.ts";
import { operating } from "./operator.ts";
import type { BreachDeps } from "./ports.ts";
import { pushing } from "./push.ts";
import { records } from "./records.ts";
import { scanning } from "./scan.ts";
import { staleness } from "./stale.ts";
import { watching } from "./watching.ts";
import { worsening } from "./worsening.ts";

export type { BreachDeps, BreachFeed, BreachStore } from "./ports.ts";

/** The breach catalogue, checks of addresses, and alerts. */
export function createBreaches(deps: BreachDeps) {
  return {
    ...catalogue(deps),
    ...scanning(deps),
    ...staleness(deps),
    ...importing(deps),
    ...pushing(deps),
    ...alerts(deps),
    ...alertList(deps),
    ...alertFigures(deps),
    ...alertDetails(deps),
    ...alertHandling(deps),
    ...alertSteps(deps),
    ...alertsCsv(deps),
    ...bell(deps),
    ...drills(deps),
    ...leaks(deps),
    ...logos(deps),
    ...watching(deps),
    ...worsening(deps),
    ...monitoring(deps),
    ...operating(deps),
    ...records(deps),

    /** How each source and its queue of checks are doing, for health and status pages. */
    sourcesHealth() {
      return deps.transaction(async ({ sources, scans, breaches }) => {
        const listed = await breaches.count();
        const health = [];
        for (const { source } of deps.feeds) {
          const state = await sources.find(source);
          const { due, oldest } = await scans.backlog(source, deps.now());
          health.push({
            ...{ source, breaches: listed, syncedAt: state.syncedAt?.toISOString() ?? null },
            ...{ trouble: state.trouble ?? null, lookUpTrouble: state.lookUpTrouble ?? null },
            pausedUntil: state.pausedUntil?.toISOString() ?? null,
            ...{ due, oldestDue: oldest?.toISOString() ?? null },
          });
        }
        return health;
      });
    },
  };
}

export type Breaches = ReturnType<typeof createBreaches>;
