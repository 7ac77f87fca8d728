import { and, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { listed } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import type { LogoRepository } from "../../ports.ts";
import { alertTable, breachTable, logoTable } from "./tables.ts";

const logoPath = sql<string>`${breachTable.breach}->>'logoPath'`;

export function postgresLogos(tx: Database): LogoRepository {
  return {
    async claimDue(limit, now, until) {
      const wanted = tx
        .select({
          wantedPath: sql<string>`${logoPath}`.as("wanted_path"),
          isAlerted: sql<boolean>`bool_or(exists (select 1 from ${alertTable} as raised
            where raised.breach_name = breaches.breach.name))`.as("is_alerted"),
        })
        .from(breachTable)
        .where(and(isNull(breachTable.removedAt), sql`${logoPath} <> ''`))
        .groupBy(logoPath)
        .as("wanted");
      const due = await tx
        .select({ path: wanted.wantedPath })
        .from(wanted)
        .leftJoin(logoTable, eq(logoTable.path, wanted.wantedPath))
        .where(or(isNull(logoTable.path), lte(logoTable.nextAt, now)))
        .orderBy(sql`${wanted.isAlerted} desc`, wanted.wantedPath)
        .limit(limit);
      if (due.length === 0) return [];
      // Rows that another process has just claimed are no longer due.
      const claimed = await tx
        .insert(logoTable)
        .values(due.map(({ path }) => ({ path, nextAt: until })))
        .onConflictDoUpdate({
          target: logoTable.path,
          set: { nextAt: until },
          setWhere: lte(logoTable.nextAt, now),
        })
        .returning({ path: logoTable.path, etag: logoTable.etag, failures: logoTable.failures });
      const order = new Map(due.map(({ path }, index) => [path, index]));
      return claimed
        .toSorted((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0))
        .map(({ etag, ...row }) => ({ ...row, etag: etag ?? undefined }));
    },
    async keep(path, { etag, ...logo }, nextAt) {
      const row = { ...logo, etag: etag ?? null, nextAt, failures: 0 };
      await tx
        .insert(logoTable)
        .values({ path, ...row })
        .onConflictDoUpdate({ target: logoTable.path, set: row });
    },
    async postpone(path, nextAt, failures) {
      await tx.update(logoTable).set({ nextAt, failures }).where(eq(logoTable.path, path));
    },
    async find(file) {
      const [row] = await tx
        .select({ type: logoTable.type, bytes: logoTable.bytes })
        .from(logoTable)
        .where(eq(logoTable.file, file))
        .limit(1);
      return row?.type && row.bytes ? { type: row.type, bytes: row.bytes } : undefined;
    },
    async filesOf(names) {
      if (names.length === 0) return new Map();
      const rows = await tx
        .select({ name: breachTable.name, file: logoTable.file })
        .from(breachTable)
        .innerJoin(logoTable, eq(logoTable.path, logoPath))
        .where(and(sql`${breachTable.name} = any(${listed(names)})`, isNotNull(logoTable.file)));
      return new Map(rows.map(({ name, file }) => [name, file ?? ""]));
    },
  };
}
