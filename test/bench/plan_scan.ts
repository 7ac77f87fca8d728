import postgres from "postgres";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { hibpFeed } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { MOST_COUNTED } from "../../src/breaches/ports.ts";
import { growthDuring, openEngine, timed } from "./engine.ts";
import { type Pair, report } from "./load.ts";
import { spawnPeer } from "./peer.ts";

const ROUNDS = 3;
const BOUNDS = { share: 0.8 };
const MOST_MB = 50;
const FIRST_BATCH = 400;
const LEASE_MS = 50_000;
const userAgent = "Breachbell/0.1.0 (+https://breachbell.example)";

/** Rates by round, and the peak memory, in MB. */
export async function measurePlan(databaseUrl: string, addresses: number, rounds = ROUNDS) {
  const peer = await spawnPeer();
  const { url: baseUrl, apiKey } = peer;
  const engine = await openEngine({
    databaseUrl,
    feeds: (budget, now) => [hibpFeed({ baseUrl, apiKey, budget, userAgent, now })],
  });
  // Hand-written statements have no deadline.
  const hand = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  // Checked under the previous catalogue, and not due for a week.
  async function anew(): Promise<void> {
    await hand`truncate breaches.breach, breaches.source, breaches.scan`;
    await hand`insert into breaches.scan (address, source, due_at, checked_at, generation)
      select 'person' || n || '@example.org', 'hibp', now() + interval '7 days', now(), 1
      from generate_series(1, ${addresses}::int) n`;
    // The planner has statistics of rows that were there for a while.
    await hand`analyze breaches.scan`;
  }
  const scansOf = <T>(work: (scans: ReturnType<typeof postgresBreaches>["scans"]) => Promise<T>) =>
    engine.plain((tx) => work(postgresBreaches(tx, { publish: async () => {} }).scans));
  async function byProduct(): Promise<void> {
    await engine.breaches.syncCatalogue();
    const claimed = await scansOf((scans) => scans.claimDue("hibp", FIRST_BATCH, new Date(), LEASE_MS));
    if (claimed.length !== FIRST_BATCH) throw new Error(`${claimed.length} addresses were taken`);
  }
  const byHand = () => hand`update breaches.scan set due_at = now() where source = 'hibp'`;
  const due = () => scansOf((scans) => scans.backlog("hibp", new Date()));
  const samples: Pair[] = [];
  let growth = 0;
  for (let round = 0; round < rounds; round++) {
    await anew();
    const raw = await timed(addresses, async () => void (await byHand()));
    await anew();
    await peer.publish("2025-11-14");
    await engine.breaches.syncCatalogue();
    if ((await due()).due !== 0) throw new Error("Some were due before the news");
    await peer.publish("2026-07-20");
    let product = raw;
    const grown = await growthDuring(async () => {
      product = await timed(addresses, byProduct);
    });
    if ((await due()).due !== Math.min(addresses, MOST_COUNTED)) throw new Error("Not everybody became due");
    growth = Math.max(growth, grown);
    samples.push({ product, raw });
  }
  await hand.end();
  await engine.close();
  await peer.stop();
  return { samples, growth };
}

/**
 * A catalogue with a new entry makes every address due and the first of them are claimed, against one hand-written
 * UPDATE.
 */
export async function planScan(databaseUrl: string, addresses: number): Promise<void> {
  const { samples, growth } = await measurePlan(databaseUrl, addresses);
  const about = { line: "plan-scan", database: "postgres", addresses, bounds: BOUNDS };
  report({ ...about, growth_mb: growth, growth_bound_mb: MOST_MB }, samples, growth <= MOST_MB);
}
