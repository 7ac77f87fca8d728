import { Gauge, type OpenMetricsContentType, type Registry } from "prom-client";
import { orLate } from "../shared/or_late.ts";

type Moment = Date | undefined;

/** Operational figures from the database. */
export type Figures = {
  sources: {
    source: string;
    syncedAt: string | null;
    pausedUntil: string | null;
    due: number;
    retrying: number;
    oldestDue: string | null;
    trouble: unknown;
    lookUpTrouble: unknown;
  }[];
  channels: { channel: string; state: string; trouble: string | null }[];
  deliveries: { due: number; retrying: number; oldestDueAt: Moment; held: number; dead: number; inDoubt: number };
  events: { waiting: number; oldest: Moment };
  /** When each source may be called next, by its rate limit. */
  budgets: { source: string; nextSlotAt: Date }[];
  bytes: number;
  /** How far behind each destination of events is. */
  sinks: { name: string; waiting: number; oldest: Moment; trouble: string | undefined }[];
  /** `scheduled`: whether backups are made by themselves; `lastAt`: before the first one, since when. */
  backups: { scheduled: boolean; lastAt: Moment; hasFailed: boolean };
};

/** Cache lifetime: the most frequent rate of queries, however often metrics are scraped. */
const REMEMBERED_MS = 5000;
/** A scrape does not wait longer for an unresponsive database. */
const PATIENCE_MS = 3000;

/** Caches the answer, or its absence. */
function remembered(look: () => Promise<Figures>): () => Promise<Figures | undefined> {
  let known: { until: number; value: Promise<Figures | undefined> } | undefined;
  return () => {
    if (known === undefined || known.until <= performance.now()) {
      const answer = look().catch(() => undefined);
      const value = orLate(PATIENCE_MS, answer, undefined);
      known = { until: performance.now() + REMEMBERED_MS, value };
    }
    return known.value;
  };
}

type MetricsRegistry = Registry<OpenMetricsContentType>;

type Labelled = [labels: Record<string, string>, value: number];

