import { sql } from "drizzle-orm";
import postgres, { type Sql } from "postgres";
import { type Crowd, openCrowd } from "./crowd.ts";
import { timed } from "./engine.ts";
import { type Pair, report } from "./load.ts";

const ROUNDS = 3;
const BOUNDS = { rate: 10_000 };

/** Where an alert, its message and its entry in the event log are stored. */
const TABLES = [
  "breaches.exposure",
  "breaches.alert",
  "breaches.alert_count",
  "notifications.delivery",
  "operations.event_log",
];
const copyOf = (table: string) => table.replace(/^\w+/, "raw");

/** Empty tables with the same columns and indexes as the product's, and a copy of its associations. */
async function prepareByHand(hand: Sql): Promise<void> {
  await hand`create schema raw`;
  for (const table of [...TABLES, "tracking.association"])
    await hand.unsafe(`create table ${copyOf(table)} (like ${table} including all)`);
  await hand`insert into raw.association select * from tracking.association`;
}

/** Everything that the product leaves stored, by one statement per table. */
async function byHand(hand: Sql): Promise<void> {
  await hand.begin(async (tx) => {
    for (const table of TABLES) await tx.unsafe(`insert into ${copyOf(table)} select * from ${table}`);
    await tx`update raw.association set open_alerts = 1, open_version = open_version + 1`;
  });
}

/** As the product's jobs do it: events are delivered while the import continues. */
export async function importAndTell({ product: { breaches, dispatcher }, onPublished }: Crowd): Promise<void> {
  let isOver = false;
  let news = Promise.withResolvers<void>();
  onPublished(() => news.resolve());
  const importing = breaches.importDue().finally(() => {
    isOver = true;
    news.resolve();
  });
  while (!isOver) {
    await news.promise;
    news = Promise.withResolvers();
    await dispatcher.drain();
  }
  await importing;
  await dispatcher.drain();
}

/**
 * A list of people in a breach becomes exposures, alerts and pending messages, against the same rows by one
 * statement per table.
 */
export async function raiseAlerts(databaseUrl: string, exposures: number): Promise<void> {
  const crowd = await openCrowd(databaseUrl, exposures);
  // Hand-written statements have no deadline.
  const hand = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await prepareByHand(hand);
  const samples: Pair[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await hand.unsafe(`truncate ${TABLES.flatMap((table) => [table, copyOf(table)]).join(", ")} cascade`);
    await hand`update tracking.association set open_alerts = 0, open_version = 0`;
    await crowd.publish(exposures);
    const product = await timed(exposures, () => importAndTell(crowd));
    const raw = await timed(exposures, () => byHand(hand));
    for (const table of TABLES.flatMap((table) => [table, copyOf(table)])) {
      const count = await crowd.count(sql.raw(`select count(*) from ${table}`));
      if (count !== exposures) throw new Error(`${count} rows in ${table} instead of ${exposures}`);
    }
    const told = await crowd.count(sql`select count(*) from tracking.association where open_alerts = 1`);
    if (told !== exposures) throw new Error(`${told} associations with an alert instead of ${exposures}`);
    samples.push({ product, raw });
  }
  await hand.end();
  await crowd.close();
  report({ line: "raise-alerts", database: "postgres", exposures, bounds: BOUNDS }, samples);
}
