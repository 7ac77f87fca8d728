import { and, asc, count, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, min, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { listed, rendered, rowsAtOnce, selectRows } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import { type ClaimedScan, MOST_COUNTED, type ScanRepository } from "../../ports.ts";
import { scanTable, sourceTable, watchTable } from "./tables.ts";

/** The priorities of due checks: never checked, checked with an older catalogue, due by time. */
function lanes(generation: number, now: Date): { where: SQL | undefined; order: (SQL | PgColumn)[] }[] {
  const isNew = and(isNull(scanTable.checkedAt), eq(scanTable.unsupported, false));
  const isKnown = or(isNotNull(scanTable.checkedAt), scanTable.unsupported);
  return [
    {
      where: and(isNew, or(lte(scanTable.dueAt, now), lt(scanTable.generation, generation))),
      order: [scanTable.dueAt],
    },
    {
      where: and(isKnown, lt(scanTable.generation, generation)),
      order: [scanTable.generation, sql`${scanTable.checkedAt} nulls first`],
    },
    { where: and(isKnown, gte(scanTable.generation, generation), lte(scanTable.dueAt, now)), order: [scanTable.dueAt] },
  ];
}

/** Sources whose look-ups fail. */
const silentSources = rendered(sql`select source from ${sourceTable} where look_up_trouble is not null`);

export function postgresScans(tx: Database): ScanRepository {
  async function generationOf(source: string): Promise<number> {
    const [state] = await tx
      .select({ generation: sourceTable.generation })
      .from(sourceTable)
      .where(eq(sourceTable.source, source));
    return state?.generation ?? 0;
  }
  /** The rows of these claims whose leases have not expired. */
  const held = (scans: ClaimedScan[]) => ({
    claims: sql`json_to_recordset(${JSON.stringify(scans)}::json)
      as claim(address text, source text, generation int, request int, "leaseToken" uuid)`,
    isHeld: sql`${scanTable.address} = claim.address and ${scanTable.source} = claim.source
      and ${scanTable.leaseToken} = claim."leaseToken"`,
  });
  /** Locks all rows of these addresses, in a fixed order. */
  async function lock(addresses: string[]): Promise<void> {
    await tx.execute(sql`with held as materialized (
        select 1 from ${scanTable} where ${scanTable.address} = any(${listed(addresses)})
        order by ${scanTable.address}, ${scanTable.source} for update
      ) select count(*) from held`);
  }
  async function end(scans: ClaimedScan[], nextAt: Date, found: { checkedAt?: Date; unsupported: boolean }) {
    if (scans.length === 0) return [];
    const { claims, isHeld } = held(scans);
    const ending = tx
      .update(scanTable)
      .set({
        ...found,
        generation: sql`claim.generation`,
        dueAt: sql`case when ${scanTable.request} = claim.request then ${nextAt.toISOString()}::timestamptz else ${scanTable.dueAt} end`,
        failures: 0,
        retryAt: null,
        leaseToken: null,
        leaseUntil: null,
      })
      .from(claims)
      .where(isHeld)
      .returning({ address: scanTable.address });
    return (await rowsAtOnce<{ address: string }>(tx, ending.getSQL())).map(({ address }) => address);
  }
  return {
    async add(address, sources, now) {
      await tx
        .insert(scanTable)
        .values(sources.toSorted().map((source) => ({ address, source, dueAt: now })))
        .onConflictDoUpdate({
          target: [scanTable.address, scanTable.source],
          set: { dueAt: now, request: sql`${scanTable.request} + 1`, retryAt: null },
        });
    },
    async enrol(source, after, limit, now) {
      const { address, suspended } = watchTable;
      const next = tx
        .selectDistinct({ address })
        .from(watchTable)
        .where(and(eq(suspended, false), after === undefined ? undefined : gt(address, after)))
        .orderBy(asc(address))
        .limit(limit);
      const [row] = await rowsOf<{ last: string | null }>(
        tx,
        sql`with next as (${next}), added as (
            insert into ${scanTable} (address, source, due_at)
            select address, ${source}, ${now.toISOString()}::timestamptz from next where not exists (select 1 from ${scanTable}
              where ${scanTable.address} = next.address and ${scanTable.source} = ${source})
            on conflict do nothing)
          select max(address) as last from next`,
      );
      return row?.last ?? undefined;
    },
    lock,
    async remove(addresses) {
      if (addresses.length === 0) return;
      await lock(addresses);
      await tx.delete(scanTable).where(sql`${scanTable.address} = any(${listed(addresses)})`);
    },
    async claimDue(source, limit, now, leaseMs) {
      const generation = await generationOf(source);
      const due: { address: string; place: string }[] = [];
      // One priority after the other, each through its own index: with a million due rows nothing is sorted, even without
      // statistics.
      await tx.execute(sql`set local enable_sort = off`);
      for (const { where, order } of lanes(generation, now)) {
        if (due.length >= limit) break;
        const rows = await tx
          .select({ address: scanTable.address, place: sql<string>`${scanTable}.ctid` })
          .from(scanTable)
          .where(
            and(
              ...[eq(scanTable.source, source), where],
              or(isNull(scanTable.retryAt), lte(scanTable.retryAt, now)),
              or(isNull(scanTable.leaseUntil), lt(scanTable.leaseUntil, now)),
            ),
          )
          .orderBy(...order, asc(scanTable.address))
          .limit(limit - due.length)
          .for("update", { skipLocked: true });
        due.push(...rows);
      }
      if (due.length === 0) return [];
      // One token for the batch: it only has to differ from those of other claims.
      const leaseToken = crypto.randomUUID();
      const { address, request, failures } = scanTable;
      const claiming = tx
        .update(scanTable)
        .set({ leaseToken, leaseUntil: new Date(now.getTime() + leaseMs) })
        // By physical position (ctid), which is stable while locked: without statistics the planner would read the whole source.
        .where(
          sql`${scanTable}.ctid = any(${listed(
            due.map(({ place }) => place),
            "tid",
          )})`,
        )
        .returning({ address, request, failures });
      const rows = await rowsAtOnce<Pick<ClaimedScan, "address" | "request" | "failures">>(tx, claiming.getSQL());
      const claimed = new Map(rows.map((row) => [row.address, row]));
      return due.flatMap((one) => {
        const row = claimed.get(one.address);
        return row === undefined ? [] : { ...row, source, leaseToken, generation };
      });
    },
    finish: (scans, checkedAt, nextAt) => end(scans, nextAt, { checkedAt, unsupported: false }),
    finishUnsupported: (scans, nextAt) => end(scans, nextAt, { unsupported: true }),
    async release(scans, retryAt, failed) {
      if (scans.length === 0) return;
      await lock(scans.map(({ address }) => address));
      const failures = failed ? sql`${scanTable.failures} + 1` : scanTable.failures;
      const { claims, isHeld } = held(scans);
      await tx
        .update(scanTable)
        .set({ retryAt, failures: sql`${failures}`, leaseToken: null, leaseUntil: null })
        .from(claims)
        .where(isHeld);
    },
    async timesOf(addresses, sources) {
      if (addresses.length === 0) return new Map();
      const rows = await selectRows<typeof scanTable, { isUnchecked: boolean }>(
        tx,
        scanTable,
        sql`select address, min(checked_at) as checked_at, bool_or(checked_at is null) as "isUnchecked", min(due_at) as due_at
          from ${scanTable} cross join (select ${listed(sources)} as sources, array(${silentSources}) as silent) as asked
          where address = any(${listed(addresses)}) and source = any(sources) and not unsupported
            and (source <> all(silent) or silent @> sources) group by address`,
        ["isUnchecked"],
      );
      return new Map(
        rows.map(({ address, checkedAt, isUnchecked, dueAt }) => [
          address,
          { checkedAt: isUnchecked ? undefined : checkedAt, dueAt },
        ]),
      );
    },
    async awaited(addresses, sources, now) {
      if (addresses.length === 0 || sources.length === 0) return [];
      const rows = await tx
        .selectDistinct({ address: scanTable.address })
        .from(scanTable)
        .where(
          and(
            ...[sql`${scanTable.address} = any(${listed(addresses)})`, inArray(scanTable.source, sources)],
            ...[eq(scanTable.unsupported, false), or(isNull(scanTable.checkedAt), lte(scanTable.dueAt, now))],
          ),
        );
      return rows.map(({ address }) => address);
    },
    async backlog(source, now) {
      const generation = await generationOf(source);
      const { dueAt, retryAt, checkedAt } = scanTable;
      // Two ranges of two indexes: an "or" would scan the whole table.
      const ranges = [
        { range: lte(dueAt, now), order: [asc(dueAt)] },
        {
          range: and(gt(dueAt, now), lt(scanTable.generation, generation)),
          order: [asc(scanTable.generation), sql`${checkedAt} nulls first`],
        },
      ];
      const found: { due: number; retrying: number; oldest: Date | null }[] = [];
      for (const { range, order } of ranges) {
        const first = tx
          .select({ dueAt, retryAt })
          .from(scanTable)
          .where(and(eq(scanTable.source, source), range))
          .orderBy(...order)
          .limit(MOST_COUNTED)
          .as("first");
        const retrying = sql`count(*) filter (where ${first.retryAt} > ${now.toISOString()}::timestamptz)`.mapWith(
          Number,
        );
        found.push(...(await tx.select({ due: count(), retrying, oldest: min(first.dueAt) }).from(first)));
      }
      const [oldest] = found.flatMap(({ oldest }) => oldest ?? []).sort((a, b) => a.getTime() - b.getTime());
      const sumOf = (figure: "due" | "retrying") =>
        Math.min(
          MOST_COUNTED,
          found.reduce((sum, each) => sum + each[figure], 0),
        );
      return { due: sumOf("due"), retrying: sumOf("retrying"), oldest };
    },
  };
}
