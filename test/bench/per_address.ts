import { sql } from "drizzle-orm";
import { hibpFeed } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { openEngine, timed } from "./engine.ts";
import { median, round, spreadOf, tell } from "./figures.ts";
import { spawnPeer } from "./peer.ts";

const [FEW, MANY] = [100, 900];
const BOUND = 1.05;
const userAgent = "Breachbell/0.1.0 (+https://breachbell.example)";

/** A database with that many breaches in its catalogue, and `people` who are checked again on each call. */
async function checker(databaseUrl: string, breaches: number, people: number) {
  const peer = await spawnPeer(people);
  const { url: baseUrl, apiKey } = peer;
  const engine = await openEngine({
    databaseUrl,
    feeds: (budget, now) => [hibpFeed({ baseUrl, apiKey, budget, userAgent, now })],
  });
  await engine.breaches.syncCatalogue();
  await engine.plain(async (tx) => {
    await tx.execute(sql`delete from breaches.breach where name not in (select name from breaches.breach
      order by name in ('Adobe', 'LinkedIn', 'Dropbox') desc, name limit ${breaches}::int)`);
    await tx.execute(sql`insert into breaches.watch (association_id, account_id, address)
      select gen_random_uuid(), gen_random_uuid(), 'person' || n || '@example.org' from generate_series(0, ${people - 1}::int) n`);
  });
  return {
    /** Milliseconds per address. */
    async cost(): Promise<number> {
      await engine.plain(async (tx) => {
        for (const table of ["alert", "exposure", "scan"]) await tx.execute(sql.raw(`truncate breaches.${table}`));
        await tx.execute(sql`truncate events.outbox`);
        await tx.execute(sql`update breaches.watch set baseline_at = null`);
        await tx.execute(sql`insert into breaches.scan (address, source, due_at)
          select address, 'hibp', now() from breaches.watch`);
      });
      const { rate } = await timed(people, async () => {
        const { checked, trouble } = await engine.breaches.scanDue();
        if (checked !== people) throw new Error(`Only ${checked} addresses were checked: ${trouble?.reason}`);
      });
      return 1000 / rate;
    },
    async close(): Promise<void> {
      await engine.close();
      await peer.stop();
    },
  };
}

/**
 * The cost of checking an address with many known breaches, against the same with few: history makes nothing slower.
 */
export async function perAddress(newDatabase: () => Promise<string>, people: number, rounds: number): Promise<void> {
  const few = await checker(await newDatabase(), FEW, people);
  const many = await checker(await newDatabase(), MANY, people);
  await few.cost();
  await many.cost();
  const costs: { few: number; many: number }[] = [];
  // Each is first equally often, so that after-effects of a check affect both.
  for (let turn = 0; turn < rounds; turn++) {
    const first = turn % 2 === 0 ? await few.cost() : undefined;
    const cost = await many.cost();
    costs.push({ few: first ?? (await few.cost()), many: cost });
  }
  await few.close();
  await many.close();
  const ratios = costs.map((cost) => cost.many / cost.few);
  const figure = median(ratios);
  tell({
    line: "per-address",
    database: "postgres",
    addresses: people,
    few: FEW,
    many: MANY,
    few_ms: round(median(costs.map((cost) => cost.few)), 3),
    many_ms: round(median(costs.map((cost) => cost.many)), 3),
    figure: round(figure, 3),
    spread: round(spreadOf(ratios)),
    bound: BOUND,
    pass: figure <= BOUND,
  });
}
