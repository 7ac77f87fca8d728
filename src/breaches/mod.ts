import { alertDetails } from "./alerts/alert_detail.ts";
import { alertHandling } from "./alerts/alert_handling.ts";
import { alertList } from "./alerts/alert_list.ts";
import { alertSteps } from "./alerts/alert_steps.ts";
import { alerts } from "./alerts/alerts.ts";
import { alertsCsv } from "./alerts/alerts_csv.ts";
import { bell } from "./alerts/notification_feed.ts";
import { leaks } from "./alerts/password_exposure.ts";
import { records } from "./alerts/records.ts";
import { catalogue } from "./catalogue/catalogue.ts";
import { logos } from "./catalogue/logos.ts";
import { worsening } from "./catalogue/severity_escalation.ts";
import { importing } from "./datasets/import.ts";
import { drills } from "./drill/drill.ts";
import { letters } from "./letters/letters.ts";
import type { BreachDeps } from "./ports.ts";
import { announceAwaited } from "./scanning/announce.ts";
import { domainLookUps } from "./scanning/domain_look_ups.ts";
import { monitoring } from "./scanning/monitoring.ts";
import { operating } from "./scanning/operator.ts";
import { staleness } from "./scanning/overdue_checks.ts";
import { pushing } from "./scanning/push.ts";
import { scanning } from "./scanning/scan.ts";
import { watching } from "./scanning/watching.ts";
import { servicePages } from "./services/service_pages.ts";
import { traces } from "./traces/traces.ts";

export type { BreachDeps, BreachFeed, BreachStore } from "./ports.ts";

/**
 * `catalogue/`: breaches, deduplication across sources, changes and escalation, logos; `scanning/`: checks of addresses against the
 * sources; `alerts/`: alerts and their handling (their severity is in `shared/severity.ts`); `datasets/`: the operator's own lists;
 * `drill/`: fire drills; `traces/`: pastes and stealer logs of an account's own address; `services/`: where to act at a breached
 * service; `letters/`: letters to companies and their deadlines.
 */
export function createBreaches(deps: BreachDeps) {
  return {
    ...catalogue(deps),
    ...scanning(deps),
    ...staleness(deps),
    ...importing(deps),
    ...pushing(deps),
    ...alerts(deps),
    ...alertList(deps),
    ...alertDetails(deps),
    ...alertHandling(deps),
    ...alertSteps(deps),
    ...alertsCsv(deps),
    ...bell(deps),
    ...drills(deps),
    ...leaks(deps),
    ...logos(deps),
    ...servicePages(deps),
    ...letters(deps),
    ...watching(deps),
    ...worsening(deps),
    ...monitoring(deps),
    ...operating(deps),
    ...records(deps),
    ...traces(deps),
    ...domainLookUps(deps),

    /** The job: alerts for breaches that no source had explained when they were found. */
    tellAwaited: () => announceAwaited(deps),

    /** The health of each source and its check queue, for health and status pages. */
    sourcesHealth() {
      return deps.transaction(async ({ sources, scans, breaches }) => {
        const listed = await breaches.count();
        const health = [];
        for (const { source } of deps.feeds) {
          const state = await sources.find(source);
          const { due, retrying, oldest } = await scans.backlog(source, deps.now());
          health.push({
            source,
            breaches: listed,
            syncedAt: state.syncedAt?.toISOString() ?? null,
            trouble: state.trouble ?? null,
            lookUpTrouble: state.lookUpTrouble ?? null,
            leftOut: state.leftOut,
            pausedUntil: state.pausedUntil?.toISOString() ?? null,
            due,
            retrying,
            oldestDue: oldest?.toISOString() ?? null,
          });
        }
        return health;
      });
    },
  };
}

export type Breaches = ReturnType<typeof createBreaches>;
