import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { collectViolations, sharedBrowser } from "../support/browser.ts";
import { freePort } from "../support/ports.ts";

const ROOT = join(import.meta.dirname, "../..");
const REMEMBERED_MS = 5000;
/** On a machine that runs all other tests in parallel. */
const START_MS = 90_000;

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "breachbell-"));
}

/** Repeats `probe` until it returns a value; a condition, not a fixed delay, determines the duration. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  withinMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`Did not happen within ${withinMs} ms: ${what}`);
    await Bun.sleep(50);
  }
}

/** The token for the metrics of every product in these tests. */
export const METRICS_TOKEN = "a token of the tests for figures alone";

/** A metric of the product: the value of its name and labels. */
export async function figureOf(url: string, name: string): Promise<number | undefined> {
  const answer = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  const line = (await answer.text()).split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

/** When no message and no event is pending any more; the product polls every five seconds. */
export function nothingWaits(url: string, withinMs?: number): Promise<true> {
  const from = performance.now();
  const look = async () => {
    const waiting = [
      await figureOf(url, 'breachbell_deliveries{state="due"}'),
      await figureOf(url, "breachbell_events_waiting"),
    ];
    return (performance.now() - from > REMEMBERED_MS && waiting.every((count) => count === 0)) || undefined;
  };
  return eventually("nothing waits any more", look, withinMs);
}

export type Product = {
  url: string;
  dataDir: string;
  pid: number;
  output(): string;
  stop(): Promise<number>;
  kill(): Promise<void>;
};

/** The real process, with its own data directory and port. */
export async function startProduct(
  env: Record<string, string> = {},
  dataDir = temporaryDirectory(),
  port?: number,
  entry = "src/main.ts",
): Promise<Product> {
  const usedPort = port ?? (await freePort());
  const url = `http://localhost:${usedPort}`;
  const inherited = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
  const running = Bun.spawn([process.execPath, "--no-env-file", entry], {
    cwd: ROOT,
    env: { ...inherited, PORT: String(usedPort), DATA_DIR: dataDir, METRICS_TOKEN, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  // An aborted test run must not leave it running.
  process.on("exit", () => running.kill("SIGKILL"));
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output += decoder.decode(chunk, { stream: true });
  };
  void collect(running.stdout);
  void collect(running.stderr);
  await eventually(
    "the product answers",
    async () => {
      if (running.exitCode !== null) throw new Error(`The product ended with ${running.exitCode}:\n${output}`);
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      return answer?.ok || undefined;
    },
    START_MS,
  );
  return {
    url,
    dataDir,
    pid: running.pid,
    output: () => output,
    async stop() {
      running.kill("SIGTERM");
      return running.exited;
    },
    async kill() {
      running.kill("SIGKILL");
      await running.exited;
    },
  };
}

export function removeDirectory(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

export type Visit = { page: Page; violations: string[]; errors: string[]; close(): Promise<void> };

/** A new user's browser window; CSP violations and script errors are collected. */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await sharedBrowser()).newContext({ baseURL: url, locale: "en-GB", ...options });
  const violations: string[] = [];
  const errors: string[] = [];
  await collectViolations(context, violations);
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(error.message));
  return { page, violations, errors, close: () => context.close() };
}
