import { readFileSync } from "node:fs";
import { loadConfig } from "./config/config.ts";
import { createLog, describeError, gatheredLines } from "./runtime/log.ts";
import { outputOf, replaceConsole } from "./runtime/log_output.ts";
import { openMigrated } from "./runtime/migrated_database.ts";
import { PRODUCT } from "./shared/product.ts";
import { currentFacts } from "./telemetry/context.ts";

// Whatever this process makes is for its owner alone.
process.umask(0o077);

const [output, errorOutput] = [outputOf(1), outputOf(2)];
replaceConsole(output, errorOutput);

// The first process of a container hears only the signals that it listens for.
const leave = () => process.exit(0);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, leave);

const loaded = loadConfig(process.env, (path) => readFileSync(path, "utf8"));
if (!loaded.ok) {
  console.error(
    `${PRODUCT} cannot start. Fix the configuration:\n${loaded.problems.map((problem) => `  - ${problem}`).join("\n")}`,
  );
  process.exit(1);
}
const { config } = loaded;
const lines = gatheredLines(output.write);
process.on("exit", lines.flush);
const log = createLog(config.logLevel, lines.write, currentFacts);
process.on("uncaughtException", (error) => {
  log.error("Uncaught exception: ending this process", describeError(error));
  process.exit(1);
});

// The database has work of its own to do, and the rest of the code is read meanwhile, which holds this thread: so a turn later.
// Whether the database opens is looked at there.
const connection = openMigrated(config);
connection.catch(() => undefined);
setImmediate(async () => {
  const { serve } = await import("./serve.ts");
  // In development pages are Vite's (`dev.ts`).
  const hasPages = !process.argv.includes("--no-pages");
  await serve({
    config,
    log,
    connection,
    leave,
    hasPages,
    output: {
      dropped: () => output.dropped() + errorOutput.dropped(),
      async taken() {
        lines.flush();
        await Promise.all([output.taken(), errorOutput.taken()]);
      },
    },
  });
});
