import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { listed } from "../database/lists.ts";
import { hasTable } from "../database/logical_dump.ts";
import type { Database } from "../database/postgres.ts";
import type { Mac } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import { erasureTable } from "./adapters/postgres/erasures.ts";

export type Marks = ReadonlySet<string>;
export type Ended = "account" | "consent";

/** Next to the backups, as an older backup does not contain it. */
export const ERASURES_FILE = "erasures.txt";

/** A keyed hash: identifies nobody without the id and the secret. */
export function markOf(mac: Mac, what: Ended, id: string): string {
  return mac(`ended ${what}`, id);
}

/** Recorded in the database and next to the backups, so that one survives the loss of the other. */
export type Erasures = { note(what: Ended, id: string): Promise<void> };

type ErasureDeps = {
  mac: Mac;
  file: string;
  report: (error: unknown, context: Record<string, unknown>) => void;
};

export function erasures(transaction: Transaction<Database>, { mac, file, report }: ErasureDeps): Erasures {
  function append(mark: string): void {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      appendFileSync(file, `${mark}\n`, { mode: 0o600, flush: true });
    } catch (error) {
      // It is in the database, and so in every later backup.
      report(error, { task: "write down beside the backups who has left" });
    }
  }

  return {
    async note(what, id) {
      const mark = markOf(mac, what, id);
      const isNew = await transaction(
        async (tx) =>
          (await tx.insert(erasureTable).values({ mark }).onConflictDoNothing().returning({ mark: erasureTable.mark }))
            .length === 1,
      );
      if (isNew || !marksIn(file).has(mark)) append(mark);
    },
  };
}

function marksIn(file: string): Marks {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  // A line truncated by a power failure matches nothing.
  return new Set(lines.filter((line) => line !== ""));
}

/** All erasures recorded in these directories. */
export function marksBeside(folders: string[]): Marks {
  return new Set(folders.flatMap((folder) => [...marksIn(join(folder, ERASURES_FILE))]));
}

export async function storedMarks(tx: Database): Promise<Marks> {
  if (!(await hasTable(tx, "backup.erasure"))) return new Set();
  return new Set((await tx.select({ mark: erasureTable.mark }).from(erasureTable)).map(({ mark }) => mark));
}

export async function storeMarks(tx: Database, marks: Marks): Promise<void> {
  await tx.execute(sql`insert into ${erasureTable} (mark) select unnest(${listed([...marks])}) on conflict do nothing`);
}
