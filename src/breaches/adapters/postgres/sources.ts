import { and, eq, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Database } from "../../../database/postgres.ts";
import type { SourceRepository, TroubleNote } from "../../ports.ts";
import { sourceTable } from "./tables.ts";

export function postgresSources(tx: Database): SourceRepository {
  type Row = typeof sourceTable.$inferInsert;
  const upsert = (row: Omit<Row, "nextPollAt">, set: PgUpdateSetSource<typeof sourceTable>, setWhere?: SQL) =>
    tx
      .insert(sourceTable)
      .values({ ...row, nextPollAt: new Date(0) })
      .onConflictDoUpdate({ target: sourceTable.source, set, ...(setWhere && { setWhere }) });

  async function noteTrouble(
    source: string,
    column: "trouble" | "lookUpTrouble",
    { reason, keepsCause }: TroubleNote,
  ): Promise<void> {
    const former = sourceTable[column];
    const isNew = or(isNull(former), keepsCause ? undefined : ne(former, reason));
    await upsert({ source, [column]: reason }, { [column]: reason }, isNew);
  }

  return {
    async find(source) {
      const [row] = await tx.select().from(sourceTable).where(eq(sourceTable.source, source));
      return {
        source,
        latestName: row?.latestName ?? undefined,
        latestAdded: row?.latestAdded ?? undefined,
        generation: row?.generation ?? 0,
        syncedAt: row?.syncedAt ?? undefined,
        checkedAt: row?.checkedAt ?? undefined,
        trouble: row?.trouble ?? undefined,
        lookUpTrouble: row?.lookUpTrouble ?? undefined,
        leftOut: row?.leftOut ?? [],
        pausedUntil: row?.pausedUntil ?? undefined,
      };
    },
    async claimPoll(source, now, nextPollAt) {
      const claimed = await tx
        .insert(sourceTable)
        .values({ source, nextPollAt })
        .onConflictDoUpdate({
          target: sourceTable.source,
          set: { nextPollAt },
          setWhere: lte(sourceTable.nextPollAt, now),
        })
        .returning({ source: sourceTable.source });
      return claimed.length === 1;
    },
    async notePolled(source, checkedAt) {
      await upsert({ source, checkedAt }, { checkedAt, trouble: null });
    },
    noteCatalogueTrouble: (source, trouble) => noteTrouble(source, "trouble", trouble),
    noteLookUpTrouble: (source, trouble) => noteTrouble(source, "lookUpTrouble", trouble),
    async endLookUpTrouble(source) {
      const ended = await tx
        .update(sourceTable)
        .set({ lookUpTrouble: null })
        .where(and(eq(sourceTable.source, source), isNotNull(sourceTable.lookUpTrouble)))
        .returning({ source: sourceTable.source });
      return ended.length > 0;
    },
    async raiseGenerations(sources) {
      if (sources.length === 0) return;
      await tx
        .insert(sourceTable)
        // Sorted, as each row is locked.
        .values(sources.toSorted().map((source) => ({ source, generation: 1, nextPollAt: new Date(0) })))
        .onConflictDoUpdate({
          target: sourceTable.source,
          set: { generation: sql`${sourceTable.generation} + 1` },
        });
    },
    async noteSynced(source, { newest, grows, leftOut }, now) {
      const values = {
        latestName: newest?.name ?? null,
        latestAdded: newest?.addedDate ?? null,
        syncedAt: now,
        checkedAt: now,
        trouble: null,
        leftOut,
      };
      const growth = grows ? 1 : 0;
      const grown = sql`${sourceTable.generation} + ${growth}::int`;
      await upsert({ source, ...values, generation: growth }, { ...values, generation: grown });
    },
    async pause(source, until) {
      const pausedUntil = until ?? null;
      await upsert({ source, pausedUntil }, { pausedUntil });
    },
  };
}
