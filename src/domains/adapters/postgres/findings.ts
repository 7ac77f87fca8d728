import { and, asc, count, desc, eq, gt, gte, isNotNull, isNull, lt, ne, or, type SQL, sql, sum } from "drizzle-orm";
import { listed } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { Sight } from "../../finding.ts";
import type { FindingRepository } from "../../ports.ts";
import { breachTotalTable, findingTable, mailboxTable } from "./tables.ts";

const [mailbox, finding, total] = [mailboxTable, findingTable, breachTotalTable];

const isOpen = sql`(${mailbox.say} <> 'nothing' and (${mailbox.kind} <> 'person' or ${mailbox.toldAt} is not null))`;
const isByRole = sql`(${mailbox.kind} = 'role' and ${mailbox.takenAt} is null)`;
const showsSensitive = ({ roleSensitive }: Sight) =>
  sql`(${mailbox.say} = 'all' or (${isByRole} and ${roleSensitive}))`;
/** How many findings of an address are shown. */
const shownIn = (sight: Sight) =>
  sql<number>`case when ${isOpen} then ${mailbox.plain} + case when ${showsSensitive(sight)} then ${mailbox.sensitive} else 0 end else 0 end`;
const isShown = (sight: Sight) => sql`${isOpen} and (not ${finding.sensitive} or ${showsSensitive(sight)})`;
const putOffLast = sql`${mailbox.putOffAt} asc nulls first`;
const isSame = and(eq(mailbox.domain, finding.domain), eq(mailbox.alias, finding.alias));

