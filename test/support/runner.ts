// Runs parts of the test suite and reads their results.
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");
export type Environment = Record<string, string | undefined>;
export type Ran = { passed: number; failed: number; seconds: number; cpuSeconds: number };

const bin = (name: string) => join(ROOT, "node_modules/.bin", name);
export const LINT = [bin("biome"), "ci", "."];
/**
 * Checks the types of `src`, which has no DOM, or of everything else: the project of `test/` includes `web/`. Running
 * several checkers in parallel would check the same types repeatedly, which takes as long on two processors as one
 * checker alone.
 */
export const typecheck = (room: "src" | "test") => [bin("tsc"), "-p", room, "--checkers", "1"];

/** The folder of the test builds. */
const PSEUDO = join(ROOT, "node_modules/.cache/breachbell/pseudo");

/** Runs a command to its end; its output is shown if it fails. */
export async function runCommand(title: string, command: string[], env: Environment = process.env): Promise<Ran> {
  const started = performance.now();
  const running = Bun.spawn(command, { cwd: ROOT, env, stdout: "pipe", stderr: "pipe" });
  const said = await Promise.all([new Response(running.stdout).text(), new Response(running.stderr).text()]);
  const exitCode = await running.exited;
  const seconds = (performance.now() - started) / 1000;
  const cpuSeconds = Number(running.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
  console.log(`${exitCode === 0 ? "✓" : "✗"} ${title} (${seconds.toFixed(1)} s)`);
  if (exitCode !== 0) console.log(said.join(""));
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, seconds, cpuSeconds };
}

/** Browser and process tests mostly wait, so one more worker than there are processors. */
export const WORKERS = availableParallelism() + 1;

/**
 * Bun's allocator keeps freed memory. Tests allocate and free so much that giving it back and asking for it again is a
 * third of their processor time (63 + 19 s with it, 49 + 8 s without, for six workers on two processors).
 */
const KEEP_MEMORY = { MIMALLOC_PURGE_DELAY: "-1" };

/** Runs `bun test` with files in parallel and reads the totals from its output, which is passed on as it arrives. */
export async function runTests(paths: string[], env: Environment, workers = WORKERS): Promise<Ran> {
  const started = performance.now();
  // Each worker keeps its browser and databases.
  const beside = paths.length > 1 && workers > 1 ? [`--parallel=${workers}`, "--no-isolate"] : [];
  // A developer's `.env` is meant for the product they run.
  const options = ["--no-env-file", "--no-orphans", "--timeout", "60000"];
  const tests = Bun.spawn([process.execPath, "test", ...options, ...beside, ...paths], {
    cwd: ROOT,
    env: { ...KEEP_MEMORY, ...env },
    stdout: "inherit",
    stderr: "pipe",
  });
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of tests.stderr) {
    process.stderr.write(chunk);
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4000);
  }
  const exitCode = await tests.exited;
  const count = (word: string) => Number(tail.match(new RegExp(`^ *(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  const broken = Math.max(count("fail") + count("error") + count("errors"), exitCode === 0 ? 0 : 1);
  return {
    passed: count("pass"),
    failed: count("pass") === 0 ? broken + 1 : broken,
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: Number(tests.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  };
}

/**
 * Built once for all test processes: server and pages as shipped, and pages in a pseudo-locale with accents on all
 * words of `locales/`.
 */
export async function buildForTests(): Promise<{ ran: Ran[]; env: Environment }> {
  mkdirSync(PSEUDO, { recursive: true });
  const vite = [
    process.execPath,
    join(ROOT, "node_modules/vite/bin/vite.js"),
    "build",
    "--config",
    "web/build/vite.config.ts",
  ];
  const pseudo = [...vite, "--mode", "pseudo", "--outDir", PSEUDO, "--emptyOutDir", "--logLevel", "error"];
  const ran = [
    await runCommand("Build: server and pages", [process.execPath, "src/build/prepare.ts"]),
    await runCommand("Build: pages in accents", pseudo, { ...process.env, NODE_ENV: "development" }),
  ];
  return { ran, env: { TEST_SITE_PRODUCTION: join(ROOT, "web/dist"), TEST_SITE_PSEUDO: PSEUDO } };
}

export function sumOf(all: Ran[]): Ran {
  const total = (key: keyof Ran) => all.reduce((sum, ran) => sum + ran[key], 0);
  return {
    passed: total("passed"),
    failed: total("failed"),
    seconds: total("seconds"),
    cpuSeconds: total("cpuSeconds"),
  };
}

/** The last line of every run. */
export function endWith({ passed, failed }: Ran): never {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
