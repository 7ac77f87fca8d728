import { and, asc, count, eq, gt, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgSchema, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { listed, rowsOut, selectRows } from "../../database/lists.ts";
import type { Database } from "../../database/postgres.ts";
import { prepared } from "../../database/prepared.ts";
import type { EventPublisher } from "../../events/catalogue.ts";
import { type ConsentScope, FULL_SCOPE } from "../../shared/consent.ts";
import type { ContactAddress } from "../../shared/contacts.ts";
import type { Language } from "../../shared/language.ts";
import { type Association, type AssociationStatus, STATUSES } from "../association.ts";
import type { TrackingStore } from "../ports.ts";

export const trackingSchema = pgSchema("tracking");

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const associationTable = trackingSchema.table(
  "association",
  {
    id: uuid("id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    address: text("address").notNull(),
    owner: boolean("owner").notNull(),
    consent: text("consent").$type<Association["consent"]>().notNull().default("own"),
    scope: jsonb("scope").$type<ConsentScope>().notNull().default(FULL_SCOPE),
    scopeVersion: integer("scope_version").notNull().default(0),
    language: text("language").$type<Language>().notNull(),
    contacts: jsonb("contacts").$type<ContactAddress[]>().notNull(),
    paused: boolean("paused").notNull(),
    suspended: boolean("suspended").notNull(),
    preferred: boolean("preferred").notNull().default(false),
    openAlerts: integer("open_alerts").notNull(),
    openVersion: integer("open_version").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("association_once").on(table.accountId, table.address),
    index("association_account").on(table.accountId, table.createdAt),
    // Who watches an address: for its owner, who has an account too.
    index("association_address").on(table.address),
    // For the job that looks at them again, page by page.
    index("association_own").on(table.id).where(sql`consent = 'own'`),
  ],
);

/** One row per account: the lock for its writers, and the last plan change it heard of. */
export const accountTable = trackingSchema.table("account", {
  accountId: uuid("account_id").primaryKey(),
  planChangedAt: instant("plan_changed_at"),
});

const { consent, paused, suspended, openAlerts, openVersion } = associationTable;
const isOn = sql`not (${paused} or ${suspended})`;
/** `statusOf` in SQL; a contract test holds both to the same answers. */
const STATUS: Record<AssociationStatus, SQL> = {
  inactive: sql`(${paused} or ${suspended})`,
  active: sql`(${isOn} and ${openVersion} = 0)`,
  breached: sql`(${isOn} and ${openVersion} > 0 and ${openAlerts} > 0)`,
  safe: sql`(${isOn} and ${openVersion} > 0 and ${openAlerts} <= 0)`,
};
const hasConsent = sql`${consent} <> 'pending'`;
const oldestFirst = [asc(associationTable.createdAt), asc(associationTable.id)];
const counted = (where: SQL | undefined) => sql<number>`count(*) filter (where ${where})::integer`;

/** For each that is asked for the page and all counts, of one reading of the account. */
function listStatement(limit: number) {
  const { accountId, address } = associationTable;
  const asked = sql`json_to_recordset(${sql.placeholder("asked")}::json)
    as asked(place int, "accountId" uuid, search text, status text, skip int)`;
  const ofAccount = sql`${accountId} = asked."accountId"`;
  const hasStatus = sql.join(
    STATUSES.map((status) => sql`when ${sql.raw(`'${status}'`)} then ${STATUS[status]}`),
    sql` `,
  );
  const matches = sql`(${hasConsent} and position(asked.search in ${address}) > 0
    and case asked.status ${hasStatus} else true end)`;
  const page = sql`select * from ${associationTable} where ${ofAccount} and ${matches}
    order by ${sql.join(oldestFirst, sql`, `)} offset asked.skip limit ${sql.raw(String(limit))}`;
  const counts = sql.join(
    [
      ...[sql`${counted(matches)} as total`, sql`count(*)::integer as used`],
      ...STATUSES.map((status) => sql`${counted(and(hasConsent, STATUS[status]))} as ${sql.raw(status)}`),
    ],
    sql`, `,
  );
  return prepared((database) =>
    database
      .select({
        associations: rowsOut(associationTable, page),
        ...{ total: sql<number>`total`, used: sql<number>`used`, safe: sql<number>`safe`, active: sql<number>`active` },
        ...{ breached: sql<number>`breached`, inactive: sql<number>`inactive` },
      })
      .from(sql`${asked} cross join lateral (select ${counts} from ${associationTable} where ${ofAccount}) as counted`)
      .orderBy(sql`place`),
  );
}

const LISTS = new Map<number, ReturnType<typeof listStatement>>();

function listOf(limit: number): ReturnType<typeof listStatement> {
  const statement = LISTS.get(limit) ?? listStatement(limit);
  LISTS.set(limit, statement);
  return statement;
}

export function postgresTracking(tx: Database, events: EventPublisher): TrackingStore {
  const { id: ids, accountId: accounts, address: addresses } = associationTable;
  const owned = (accountId: string, id: string) => and(eq(ids, id), eq(accounts, accountId));

  return {
    events,
    associations: {
      async lockAccount(accountId) {
        await tx
          .insert(accountTable)
          .values({ accountId })
          .onConflictDoUpdate({ target: accountTable.accountId, set: { accountId } });
      },
      async add(association) {
        return (
          (await tx.insert(associationTable).values(association).onConflictDoNothing().returning({ id: ids }))
            .length === 1
        );
      },
      async find(accountId, id) {
        const [row] = await tx.select().from(associationTable).where(owned(accountId, id));
        return row;
      },
      async findByAddress(accountId, address) {
        const [row] = await tx
          .select()
          .from(associationTable)
          .where(and(eq(accounts, accountId), eq(addresses, address)));
        return row;
      },
      async listByIds(list) {
        if (list.length === 0) return [];
        const these = tx
          .select()
          .from(associationTable)
          .where(sql`${ids} = any(${listed(list, "uuid")})`);
        return selectRows(tx, associationTable, these.getSQL());
      },
      listByAccount: async (accountId) =>
        await tx
          .select()
          .from(associationTable)
          .where(eq(accounts, accountId))
          .orderBy(...oldestFirst),
      async list(pages, limit) {
        const asked = pages.map(({ offset, search, ...page }, place) => ({
          ...{ ...page, place, skip: offset, search: search.toLowerCase() },
        }));
        const rows = await listOf(limit)(tx, { asked: JSON.stringify(asked) });
        return rows.map(({ associations, total, used, ...counts }) => ({ associations, total, used, counts }));
      },
      async countByAccount(accountId) {
        const [row] = await tx.select({ count: count() }).from(associationTable).where(eq(accounts, accountId));
        return row?.count ?? 0;
      },
      async listTracked(accountId, list) {
        if (list.length === 0) return [];
        const rows = await tx
          .select({ address: addresses })
          .from(associationTable)
          .where(and(eq(accounts, accountId), inArray(addresses, list)));
        return rows.map(({ address }) => address);
      },
      async addAll(associations) {
        if (associations.length > 0) await tx.insert(associationTable).values(associations);
      },
      async listWatching(address) {
        const watching = and(eq(addresses, address), hasConsent);
        return await tx
          .select()
          .from(associationTable)
          .where(watching)
          .orderBy(...oldestFirst);
      },
      async saveSettings(accountId, id, { language, contacts, paused }) {
        await tx.update(associationTable).set({ language, contacts, paused }).where(owned(accountId, id));
      },
      async grant(id, scope, scopeVersion) {
        const isOlder = and(
          ...[eq(ids, id), ne(associationTable.consent, "own"), lt(associationTable.scopeVersion, scopeVersion)],
        );
        const [before] = await tx.select().from(associationTable).where(isOlder).for("update");
        if (before)
          await tx.update(associationTable).set({ consent: "granted", scope, scopeVersion }).where(eq(ids, id));
        return before;
      },
      listOwn: async (after, limit) =>
        await tx
          .select()
          .from(associationTable)
          .where(and(eq(associationTable.consent, "own"), after === undefined ? undefined : gt(ids, after)))
          .orderBy(asc(ids))
          .limit(limit),
      async prove(accountId, id) {
        const own = { owner: true, consent: "own", scope: FULL_SCOPE } as const;
        await tx.update(associationTable).set(own).where(owned(accountId, id));
      },
      async setPreferred(accountId, list) {
        const preferred = list.length === 0 ? sql`false` : inArray(ids, list);
        await tx.update(associationTable).set({ preferred }).where(eq(accounts, accountId));
      },
      async setSuspended(id, suspended) {
        await tx.update(associationTable).set({ suspended }).where(eq(ids, id));
      },
      async setOpenAlerts(counts) {
        // In one order everywhere, and each row is looked at again once it is held.
        await tx.execute(sql`with counted as (
            select "associationId" as id, open, version
            from json_to_recordset(${JSON.stringify(counts)}::json) as counted("associationId" uuid, open int, version int)
          ), held as (
            select id from ${associationTable} where id = any(array(select id from counted)) order by id for update
          )
          update ${associationTable} as stored set open_alerts = counted.open, open_version = counted.version
          from held join counted using (id) where stored.id = held.id and stored.open_version < counted.version`);
      },
      async remove(accountId, id) {
        const [row] = await tx.delete(associationTable).where(owned(accountId, id)).returning();
        return row;
      },
      async removeAll(accountId, list) {
        if (list.length === 0) return [];
        return await tx
          .delete(associationTable)
          .where(and(eq(accounts, accountId), inArray(ids, list)))
          .returning();
      },
      async noteEntitlement(accountId, changedAt) {
        const noted = await tx
          .insert(accountTable)
          .values({ accountId, planChangedAt: changedAt })
          .onConflictDoUpdate({
            target: accountTable.accountId,
            set: { planChangedAt: changedAt },
            setWhere: sql`${accountTable.planChangedAt} is null or ${accountTable.planChangedAt} <= excluded.plan_changed_at`,
          })
          .returning({ accountId: accountTable.accountId });
        return noted.length === 1;
      },
      async forgetAccount(accountId) {
        await tx.delete(accountTable).where(eq(accountTable.accountId, accountId));
      },
    },
  };
}