export function postgresFindings(tx: Database): FindingRepository {
  const at = (domain: string, alias: string) => and(eq(mailbox.domain, domain), eq(mailbox.alias, alias));
  const changed = async (where: SQL | undefined, values: Partial<typeof mailbox.$inferInsert>) =>
    (await tx.update(mailbox).set(values).where(where).returning({ alias: mailbox.alias })).length > 0;

  /** Counts the findings of some addresses anew; `some` is a condition on findings. */
  async function recount(domain: string, some: SQL, kindOf: SQL): Promise<void> {
    await tx.execute(sql`
      insert into ${mailbox} (domain, alias, kind, plain, sensitive, latest_at, say)
      select domain, alias, ${kindOf}, count(*) filter (where not sensitive), count(*) filter (where sensitive),
        max(found_at), 'standard'
      from ${finding} where domain = ${domain} and ${some}
      group by domain, alias
      on conflict (domain, alias) do update
        set plain = excluded.plain, sensitive = excluded.sensitive, latest_at = excluded.latest_at`);
  }

  return {
    ...shownFindings(tx),

    async add(domain, findings, { sensitive, kinds, otherwise, at: foundAt }) {
      const rows = await rowsOf<{ alias: string }>(
        tx,
        sql`insert into ${finding} (domain, alias, kind, name, sensitive, found_at)
          select ${domain}, alias, kind, name, kind = 'site' or name = any(${listed(sensitive)}),
            ${foundAt.toISOString()}::timestamptz
          from json_to_recordset(${JSON.stringify(findings)}::json) as given(alias text, kind text, name text)
          on conflict do nothing returning alias`,
      );
      if (rows.length === 0) return 0;
      const aliases = [...new Set(rows.map(({ alias }) => alias))];
      const kindOf = sql`coalesce(${JSON.stringify(kinds)}::jsonb->>alias, ${otherwise})`;
      await recount(domain, sql`alias = any(${listed(aliases)})`, kindOf);
      return rows.length;
    },

    async markSensitive(domain, sensitive) {
      const isSensitive = sql`name = any(${listed(sensitive)})`;
      const rows = await rowsOf<{ alias: string }>(
        tx,
        sql`update ${finding} set sensitive = ${isSensitive}
          where domain = ${domain} and kind = 'breach' and sensitive <> (${isSensitive}) returning alias`,
      );
      if (rows.length === 0) return;
      const aliases = [...new Set(rows.map(({ alias }) => alias))];
      await recount(domain, sql`alias = any(${listed(aliases)})`, sql`'person'`);
    },

    async summarise(domain) {
      await tx.delete(total).where(eq(total.domain, domain));
      await tx.execute(sql`
        insert into ${total} (domain, name, addresses, role_sensitive, latest_at)
        select ${finding.domain}, ${finding.name},
          count(*) filter (where not ${finding.sensitive} or ${mailbox.say} = 'all'),
          count(*) filter (where ${finding.sensitive} and ${mailbox.say} <> 'all' and ${isByRole}),
          max(${finding.foundAt})
        from ${finding} join ${mailbox} on ${isSame}
        where ${finding.domain} = ${domain} and ${finding.kind} = 'breach' and ${isOpen}
          and (not ${finding.sensitive} or ${mailbox.say} = 'all' or ${isByRole})
        group by ${finding.domain}, ${finding.name}`);
    },

    async findMailbox(domain, alias) {
      const [row] = await tx.select().from(mailbox).where(at(domain, alias));
      return withoutNulls(row);
    },
    listOf(domain, aliases) {
      const { alias, kind, name, sensitive, foundAt } = finding;
      return tx
        .select({ alias, kind, name, sensitive, foundAt })
        .from(finding)
        .where(and(eq(finding.domain, domain), sql`${alias} = any(${listed(aliases)})`))
        .orderBy(desc(foundAt), asc(alias), asc(kind), asc(name));
    },
    async listUntold(domain, limit) {
      const isUntold = and(eq(mailbox.kind, "person"), isNull(mailbox.toldAt), ne(mailbox.say, "nothing"));
      const rows = await tx
        .select()
        .from(mailbox)
        .where(and(eq(mailbox.domain, domain), isUntold, sql`${mailbox.plain} + ${mailbox.sensitive} > 0`))
        .orderBy(putOffLast, desc(sql`${mailbox.plain} + ${mailbox.sensitive}`), asc(mailbox.alias))
        .limit(limit);
      return rows.map(withoutNulls);
    },
    async listBehind(domain, limit) {
      const rows = await tx
        .select()
        .from(mailbox)
        .where(
          and(
            ...[eq(mailbox.domain, domain), isNotNull(mailbox.toldAt), isNull(mailbox.takenAt)],
            gt(mailbox.latestAt, mailbox.newsAt),
          ),
        )
        .orderBy(putOffLast, asc(mailbox.latestAt), asc(mailbox.alias))
        .limit(limit);
      return rows.map(withoutNulls);
    },
    markTold: (domain, alias, { at: toldAt, language }) =>
      changed(and(at(domain, alias), isNull(mailbox.toldAt)), { toldAt, newsAt: toldAt, putOffAt: null, language }),
    async putOff(domain, alias, putOffAt) {
      await changed(at(domain, alias), { putOffAt });
    },
    async markNews(domain, alias, newsAt) {
      await changed(at(domain, alias), { newsAt, putOffAt: null });
    },
    setKind: (domain, alias, kind) => changed(at(domain, alias), { kind }),
    async setUntoldKind(domain, kind) {
      const from = kind === "alias" ? "person" : "alias";
      const isUntouched = and(isNull(mailbox.toldAt), isNull(mailbox.takenAt));
      await changed(and(eq(mailbox.domain, domain), eq(mailbox.kind, from), isUntouched), { kind });
    },
    setSay: (domain, alias, say, takenAt) => changed(at(domain, alias), { say, takenAt: takenAt ?? null }),
    async removeFindings(domain) {
      const isSilent = and(isNull(mailbox.toldAt), isNull(mailbox.takenAt));
      await tx.delete(finding).where(eq(finding.domain, domain));
      await tx.delete(total).where(eq(total.domain, domain));
      await tx.delete(mailbox).where(and(eq(mailbox.domain, domain), isSilent));
      await changed(eq(mailbox.domain, domain), { plain: 0, sensitive: 0 });
    },
    async forget(domain) {
      await tx.delete(mailbox).where(eq(mailbox.domain, domain));
    },
  };
}

