import { alerts } from "./alerts.ts";
import { catalogue } from "./catalogue.ts";
import { leaks } from "./leaks.ts";
import { monitoring } from "./monitoring.ts";
import type { BreachDeps } from "./ports.ts";
import { records } from "./records.ts";
import { scanning } from "./scan.ts";
import { watching } from "./watching.ts";

export type { BreachDeps, BreachFeed, BreachStore } from "./ports.ts";

/** The breach catalogue, checks of addresses, and alerts. */
export function createBreaches(deps: BreachDeps) {
  return {
    ...catalogue(deps),
    ...scanning(deps),
    ...alerts(deps),
    ...leaks(deps),
    ...watching(deps),
    ...monitoring(deps),
    ...records(deps),

    /** How the source and the queue of checks are doing, for health and status pages. */
    sourceHealth() {
      return deps.transaction(async ({ sources, scans, breaches }) => {
        const state = await sources.find(deps.feed.source);
        const { due, oldest } = await scans.backlog(deps.feed.source, deps.now());
        return {
          source: state.source,
          breaches: await breaches.count(),
          syncedAt: state.syncedAt?.toISOString() ?? null,
          trouble: state.trouble ?? null,
          lookUpTrouble: state.lookUpTrouble ?? null,
          due,
          oldestDue: oldest?.toISOString() ?? null,
        };
      });
    },
  };
}

export type Breaches = ReturnType<typeof createBreaches>;
