import { type Context, Hono } from "hono";
import * as v from "valibot";
import type { Adapters } from "../adapter_types.ts";
import { describe } from "../http/describe.ts";
import type { HttpEnv } from "../http/session.ts";
import type { Modules } from "../module_types.ts";
import { incidentFeed } from "./status_feed.ts";
import { partOfChannel, partOfSource, sourceState } from "./status_rules.ts";
import { announcement, type ServiceStatus, serviceStatus } from "./status_schema.ts";

/** How long the answer is cached, so that frequent requests cost nothing. */
const REMEMBERED_MS = 10_000;
/** The service counts as delayed when work has waited this long. */
const LATE_SECONDS = 10 * 60;

type Figures = Awaited<ReturnType<typeof figuresOf>>;

/** `waitingSince`: for each queue, since when its oldest item has been due. */
async function figuresOf({ breaches, notifications, operations }: Modules, { outbox, system }: Adapters) {
  await system.ping();
  const [sources, channels, backlog, events, history, deliveries, incidents] = await Promise.all([
    breaches.sourcesHealth(),
    notifications.channelsHealth(),
    notifications.backlog(),
    outbox.backlog(),
    operations.partHistory(),
    notifications.deliveryFigures(),
    operations.publicIncidents(),
  ]);
  const waitingSince = [backlog.oldestDueAt, events.oldest];
  return { sources, channels, waitingSince, history, deliveries, incidents };
}

function daysOf({ history }: Figures, part: string) {
  return history.days
    .filter((row) => row.part === part)
    .map(({ day, measured, troubled }) => ({ day, measuredMinutes: measured, troubledMinutes: troubled }));
}

/** The reason for a source's problem is not published. */
function sourceStatus(
  health: Figures["sources"][number],
  figures: Figures,
  now: Date,
): ServiceStatus["sources"][number] {
  const { source, syncedAt, oldestDue } = health;
  const state = sourceState(health, now);
  const isOverdue = oldestDue !== null && new Date(oldestDue) < now;
  return {
    source,
    state,
    syncedAt,
    pausedUntil: state === "paused" ? health.pausedUntil : null,
    oldestDueAt: isOverdue ? oldestDue : null,
    leftOut: health.leftOut.length,
    days: daysOf(figures, partOfSource(source)),
  };
}

function channelStatus(
  { channel, state }: Figures["channels"][number],
  figures: Figures,
): ServiceStatus["channels"][number] {
  const own = figures.deliveries.channels.find((each) => each.channel === channel);
  const rates = new Map((own?.days ?? []).map(({ day, successPercent }) => [day, successPercent]));
  const days = daysOf(figures, partOfChannel(channel)).map((each) => ({
    ...each,
    successPercent: rates.get(each.day) ?? null,
  }));
  return { channel, state, successPercent: own?.successPercent ?? null, days };
}

function statusOf(figures: Figures, now: Date): ServiceStatus {
  const { medianSeconds, p95Seconds, possiblyTwicePercent, days } = figures.deliveries;
  const sources = figures.sources.map((health) => sourceStatus(health, figures, now));
  const channels = figures.channels.map((health) => channelStatus(health, figures));
  const waits = figures.waitingSince.flatMap((since) =>
    since === undefined ? [] : [Math.floor((now.getTime() - since.getTime()) / 1000)],
  );
  const longest = Math.max(-1, ...waits);
  const isWell = [...sources, ...channels].every(({ state }) => state === "well") && longest < LATE_SECONDS;
  return {
    state: isWell ? "well" : "impaired",
    checkedAt: now.toISOString(),
    measuredSince: figures.history.since,
    sources,
    channels,
    oldestWaitingSeconds: longest < 0 ? null : longest,
    detectionToAcceptance: { medianSeconds, p95Seconds, possiblyTwicePercent, days },
    incidents: figures.incidents,
  };
}

/** Caches the answer for ten seconds and shares one run among concurrent callers. */
function remembered<Value>(now: () => Date, look: () => Promise<Value>): () => Promise<Value> {
  let known: { until: number; value: Promise<Value> } | undefined;
  return () => {
    const time = now().getTime();
    if (known === undefined || known.until <= time) known = { until: time + REMEMBERED_MS, value: look() };
    return known.value;
  };
}

/** Public data: status monitors on other sites may read it, and caches may keep it briefly. */
function everybodys({ header }: Context<HttpEnv>): void {
  header("Access-Control-Allow-Origin", "*");
  header("Cache-Control", `public, max-age=${REMEMBERED_MS / 1000}`);
}

/** The public service status, without error reasons or usage figures. */
export function statusRoutes(modules: Modules, adapters: Adapters, publicUrl: string) {
  const { now, report } = adapters.system;
  const status = remembered(now, async (): Promise<ServiceStatus> => {
    try {
      return statusOf(await figuresOf(modules, adapters), now());
    } catch (error) {
      report(error, { route: "/api/service-status" });
      return {
        state: "down",
        checkedAt: now().toISOString(),
        measuredSince: null,
        sources: [],
        channels: [],
        oldestWaitingSeconds: null,
        incidents: [],
        detectionToAcceptance: { medianSeconds: null, p95Seconds: null, possiblyTwicePercent: null, days: [] },
      };
    }
  });
  const notice = remembered(now, async () => {
    try {
      return (await modules.operations.announcement()) ?? null;
    } catch (error) {
      report(error, { route: "/api/service-notice" });
      return null;
    }
  });

  return new Hono<HttpEnv>()
    .get(
      "/api/service-status",
      describe("Get the service status, its last 90 days and incidents", serviceStatus),
      async (c) => {
        everybodys(c);
        return c.json(await status());
      },
    )
    .get(
      "/api/service-notice",
      describe(
        "What every page has to say: an incident, or a maintenance that is near",
        v.object({ notice: v.nullable(announcement) }),
      ),
      async (c) => {
        everybodys(c);
        return c.json({ notice: await notice() });
      },
    )
    .get("/service-status.atom", async (c) => {
      everybodys(c);
      const { incidents, checkedAt, state } = await status();
      if (state === "down") return c.text("", 503);
      const feed = incidentFeed(incidents, { publicUrl, updatedAt: checkedAt, asked: c.req.query("language") });
      return c.body(feed, 200, { "Content-Type": "application/atom+xml; charset=utf-8" });
    });
}
