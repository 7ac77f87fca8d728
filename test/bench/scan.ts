import { type SQL, sql } from "drizzle-orm";
import { addressHash, hibpFeed } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { openEngine, timed } from "./engine.ts";
import { median, round, tell } from "./figures.ts";
import { type Pair, report } from "./load.ts";
import { spawnPeer } from "./peer.ts";

const ROUNDS = 3;
const BOUNDS = { rate: 1500 };
/** The product stays below the limit by this much, as HIBP asks; the least share that it has to reach of that. */
const [SHARE, PACED] = [0.95, 0.97];
const userAgent = "Breachbell/0.1.0 (+https://breachbell.example)";

/** The product's maximum number of concurrent requests. */
const AT_ONCE = 16;
/** That many rows per statement. */
const STEP = 20_000;

type Size = { people: number; due?: number; rounds?: number; perMinute?: number };

/** Rates by round, with the given number of all people due. */
export async function measureScan(
  databaseUrl: string | undefined,
  { people, due = people, rounds = ROUNDS, perMinute }: Size,
): Promise<Pair[]> {
  const peer = await spawnPeer(people, perMinute);
  const { url: baseUrl, apiKey } = peer;
  const engine = await openEngine({
    databaseUrl,
    feeds: (budget, now) => [hibpFeed({ baseUrl, apiKey, budget, userAgent, now })],
  });
  await engine.breaches.syncCatalogue();
  /** In batches: no statement of the engine may take longer than a request waits. */
  async function filling(insert: (from: number, to: number) => SQL): Promise<void> {
    for (let from = 0; from < people; from += STEP)
      await engine.plain((tx) => tx.execute(insert(from, Math.min(from + STEP, people) - 1)));
  }
  await filling(
    (from, to) => sql`insert into breaches.watch (association_id, account_id, address)
      select gen_random_uuid(), gen_random_uuid(), 'person' || n || '@example.org'
      from generate_series(${from}::int, ${to}::int) n`,
  );
  async function anew(): Promise<void> {
    await engine.plain(async (tx) => {
      for (const table of ["alert", "exposure", "scan"]) await tx.execute(sql.raw(`truncate breaches.${table}`));
      await tx.execute(sql`truncate events.outbox`);
      await tx.execute(sql`update breaches.watch set baseline_at = null where baseline_at is not null`);
    });
    // All except those that are due were checked under the current catalogue.
    await filling(
      (from, to) => sql`insert into breaches.scan (address, source, due_at, checked_at, generation)
        select 'person' || n || '@example.org', 'hibp', now() + case when n >= ${due}::int then interval '7 days' else '0' end,
          case when n >= ${due}::int then now() end, (select generation from breaches.source where source = 'hibp')
        from generate_series(${from}::int, ${to}::int) n`,
    );
    await engine.plain((tx) => tx.execute(sql`analyze breaches.scan`));
  }
  async function checked(): Promise<void> {
    const { checked: count, trouble } = await engine.breaches.scanDue();
    if (count !== due) throw new Error(`Only ${count} addresses were checked: ${trouble?.reason}`);
  }
  async function bare(): Promise<void> {
    let next = 0;
    const headers = { "user-agent": userAgent, "hibp-api-key": apiKey };
    async function ask(): Promise<void> {
      while (next < due) {
        const prefix = addressHash(`person${next++}@example.org`).slice(0, 6);
        const answer = await fetch(`${baseUrl}/breachedaccount/range/${prefix}`, { headers });
        await answer.json();
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
  }
  await anew();
  await checked();
  await bare();
  const samples: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    await anew();
    samples.push({ product: await timed(due, checked), raw: await timed(due, bare) });
  }
  await engine.close();
  await peer.stop();
  return samples;
}

/**
 * Addresses that one process checks per second, against the same requests by bare `fetch`, with the same concurrency.
 */
export async function scan(databaseUrl: string | undefined, people: number): Promise<void> {
  const samples = await measureScan(databaseUrl, { people });
  report({ line: "scan", database: databaseUrl ? "postgres" : "pglite", addresses: people, bounds: BOUNDS }, samples);
}

/** The share of its allowance that is asked of a source with a limit. */
export async function pacedScan(databaseUrl: string | undefined, people: number): Promise<void> {
  const perMinute = 3000;
  const samples = await measureScan(databaseUrl, { people, rounds: 1, perMinute });
  const [rate, allowed] = [median(samples.map(({ product }) => product.rate)), perMinute / 60];
  const share = round(rate / (SHARE * allowed), 3);
  tell({
    line: "paced-scan",
    database: databaseUrl ? "postgres" : "pglite",
    addresses: people,
    rate: round(rate, 1),
    allowed,
    share,
    bound: PACED,
    pass: share >= PACED,
  });
}
