import { beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../src/database/postgres.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import { ASSOCIATIONS_PER_PAGE } from "../../src/tracking/dashboard.ts";
import { createTracking } from "../../src/tracking/mod.ts";
import { ALICE, accepted, anAssociation } from "../support/builders.ts";
import { emptyServer } from "../support/postgres.ts";
import { analyse, copyRows, readsOf } from "../support/reads.ts";
import { trackingWorld } from "../support/tracking.ts";

const MANY = 10_000;
const CHUNK = 1_000;
const second = (number: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, number));

/** Alice's 10,000 associations, of which every fourth is breached; five other accounts have as many. */
describe("10,000 associations on a Postgres server", () => {
  let database: Awaited<ReturnType<typeof emptyServer>>;

  beforeAll(async () => {
    database = await emptyServer();
    for (let from = 0; from < MANY; from += CHUNK) {
      const numbers = Array.from({ length: CHUNK }, (_, index) => from + index);
      const chunk = numbers.map((number) =>
        anAssociation({
          address: `person${number}@example.org`,
          createdAt: second(number),
          openVersion: 1,
          openAlerts: number % 4 === 0 ? 1 : 0,
        }),
      );
      await database.transactionOf(postgresTracking)(({ associations }) => associations.addAll(chunk));
    }
    const table = "tracking.association";
    for (let other = 0; other < 5; other++)
      await copyRows(database, { table, person: "account_id", of: ALICE.accountId });
    await analyse(database, table);
  }, 60_000);

  const events = { publish: async () => {} };
  const list = (search: string, status: "all" | "breached", offset: number) => (tx: Database) =>
    postgresTracking(tx, events).associations.list(
      [{ accountId: ALICE.accountId, search, status, order: "attention", offset }],
      ASSOCIATIONS_PER_PAGE,
    );

  test("the dashboard gets one page, counted, filtered and searched by the server", async () => {
    const { deps } = trackingWorld({ transaction: database.transactionOf(postgresTracking) });
    const asked: string[][] = [];
    const tracking = createTracking({
      ...deps,
      checks: {
        async of(addresses) {
          asked.push(addresses);
          return new Map();
        },
      },
    });
    const page = async (search: string, status: "all" | "breached", number: number) =>
      accepted(await tracking.listAssociations(ALICE.accountId, { search, status, page: number }));
    const last = await page("", "all", MANY / ASSOCIATIONS_PER_PAGE);
    expect(last).toMatchObject({ total: MANY, capacity: { used: MANY } });
    expect(last.counts).toEqual({ all: MANY, safe: 7500, active: 0, breached: 2500, inactive: 0 });
    expect(last.items.at(-1)?.address).toBe(`person${MANY - 1}@example.org`);
    expect(await page("person99", "breached", 1)).toMatchObject({ total: 27 });
    expect(asked.map((addresses) => addresses.length)).toEqual([ASSOCIATIONS_PER_PAGE, ASSOCIATIONS_PER_PAGE]);
  });

  test("reads nothing of other accounts, and never the whole table", async () => {
    const table = "association";
    for (const search of ["", "person99"]) {
      const reads = await readsOf(database, { table, work: list(search, search ? "breached" : "all", 0) });
      expect(reads.sequential).toBe(0);
      // The page with its neighbours in the order, the total, and for a search the international addresses.
      expect(reads.rows).toBeLessThanOrEqual((search === "" ? 2 : 3) * MANY + 4 * ASSOCIATIONS_PER_PAGE);
    }
    const one = (tx: Database) =>
      postgresTracking(tx, events).associations.findByAddress(ALICE.accountId, "person7@example.org");
    expect(await readsOf(database, { table, work: one })).toEqual({ sequential: 0, rows: 1 });
  });
});
