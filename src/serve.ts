import { Hono } from "hono";
import type { Adapters } from "./adapter_types.ts";
import { liveAdapters } from "./adapters.ts";
import { budgetTable } from "./breaches/adapters/postgres/store.ts";
import { serveCommands } from "./cli/serve.ts";
import type { Composition } from "./compose.ts";
import { compose } from "./compose.ts";
import { type Config, describeDefaults } from "./config/config.ts";
import { whyNoStart } from "./database/full_disk.ts";
import type { openDatabase } from "./database/open.ts";
import type { Database, PostgresDatabase } from "./database/postgres.ts";
import { jobDiary } from "./runtime/job_run_recorder.ts";
import { type Runner, runJobs } from "./runtime/jobs.ts";
import { describeError, type Log } from "./runtime/log.ts";
import { FALLBACK_LANGUAGE } from "./shared/language.ts";
import { PRODUCT } from "./shared/product.ts";
import { withFacts } from "./telemetry/context.ts";
import type { Figures } from "./telemetry/figures.ts";
import { metricsRoute } from "./telemetry/metrics_route.ts";
import { probeRoutes } from "./telemetry/probes.ts";
import { createTelemetry } from "./telemetry/telemetry.ts";
import { startWatchdog, type Watchdog } from "./telemetry/watchdog.ts";

/** Deadlines of a stop: unfinished sends return to the queue, requests and jobs are abandoned, and the process exits. */
const [SENDS_WITHIN_MS, WORK_WITHIN_MS, STOP_WITHIN_MS] = [20_000, 24_000, 28_000];
/** Upper limit for flushing the log at the end: a slow reader gets the last lines, and a stuck one does not block the stop. */
const LOG_WITHIN_MS = 1000;
const DIARY_MS = 20_000;
/** Delay of the first job runs, so that requests that waited for the start go first. */
const QUIET_MS = 250;
/**
 * Proxies keep connections for a minute (nginx) or two (Caddy), and their next request may not meet one that just closes.
 * It is also the longest that an answer may take; a head that does not come whole is given up by Bun after ten seconds all
 * the same.
 */
const KEPT_SECONDS = 130;

function cannotStart(error: unknown, { dataDir }: Config): never {
  console.error(`${PRODUCT} cannot start: ${whyNoStart(error, dataDir)}`);
  process.exit(1);
}

type Answer = (request: Request, env: { ip: string }) => Response | Promise<Response>;

/** `setting`: names the port. */
function listen(hostname: string, port: number, setting: "PORT" | "METRICS_PORT", answer: Answer) {
  try {
    return Bun.serve({
      hostname,
      port,
      maxRequestBodySize: 1024 * 1024,
      idleTimeout: KEPT_SECONDS,
      fetch: (request, server) =>
        answer(request, {
          // Only for who wants to know it.
          get ip() {
            return server.requestIP(request)?.address ?? "";
          },
        }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `${PRODUCT} cannot listen on ${hostname}:${port}: ${reason.replace(/\.$/, "")}. Is it running already? Another port: ${setting}=${port + 1}`,
    );
    process.exit(1);
  }
}

/** False when it took too long. */
function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), Bun.sleep(ms).then(() => false)]);
}

function announce(config: Config, exampleAddresses: string[], firstAccount: string | undefined): void {
  const defaults = describeDefaults(config);
  console.log(`\n${PRODUCT} is running: ${config.publicUrl}\n`);
  if (defaults.length > 0)
    console.log(
      `Embedded defaults in use (left: what is used · right: how to replace it):\n${defaults.map((line) => `  ${line}`).join("\n")}\n`,
    );
  if (firstAccount !== undefined)
    console.log(
      `There is no account yet. The one that is created with this link within a day becomes staff:\n  ${config.publicUrl}/${FALLBACK_LANGUAGE}/register#t=${firstAccount}\n`,
    );
  if (config.sources.some(({ kind }) => kind === "bundled") && config.mail.kind === "mailbox") {
    console.log(
      `Try it: register ${exampleAddresses[0]}, read the code in the local inbox ${config.publicUrl}/mailbox, track the address,\nwith Telegram and Pushover if you like: their messages, Start and buttons are in its other tabs. Then run "bun run publish-breach" in a second terminal and watch the alert arrive.\n`,
    );
  }
}

