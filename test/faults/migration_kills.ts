// `kill -9` at a statement of the migration, from the first release to this one, followed by a start.
//   ALL=1 bun test/faults/migration_kills.ts
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { migrationsIn } from "../../src/backup/schema.ts";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { openServer } from "../../src/database/server.ts";
import { cleared, folder, MIGRATIONS, type Opened, sumsOf } from "../backup/stage.ts";
import { becomeRelease, RELEASES, rowsIn } from "../releases/releases.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { atMost, type Finding, tell } from "./bench.ts";

export type Start = { code: number | null; signal: NodeJS.Signals | number | null; said: string };

export async function start(database: string, killAt?: number): Promise<Start> {
  const worker = Bun.spawn(
    [process.execPath, join(import.meta.dirname, "migration_worker.ts"), database, ...(killAt ? [String(killAt)] : [])],
    { stdout: "pipe", stderr: "pipe" },
  );
  const [said, complaint] = await Promise.all([new Response(worker.stdout).text(), new Response(worker.stderr).text()]);
  await worker.exited;
  return { code: worker.exitCode, signal: worker.signalCode, said: `${said}${complaint}` };
}

export type MigrationKills = { database: "postgres" | "pglite"; at: (statements: number) => number[] };

/** The number of statements between the first release and this one. */
export function statementsToRun(): number {
  const [, ...later] = migrationsIn(MIGRATIONS);
  return later.reduce((sum, { statements }) => sum + statements.length + 1, 0);
}

export async function place(database: "postgres" | "pglite") {
  const url = database === "pglite" ? join(folder(), "data") : await createDatabase(await sharedPostgresUrl());
  async function during<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    const opened = await (database === "pglite" ? openPglite(url, undefined) : openServer(url, undefined));
    return work(opened).finally(() => opened.close());
  }
  const migrations = () =>
    during((opened) =>
      opened.unhurried(async (tx) => {
        const rows = await rowsOf<{ count: number }>(
          tx,
          sql`select count(*)::integer as count from drizzle.__drizzle_migrations`,
        );
        return rows[0]?.count ?? 0;
      }),
    );
  return { url, during, migrations };
}

/** The problems found; empty if there are none. */
export async function migrationKills({ database, at }: MigrationKills): Promise<{ kills: number; wrong: string[] }> {
  const [first = ""] = RELEASES;
  const { url, during, migrations } = await place(database);
  await during((opened) => becomeRelease(opened, first));
  const before = JSON.stringify(await during(sumsOf));
  const wrong: string[] = [];
  const moments = at(statementsToRun());
  for (const moment of moments) {
    const { signal } = await start(url, moment);
    if (signal !== "SIGKILL") wrong.push(`statement ${moment}: the process was not killed`);
    if (JSON.stringify(await during(sumsOf)) !== before)
      wrong.push(`statement ${moment}: the database is not as it was`);
  }
  const last = await start(url);
  if (last.code !== 0) wrong.push(`the start after it: ${last.said}`);
  if ((await migrations()) !== migrationsIn(MIGRATIONS).length) wrong.push("the start after it did not migrate");
  const now = await during(sumsOf);
  for (const [table, rows] of await rowsIn(first))
    if (now.find(({ name }) => name === table)?.rows !== rows.length) wrong.push(`rows of "${table}" are lost`);
  return { kills: moments.length, wrong };
}

async function both(every: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  const at = (statements: number) =>
    Array.from({ length: Math.ceil(statements / every) }, (_, index) => index * every + 1);
  for (const database of ["postgres", "pglite"] as const) {
    const { kills, wrong } = await migrationKills({ database, at });
    for (const line of wrong) console.error(line);
    findings.push(
      atMost("R33", `${database}, killed at ${kills} statements: what was wrong after it`, wrong.length, 0),
    );
  }
  await cleared();
  return findings;
}

if (import.meta.main) await tell(both(process.env.ALL ? 1 : Number(process.env.EVERY ?? 20)));
