import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { eventually, figureOf } from "./product.ts";
import { MORE_THAN_FITS, startUnread, type UnreadProduct, unanswered } from "./unread_product.ts";

let product: UnreadProduct;
beforeEach(async () => {
  product = await startUnread();
}, 100_000);
afterEach(() => product.close());

/** Sends requests until this many are answered; none may take longer than `withinMs`. */
async function ask(count: number, withinMs = 20_000): Promise<void> {
  expect(await unanswered(product, count, withinMs)).toBe(0);
}

describe("a log whose reader has stopped", () => {
  test("blocks nothing; the reader learns how many lines it missed when it continues", async () => {
    const { url, pipe, child } = product;
    await ask(MORE_THAN_FITS);
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

    // It reads whole lines, and nothing is lost from then on, including the very last line.
    const before = await figureOf(url, "breachbell_log_lines_dropped_total");
    await ask(100);
    child.kill("SIGTERM");
    await eventually("the process has ended", () => {
      log += pipe.read();
      return child.exitCode === 0 || undefined;
    });
    log += pipe.read();
    const lines = log.split("\n").filter((line) => line.startsWith("{"));
    for (const line of lines) JSON.parse(line);
    expect(lines.some((line) => JSON.parse(line).message === "Stopping")).toBe(true);
    expect(before).toBe(JSON.parse(note).lines);
  }, 180_000);

  test("does not delay a graceful shutdown", async () => {
    const { child } = product;
    await ask(MORE_THAN_FITS);
    child.kill("SIGTERM");
    await eventually("the process has ended", () => child.exitCode === 0 || undefined, 30_000);
  }, 180_000);
});
