import { sql } from "drizzle-orm";
import { hibpFeed } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { openEngine, timed } from "./engine.ts";
import { report, type Sample } from "./load.ts";
import { spawnPeer } from "./peer.ts";

const ROUNDS = 7;
const BOUNDS = { share: 0.5 };
/** With nothing new. */
const MOST_STATEMENTS = 2;
const userAgent = "Breachbell/0.1.0 (+https://breachbell.example)";

/** The catalogue of 920 that grows to 1,017, and the unchanged one of 1,017, against parsing it and one upsert. */
export async function catalogueSync(databaseUrl: string | undefined): Promise<void> {
  const peer = await spawnPeer();
  const { url: baseUrl, apiKey } = peer;
  const engine = await openEngine({
    databaseUrl,
    feeds: (budget, now) => [hibpFeed({ baseUrl, apiKey, budget, userAgent, now })],
  });
  await engine.plain((tx) =>
    tx.execute(sql`create table if not exists public.raw_breach (name text primary key, breach jsonb not null)`),
  );
  const sync = () => engine.breaches.syncCatalogue();
  async function byHand(): Promise<void> {
    const text = await (await fetch(`${baseUrl}/breaches`, { headers: { "user-agent": userAgent } })).text();
    const rows = JSON.stringify(
      (JSON.parse(text) as { Name: string }[]).map((breach) => ({ name: breach.Name, breach })),
    );
    await engine.plain((tx) =>
      tx.execute(sql`insert into public.raw_breach as known (name, breach)
        select name, breach from json_to_recordset(${rows}::json) as row(name text, breach jsonb)
        on conflict (name) do update set breach = excluded.breach where known.breach <> excluded.breach`),
    );
  }
  const samples: Record<"920 to 1017" | "1017 to 1017", { product: Sample; raw: Sample }[]> = {
    "920 to 1017": [],
    "1017 to 1017": [],
  };
  let statements = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await engine.plain(async (tx) => {
      for (const table of ["breaches.breach", "breaches.source", "public.raw_breach"])
        await tx.execute(sql.raw(`truncate ${table}`));
    });
    await peer.publish("2025-11-14");
    await sync();
    await byHand();
    await peer.publish("2026-07-20");
    samples["920 to 1017"].push({ product: await timed(1, sync), raw: await timed(1, byHand) });
    samples["1017 to 1017"].push({ product: await timed(1, sync), raw: await timed(1, byHand) });
    statements = await engine.statementsOf(sync);
  }
  const database = databaseUrl ? "postgres" : "pglite";
  report({ line: "catalogue-sync", database, change: "920 to 1017", bounds: BOUNDS }, samples["920 to 1017"]);
  report(
    {
      line: "catalogue-sync",
      database,
      change: "1017 to 1017",
      bounds: BOUNDS,
      statements,
      statements_bound: MOST_STATEMENTS,
    },
    samples["1017 to 1017"],
    statements <= MOST_STATEMENTS,
  );
  await engine.close();
  await peer.stop();
}
