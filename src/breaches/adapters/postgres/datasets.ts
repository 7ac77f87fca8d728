import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { listed } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import { BUCKETS, bucketOf, hashesOf, widthOf } from "../../datasets/hash_blocks.ts";
import type { DatasetRepository, HashBlock, ImportCounts, ImportProgress } from "../../ports.ts";
import { breachTable } from "./tables.ts";
import { datasetBlockTable, datasetTable, importTable } from "./tables_datasets.ts";

const UNREAD: ImportProgress = {
  state: "running",
  lines: 0,
  added: 0,
  raised: 0,
  bad: 0,
  problems: [],
  reason: undefined,
};

const keyOf = ({ bucket, breachName }: Pick<HashBlock, "bucket" | "breachName">) => `${bucket} ${breachName}`;
const numbers = (list: number[]) =>
  sql`array(select value::int from json_array_elements_text(${JSON.stringify(list)}::json))`;

/** Blocks per statement. */
const CHUNK = 1024;
/** Up to this many blocks per bucket and breach, hashes are deduplicated before they are stored. */
const FEW = 4;

export function postgresDatasets(tx: Database): DatasetRepository {
  const placesOf = (blocks: HashBlock[]) => sql`unnest(${numbers(blocks.map(({ bucket }) => bucket))},
    ${listed(blocks.map(({ breachName }) => breachName))}, ${numbers(blocks.map(({ hashes }) => hashes.length))})
    with ordinality as place(bucket, breach_name, bytes, number)`;

  /** The stored hashes of these buckets, if their number is small. */
  async function knownAmong(blocks: HashBlock[]): Promise<Map<string, Set<string>>> {
    const largest = blocks.reduce((one, other) => (other.hashes.length > one.hashes.length ? other : one));
    const isHere = and(
      eq(datasetBlockTable.bucket, largest.bucket),
      eq(datasetBlockTable.breachName, largest.breachName),
    );
    const few = await tx
      .select({ bucket: datasetBlockTable.bucket })
      .from(datasetBlockTable)
      .where(isHere)
      .limit(FEW + 1);
    if (few.length > FEW) return new Map();
    const known = new Map<string, Set<string>>();
    const rows = await rowsOf<{ bucket: number; breachName: string; hex: string }>(
      tx,
      sql`select bucket, breach_name as "breachName", encode(hashes, 'hex') as hex
        from ${placesOf(blocks)} join ${datasetBlockTable} block using (bucket, breach_name)`,
    );
    for (const { hex, ...place } of rows) {
      const hashes = hashesOf({ ...place, hashes: Uint8Array.fromHex(hex) });
      known.set(keyOf(place), new Set([...(known.get(keyOf(place)) ?? []), ...hashes]));
    }
    return known;
  }

  async function insert(blocks: HashBlock[]): Promise<number> {
    // Aggregated by the kind of hash, as a row for each block takes longer to parse than to store.
    const rows = await rowsOf<{ bucket: number; bytes: number }>(
      tx,
      // All hashes as one value, sliced for each block: separate values take twice as long.
      sql`with given as materialized (select decode(${Buffer.concat(blocks.map(({ hashes }) => hashes)).toString("base64")}::text, 'base64') as bytes),
        place as (
          select bucket, breach_name, bytes, 1 + (sum(bytes) over (order by number))::int - bytes as start from ${placesOf(blocks)}
        ),
        block as (
          select bucket, breach_name, substring((select bytes from given) from start for bytes) as hashes from place
        ),
        stored as (
          insert into ${datasetBlockTable} (bucket, breach_name, digest, hashes)
          select bucket, breach_name, sha256(hashes), hashes from block
          on conflict do nothing returning bucket, length(hashes) as bytes
        )
        select min(bucket) as bucket, sum(bytes)::float8 as bytes from stored group by bucket < ${BUCKETS}::int`,
    );
    return rows.reduce((sum, { bucket, bytes }) => sum + bytes / widthOf(bucket), 0);
  }

  const counted = ({ added, raised }: ImportCounts) => {
    const grown = (field: string, by: number) =>
      sql`${field}::text, coalesce((${importTable.progress}->>${field}::text)::int, 0) + ${by}::int`;
    return sql`jsonb_build_object(${grown("added", added)}, ${grown("raised", raised)})`;
  };

  /** Conditional on the lease. */
  async function saveLeased(id: string, leaseToken: string, leaseUntil: Date, progress: SQL): Promise<boolean> {
    const held = await tx
      .update(importTable)
      .set({ progress, leaseUntil })
      .where(and(eq(importTable.id, id), eq(importTable.leaseToken, leaseToken)))
      .returning({ id: importTable.id });
    return held.length === 1;
  }

  return {
    async add(blocks) {
      if (blocks.length === 0) return 0;
      const known = await knownAmong(blocks);
      const fresh = blocks.flatMap(({ hashes, ...place }) => {
        const stored = known.get(keyOf(place));
        if (!stored) return [{ ...place, hashes }];
        const rest = hashesOf({ ...place, hashes }).filter((hash) => !stored.has(hash));
        return rest.length > 0 ? [{ ...place, hashes: Uint8Array.fromHex(rest.join("")) }] : [];
      });
      // Sorted, so that parallel imports lock in one order; the server would be slower at sorting them.
      fresh.sort((one, other) => one.bucket - other.bucket || (one.breachName < other.breachName ? -1 : 1));
      let added = 0;
      // Small statements: PGlite blocks the thread that serves requests.
      for (let from = 0; from < fresh.length; from += CHUNK) added += await insert(fresh.slice(from, from + CHUNK));
      return added;
    },
    async breachesOf(hashes) {
      const rows = await rowsOf<{ breachName: string }>(
        tx,
        sql`select ${datasetTable.breachName} as "breachName" from ${datasetTable} where ${inArray(datasetTable.hash, hashes)}
          union select block.breach_name from unnest(${listed(hashes)}, ${numbers(hashes.map((hash) => bucketOf(Uint8Array.fromHex(hash))))}) as asked(hash, bucket)
            join ${datasetBlockTable} block on block.bucket = asked.bucket and position(decode(asked.hash, 'hex') in block.hashes) > 0`,
      );
      return rows.map(({ breachName }) => breachName);
    },
    async hasGrownSince(time) {
      const [row] = await tx
        .select({ id: importTable.id })
        .from(importTable)
        .where(gt(importTable.leaseUntil, time))
        .limit(1);
      return row !== undefined;
    },
    async listBreaches() {
      const rows = await tx
        .select({ breach: breachTable.breach })
        .from(breachTable)
        .where(eq(breachTable.source, "dataset"));
      return rows.map(({ breach }) => breach);
    },
    async claim(id, now, leaseMs) {
      const lease = { leaseToken: crypto.randomUUID(), leaseUntil: new Date(now.getTime() + leaseMs) };
      const [row] = await tx
        .insert(importTable)
        .values({ id, progress: UNREAD, ...lease })
        .onConflictDoUpdate({
          target: importTable.id,
          set: lease,
          setWhere: sql`(${importTable.leaseUntil} is null or ${importTable.leaseUntil} < ${now.toISOString()}::timestamptz)`,
        })
        .returning();
      return row && { leaseToken: lease.leaseToken, progress: { ...UNREAD, ...row.progress } };
    },
    advance: (id, leaseToken, reached, leaseUntil) =>
      saveLeased(
        id,
        leaseToken,
        leaseUntil,
        sql`${JSON.stringify(reached)}::jsonb || ${counted({ added: 0, raised: 0 })}`,
      ),
    count: (id, leaseToken, part, leaseUntil) =>
      saveLeased(id, leaseToken, leaseUntil, sql`${importTable.progress} || ${counted(part)}`),
  };
}