/** Declares gauges that are evaluated on each scrape; without values when the database does not answer. */
function gaugesFrom(registry: MetricsRegistry, figures: () => Promise<Figures | undefined>) {
  function labelled(name: string, labelNames: string[], help: string, of: (known: Figures) => Labelled[]): void {
    new Gauge({
      name: `breachbell_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const known = await figures();
        this.reset();
        for (const [labels, value] of known ? of(known) : []) this.set(labels, value);
        // A gauge without labels would report 0 rather than unknown.
        if (!known && labelNames.length === 0) this.set(Number.NaN);
      },
    });
  }
  const gauge = (name: string, help: string, of: (known: Figures) => number) =>
    labelled(name, [], help, (known) => [[{}, of(known)]]);
  return { gauge, labelled };
}

type Gauges = ReturnType<typeof gaugesFrom>;

/** How long ago and how far ahead moments are, in seconds; 0 for none. */
function secondsFrom(now: () => Date) {
  const until = (moment: Date | string) => (new Date(moment).getTime() - now().getTime()) / 1000;
  return {
    since: (moment: Date | string | null | undefined) => (moment ? Math.max(0, -until(moment)) : 0),
    until: (moment: Date | string | null) => (moment ? Math.max(0, until(moment)) : 0),
  };
}

type Seconds = ReturnType<typeof secondsFrom>;

function databaseGauges(registry: MetricsRegistry, figures: () => Promise<Figures | undefined>): void {
  new Gauge({
    name: "breachbell_database_up",
    help: "Whether the database answers",
    registers: [registry],
    async collect() {
      this.set((await figures()) ? 1 : 0);
    },
  });
}

function plainGauges({ gauge }: Gauges, { since }: Seconds): void {
  gauge("database_bytes", "Size on disk", ({ bytes }) => bytes);
  gauge("deliveries_oldest_due_seconds", "How long the oldest message has been due", ({ deliveries }) =>
    since(deliveries.oldestDueAt),
  );
  gauge("events_waiting", "Events not yet handed to all", ({ events }) => events.waiting);
  gauge("events_oldest_seconds", "How long the oldest event has been due", ({ events }) => since(events.oldest));
  gauge("backup_scheduled", "1 if backups are made daily", ({ backups }) => (backups.scheduled ? 1 : 0));
  gauge("backup_failed", "1 if the last attempt failed", ({ backups }) => (backups.hasFailed ? 1 : 0));
  gauge(
    "backup_last_timestamp_seconds",
    "When the last backup was made, or since when they are scheduled",
    ({ backups }) => (backups.lastAt ? backups.lastAt.getTime() / 1000 : Number.NaN),
  );
}

function deliveryGauges({ labelled }: Gauges): void {
  labelled(
    "deliveries",
    ["state"],
    "Messages by state; retrying: refused or failed before, and due again now or later; in_doubt: may have been sent twice",
    ({ deliveries: { due, retrying, held, dead, inDoubt } }) =>
      Object.entries({ due, retrying, held, dead, in_doubt: inDoubt }).map(([state, count]) => [{ state }, count]),
  );
}

function sinkGauges({ labelled }: Gauges, { since }: Seconds): void {
  const ofSinks = (name: string, help: string, of: (sink: Figures["sinks"][number]) => number) =>
    labelled(`event_sink_${name}`, ["sink"], help, ({ sinks }) => sinks.map((sink) => [{ sink: sink.name }, of(sink)]));
  ofSinks("waiting", "Events that a destination has not received", ({ waiting }) => waiting);
  ofSinks("lag_seconds", "How long ago the oldest of them happened", ({ oldest }) => since(oldest));
  ofSinks("failing", "1 if the last attempt failed", ({ trouble }) => (trouble === undefined ? 0 : 1));
}

/** A code such as ECONNREFUSED or 535, as a label has few values. */
function causeIn(trouble: string): string {
  return /\b(?:[A-Z][A-Z0-9_]{3,}|[45]\d\d)\b/.exec(trouble)?.[0] ?? "other";
}

function channelGauges({ labelled }: Gauges): void {
  labelled("channel_state", ["channel", "state"], "1 for the state that a channel is in", ({ channels }) =>
    channels.map(({ channel, state }) => [{ channel, state }, 1]),
  );
  labelled(
    "channel_trouble",
    ["channel", "cause"],
    "1 for what keeps a channel from sending: the code of the failure",
    ({ channels }) =>
      channels.flatMap(({ channel, trouble }): Labelled[] =>
        trouble === null ? [] : [[{ channel, cause: causeIn(trouble) }, 1]],
      ),
  );
}

function sourceGauges({ labelled }: Gauges, { since, until }: Seconds): void {
  const ofSources = (name: string, help: string, of: (source: Figures["sources"][number]) => number | undefined) =>
    labelled(`source_${name}`, ["source"], help, ({ sources }) =>
      sources.flatMap((each): Labelled[] => {
        const value = of(each);
        return value === undefined ? [] : [[{ source: each.source }, value]];
      }),
    );
  ofSources("due", "Addresses to be checked now, 100,000 at most", ({ due }) => due);
  ofSources(
    "retrying",
    "Addresses among them whose last check failed and that wait for the next",
    ({ retrying }) => retrying,
  );
  ofSources("oldest_due_seconds", "How long the oldest check has been due", ({ oldestDue }) => since(oldestDue));
  ofSources("synced_timestamp_seconds", "When its list was read last", ({ syncedAt }) =>
    syncedAt === null ? undefined : new Date(syncedAt).getTime() / 1000,
  );
  ofSources("paused_seconds", "How long it will not be asked", ({ pausedUntil }) => until(pausedUntil));
  ofSources("troubled", "1 if its list or its look-ups fail", ({ trouble, lookUpTrouble }) =>
    trouble === null && lookUpTrouble === null ? 0 : 1,
  );
  labelled("source_budget_wait_seconds", ["source"], "How long until its rate allows the next call", ({ budgets }) =>
    budgets.map(({ source, nextSlotAt }) => [{ source }, until(nextSlotAt)]),
  );
}

/** Gauges of the operational figures, all from one query. */
export function figureGauges(registry: MetricsRegistry, look: () => Promise<Figures>, now: () => Date): void {
  const figures = remembered(look);
  const gauges = gaugesFrom(registry, figures);
  const seconds = secondsFrom(now);
  databaseGauges(registry, figures);
  plainGauges(gauges, seconds);
  deliveryGauges(gauges);
  channelGauges(gauges);
  sinkGauges(gauges, seconds);
  sourceGauges(gauges, seconds);
}
