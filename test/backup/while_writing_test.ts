import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readRows } from "../../src/backup/read.ts";
import { backupTo } from "../../src/backup/write.ts";
import { fillEveryTable } from "../support/filled.ts";
import { cleared, folder, type Opened, openNew, writing } from "./stage.ts";

afterEach(cleared, 30_000);

/** Moves a unit from one table to the other, repeatedly, until stopped. */
function writer(database: Opened): { stop(): Promise<number> } {
  let isOver = false;
  const work = (async () => {
    let moved = 0;
    while (!isOver) {
      await database.transaction(async (tx) => {
        await tx.execute(sql`update breaches.alert_count set version = version - 1`);
        await tx.execute(sql`update tracking.association set open_alerts = open_alerts + 1`);
      });
      moved += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return moved;
  })();
  return {
    stop() {
      isOver = true;
      return work;
    },
  };
}

/** The sum of both tables, according to the file alone. */
async function sumIn(file: string): Promise<{ all: number; given: number }> {
  let [taken, given] = [0, 0];
  await readRows(file, ({ table, columns }, rows) => {
    const column = table === "breaches.alert_count" ? "version" : "open_alerts";
    const at = columns.indexOf(column);
    if (!["breaches.alert_count", "tracking.association"].includes(table)) return;
    const sum = rows.reduce((total, row) => total + Number((JSON.parse(row) as string[])[at]), 0);
    if (column === "version") taken += sum;
    else given += sum;
  });
  return { all: taken + given, given };
}

describe.each(["pglite", "postgres"] as const)("a backup of %s during writes", (engine) => {
  test("is a consistent snapshot, and writes continue", async () => {
    const database = await openNew(engine);
    await database.unhurried((tx) => fillEveryTable(tx, 5));
    const place = folder();
    await backupTo(database, join(place, "before.backup"), writing);
    const before = await sumIn(join(place, "before.backup"));
    const writing_ = writer(database);
    const seen: number[] = [];
    for (let round = 0; round < 3; round++) {
      const file = join(place, `${round}.backup`);
      await backupTo(database, file, writing);
      const { all, given } = await sumIn(file);
      expect(all).toBe(before.all);
      seen.push(given);
    }
    expect(await writing_.stop()).toBeGreaterThan(3);
    // Each later one contains more.
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => one - other));
    expect(seen[0]).toBeGreaterThan(0);
  }, 60_000);
});