/** What an administrator sees. */
function shownFindings(
  tx: Database,
): Pick<FindingRepository, "page" | "counts" | "lastCovered" | "breaches" | "countNews"> {
  const { alias, kind, say, takenAt } = mailbox;
  return {
    async page(domain, { filter, after, limit, ...sight }) {
      const shown = shownIn(sight);
      const conditions = [
        eq(mailbox.domain, domain),
        sql`${shown} > 0`,
        filter.kind && eq(kind, filter.kind),
        filter.search === "" ? undefined : sql`strpos(${alias}, ${filter.search}) > 0`,
      ];
      const columns = { alias, kind, say, takenAt, shown: shown.mapWith(Number).as("shown") };
      const { breach } = filter;
      // From the index of the breach's own addresses.
      const rows =
        breach === undefined
          ? await tx
              .select(columns)
              .from(mailbox)
              .where(and(...conditions, after === undefined ? undefined : gt(alias, after)))
              .orderBy(asc(alias))
              .limit(limit)
          : await tx
              .select(columns)
              .from(finding)
              .innerJoin(mailbox, isSame)
              .where(
                and(
                  ...[eq(finding.domain, domain), eq(finding.kind, "breach"), eq(finding.name, breach)],
                  ...[...conditions, isShown(sight), after === undefined ? undefined : gt(finding.alias, after)],
                ),
              )
              .orderBy(asc(finding.alias))
              .limit(limit);
      return rows.map((row) => ({ ...row, takenAt: row.takenAt ?? undefined }));
    },

    async counts(domain, sight) {
      const shown = shownIn(sight);
      const of = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number);
      const shownOf = (wanted: string) => of(sql`${kind} = ${wanted} and ${shown} > 0`);
      const [row] = await tx
        .select({
          person: shownOf("person"),
          role: shownOf("role"),
          alias: shownOf("alias"),
          untold: of(
            sql`${kind} = 'person' and ${mailbox.toldAt} is null and ${say} <> 'nothing' and ${mailbox.plain} > 0`,
          ),
          withheld: of(sql`${say} = 'nothing'`),
        })
        .from(mailbox)
        .where(eq(mailbox.domain, domain));
      return row ?? { person: 0, role: 0, alias: 0, untold: 0, withheld: 0 };
    },

    async lastCovered(domain, sight, most) {
      const rows = await tx
        .select({ alias })
        .from(mailbox)
        .where(and(eq(mailbox.domain, domain), sql`${shownIn(sight)} > 0`))
        .orderBy(asc(alias))
        .offset(Math.max(0, most - 1))
        .limit(2);
      // A plan without addresses covers none.
      if (most === 0) return rows.length > 0 ? "" : undefined;
      return rows.length === 2 ? rows[0]?.alias : undefined;
    },

    async breaches(domain, { roleSensitive }) {
      const addresses = sql<number>`${total.addresses} + case when ${roleSensitive} then ${total.roleSensitive} else 0 end`;
      return tx
        .select({ name: total.name, addresses: addresses.mapWith(Number), latestAt: total.latestAt })
        .from(total)
        .where(and(eq(total.domain, domain), gt(addresses, 0)))
        .orderBy(desc(addresses), asc(total.name));
    },

    async countNews(domain, sight, { from, until }) {
      const isFound = and(gte(finding.foundAt, from), lt(finding.foundAt, until));
      const isTold = and(gte(mailbox.toldAt, from), lt(mailbox.toldAt, until));
      const [anything] = await rowsOf<{ any: boolean }>(
        tx,
        sql`select exists (select 1 from ${finding} where ${finding.domain} = ${domain} and ${isFound})
          or exists (select 1 from ${mailbox} where ${mailbox.domain} = ${domain} and ${isTold}) as any`,
      );
      if (!anything?.any) return { findings: 0, addresses: 0 };
      const news = tx
        .select({ alias: finding.alias, count: count().as("count") })
        .from(finding)
        .innerJoin(mailbox, isSame)
        .where(and(eq(finding.domain, domain), isShown(sight), or(isFound, isTold)))
        .groupBy(finding.alias)
        .as("news");
      const [row] = await tx.select({ findings: sum(news.count).mapWith(Number), addresses: count() }).from(news);
      return { findings: row?.findings ?? 0, addresses: row?.addresses ?? 0 };
    },
  };
}