type Begun = {
  config: Config;
  log: Log;
  /** May fail. */
  connection: ReturnType<typeof openDatabase>;
  /** What listens to signals until this does. */
  leave: () => void;
  hasPages: boolean;
  /** The destination of the log; `taken` resolves once all of it was read. */
  output: { dropped: () => number; taken: () => Promise<void> };
};

/** The figures of the modules and the database for monitoring. */
function figuresOf(
  { breaches, notifications, operations }: Composition,
  { outbox, system, backups }: Adapters,
  database: PostgresDatabase,
): () => Promise<Figures> {
  const plain = database.transactionOf((tx: Database) => tx);
  return async () => ({
    backups: await backups.status().then(({ scheduled, since, last, failure }) => ({
      scheduled,
      lastAt: last?.at ?? since,
      hasFailed: failure !== undefined,
    })),
    sources: await breaches.sourcesHealth(),
    channels: await notifications.channelsHealth(),
    deliveries: await notifications.backlog(),
    events: await outbox.backlog(),
    sinks: await operations.sinkLags(),
    budgets: await plain((tx) => tx.select().from(budgetTable)),
    bytes: (await system.database()).bytes,
  });
}

/** Telemetry as it is configured; its packages are loaded only then. */
async function openTelemetry(
  { telemetry: { metrics, traces }, outboundProxy: proxy }: Config,
  droppedLines: () => number,
) {
  const meter = metrics && (await import("./telemetry/metrics.ts")).createMeter(droppedLines);
  const tracer = traces && (await import("./telemetry/otlp_tracer.ts")).otlpTracer({ ...traces, proxy });
  return { meter, tracer, telemetry: createTelemetry({ meter, tracer }) };
}

type Opened = Awaited<ReturnType<typeof openTelemetry>>;

/** Probes and metrics on a port of their own, where one is set. */
function listenForWatchers({ metrics }: Config["telemetry"], meter: Opened["meter"], health: Adapters["health"]) {
  if (metrics?.port === undefined) return undefined;
  const watched = new Hono().route("/", probeRoutes(health.unready));
  if (meter) watched.route("/", metricsRoute(meter, metrics.token));
  return listen(metrics.host, metrics.port, "METRICS_PORT", watched.fetch);
}

type Running = {
  log: Log;
  adapters: Adapters;
  product: Composition;
  telemetry: Opened["telemetry"];
  watchdog: Watchdog;
};

/** Runs the jobs and keeps a diary of how they end. */
function startJobs({ log, adapters, product: { jobs, operations }, telemetry, watchdog }: Running) {
  const diary = jobDiary(adapters.system.now, operations.noteJobRuns);
  const runner = runJobs(
    [...jobs, { name: "job-runs", everyMs: DIARY_MS, run: diary.flush, always: true }],
    adapters.system.report,
    {
      quietMs: QUIET_MS,
      isPaused: async () => (await operations.currentMaintenance()) !== undefined,
      around: (job, run) => withFacts({ job }, () => telemetry.job(job, run)),
      onEnd(job, failed) {
        watchdog.progressed();
        diary.ended(job, failed);
        log.debug("Job ended", { job, failed });
      },
    },
  );
  return {
    nudge: runner.nudge,
    /** How the last runs ended, failures above all, is known to the next process. */
    async stop(): Promise<void> {
      await runner.stop();
      await diary.flush().catch((error) => adapters.system.report(error, { job: "job-runs" }));
    },
  };
}

