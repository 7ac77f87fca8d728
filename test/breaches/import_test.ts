import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { datasetFeed } from "../../src/breaches/adapters/sources/dataset/dataset.ts";
import {
  importFiles,
  progressPath,
  requestPath,
  writeWhole,
} from "../../src/breaches/adapters/sources/dataset/import_files.ts";
import type { ImportProgress, ImportRequest } from "../../src/breaches/datasets/dataset_ports.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { adobe, breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { DAY, MINUTE } from "../support/clock.ts";

const root = mkdtempSync(join(tmpdir(), "breachbell-import-"));
const directory = join(root, "imports");
const file = join(root, "people.csv");
const desk = importFiles(directory);

afterAll(() => rmSync(root, { recursive: true }));
beforeEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await desk.list();
});

/** 3,500 people, with Alice on line 10, Bob twice near the end, and the given lines in between. */
function people(more: Record<number, string> = {}): string {
  const lines = Array.from({ length: 3500 }, (_, number) => `person${number}@example.org`);
  lines[9] = ALICE.address.toUpperCase();
  lines[3400] = addressHashes(BOB.address).sha1;
  lines[3450] = addressHashes(BOB.address).sha256;
  for (const [line, text] of Object.entries(more)) lines[Number(line) - 1] = text;
  return lines.join("\r\n");
}

async function ask(content: string | Buffer, more: Partial<ImportRequest> = {}): Promise<ImportRequest> {
  writeFileSync(file, content);
  const { size, mtimeMs: modifiedAt } = statSync(file);
  const facts = { domain: "shop.example", breachDate: "2026-01-02" };
  const request = { id: "a".repeat(32), file, size, modifiedAt, skipBad: false, breach: "Shop", facts, ...more };
  await writeWhole(requestPath(directory, request.id), request);
  return request;
}

const shown = (id = "a".repeat(32)): ImportProgress => JSON.parse(readFileSync(progressPath(directory, id), "utf8"));

const started = (person: typeof ALICE, associationId: string = crypto.randomUUID()) => ({
  type: "tracking.monitoringStarted" as const,
  associationId,
  ...person,
  scope: { details: true, sensitive: true },
});

/** Alice's and Bob's addresses are monitored, with their first checks done. */
async function world() {
  const plain = breachWorld({ breaches: [adobe] });
  plain.deps.feeds.push(datasetFeed(plain.transaction, plain.clock.now));
  const breaches = createBreaches({ ...plain.deps, imports: desk });
  for (const person of [ALICE, BOB]) await breaches.onMonitoringStarted(started(person));
  await breaches.syncCatalogue();
  await breaches.scanDue();
  await plain.published();
  const raised = async () => (await plain.publishedOf("breaches.alertsRaised")).flatMap(({ alerts }) => alerts);
  return { ...plain, breaches, raised };
}

