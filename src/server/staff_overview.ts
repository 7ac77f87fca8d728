import { Hono } from "hono";
import type { Adapters } from "../adapter_types.ts";
import type { BackupState } from "../backup/schedule.ts";
import { hidden } from "../http/describe.ts";
import { type HttpEnv, staffSession } from "../http/session.ts";
import type { Modules } from "../module_types.ts";
import type { SendLimit } from "../notifications/ports.ts";
import { VERSION } from "../shared/product.ts";
import type { AnswerCount } from "../telemetry/answers.ts";

type Parts = Pick<Modules, "breaches" | "notifications" | "operations"> & {
  adapters: Pick<Adapters, "outbox" | "system">;
  answers: AnswerCount;
  backups(): Promise<{ state: BackupState; lastAt: string | null }>;
};

const DAY_MS = 24 * 3_600_000;

const iso = (moment: Date | undefined) => moment?.toISOString() ?? null;

/** A monthly limit as the share that is used. */
function limitShown(limit: SendLimit) {
  if (limit.per === "second") return { per: limit.per, most: limit.most };
  const { per, most, left, resetsAt } = limit;
  return { per, most, used: Math.max(0, most - left), resetsAt: resetsAt.toISOString() };
}

/** Operational figures for the staff. */
export function staffOverviewRoutes({ breaches, notifications, operations, adapters, answers, backups }: Parts) {
  const { outbox, system } = adapters;
  return new Hono<HttpEnv>().get("/api/staff/overview", hidden, staffSession, async (c) => {
    const sources = await breaches.sourcesHealth();
    const channels = await notifications.channelsHealth();
    const deliveries = await notifications.backlog();
    const events = await outbox.backlog();
    const jobs = await operations.jobRuns();
    // This process's share of the sources' rate limits.
    const budgets = await system.budgets();
    const channelUses = await notifications.channelUses();
    const { startedAt, ...process } = answers.figures();
    return c.json({
      at: system.now().toISOString(),
      version: VERSION,
      database: await system.database(),
      backups: await backups(),
      channels,
      process: { name: system.processName, ...process, startedAt: startedAt.toISOString() },
      budgets: budgets.map(({ nextSlotAt, ...budget }) => ({
        ...budget,
        room: Math.floor(DAY_MS / budget.everyMs),
        nextSlotAt: nextSlotAt.toISOString(),
      })),
      limits: channelUses.flatMap(({ channel, acceptedToday, limit }) =>
        limit === undefined ? [] : [{ channel, acceptedToday, limit: limitShown(limit) }],
      ),
      sources: sources.map(({ trouble, lookUpTrouble, ...source }) => {
        const known = breaches.subscriptionOf(source.source);
        const subscription = known ? { ...known, name: known.name ?? null, until: known.until ?? null } : null;
        return { ...source, subscription, troubled: trouble !== null || lookUpTrouble !== null };
      }),
      deliveries: { ...deliveries, oldestDueAt: iso(deliveries.oldestDueAt) },
      events: { waiting: events.waiting, oldest: iso(events.oldest) },
      jobs: jobs.map(({ name, endedAt, failedAt }) => ({
        name,
        endedAt: endedAt.toISOString(),
        failedAt: iso(failedAt),
      })),
    });
  });
}
