import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { unreadPipe } from "../support/unread_pipe.ts";
import { eventually, figureOf, freePort, METRICS_TOKEN, removeDirectory, temporaryDirectory } from "./product.ts";

const ROOT = join(import.meta.dirname, "../..");
/** More lines than the pipe and the process keep together. */
const REQUESTS = 3000;
const AT_ONCE = 30;

let pipe: Awaited<ReturnType<typeof unreadPipe>>;
let dataDir = "";
let child: ReturnType<typeof Bun.spawn> | undefined;

beforeEach(async () => {
  pipe = await unreadPipe();
  dataDir = temporaryDirectory();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await child?.exited;
  pipe.close();
  removeDirectory(dataDir);
});

/** The product with both of its outputs on the pipe. */
async function start(): Promise<string> {
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
  child = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: ROOT,
    env: { ...env, PORT: String(port), DATA_DIR: dataDir, METRICS_TOKEN, LOG_LEVEL: "debug", WATCHDOG_SECONDS: "0" },
    stdout: pipe.fd,
    stderr: pipe.fd,
  });
  const url = `http://localhost:${port}`;
  await eventually(
    "the product answers",
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok || undefined,
    90_000,
  );
  return url;
}

/** Asks until so many requests are answered; none may take longer than `withinMs`. */
async function ask(url: string, count: number, withinMs = 20_000): Promise<void> {
  let left = count;
  async function asker(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const answer = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(withinMs) });
      expect(answer.status).toBe(200);
      await answer.text();
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
}

describe("a log whose reader stands still", () => {
  test("stops nothing; the reader learns how many lines it missed when it reads again", async () => {
    const url = await start();
    await ask(url, REQUESTS);
    const page = await fetch(`${url}/en/login`, { signal: AbortSignal.timeout(20_000) });
    expect(page.status).toBeLessThan(500);
    const dropped = await figureOf(url, "breachbell_log_lines_dropped_total");
    expect(dropped).toBeGreaterThan(0);

    let log = "";
    const note = await eventually("the reader learns it", () => {
      log += pipe.read();
      return log
        .split("\n")
        .slice(0, -1)
        .find((line) => line.includes("Lines of the log were dropped"));
    });
    expect(JSON.parse(note)).toMatchObject({ level: "warn", lines: expect.any(Number) });
    expect(JSON.parse(note).lines).toBeGreaterThanOrEqual(dropped ?? 0);

    // What it reads is whole lines, and nothing is lost from then on, the last line of all included.
    const before = await figureOf(url, "breachbell_log_lines_dropped_total");
    await ask(url, 100);
    child?.kill("SIGTERM");
    await eventually("the process has ended", () => {
      log += pipe.read();
      return child?.exitCode === 0 || undefined;
    });
    log += pipe.read();
    const lines = log.split("\n").filter((line) => line.startsWith("{"));
    for (const line of lines) JSON.parse(line);
    expect(lines.some((line) => JSON.parse(line).message === "Stopping")).toBe(true);
    expect(before).toBe(JSON.parse(note).lines);
  }, 180_000);

  test("does not hold up an orderly stop", async () => {
    const url = await start();
    await ask(url, REQUESTS);
    child?.kill("SIGTERM");
    await eventually("the process has ended", () => child?.exitCode === 0 || undefined, 30_000);
  }, 180_000);
});
