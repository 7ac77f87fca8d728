import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import type { Database } from "../../src/database/postgres.ts";
import { postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { doneOrBlocked } from "../support/blocked.ts";
import { adobe, breachWorld, suno } from "../support/breaches.ts";
import { ALICE } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { emptyServer } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

/**
 * A check on a real server finds Suno, which its source cannot explain, while the catalogue job has stored it but not committed
 * it yet.
 */
async function worldOfListing() {
  const database = await emptyServer();
  const plain = database.transactionOf((tx: Database) => tx);
  const transaction: Transaction<BreachStore> = database.transactionOf(postgresBreaches);
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held: typeof transaction = (work) =>
    transaction(async (store) => {
      const done = await work(store);
      reached.resolve();
      await released.promise;
      return done;
    });
  let listing: Promise<unknown> = Promise.resolve();
  const world = breachWorld({
    breaches: [adobe],
    asks: { transaction },
    feed: (feed) => ({
      ...feed,
      async breach() {
        feed.publish(suno);
        listing = createBreaches({ ...world.deps, transaction: held }).syncCatalogue();
        await reached.promise;
        return { kind: "breach", breach: undefined };
      },
    }),
  });
  await world.breaches.syncCatalogue();
  await world.watch(ALICE);
  await world.breaches.scanDue();
  await takePublished(postgresOutbox(plain));
  world.feed.expose(ALICE.address, "Suno");
  world.clock.pass(7 * DAY);
  const checking = world.breaches.scanDue();
  await reached.promise;
  await doneOrBlocked(plain, checking);
  released.resolve();
  await listing;
  expect(await checking).toMatchObject({ raised: 1 });
  return { ...world, transaction, published: () => takePublished(postgresOutbox(plain)) };
}

describe("A breach that the catalogue lists while a check meets it", () => {
  test("keeps its facts", async () => {
    const { transaction, breaches } = await worldOfListing();
    expect(await transaction((store) => store.breaches.find("Suno"))).toEqual(suno);
    expect(await breaches.syncCatalogue()).toMatchObject({ added: [], changed: [] });
  });

  test("is told at once, with its facts", async () => {
    const { published, breaches } = await worldOfListing();
    expect((await published()).filter(({ type }) => type === "breaches.alertsRaised")).toHaveLength(1);
    const listed = await breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
    expect(listed).toMatchObject({ value: { items: [{ breach: { title: suno.title, pwnCount: suno.pwnCount } }] } });
    await breaches.tellAwaited();
    expect((await published()).filter(({ type }) => type === "breaches.alertsRaised")).toEqual([]);
  });
});