/** Wakes jobs as soon as there is work, rather than at their next poll. */
function nudgeWhenDue(nudge: Runner["nudge"], { dispatcher, jobs }: Composition, database: PostgresDatabase): void {
  database.onPublished(() => nudge("events"));
  dispatcher.onHandled((type) => {
    nudge("deliver");
    if (type !== "mail.requested") for (const { name } of jobs) if (name.startsWith("scan ")) nudge(name);
  });
}

type Ending = {
  log: Log;
  life: { isStopping: boolean };
  /** What listened to signals until now. */
  leave: () => void;
  endWork: () => Promise<unknown>;
  release: () => Promise<void>;
};

/** Resolves when everything has ended, also what fails, which must not keep the rest from ending. */
async function endAll(ends: (Promise<unknown> | undefined)[], log: Log): Promise<void> {
  for (const end of await Promise.allSettled(ends))
    if (end.status === "rejected") log.error("Cannot stop in order", describeError(end.reason));
}

/** Ends the process on the first signal, in order; a second one means now. */
function stopOnSignal({ log, life, leave, endWork, release }: Ending): void {
  async function stop(signal: string): Promise<void> {
    if (life.isStopping) process.exit(1);
    life.isStopping = true;
    log.info("Stopping", { signal });
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    if (!(await within(WORK_WITHIN_MS, endWork())))
      log.warn("Some work did not finish in time; another process will resume it");
    await release();
    process.exit(0);
  }
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.off(signal, leave);
    process.on(signal, () => void stop(signal));
  }
}

/** Everything from the open database to the first answer, and to the end of the process. */
export async function serve({ config, log, connection, leave, hasPages, output }: Begun): Promise<void> {
  const life = { isStopping: false };
  const { metrics, stopGraceSeconds, watchdogSeconds } = config.telemetry;
  const { meter, tracer, telemetry } = await openTelemetry(config, output.dropped);
  const onWebsite = metrics?.port === undefined ? metrics?.token : undefined;

  const { adapters, backups, database, close } = await liveAdapters(config, log, {
    telemetry,
    isStopping: () => life.isStopping,
    metrics: meter && onWebsite !== undefined ? { ...meter, token: onWebsite } : undefined,
    connection,
    hasPages,
  }).catch((error) => cannotStart(error, config));
  const product = compose(adapters, config);
  const { app, notifications } = product;
  meter?.tell(figuresOf(product, adapters, database), adapters.system.now);
  // What an earlier setting or release held is tried again. Nothing listens yet, so a failure ends the start.
  for (const reason of ["misconfigured", "unrenderable"] as const)
    await notifications.releaseHeld(reason).catch((error) => cannotStart(error, config));

  const server = listen(config.host, config.port, "PORT", app.fetch);
  const watchers = listenForWatchers(config.telemetry, meter, adapters.health);
  const watchdog = startWatchdog(watchdogSeconds, {
    onTrouble: (reason) => log.error("The watchdog does not run", { reason }),
  });
  const runner = startJobs({ log, adapters, product, telemetry, watchdog });
  const control = await serveCommands({ config, adapters, backups, database, product, log });
  nudgeWhenDue(runner.nudge, product, database);

  /** Releases leases immediately, so that another process continues; stops listening once load balancers have had time to notice. */
  async function endWork(): Promise<void> {
    watchdog.workIsOver();
    const delivering = [notifications.stopPolling(), notifications.stopDelivering(SENDS_WITHIN_MS)];
    const answers = Bun.sleep(stopGraceSeconds * 1000).then(() => server.stop());
    await endAll([...delivering, runner.stop(), answers, control?.close()], log);
  }
  async function release(): Promise<void> {
    await watchers?.stop(true);
    await within(2000, tracer?.close() ?? Promise.resolve());
    await close();
    await within(LOG_WITHIN_MS, output.taken());
  }
  stopOnSignal({ log, life, leave, endWork, release });
  process.on("unhandledRejection", (error) => log.error("Unhandled rejection", describeError(error)));
  announce(config, adapters.exampleAddresses, await product.identity.inviteFirst().catch(() => undefined));
}
