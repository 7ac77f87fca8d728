import { and, asc, count, desc, eq, inArray, lt, lte, sql } from "drizzle-orm";
import { followsDue } from "../../../database/due.ts";
import { listed } from "../../../database/lists.ts";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import { postgresStrangerMail } from "../../../events/adapters/postgres/stranger_mail.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import type { Domain, DomainState } from "../../domain.ts";
import type { DomainRepository, DomainStore, Look, LookRepository, SourceStateRepository } from "../../ports.ts";
import { postgresFindings } from "./findings.ts";
import { domainSourceTable, domainTable, lookTable } from "./tables.ts";

export * from "./tables.ts";

const rows = domainTable;
const HELD: DomainState[] = ["proven", "failing"];
const HOUR_MS = 3_600_000;

export function postgresDomains(tx: Database, events: EventPublisher): DomainStore {
  return {
    events,
    domains: domainsIn(tx),
    findings: postgresFindings(tx),
    looks: looksIn(tx),
    sources: sourcesIn(tx),
    strangerMail: postgresStrangerMail(tx),
  };
}

const domainOf = ({ peopleDueAt: _, tellingDueAt: __, ...row }: typeof domainTable.$inferSelect): Domain =>
  withoutNulls(row);

function domainsIn(tx: Database): DomainRepository {
  const oldestFirst = [asc(rows.createdAt), asc(rows.id)];
  const isHeld = inArray(rows.state, HELD);
  const lock = (key: string) => tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
  return {
    async count(accountId) {
      await lock(`domains:${accountId}`);
      return tx.$count(rows, eq(rows.accountId, accountId));
    },
    async lockName(name) {
      await lock(`domain:${name}`);
    },
    async add(domain) {
      const added = tx
        .insert(rows)
        .values(domain)
        .onConflictDoNothing({ target: [rows.accountId, rows.name] });
      return (await added.returning({ id: rows.id })).length === 1;
    },
    async list(accountId) {
      const found = tx
        .select()
        .from(rows)
        .where(eq(rows.accountId, accountId))
        .orderBy(...oldestFirst);
      return (await found).map(domainOf);
    },
    async find(accountId, id) {
      const [row] = await tx
        .select()
        .from(rows)
        .where(and(eq(rows.id, id), eq(rows.accountId, accountId)));
      return row && domainOf(row);
    },
    async findById(id) {
      const [row] = await tx.select().from(rows).where(eq(rows.id, id));
      return row && domainOf(row);
    },
    async listByIds(ids) {
      return (
        await tx
          .select()
          .from(rows)
          .where(sql`${rows.id} = any(${listed(ids, "uuid")})`)
      ).map(domainOf);
    },
    async listByName(name) {
      const found = tx
        .select()
        .from(rows)
        .where(eq(rows.name, name))
        .orderBy(...oldestFirst);
      return (await found).map(domainOf);
    },
    async save(domain) {
      const isNext = and(eq(rows.id, domain.id), eq(rows.version, domain.version - 1));
      return (await tx.update(rows).set(withNulls(domain)).where(isNext).returning({ id: rows.id })).length === 1;
    },
    async remove(accountId, id) {
      const [row] = await tx
        .delete(rows)
        .where(and(eq(rows.id, id), eq(rows.accountId, accountId)))
        .returning();
      return row && domainOf(row);
    },
    async removeByAccount(accountId) {
      return (await tx.delete(rows).where(eq(rows.accountId, accountId)).returning()).map(domainOf);
    },
    async listDue(now, { limit, except }) {
      const first = tx
        .selectDistinctOn([rows.name])
        .from(rows)
        .where(and(lte(rows.dueAt, now), sql`${rows.name} <> all(${listed(except)})`))
        .orderBy(asc(rows.name), asc(rows.dueAt), asc(rows.id))
        .as("first");
      return (await tx.select().from(first).orderBy(asc(first.dueAt), asc(first.id)).limit(limit)).map(domainOf);
    },
    async listHeldNames() {
      const held = await tx.selectDistinct({ name: rows.name }).from(rows).where(isHeld).orderBy(asc(rows.name));
      return held.map(({ name }) => name);
    },
    async wake(name, now) {
      const values = { peopleDueAt: now, tellingDueAt: now };
      await tx
        .update(rows)
        .set(values)
        .where(and(eq(rows.name, name), isHeld));
    },
    async listPeopleDue(now, limit) {
      const due = tx
        .select({ name: rows.name })
        .from(rows)
        .where(and(lte(rows.peopleDueAt, now), isHeld))
        .orderBy(asc(rows.peopleDueAt), asc(rows.id))
        .limit(limit);
      return [...new Set((await due).map(({ name }) => name))];
    },
    async setPeopleDue(name, dueAt) {
      await tx
        .update(rows)
        .set({ peopleDueAt: dueAt ?? null })
        .where(eq(rows.name, name));
    },
    async listTellingDue(now, after, limit) {
      const { id, accountId, name, tellingDueAt } = rows;
      const due = await tx
        .select({ id, accountId, name, tellingDueAt })
        .from(rows)
        .where(and(lte(tellingDueAt, now), isHeld, followsDue(tellingDueAt, id, after)))
        .orderBy(asc(tellingDueAt), asc(id))
        .limit(limit);
      return due.map(({ tellingDueAt: at, ...domain }) => ({ ...domain, at: at ?? now }));
    },
    async endTelling(id, at) {
      await tx
        .update(rows)
        .set({ tellingDueAt: null })
        .where(and(eq(rows.id, id), lt(rows.tellingDueAt, at)));
    },
    async setTellingDue(id, dueAt) {
      await tx
        .update(rows)
        .set({ tellingDueAt: dueAt ?? null })
        .where(eq(rows.id, id));
    },
  };
}