describe("importDue()", () => {
  test.each(["plain", "gzip"])(
    "reads a %s file, finds monitored addresses once, and alerts their accounts",
    async (form) => {
      const { breaches, raised, alertsOf, transaction } = await world();
      await ask(form === "gzip" ? gzipSync(people()) : people());
      await breaches.importDue();
      expect(shown()).toEqual({ state: "done", lines: 3500, added: 3500, raised: 2, bad: 0, problems: [] } as never);
      expect(existsSync(requestPath(directory, "a".repeat(32)))).toBe(false);
      expect((await raised()).map(({ accountId }) => accountId).toSorted()).toEqual([ALICE.accountId, BOB.accountId]);
      for (const { accountId } of [ALICE, BOB]) expect(await alertsOf(accountId)).toEqual(["dataset:Shop pending"]);
      expect(await transaction((store) => store.breaches.find("dataset:Shop"))).toMatchObject({
        title: "Shop",
        domain: "shop.example",
        breachDate: "2026-01-02",
        dataClasses: ["Email addresses"],
      });
    },
  );

  test("changes nothing when repeated, by the same request or another one for the same file", async () => {
    const { breaches, raised } = await world();
    await ask(people());
    await breaches.importDue();
    await raised();
    await ask(people());
    await breaches.importDue();
    await ask(people(), { id: "b".repeat(32) });
    await breaches.importDue();
    expect(shown("b".repeat(32))).toMatchObject({ state: "done", lines: 3500, added: 0, raised: 0 });
    expect(await raised()).toEqual([]);
  });

  test("finds addresses that are added later, when they are checked", async () => {
    const { breaches, alertsOf } = await world();
    await ask(people());
    await breaches.importDue();
    const late = { accountId: crypto.randomUUID(), address: "person77@example.org" };
    await breaches.onMonitoringStarted(started(late));
    await breaches.scanDue();
    expect(await alertsOf(late.accountId)).toEqual(["dataset:Shop pending"]);
  });

  test("checks addresses again that were checked while a file was imported again a minute later", async () => {
    const { breaches, alertsOf, transaction, clock, deps } = await world();
    const late = { accountId: crypto.randomUUID(), address: "person3400@example.org" };
    const associationId = crypto.randomUUID();
    await ask(people({ 3401: late.address }));
    const times = () => transaction(({ scans }) => scans.timesOf([late.address], ["dataset"]));
    const dueAt = async () => (await times()).get(late.address)?.dueAt;
    // Monitored addresses are matched, but their line is not reached yet.
    const halting: typeof desk = {
      ...desk,
      async *pieces(request) {
        for await (const bytes of desk.pieces(request)) {
          const half = bytes.indexOf(10, bytes.length / 2) + 1;
          yield bytes.subarray(0, half);
          await breaches.onMonitoringStarted(started(late, associationId));
          await breaches.scanDue();
          yield bytes.subarray(half);
        }
      },
    };
    await createBreaches({ ...deps, imports: halting }).importDue();
    expect(await alertsOf(late.accountId)).toEqual([]);
    expect(await dueAt()).toEqual(new Date(clock.now().getTime() + MINUTE));
    clock.pass(MINUTE);
    await breaches.scanDue();
    expect(await alertsOf(late.accountId)).toEqual(["dataset:Shop pending"]);
    expect(await dueAt()).toEqual(new Date(clock.now().getTime() + 7 * DAY));
  });

  test("uses a known name of the catalogue for that breach", async () => {
    const { breaches, alertsOf } = await world();
    await ask(`email,breach\n${ALICE.address},Adobe\n`);
    await breaches.importDue();
    expect(await alertsOf(ALICE.accountId)).toEqual(["Adobe pending"]);
  });

  test("is merged with a breach that a catalogue lists later, and stays merged", async () => {
    const { breaches, feed, alertsOf, transaction } = await world();
    await ask(people());
    await breaches.importDue();
    feed.publish(aBreach({ name: "VillageShop", title: "Shop", domain: "www.shop.example", breachDate: "2026-01-15" }));
    await breaches.syncCatalogue();
    expect(await alertsOf(ALICE.accountId)).toEqual(["VillageShop pending"]);
    await ask(people({ 20: BOB.address }), { id: "c".repeat(32) });
    await breaches.importDue();
    await breaches.scanDue();
    expect(await alertsOf(ALICE.accountId)).toEqual(["VillageShop pending"]);
    expect(await alertsOf(BOB.accountId)).toEqual(["VillageShop pending"]);
    expect(await transaction(({ alerts }) => alerts.listExposures(ALICE.address, 9))).toMatchObject([
      { breachName: "VillageShop", sources: ["dataset"] },
    ]);
  });

  test("stops at an invalid line with its number and reason, and continues after it when told to skip it", async () => {
    const { breaches, alertsOf } = await world();
    const bad = { 1200: "hunter2", 2000: '"no end', 3000: "x".repeat(100_000) };
    await ask(people(bad));
    await breaches.importDue();
    expect(shown()).toMatchObject({ state: "stopped", lines: 1199, added: 1199, raised: 1 });
    expect(shown().reason).toStartWith("Line 1200: ");
    expect(await alertsOf(BOB.accountId)).toEqual([]);
    await ask(people(bad), { skipBad: true });
    await breaches.importDue();
    expect(shown()).toMatchObject({ state: "done", lines: 3500, added: 3497, raised: 2, bad: 3 });
    expect(shown().problems.map(({ line }) => line)).toEqual([1200, 2000, 3000]);
    expect(JSON.stringify(shown())).not.toContain("hunter2");
    expect(await alertsOf(BOB.accountId)).toEqual(["dataset:Shop pending"]);
  });

  const spoilt: [string, (request: ImportRequest) => void, number][] = [
    ["is gone", () => rmSync(file), 0],
    ["has changed", () => writeFileSync(file, `${people()}\nmore@example.org`), 0],
  ];
  test.each(spoilt)("stops where the file %s", async (_, spoil, lines) => {
    const { breaches } = await world();
    spoil(await ask(people()));
    await breaches.importDue();
    expect(shown()).toMatchObject({ state: "stopped", lines });
    expect(shown().reason).toContain(file);
  });

  test("stops at the end of a truncated gzip file, and keeps what came before", async () => {
    const { breaches } = await world();
    const whole = gzipSync(people());
    await ask(whole.subarray(0, Math.floor(whole.length * 0.9)));
    await breaches.importDue();
    expect(shown().state).toBe("stopped");
    expect(shown().reason).toStartWith(`Cannot read "${file}"`);
    expect(shown().lines % 1000).toBe(0);
  });
});

