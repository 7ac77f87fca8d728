import { Counter, collectDefaultMetrics, Gauge, Histogram, type OpenMetricsContentType, Registry } from "prom-client";
import { VERSION } from "../shared/product.ts";
import { type Figures, figureGauges } from "./figures.ts";

/** The route's pattern, never its path, and the status of an answer. */
export type Answered = { route: string; status: number };

/** Default metrics that Bun does not measure correctly. */
const UNTOLD = [
  ...["nodejs_heap_space_size_total_bytes", "nodejs_heap_space_size_used_bytes"],
  ...["nodejs_heap_space_size_available_bytes", "nodejs_active_resources", "nodejs_active_resources_total"],
  ...["nodejs_active_handles", "nodejs_active_handles_total", "nodejs_active_requests"],
  ...["nodejs_active_requests_total", "nodejs_version_info", "process_heap_bytes"],
];
const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10];
const WORK_SECONDS = [0.01, 0.1, 1, 10, 60, 600];
const TRANSACTION_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 5];
const CALL_SECONDS = [0.1, 0.5, 1, 5, 10, 30];

/** The metrics; label values are constants of the code. `droppedLines`: those of the log that its reader was too slow for. */
export function createMeter(droppedLines: () => number = () => 0) {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  collectDefaultMetrics({ register: registry as unknown as Registry });
  for (const name of UNTOLD) registry.removeSingleMetric(name);
  const named = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
    name: `breachbell_${name}`,
    help,
    labelNames,
    registers,
  });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge(named(name, help, labelNames));
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter(named(name, help, labelNames));
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[]) =>
    new Histogram({ ...named(name, help, labelNames), buckets });

  gauge("build_info", "What runs", ["version", "bun"]).set({ version: VERSION, bun: Bun.version }, 1);
  const underWay = gauge("http_requests_in_flight", "Requests under way");
  const requests = histogram("http_request_duration_seconds", "Answered requests", REQUEST_SECONDS, [
    "method",
    "route",
    "status",
  ]);
  const jobs = histogram("job_duration_seconds", "Runs of jobs", WORK_SECONDS, ["job"]);
  const failures = counter("job_failures_total", "Runs that failed", ["job"]);
  const jobEnds = gauge("job_last_end_timestamp_seconds", "When a job's last run ended", ["job"]);
  const transactions = histogram(
    "database_transaction_seconds",
    "Transactions, their wait for a connection included",
    TRANSACTION_SECONDS,
    ["outcome"],
  );
  const open = gauge("database_transactions_open", "Open or waiting");
  const calls = histogram("call_duration_seconds", "Calls of sources, channels and providers", CALL_SECONDS, [
    "peer",
    "operation",
    "outcome",
  ]);
  const successes = gauge("call_last_success_timestamp_seconds", "When a peer last did what it was asked for", [
    "peer",
    "operation",
  ]);
  const violations = counter("policy_violations_total", "What browsers reported against the policy of content", [
    "directive",
  ]);
  new Counter({
    ...named("log_lines_dropped_total", "Lines of the log that its reader did not take", []),
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });

  return {
    begun: () => underWay.inc(),
    ended: () => underWay.dec(),
    answered: (method: string, { route, status }: Answered, ms: number) =>
      requests.observe({ method, route, status }, ms / 1000),
    jobEnded(job: string, ms: number, failed: boolean): void {
      jobs.observe({ job }, ms / 1000);
      jobEnds.set({ job }, Date.now() / 1000);
      failures.inc({ job }, failed ? 1 : 0);
    },
    transactionBegun: () => open.inc(),
    transactionEnded(outcome: string, ms: number): void {
      open.dec();
      transactions.observe({ outcome }, ms / 1000);
    },
    called({ peer, operation, outcome }: { peer: string; operation: string; outcome: string }, ms: number): void {
      calls.observe({ peer, operation, outcome }, ms / 1000);
      if (["ok", "delivered"].includes(outcome)) successes.set({ peer, operation }, Date.now() / 1000);
    },
    violated: (directive: string) => violations.inc({ directive }),
    /** Adds the figures of the database. */
    tell: (figures: () => Promise<Figures>, now: () => Date) => figureGauges(registry, figures, now),
    /** All metrics in the OpenMetrics format. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

export type Meter = ReturnType<typeof createMeter>;
