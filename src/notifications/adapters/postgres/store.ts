import { and, asc, eq, gt, gte, lt, lte, or, type SQL, sql } from "drizzle-orm";
import { listed, selectRows } from "../../../database/lists.ts";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import { postgresStrangerMail } from "../../../events/adapters/postgres/stranger_mail.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import { CHANNELS, listsOf } from "../../../shared/contacts.ts";
import type { ChannelRepository, ContactPlace, ContactRepository, NotificationStore } from "../../ports.ts";
import { postgresDeliveries } from "./deliveries.ts";
import { postgresDesk } from "./delivery_admin.ts";
import { postgresLedger } from "./delivery_log.ts";
import { postgresPace } from "./pace.ts";
import { postgresPushKeys } from "./push_keys.ts";
import { postgresReceipts } from "./receipts.ts";
import { postgresWaiting } from "./schedule.ts";
import { postgresSummaries } from "./summary.ts";
import { channelTable, confirmationTable, contactTable } from "./tables.ts";
import { postgresStats } from "./tallies.ts";
import { postgresTelegram } from "./telegram.ts";

export * from "./tables.ts";

export function postgresNotifications(tx: Database, events: EventPublisher): NotificationStore {
  return {
    strangerMail: postgresStrangerMail(tx),
    events,
    contacts: contacts(tx),
    deliveries: postgresDeliveries(tx),
    channels: channels(tx),
    pace: postgresPace(tx),
    deliveryLog: postgresLedger(tx),
    deliveryAdmin: postgresDesk(tx),
    waiting: postgresWaiting(tx),
    receipts: postgresReceipts(tx),
    telegram: postgresTelegram(tx),
    summaries: postgresSummaries(tx),
    pushKeys: postgresPushKeys(tx),
    stats: postgresStats(tx),
  };
}

function isAt(places: ContactPlace[]): SQL {
  const { accountId, channel, value } = contactTable;
  const place = sql`json_to_recordset(${JSON.stringify(places)}::json) as place("accountId" uuid, channel text, value text)`;
  // The accounts narrow it to an index: a join alone may read a whole table of some 10,000 contacts.
  const accounts = listed([...new Set(places.map((one) => one.accountId))], "uuid");
  return sql`${accountId} = any(${accounts})
    and (${accountId}, ${channel}, ${value}) in (select "accountId", place.channel, place.value from ${place})`;
}

function contacts(tx: Database): ContactRepository {
  const select = (where: SQL | undefined) =>
    tx.select().from(contactTable).where(where).orderBy(asc(contactTable.createdAt), asc(contactTable.id));
  const one = async (where: SQL) => {
    const [row] = await select(where);
    return row && withoutNulls(row);
  };

  return {
    async count(accountId) {
      return tx.$count(contactTable, eq(contactTable.accountId, accountId));
    },
    async add(contact, most = Number.POSITIVE_INFINITY) {
      const { accountId } = contact;
      // Serializes additions to the account, so that the count stays valid until the commit.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`contacts:${accountId}`}, 0))`);
      if ((await tx.$count(contactTable, eq(contactTable.accountId, accountId))) >= most) return false;
      const added = await tx
        .insert(contactTable)
        .values(withNulls(contact))
        .onConflictDoNothing()
        .returning({ id: contactTable.id });
      return added.length === 1;
    },
    find: (id) => one(eq(contactTable.id, id)),
    async listByIds(ids) {
      if (ids.length === 0) return [];
      const these = sql`${contactTable.id} = any(${listed(ids, "uuid")})`;
      return selectRows(tx, contactTable, select(these).getSQL());
    },
    findByConfirmHash: (hash) => one(eq(contactTable.confirmHash, hash)),
    async list(accountId) {
      return (await select(eq(contactTable.accountId, accountId))).map(withoutNulls);
    },
    async listByChat(chatId) {
      return (await select(eq(contactTable.chatId, chatId))).map(withoutNulls);
    },
    async listAt(accountId, addresses) {
      const { channel, value } = contactTable;
      const lists = listsOf(addresses);
      const places = CHANNELS.map((each) => and(eq(channel, each), sql`${value} = any(${listed(lists[each])})`));
      return (await select(and(eq(contactTable.accountId, accountId), or(...places)))).map(withoutNulls);
    },
    async statesAt(places) {
      const { accountId, channel, value, state } = contactTable;
      return await tx.select({ accountId, channel, value, state }).from(contactTable).where(isAt(places));
    },
    async lockAt(places) {
      if (places.length === 0) return [];
      return selectRows(tx, contactTable, select(isAt(places)).for("update").getSQL());
    },
    async listLocked(accountIds) {
      // Locks rows in a consistent order, so that transactions cannot deadlock.
      const theirs = sql`${contactTable.accountId} = any(${listed(accountIds, "uuid")})`;
      return selectRows(tx, contactTable, select(theirs).for("update").getSQL());
    },
    async replace(contact) {
      const seen = and(eq(contactTable.id, contact.id), eq(contactTable.version, contact.version));
      const next = withNulls({ ...contact, version: contact.version + 1 });
      const replaced = await tx.update(contactTable).set(next).where(seen).returning({ id: contactTable.id });
      return replaced.length === 1;
    },
    async remove(id) {
      await tx.delete(contactTable).where(eq(contactTable.id, id));
    },
    async removeByAccount(accountId) {
      await tx.delete(contactTable).where(eq(contactTable.accountId, accountId));
    },
    async countConfirmations(mark, since) {
      const recent = and(eq(confirmationTable.mark, mark), gte(confirmationTable.sentAt, since));
      return tx.$count(confirmationTable, recent);
    },
    async countMark(mark, at) {
      await tx.insert(confirmationTable).values({ mark, sentAt: at });
    },
    async addConfirmation(mark, at, since) {
      await tx.delete(confirmationTable).where(lt(confirmationTable.sentAt, since));
      await tx.insert(confirmationTable).values({ mark, sentAt: at });
    },
  };
}

function channels(tx: Database): ChannelRepository {
  return {
    async listFailing() {
      const rows = await tx.select().from(channelTable).where(gt(channelTable.failures, 0));
      return rows.map(withoutNulls);
    },
    async countFailure(channel, reason, atLeast = 1) {
      const failures = sql`greatest(${channelTable.failures} + 1, ${atLeast}::int)`;
      const [row] = await tx
        .insert(channelTable)
        .values({ channel, failures: atLeast, pausedUntil: null, reason })
        .onConflictDoUpdate({ target: channelTable.channel, set: { failures, reason } })
        .returning({ failures: channelTable.failures });
      return row?.failures ?? 0;
    },
    async pause(channel, until) {
      await tx.update(channelTable).set({ pausedUntil: until }).where(eq(channelTable.channel, channel));
    },
    async takeProbe(channel, now, until) {
      const over = and(eq(channelTable.channel, channel), lte(channelTable.pausedUntil, now));
      const taken = await tx
        .update(channelTable)
        .set({ pausedUntil: until })
        .where(over)
        .returning({ channel: channelTable.channel });
      return taken.length === 1;
    },
    async recover(channel) {
      const failing = and(eq(channelTable.channel, channel), gt(channelTable.failures, 0));
      const [row] = await tx.delete(channelTable).where(failing).returning({ failures: channelTable.failures });
      return row?.failures ?? 0;
    },
  };
}