describe("importDue() interrupted midway", () => {
  /** Ends the process before or after its `n`th transaction. */
  function dyingAfter(n: number, when: "before" | "after", plain: Transaction<BreachStore>): Transaction<BreachStore> {
    let count = 0;
    return async (work) => {
      count += 1;
      if (count > n || (when === "before" && count === n)) throw new Error("Killed");
      const result = await plain(work);
      if (count === n) throw new Error("Killed");
      return result;
    };
  }

  const moments = [1, 2, 3, 4, 5, 6].flatMap((n) => [[n, "before"] as const, [n, "after"] as const]);
  test.each(moments)("at transaction %d, %s it: loses and duplicates nothing", async (n, when) => {
    const plain = await world();
    await ask(people({ 500: "bad line" }), { skipBad: true });
    const dying = { ...plain.deps, imports: desk, transaction: dyingAfter(n, when, plain.transaction) };
    await createBreaches(dying).importDue();
    plain.clock.pass(5 * MINUTE);
    await ask(people({ 500: "bad line" }), { skipBad: true });
    await plain.breaches.importDue();
    expect(shown()).toMatchObject({ state: "done", lines: 3500, added: 3499, raised: 2, bad: 1 });
    expect((await plain.raised()).map(({ accountId }) => accountId).toSorted()).toEqual([
      ...[ALICE.accountId, BOB.accountId],
    ]);
  });

  test("releases the file after the current batch when told to end, and the next process continues there", async () => {
    const plain = await world();
    await ask(people());
    let asked = 0;
    await plain.breaches.importDue(() => asked++ > 0);
    const half = shown();
    expect(half.state).toBe("running");
    expect([half.lines > 0, half.lines < 3500]).toEqual([true, true]);
    // Immediately, without waiting for the lease to expire.
    await plain.breaches.importDue();
    expect(shown()).toMatchObject({ state: "done", lines: 3500, added: 3500, raised: 2 });
  });

  test("does not take a file that another process holds", async () => {
    const plain = await world();
    await ask(people());
    await plain.transaction(({ datasets }) => datasets.claim("a".repeat(32), plain.clock.now(), MINUTE));
    await plain.breaches.importDue();
    expect(existsSync(progressPath(directory, "a".repeat(32)))).toBe(false);
    plain.clock.pass(2 * MINUTE);
    await Promise.all([plain.breaches.importDue(), createBreaches({ ...plain.deps, imports: desk }).importDue()]);
    expect(shown()).toMatchObject({ state: "done", lines: 3500, added: 3500, raised: 2 });
  });
});