function looksIn(tx: Database): LookRepository {
  const lookOf = ({ alias, hour: _, ...look }: typeof lookTable.$inferSelect): Look => ({
    ...look,
    alias: alias === "" ? undefined : alias,
  });
  const latestFirst = [desc(lookTable.at), asc(lookTable.accountId), asc(lookTable.what)];
  return {
    async add({ alias = "", ...look }) {
      const hour = new Date(Math.floor(look.at.getTime() / HOUR_MS) * HOUR_MS);
      await tx
        .insert(lookTable)
        .values({ ...look, alias, hour })
        .onConflictDoNothing();
    },
    async list(domain, alias, limit) {
      const found = tx
        .select()
        .from(lookTable)
        .where(and(eq(lookTable.domain, domain), inArray(lookTable.alias, ["", alias])))
        .orderBy(...latestFirst)
        .limit(limit);
      return (await found).map(lookOf);
    },
    async listByAccount(accountId, limit) {
      const found = tx
        .select()
        .from(lookTable)
        .where(eq(lookTable.accountId, accountId))
        .orderBy(...latestFirst)
        .limit(limit);
      return (await found).map(lookOf);
    },
    async removeBefore(before) {
      await tx.delete(lookTable).where(lt(lookTable.at, before));
    },
    async removeByAccount(accountId) {
      await tx.delete(lookTable).where(eq(lookTable.accountId, accountId));
    },
  };
}

function sourcesIn(tx: Database): SourceStateRepository {
  const table = domainSourceTable;
  return {
    async listDue(source, now, limit) {
      const due = tx
        .select()
        .from(table)
        .where(and(eq(table.source, source), lte(table.dueAt, now)))
        .orderBy(asc(table.dueAt), asc(table.domain))
        .limit(limit);
      return (await due).map(withoutNulls);
    },
    async addMissing(domain, sources, now) {
      if (sources.length === 0) return;
      const values = sources.map((source) => ({ domain, source, state: "unasked" as const, dueAt: now }));
      await tx.insert(table).values(values).onConflictDoNothing();
    },
    async list(domain) {
      const found = tx.select().from(table).where(eq(table.domain, domain)).orderBy(asc(table.source));
      return (await found).map(withoutNulls);
    },
    async find(domain, source) {
      const [row] = await tx
        .select()
        .from(table)
        .where(and(eq(table.domain, domain), eq(table.source, source)));
      return withoutNulls(row);
    },
    async save(state) {
      const values = withNulls(state);
      await tx
        .insert(table)
        .values(values)
        .onConflictDoUpdate({ target: [table.domain, table.source], set: values });
    },
    async remove(domain) {
      await tx.delete(table).where(eq(table.domain, domain));
    },
    countTroubles() {
      const reason = sql<string>`coalesce(${table.reason}, '')`;
      return tx
        .select({ source: table.source, reason, domains: count() })
        .from(table)
        .where(eq(table.state, "trouble"))
        .groupBy(table.source, reason)
        .orderBy(asc(table.source), asc(reason));
    },
  };
}
