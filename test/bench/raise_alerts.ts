import { sql } from "drizzle-orm";
import postgres, { type Sql } from "postgres";
import { type Crowd, openCrowd } from "./crowd.ts";
import { timed } from "./engine.ts";
import { type Pair, report } from "./load.ts";

const ROUNDS = 3;
const BOUNDS = { rate: 10_000 };

/**
 * The same rows as the product's, copied with one statement per table into tables with the same columns and indexes.
 */
async function prepareByHand(hand: Sql): Promise<void> {
  await hand`create schema raw`;
  for (const [name, like] of [
    ["exposure", "breaches.exposure"],
    ["alert", "breaches.alert"],
    ["delivery", "notifications.delivery"],
  ])
    await hand.unsafe(`create table raw.${name} (like ${like} including all)`);
}

async function byHand(hand: Sql): Promise<void> {
  await hand.begin(async (tx) => {
    await tx`insert into raw.exposure select * from breaches.exposure`;
    await tx`insert into raw.alert select * from breaches.alert`;
    await tx`insert into raw.delivery select * from notifications.delivery`;
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
 * A list of people in a breach becomes exposures, alerts and pending messages, against the same rows by INSERT …
 * SELECT.
 */
export async function raiseAlerts(databaseUrl: string, exposures: number): Promise<void> {
  const crowd = await openCrowd(databaseUrl, exposures);
  // Hand-written statements have no deadline.
  const hand = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await prepareByHand(hand);
  const samples: Pair[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await hand`truncate raw.exposure, raw.alert, raw.delivery, breaches.exposure, breaches.alert`;
    await hand`truncate notifications.delivery cascade`;
    await crowd.publish(exposures);
    const product = await timed(exposures, () => importAndTell(crowd));
    const raw = await timed(exposures, () => byHand(hand));
    for (const table of ["breaches.alert", "notifications.delivery", "raw.alert", "raw.delivery"]) {
      const count = await crowd.count(sql.raw(`select count(*) from ${table}`));
      if (count !== exposures) throw new Error(`${count} rows in ${table} instead of ${exposures}`);
    }
    samples.push({ product, raw });
  }
  await hand.end();
  await crowd.close();
  report({ line: "raise-alerts", database: "postgres", exposures, bounds: BOUNDS }, samples);
}
