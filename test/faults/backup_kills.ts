// `kill -9` during a backup: the database is unchanged, and the file is either complete or the previous one.
//   KILLS=20 SEED=7 bun test/faults/backup_kills.ts
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { verifyBackup } from "../../src/backup/read.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { openServer } from "../../src/database/server.ts";
import { cleared, folder, MIGRATIONS, mac, type Opened, sumsOf } from "../backup/stage.ts";
import { fillEveryTable } from "../support/filled.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";
import { randomOf } from "./scan_kills.ts";

const LATEST_KILL_MS = 1500;
const ROWS = 20_000;

export type BackupKills = { kills: number; seed: number; database: "postgres" | "pglite" };
export type BackupKillReport = BackupKills & { broken: string[]; whole: number; partial: number };

/** Kills a process that makes backups in a loop, some time after it started, or after the first backup was complete. */
async function killOne(
  database: string,
  file: string,
  { after, delayMs }: { after: "ready" | "made"; delayMs: number },
) {
  const worker = Bun.spawn([process.execPath, join(import.meta.dirname, "backup_worker.ts"), database, file], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const [reader, decoder] = [worker.stdout.getReader(), new TextDecoder()];
  for (let said = ""; !said.includes(after); ) {
    const { value, done } = await reader.read();
    if (done) throw new Error("The worker ended by itself");
    said += decoder.decode(value, { stream: true });
  }
  await Bun.sleep(delayMs);
  worker.kill("SIGKILL");
  await worker.exited;
  if (worker.signalCode !== "SIGKILL") throw new Error("The worker ended by itself");
}

export async function backupKills({ kills, seed, database }: BackupKills): Promise<BackupKillReport> {
  const random = randomOf(seed);
  const place = folder();
  const directory = join(place, "data");
  const url = database === "pglite" ? directory : await createDatabase(await sharedPostgresUrl());
  const open = (migrations?: string): Promise<Opened> =>
    database === "pglite" ? openPglite(directory, migrations) : openServer(url, migrations);
  const during = async <T>(work: (opened: Opened) => Promise<T>, migrations?: string) => {
    const opened = await open(migrations);
    return work(opened).finally(() => opened.close());
  };
  const before = await during(async (opened) => {
    await opened.unhurried(async (tx) => {
      await fillEveryTable(tx, 3);
      await tx.execute(sql`insert into identity.attempts (key, tries, until)
        select md5(number::text), number, now() from generate_series(1, ${ROWS}) as number`);
    });
    return sumsOf(opened);
  }, MIGRATIONS);
  const report: BackupKillReport = { kills, seed, database, broken: [], whole: 0, partial: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const file = join(place, `${kill % 5}.backup`);
    const delayMs = Math.floor(random() * LATEST_KILL_MS);
    await killOne(url, file, { after: kill % 2 === 0 ? "ready" : "made", delayMs });
    const names = readdirSync(place);
    if (names.some((name) => name.includes(".partial-"))) report.partial += 1;
    for (const name of names.filter((found) => /^\d+\.backup$/.test(found))) {
      const { sums } = await verifyBackup(join(place, name), { mac });
      if (JSON.stringify(sums) === JSON.stringify(before)) report.whole += 1;
      else report.broken.push(`${name} after kill ${kill}`);
    }
    if (database === "pglite" && JSON.stringify(await during(sumsOf)) !== JSON.stringify(before))
      report.broken.push(`the database after kill ${kill}`);
  }
  if (JSON.stringify(await during(sumsOf)) !== JSON.stringify(before)) report.broken.push("the database");
  return report;
}

async function both(kills: number, seed: number): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const database of ["postgres", "pglite"] as const) {
    const { broken, whole } = await backupKills({ kills, seed, database });
    for (const line of broken) console.error(line);
    const on = `${database}, ${kills} kills, seed ${seed}`;
    findings.push(
      atMost("R31", `${on}: broken backups or databases`, broken.length, 0),
      atLeast("R31", `${on}: backups that were whole`, whole, 1),
    );
  }
  await cleared();
  return findings;
}

if (import.meta.main) await tell(both(Number(process.env.KILLS ?? 20), Number(process.env.SEED ?? 1)));
