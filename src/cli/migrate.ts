import { sql } from "drizzle-orm";
import { migrationsIn } from "../backup/schema.ts";
import { hasTable, rowsOf } from "../database/logical_dump.ts";
import { MIGRATIONS } from "../database/open.ts";
import { type Cell, done, failed, table, text } from "./answer.ts";
import { command, type DatabaseContext } from "./command.ts";
import { NoDatabase, openAppContext } from "./rooms.ts";
import { minute } from "./words.ts";

export type Migration = { name: string; state: "applied" | "pending"; writtenAt: string };

/** The migrations of this release and of the database; `ahead`: the database was migrated by a later release. */
export async function migrationsOf({
  database,
}: Pick<DatabaseContext, "database">): Promise<{ list: Migration[]; ahead: boolean }> {
  const known = migrationsIn(MIGRATIONS);
  const applied = await (await database())(async (tx) => {
    if (!(await hasTable(tx, "drizzle.__drizzle_migrations"))) return 0;
    const [last] = await rowsOf<{ at: string | number | null }>(
      tx,
      sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
    );
    return Number(last?.at ?? 0);
  });
  const list = known.map(({ tag, at }): Migration => {
    return { name: tag, state: at <= applied ? "applied" : "pending", writtenAt: new Date(at).toISOString() };
  });
  return { list, ahead: applied > Math.max(...known.map(({ at }) => at)) };
}

function shownOf(list: Migration[]) {
  const rows = list.map(({ name, state, writtenAt }): Cell[] => [
    name,
    state === "applied" ? { text: state, tone: "good" } : { text: state, tone: "warn" },
    minute(writtenAt),
  ]);
  return table(["MIGRATION", "STATE", "WRITTEN (UTC)"], rows, "There are no migrations.");
}

const AHEAD =
  "A later release has migrated this database: this one must not write to it. Install the later release again";

const status = command({
  name: "migrate status",
  says: "Show the database's migrations",
  examples: ["migrate status"],
  room: "database",
  async run(bench) {
    const { list, ahead } = await migrationsOf(bench);
    const data = { migrations: list, pending: list.filter(({ state }) => state === "pending").length, ahead };
    if (ahead) return failed("DATABASE_AHEAD", AHEAD, { data, shown: [shownOf(list)] });
    const sum =
      data.pending === 0 ? text("The database is up to date.", "good") : text("Run: breachbell migrate up", "warn");
    return done(data, shownOf(list), sum);
  },
});

const up = command({
  name: "migrate up",
  says: "Apply pending migrations, as every start of the server does",
  more: "The previous release may keep running meanwhile. A backup is made first, unless BACKUP_AT=off.",
  examples: ["migrate up"],
  room: "database",
  changes: true,
  async run(bench) {
    const before = await migrationsOf(bench).catch((error) => {
      if (error instanceof NoDatabase) return { list: [], ahead: false };
      throw error;
    });
    if (before.ahead) return failed("DATABASE_AHEAD", AHEAD);
    const had = new Set(before.list.flatMap(({ name, state }) => (state === "applied" ? [name] : [])));
    await bench.letGo();
    const { room, close } = bench.isServer
      ? { room: undefined, close: async () => {} }
      : await openAppContext(bench.config, bench);
    try {
      const after = room === undefined ? before : await migrationsOf(room);
      const applied = after.list.flatMap(({ name, state }) => (state === "applied" && !had.has(name) ? [name] : []));
      if (applied.length > 0)
        await room?.audit(
          "database_migrated",
          { kind: "installation", id: "database" },
          { last: applied.at(-1) ?? "" },
        );
      const sum = applied.length === 0 ? "Nothing was missing." : `Applied ${applied.join(", ")}.`;
      return done({ applied }, text(sum, "good"));
    } finally {
      await close();
    }
  },
});

export const migrate = [status, up];
