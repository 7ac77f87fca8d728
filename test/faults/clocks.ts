// R16: the product with a wrong and jumping clock, on a database server with the correct time: no session and no
// code lives longer, and no lease is taken over early. Requires Debian's `faketime`.
//   bun test/faults/clocks.ts

import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { atLeast, atMost, type Finding, openBench, PATIENT, signedIn, tell } from "./bench.ts";
import { fakeClock } from "./fake_clock.ts";

/** Tolerance in seconds: the duration of a request on a busy machine. */
const SLACK = 20;

export async function clocks(offsets: string[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const bench = await openBench();
  const clock = fakeClock();
  const right = await bench.start();
  const wrong = await bench.start(clock.env);
  const database = await postgresDatabase(await openServer(bench.database, undefined, PATIENT), postgresEvents);
  const plain = database.transactionOf((tx: Database) => tx);
  const ask = <Row>(query: ReturnType<typeof sql>) => plain((tx) => rowsOf<Row>(tx, query));

  for (const [index, offset] of offsets.entries()) {
    clock.set(offset);
    // A jump during the run, after the process has read the database's clock.
    const email = `person${index}@example.org`;
    await signedIn(bench, wrong.url, email);
    // The server refreshes the date of its responses each second.
    await Bun.sleep(1500);
    const told = await fetch(`${wrong.url}/livez`);
    const off = Math.abs(Date.parse(told.headers.get("Date") ?? "") - Date.now()) / 3_600_000;
    findings.push(atLeast("R16", `${offset}: hours that the process's own clock is off`, off, 0.9));
    const [session] = await ask<{ seconds: number }>(
      sql`select extract(epoch from max(expires_at) - now())::float8 as seconds from identity.sessions`,
    );
    const day = 24 * 3600;
    findings.push(
      atMost(
        "R16",
        `${offset}: seconds that a session lives beyond a week`,
        Math.max(0, (session?.seconds ?? Number.NaN) - 7 * day),
        SLACK,
      ),
    );
    await fetch(`${wrong.url}/api/login`, {
      method: "POST",
      headers: { Origin: wrong.url, "Content-Type": "application/json" },
      body: JSON.stringify({ email, password: "Tranquil-Harbour-42" }),
    });
    const [code] = await ask<{ seconds: number }>(
      sql`select extract(epoch from max(expires_at) - now())::float8 as seconds from identity.login_codes`,
    );
    findings.push(
      atMost(
        "R16",
        `${offset}: seconds that a code lives beyond ten minutes`,
        Math.max(0, (code?.seconds ?? Number.NaN) - 600),
        SLACK,
      ),
    );
    // Leases of the process with the correct clock: a wrong clock must not consider them expired.
    await ask(sql`insert into events.outbox (id, event, run_at, lease_token, lease_until)
      values (gen_random_uuid(), '{"type":"fault.held"}', now() - interval '1 minute', gen_random_uuid(), now() + interval '1 minute')`);
    await Bun.sleep(8000);
    const stolen = await ask(sql`select 1 from events.outbox where event->>'type' = 'fault.held' and attempts > 0`);
    const [left] = await ask<{ count: number }>(
      sql`select count(*)::integer as count from events.outbox where event->>'type' = 'fault.held'`,
    );
    findings.push(atMost("R16", `${offset}: leases stolen`, stolen.length + 1 - (left?.count ?? 0), 0));
    await ask(sql`delete from events.outbox where event->>'type' = 'fault.held'`);
  }
  await Promise.all([right.stop(), wrong.stop()]);
  await database.close();
  await bench.close();
  clock.remove();
  return findings;
}

if (import.meta.main) await tell(clocks((process.env.OFFSETS ?? "-2h,+1d,+400d,-1h").split(",")));
