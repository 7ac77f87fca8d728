import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import type { Event, EventOf } from "../../src/events/catalogue.ts";
import { breachWorld } from "../support/breaches.ts";
import { aBreach } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { IS_NIGHTLY } from "../support/tier.ts";

const shop = aBreach({ name: "Shop", dataClasses: ["Email addresses"] });
const graver = { ...shop, dataClasses: ["Email addresses", "Passwords"] };
/** The number of alerts that one transaction processes at most. */
const BATCH = 200;

/** Many accounts with an alert for the shop, every second of them handled; a few are suspended. */
async function crowd(database: PostgresDatabase, size: number) {
  const { clock, feed, deps } = breachWorld({ breaches: [shop] });
  const transaction = database.transactionOf(postgresBreaches);
  const [one, other] = [createBreaches({ ...deps, transaction }), createBreaches({ ...deps, transaction })];
  await one.syncCatalogue();
  const tx = database.transactionOf((db: Database) => db);
  await tx(async (db) => {
    await db.execute(sql`insert into breaches.watch (association_id, account_id, address, baseline_at, suspended)
      select gen_random_uuid(), gen_random_uuid(), 'person' || number || '@example.org', now(), number % 50 = 0
      from generate_series(1, ${size}::int) number`);
    await db.execute(sql`insert into breaches.exposure (address, breach_name, found_at)
      select address, 'Shop', now() from breaches.watch`);
    await db.execute(sql`insert into breaches.alert
      (id, association_id, account_id, address, breach_name, state, baseline, raised_at, handled_at, version)
      select gen_random_uuid(), association_id, account_id, address, 'Shop', state, false,
        ${deps.now().toISOString()}::timestamptz, case when state = 'handled' then now() end, 1
      from (select *, case when row_number() over () % 2 = 0 then 'handled' else 'pending' end as state
        from breaches.watch) watch`);
  });
  clock.pass(HOUR);
  feed.publish(graver);
  return {
    one,
    other,
    events: () => takePublished(postgresOutbox(tx)),
    rows: <Row>(query: ReturnType<typeof sql>) =>
      tx(async (db) => {
        const answer: unknown = await db.execute(query);
        return (Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows) as Row[];
      }),
  };
}

const worsened = (events: Event[]) =>
  events.filter((event): event is EventOf<"breaches.alertsWorsened"> => event.type === "breaches.alertsWorsened");

const CROWDS: [string, number, () => Promise<PostgresDatabase>][] = IS_NIGHTLY
  ? [
      ["pglite", 2000, emptyPglite],
      ["postgres", 10_000, emptyServer],
    ]
  : [["postgres", 2000, emptyServer]];

describe.each(CROWDS)("On %s %d alerts", (_, size, open) => {
  test("are announced by two concurrent processes, each once, in short transactions", async () => {
    const { one, other, events, rows } = await crowd(await open(), size);
    const watching = size * 0.98;
    await Promise.all([one, other].map((process) => process.syncCatalogue()));
    expect(await rows(sql`select worse, told_at from breaches.change`)).toEqual([{ worse: true, told_at: null }]);
    const counts = await Promise.all([one, other, one, other].map((process) => process.tellChanges()));
    // A process that finds the change claimed ends immediately; the one that holds it finishes.
    expect(counts.reduce((sum, count) => sum + count, await one.tellChanges())).toBe(watching);

    const all = await events();
    expect(worsened(all).every(({ alerts }) => alerts.length <= BATCH)).toBe(true);
    const told = worsened(all).flatMap(({ alerts }) => alerts.map(({ alertId }) => alertId));
    expect([told.length, new Set(told).size]).toEqual([watching, watching]);
    const states = sql`select watch.suspended, state, alert.version, worsened_at is null as untold, count(*)::int as count
      from breaches.alert alert join breaches.watch watch using (association_id) group by 1, 2, 3, 4 order by 1, 2`;
    const [told_, ...passedOver] = await rows<{ suspended: boolean; version: number; untold: boolean; count: number }>(
      states,
    );
    expect(told_).toEqual({
      suspended: false,
      state: "pending",
      version: 2,
      untold: false,
      count: watching,
    } as typeof told_);
    expect(passedOver.every(({ suspended, version, untold }) => suspended && untold && version === 1)).toBe(true);
    expect(passedOver.reduce((sum, { count }) => sum + count, 0)).toBe(size - watching);
    // A count is only published for associations whose number of pending alerts has changed.
    const counted = all.flatMap((event) => (event.type === "breaches.openAlertsChanged" ? event.counts : []));
    const reopened = await rows<{ count: number }>(
      sql`select count(*)::int as count from breaches.alert_count where version = 1`,
    );
    expect(counted).toHaveLength(reopened[0]?.count ?? -1);
    expect(counted.length).toBeGreaterThan(size * 0.4);
  });
});

test("An account that is resumed while others are being notified learns of it once, whichever is first", async () => {
  const { one, other, rows, events } = await crowd(await emptyServer(), 600);
  await one.syncCatalogue();
  const suspended = await rows<{ association_id: string; account_id: string; address: string }>(
    sql`select association_id, account_id, address from breaches.watch where suspended`,
  );
  expect(suspended.length).toBe(12);
  const resume = suspended.map(({ association_id, account_id, address }) =>
    other.onMonitoringResumed({
      type: "tracking.monitoringResumed",
      reason: "plan",
      associationId: association_id,
      accountId: account_id,
      address,
    }),
  );
  await Promise.all([one.tellChanges(), other.tellChanges(), ...resume]);
  await one.tellChanges();
  const states = await rows(
    sql`select state, version, worsened_at is null as untold, count(*)::int as count
      from breaches.alert group by 1, 2, 3`,
  );
  expect(states).toEqual([{ state: "pending", version: 2, untold: false, count: 600 }]);
  const told = worsened(await events()).flatMap(({ alerts }) => alerts.map(({ alertId }) => alertId));
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBeGreaterThanOrEqual(588);
});
