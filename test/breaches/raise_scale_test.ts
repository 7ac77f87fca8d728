import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openCrowd } from "../bench/crowd.ts";
import { importAndTell } from "../bench/raise_alerts.ts";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { tableReadsWhile } from "../support/table_reads.ts";

const MANY = 6000;
/** One batch, and several. */
const [FEW, MORE] = [40, 2040];
/** The tables that grow with people and their alerts. */
const TABLES = [
  "breaches.alert",
  "breaches.alert_count",
  "breaches.exposure",
  "breaches.scan",
  "breaches.watch",
  "identity.users",
  "notifications.contact",
  "notifications.delivery",
  "operations.event_log",
  "tracking.association",
];

test("No batch of alerts, from the import to the queue, scans a table that grows, even without statistics", async () => {
  const url = await createDatabase(await sharedPostgresUrl());
  const place = temporaryDirectory();
  const crowd = await openCrowd(url, MANY, {}, place);
  await crowd.publish(MANY);
  await importAndTell(crowd);
  for (const name of TABLES)
    expect(await crowd.count(sql.raw(`select count(*) from ${name}`))).toBeGreaterThanOrEqual(MANY);
  await crowd.close({ keep: true });

  /** An import reads some tables once, whomever it concerns. */
  const readsFor = (concerned: number) =>
    tableReadsWhile(url, async () => {
      const again = await openCrowd(url, 0, {}, place);
      await again.publish(concerned);
      await importAndTell(again);
      await again.close({ keep: true });
    });
  const [few, more] = [await readsFor(FEW), await readsFor(MORE)];
  const scanned = TABLES.filter((name) => Number(more.get(name)?.scanned) - Number(few.get(name)?.scanned) > MANY / 2);
  const after = await openCrowd(url, 0, {}, place);
  const queued = await after.count(sql`select count(*) from notifications.delivery`);
  await after.close({ keep: true });
  removeDirectory(place);
  expect({ scanned, queued }).toEqual({ scanned: [], queued: MANY + FEW + MORE });
}, 60_000);
