import { afterAll, describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { createDatabase, startPostgresServer } from "../support/postgres_server.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");
const folder = mkdtempSync(join(tmpdir(), "breachbell-migrations-"));
const server = await startPostgresServer();

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
}, 30_000);

/** The migrations up to one, as in an earlier release. */
function migrationsUpTo(tag: string): string {
  cpSync(MIGRATIONS, folder, { recursive: true });
  const path = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(path, "utf8")) as { entries: { tag: string }[] };
  const entries = journal.entries.slice(0, journal.entries.findIndex((entry) => entry.tag === tag) + 1);
  writeFileSync(path, JSON.stringify({ ...journal, entries }));
  return folder;
}

const OLD = [
  `insert into breaches.source (source, checked_at, next_poll_at) values ('former', '2025-01-01', now()), ('bundled', '2026-01-01', now())`,
  `insert into breaches.scan (address, due_at, checked_at, generation, request) values
    ('alice@example.com', '2026-11-08', '2026-11-01', 3, 2), ('bob@example.net', '2026-11-02', null, 0, 1)`,
  `insert into breaches.watch (association_id, account_id, address, baseline_at) values
    ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-00000000000a', 'alice@example.com', '2026-11-01')`,
  `insert into breaches.exposure (address, breach_name, found_at) values ('alice@example.com', 'Adobe', '2026-11-01')`,
];

describe("the migration to several sources", () => {
  test("keeps what one source has found and checked, under its name, and hashes the monitored addresses", async () => {
    const url = await createDatabase(server.url);
    const before = await openServer(url, migrationsUpTo("0003_consent"));
    for (const statement of OLD) await before.transaction((tx) => tx.execute(sql.raw(statement)));
    await before.close();
    const connection = await openServer(url, MIGRATIONS);
    const transaction = (await postgresDatabase(connection, postgresEvents)).transactionOf(postgresBreaches);
    await transaction(async ({ scans, exposures, watches, alerts }) => {
      const addresses = ["alice@example.com", "bob@example.net"];
      expect(await scans.timesOf(addresses, ["bundled"])).toEqual(
        new Map([
          [
            addresses[0] ?? "",
            { checkedAt: new Date("2026-11-01T00:00:00Z"), dueAt: new Date("2026-11-08T00:00:00Z") },
          ],
          [addresses[1] ?? "", { checkedAt: undefined, dueAt: new Date("2026-11-02T00:00:00Z") }],
        ]),
      );
      expect(await scans.timesOf(addresses, ["former", "hibp"])).toEqual(new Map());
      expect(await alerts.listExposures("alice@example.com", 9)).toMatchObject([
        { breachName: "Adobe", sources: ["bundled"] },
      ]);
      const findings = [
        { hash: new Bun.CryptoHasher("sha1").update("alice@example.com").digest("hex"), breachName: "Canva" },
      ];
      expect(await exposures.match("push", findings, new Date())).toEqual([]);
      expect([await watches.hashMissing(10), await watches.hashMissing(10)]).toEqual([1, 0]);
      expect(await exposures.match("push", findings, new Date())).toEqual(["alice@example.com"]);
      expect(await alerts.addMissing([{ address: "alice@example.com", breachNames: [] }], new Date())).toHaveLength(2);
    });
    await connection.close();
  }, 60_000);
});
