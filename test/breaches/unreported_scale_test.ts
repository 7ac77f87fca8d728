import { expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { watch } from "../faults/watched.ts";
import { emptyServer } from "../support/postgres.ts";
import { readsOf } from "../support/reads.ts";

const MANY = 300;

test("Looking for first reports reads a few rows for each address, even without statistics", async () => {
  const database = await emptyServer();
  const addresses = Array.from({ length: MANY }, (_, number) => `person${number}@example.org`);
  await watch(database, addresses);
  const transaction = database.transactionOf(postgresBreaches);
  const seen: { found: number; most: number }[] = [];
  async function look() {
    for (const table of ["scan", "watch"]) {
      let found: string[] = [];
      const { rows } = await readsOf(database, {
        table,
        async work(tx) {
          const { watches } = postgresBreaches(tx, postgresEvents(tx, database.now));
          found = await watches.listUnreported(["hibp"], database.now(), MANY);
        },
      });
      seen.push({ found: found.length, most: Math.ceil(rows / MANY) });
    }
  }
  await look();
  await transaction(async ({ scans }) => {
    const now = database.now();
    const claimed = await scans.claimDue("hibp", MANY, now, 60_000);
    await scans.finish(claimed, now, new Date(now.getTime() + 86_400_000));
  });
  await look();
  expect(seen).toEqual([
    { found: 0, most: 1 },
    { found: 0, most: 1 },
    { found: MANY, most: 2 },
    { found: MANY, most: 1 },
  ]);
});
