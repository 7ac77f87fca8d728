import { sql } from "drizzle-orm";
import { isDirectoryInUse } from "../database/lock.ts";
import { rowsOf } from "../database/logical_dump.ts";
import { describeError } from "../runtime/log.ts";
import type { DatabaseContext } from "./command.ts";
import { type Finding, fail, finding, ok, warn } from "./doctor_finding.ts";
import { migrationsOf } from "./migrate.ts";
import { NoDatabase } from "./rooms.ts";
import { bytes, many } from "./words.ts";

const OLDEST_MAJOR = 15;
const [SKEW_WARN_MS, SKEW_FAIL_MS] = [2000, 60_000];

/**
 * The database's clock, read between two instants of this host: only a difference outside of that interval counts as skew,
 * however long the query took.
 */
function clock(databaseMs: number, sentMs: number, answeredMs: number): Finding {
  const skew = Math.max(0, sentMs - databaseMs, databaseMs - answeredMs);
  const says = `Its clock and this host's are ${skew < 1000 ? `${Math.round(skew)} ms` : `${Math.round(skew / 1000)} s`} apart`;
  const mend = "Let both hosts take their time from NTP: codes and links expire by it";
  return finding(skew > SKEW_FAIL_MS ? "fail" : skew > SKEW_WARN_MS ? "warn" : "ok", says, mend);
}

async function migrations(bench: DatabaseContext): Promise<Finding> {
  const { list, ahead } = await migrationsOf(bench);
  const pending = list.filter(({ state }) => state === "pending");
  if (ahead)
    return fail("A later release has migrated it", "Install that release again, or restore a backup of this one");
  if (pending.length === 0) return ok(`All ${many(list.length, "migration")} are applied`);
  return fail(
    `${many(pending.length, "migration")} are missing: ${pending.map(({ name }) => name).join(", ")}`,
    "Run breachbell migrate up, or start the server",
  );
}

type OpenDatabase = Awaited<ReturnType<DatabaseContext["database"]>>;

function unreachable(error: unknown, mode: DatabaseContext["config"]["database"]["kind"]): Finding {
  if (error instanceof NoDatabase)
    return fail(error.message, "Set DATA_DIR to the folder of the installation, or start the server once");
  return fail(
    String(describeError(error).error),
    mode === "server" ? "Correct DATABASE_URL, or start the server there" : "Look at DATA_DIR, or restore a backup",
  );
}

/** Reports version, size, encoding, latency and clock. */
async function vitals(open: OpenDatabase, mode: DatabaseContext["config"]["database"]["kind"]): Promise<Finding[]> {
  const sent = Date.now();
  const [facts] = await open((tx) =>
    rowsOf<{ now: string; version: string; size: string; encoding: string }>(
      tx,
      sql`select extract(epoch from clock_timestamp()) * 1000 as now, current_setting('server_version') as version,
        pg_database_size(current_database())::text as size, pg_encoding_to_char(encoding) as encoding
        from pg_database where datname = current_database()`,
    ),
  );
  const took = Date.now() - sent;
  const version = facts?.version ?? "unknown";
  const list = [
    ok(
      `${mode === "embedded" ? "Embedded" : "Server"}, Postgres ${version}, ${bytes(Number(facts?.size ?? 0))}, answers in ${took} ms`,
    ),
  ];
  if (Number.parseInt(version, 10) < OLDEST_MAJOR)
    list.push(fail(`Postgres ${version} is too old`, `Upgrade it to ${OLDEST_MAJOR} or later`));
  if (facts?.encoding !== "UTF8")
    list.push(fail(`Its encoding is ${facts?.encoding}`, "Recreate the database with encoding UTF8"));
  if (took > 1000) list.push(warn("It answers slowly", "Move it nearer, or look at its load"));
  return [...list, clock(Number(facts?.now ?? 0), sent, sent + took)];
}

/** Whether it accepts writes, tested with a temporary table. */
async function writable(open: OpenDatabase): Promise<Finding> {
  try {
    await open(async (tx) => {
      await tx.execute(sql`create temporary table breachbell_doctor (one integer) on commit drop`);
      await tx.execute(sql`insert into breachbell_doctor values (1)`);
    });
    return ok("It accepts writes");
  } catch {
    return fail(
      "It rejects writes",
      "Check whether it is a read-only replica or its disk is full, and what its user is allowed to do",
    );
  }
}

/** Whether it is reachable, of a supported version, migrated, writable, and in sync with this host's clock. */
export async function checkDatabase(bench: DatabaseContext): Promise<Finding[]> {
  const mode = bench.config.database.kind;
  let open: OpenDatabase;
  try {
    open = await bench.database();
  } catch (error) {
    // In use by a process that accepts no commands: the caller waits for that one.
    if (isDirectoryInUse(error)) throw error;
    return [unreachable(error, mode)];
  }
  return [...(await vitals(open, mode)), await migrations(bench), await writable(open)];
}
