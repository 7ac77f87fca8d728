import { and, asc, eq, gt, inArray, lt, ne, sql } from "drizzle-orm";
import { listed, selectRows } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import { postgresStrangerMail } from "../../../events/adapters/postgres/stranger_mail.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import { FULL_SCOPE } from "../../../shared/consent.ts";
import type { TrackingStore } from "../../ports.ts";
import { postgresAliases } from "./aliases.ts";
import { foundAsShown, hasConsent, listPages, oldestFirst } from "./list.ts";
import { accountTable, associationTable } from "./tables.ts";

export * from "./tables.ts";

export function postgresTracking(tx: Database, events: EventPublisher): TrackingStore {
  const { id: ids, accountId: accounts, address: addresses } = associationTable;
  const owned = (accountId: string, id: string) => and(eq(ids, id), eq(accounts, accountId));

  return {
    events,
    aliases: postgresAliases(tx),
    strangerMail: postgresStrangerMail(tx),
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
        const lowered = pages.map((page) => ({ ...page, search: page.search.toLowerCase() }));
        const found = await foundAsShown(tx, lowered);
        const asked = lowered.map(({ offset, ...page }, place) => ({
          ...page,
          place,
          skip: offset,
          found: found[place],
        }));
        const rows = await listPages(tx, asked, limit);
        return rows.map(({ associations, total, used, waitingAddresses, waitingAlerts, ...counts }) => ({
          associations,
          total,
          used,
          counts,
          waiting: { addresses: waitingAddresses, alerts: waitingAlerts },
        }));
      },
      async countByAccount(accountId) {
        return tx.$count(associationTable, eq(accounts, accountId));
      },
      async listTracked(accountId, list) {
        if (list.length === 0) return [];
        const rows = await tx
          .select({ address: addresses })
          .from(associationTable)
          .where(and(eq(accounts, accountId), sql`${addresses} = any(${listed(list)})`));
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
        const counted = counts.map(({ associationId }) => associationId);
        const theirs = tx
          .select({ accountId: accounts })
          .from(associationTable)
          .where(sql`${ids} = any(${listed(counted, "uuid")})`);
        // Only with its account locked may a transaction write several associations in any order.
        await tx
          .select({ accountId: accountTable.accountId })
          .from(accountTable)
          .where(inArray(accountTable.accountId, theirs))
          .orderBy(accountTable.accountId)
          .for("share");
        // In a fixed lock order; each row is checked again once it is locked.
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
