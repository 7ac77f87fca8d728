import { beforeAll, describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { ALERTS_PER_PAGE } from "../../src/breaches/alerts/alert_list.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import { ALERT_SORTS } from "../../src/shared/alert.ts";
import { BREACH_FLAGS, isDrill } from "../../src/shared/breach.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted } from "../support/builders.ts";
import { emptyServer } from "../support/postgres.ts";
import { analyse, readsOf } from "../support/reads.ts";

const BREACHES = Array.from({ length: 1000 }, (_, number) =>
  aBreach({
    name: `Breach${number}`,
    dataClasses: ["Email addresses", ...(number % 2 ? ["Passwords"] : []), ...(number % 10 ? [] : ["Credit cards"])],
    flags: number % 4 ? [] : [BREACH_FLAGS[number % BREACH_FLAGS.length] ?? "sensitive"],
  }),
);
const ADDRESSES = Array.from({ length: 10 }, (_, number) => `person${number}@example.org`);
const MANY = BREACHES.length * ADDRESSES.length;
const ALL = { state: "all", search: "", page: 1 } as const;

/** Alice's 10,000 alerts: ten addresses, each in 1,000 breaches; four other accounts have as many. */
describe("10,000 alerts on a Postgres server", () => {
  let database: Awaited<ReturnType<typeof emptyServer>>;
  let breaches: ReturnType<typeof createBreaches>;
  const plain = breachWorld();

  beforeAll(async () => {
    database = await emptyServer();
    const transaction = database.transactionOf(postgresBreaches);
    breaches = createBreaches({ ...plain.deps, transaction });
    const accounts = [ALICE.accountId, ...Array.from({ length: 4 }, () => crypto.randomUUID())];
    const now = plain.clock.now();
    await transaction(async (store) => {
      await store.breaches.put(
        "test",
        BREACHES.map((breach) => ({ breach, hash: breach.name })),
        now,
      );
      for (const accountId of accounts)
        for (const address of ADDRESSES)
          await store.watches.add({ associationId: crypto.randomUUID(), accountId, address, ...FULL_SCOPE });
    });
    const names = BREACHES.map(({ name }) => name);
    for (const address of ADDRESSES)
      await transaction((store) => store.alerts.addMissing([{ address, breachNames: names }], now));
    await analyse(database);
  }, 120_000);

  /** Everything that a use case reads, measured in one transaction. */
  function readsBy(table: string, work: (counted: ReturnType<typeof createBreaches>) => Promise<unknown>) {
    const events = { publish: async () => {} };
    return readsOf(database, {
      table,
      work(tx) {
        const transaction: Transaction<BreachStore> = (within) => within(postgresBreaches(tx, events));
        return work(createBreaches({ ...plain.deps, transaction }));
      },
    });
  }

  test.each(ALERT_SORTS)("a page by %s reads only its account's alerts", async (sort) => {
    const query = { ...ALL, sort, category: "passwords", search: "breach1", page: 3 };
    const reads = await readsBy("alert", (counted) => counted.listAlerts(ALICE.accountId, query));
    expect(reads.sequential).toBe(0);
    // The matching rows, the page, its total, and the pending count.
    expect(reads.rows).toBeLessThanOrEqual(4 * MANY + 4 * ALERTS_PER_PAGE);
    const page = accepted(await breaches.listAlerts(ALICE.accountId, query));
    expect(page).toMatchObject({ total: 560, pending: MANY });
    expect(page.items).toHaveLength(ALERTS_PER_PAGE);
  });

  test("facets, the bell and a single alert read no more than that", async () => {
    const facets = await readsBy("alert", (counted) => counted.listFacets(ALICE.accountId));
    const bell = await readsBy("alert", (counted) => counted.showBell(ALICE.accountId));
    expect(facets.sequential + bell.sequential).toBe(0);
    for (const { rows } of [facets, bell]) expect(rows).toBeLessThanOrEqual(2 * MANY + 4 * ALERTS_PER_PAGE);
    const { addresses, categories } = accepted(await breaches.listFacets(ALICE.accountId));
    expect(addresses.map(({ count }) => count)).toEqual(Array(10).fill(1000));
    expect(categories.map(({ count }) => count)).toEqual([MANY, MANY / 2, MANY / 10]);
    const id = accepted(await breaches.listAlerts(ALICE.accountId, ALL)).items[0]?.id ?? "";
    const shown = await readsBy("exposure", (counted) => counted.listAlerts(ALICE.accountId, ALL));
    expect(shown.sequential).toBe(0);
    expect(shown.rows).toBeLessThanOrEqual(ADDRESSES.length * ALERTS_PER_PAGE);
    const one = await readsBy("alert", (counted) => counted.showAlert(ALICE.accountId, id));
    expect(one.sequential).toBe(0);
    expect(one.rows).toBeLessThan(10);
  });

  test("the dashboard's figures read the account's alerts once", async () => {
    const figures = await readsBy("alert", (counted) => counted.showFigures(ALICE.accountId));
    expect(figures.sequential).toBe(0);
    expect(figures.rows).toBeLessThanOrEqual(MANY + 4 * ALERTS_PER_PAGE);
    const real = BREACHES.filter((breach) => !isDrill(breach));
    const having = (label: string) => real.filter(({ dataClasses }) => dataClasses.includes(label)).length;
    expect(accepted(await breaches.showFigures(ALICE.accountId))).toMatchObject({
      breaches: real.length,
      open: real.length,
      undisclosed: 0,
      groups: [
        { group: "sign_in", breaches: having("Passwords") },
        { group: "money", breaches: having("Credit cards") },
        { group: "contact", breaches: real.length },
      ],
    });
  });

  test("changing 200 in one call reads little more than those", async () => {
    const { items } = accepted(await breaches.listAlerts(ALICE.accountId, ALL));
    const ids = await database.transactionOf(postgresBreaches)(({ alerts }) =>
      alerts.listIds(ALICE.accountId, { handledAfter: new Date(0) }),
    );
    expect(ids.slice(0, ALERTS_PER_PAGE)).toEqual(items.map(({ id }) => id));
    const saw = ids.slice(0, 200).map((id) => ({ id, version: 1 }));
    const counted = await readsBy("alert", (one) => one.handleAlerts(ALICE.accountId, saw));
    // Found, locked and updated, and the pending alerts of each of ten associations counted.
    expect(counted.sequential).toBe(0);
    expect(counted.rows).toBeLessThanOrEqual(10 * saw.length + MANY);
    const { total } = accepted(await breaches.listAlerts(ALICE.accountId, { ...ALL, state: "handled" }));
    expect(total).toBe(200);
  });

  test("the file contains them all, read in batches of 200", async () => {
    const file = accepted(await breaches.exportAlerts(ALICE.accountId, { ...ALL, sort: "seriousness" }, "de"));
    const sizes: number[] = [];
    for await (const chunk of file.chunks) sizes.push(chunk.split("\r\n").length - 1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(MANY + 1);
    expect(Math.max(...sizes)).toBe(201);
  });
});
