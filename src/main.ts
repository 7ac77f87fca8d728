import { readFileSync } from "node:fs";
import { liveAdapters } from "./adapters.ts";
import { compose } from "./compose.ts";
import { describeDefaults, loadConfig } from "./config.ts";
import { runJobs } from "./jobs.ts";
import { createLog, describeError } from "./log.ts";
import { PRODUCT } from "./shared/product.ts";

const STOP_WITHIN_MS = 25_000;

const loaded = loadConfig(process.env, (path) => readFileSync(path, "utf8"));
if (!loaded.ok) {
  console.error(
    `${PRODUCT} cannot start. Please mend the configuration:\n${loaded.problems.map((problem) => `  - ${problem}`).join("\n")}`,
  );
  process.exit(1);
}
const { config } = loaded;
const log = createLog(config.logLevel, (line) => console.log(line));

const { adapters, database, close } = await liveAdapters(config, log).catch((error: Error) => {
  console.error(`${PRODUCT} cannot start: ${error.message}`);
  process.exit(1);
});
const { app, jobs, notifications } = compose(adapters, config);

function listen() {
  try {
    return Bun.serve({
      hostname: config.host,
      port: config.port,
      maxRequestBodySize: 1024 * 1024,
      fetch: (request, server) => app.fetch(request, { ip: server.requestIP(request)?.address ?? "" }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `${PRODUCT} cannot listen on ${config.host}:${config.port}: ${reason}. Is it running already? Another port: PORT=3001`,
    );
    process.exit(1);
  }
}

const server = listen();
// What a former setting had parked gets another chance under this one.
await notifications.releaseHeld("misconfigured");
const runner = runJobs(jobs, adapters.system.report);
database.onPublished(() => {
  runner.nudge("events");
  runner.nudge("deliver");
  for (const { name } of jobs) if (name.startsWith("scan ")) runner.nudge(name);
});

let stopping = false;
async function stop(signal: string): Promise<void> {
  // A second signal means now.
  if (stopping) process.exit(1);
  stopping = true;
  log.info("Stopping", { signal });
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  await server.stop();
  notifications.stopPolling();
  await notifications.stopDelivering();
  await runner.stop();
  await close();
  process.exit(0);
}
process.on("SIGINT", () => void stop("SIGINT"));
process.on("SIGTERM", () => void stop("SIGTERM"));
process.on("unhandledRejection", (error) => log.error("Unhandled rejection", describeError(error)));

const defaults = describeDefaults(config);
console.log(`\n${PRODUCT} is running: ${config.publicUrl}\n`);
if (defaults.length > 0)
  console.log(
    `Embedded defaults in use (left: what is used · right: how to replace it):\n${defaults.map((line) => `  ${line}`).join("\n")}\n`,
  );
if (config.sources.some(({ kind }) => kind === "bundled") && config.mail.kind === "mailbox") {
  console.log(
    `Try it: register ${adapters.exampleAddresses[0]}, read the code in ${config.publicUrl}/mailbox, track the address,\nthen run "bun run publish-breach" in a second terminal and watch the alert arrive.\n`,
  );
}
