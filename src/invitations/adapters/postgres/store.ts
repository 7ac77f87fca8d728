import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { followsDue } from "../../../database/due.ts";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import { postgresStrangerMail } from "../../../events/adapters/postgres/stranger_mail.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import type { ConsentRecord, Invitation } from "../../invitation.ts";
import type { Range } from "../../page.ts";
import type { InvitationPage, InvitationRepository, InvitationStore, RefusalRepository } from "../../ports.ts";
import { blockTable, consentRecordTable, invitationTable, refusalTable } from "./tables.ts";

export * from "./tables.ts";

const rows = invitationTable;
/** Advisory lock key that limits sending to one process at a time. */
const SENDING_LOCK = 0x1f_c0_45;

export function postgresInvitations(tx: Database, events: EventPublisher): InvitationStore {
  return {
    events,
    invitations: invitationsIn(tx),
    records: {
      async add(record) {
        await tx.insert(consentRecordTable).values(record);
      },
      async list(invitationId): Promise<ConsentRecord[]> {
        const found = tx
          .select()
          .from(consentRecordTable)
          .where(eq(consentRecordTable.invitationId, invitationId))
          .orderBy(asc(consentRecordTable.at), asc(consentRecordTable.id));
        return (await found).map(withoutNulls);
      },
    },
    blocks: {
      async add(block) {
        await tx.insert(blockTable).values(block).onConflictDoNothing();
      },
      async has(addressMarks, inviterId) {
        const wanted = and(inArray(blockTable.addressMark, addressMarks), eq(blockTable.inviterId, inviterId));
        return (await tx.select().from(blockTable).where(wanted).limit(1)).length === 1;
      },
      async listInviters(addressMarks) {
        const blocked = await tx.select().from(blockTable).where(inArray(blockTable.addressMark, addressMarks));
        return [...new Set(blocked.map(({ inviterId }) => inviterId))];
      },
      listByInviter: (inviterId) => tx.select().from(blockTable).where(eq(blockTable.inviterId, inviterId)),
      async removeByInviter(inviterId) {
        await tx.delete(blockTable).where(eq(blockTable.inviterId, inviterId));
      },
    },
    refusals: refusalsIn(tx),
    strangerMail: postgresStrangerMail(tx),
  };
}

function refusalsIn(tx: Database): RefusalRepository {
  const { ownerMark, askerMark, blockedAt, declinedAt } = refusalTable;
  return {
    async add(refusal) {
      await tx
        .insert(refusalTable)
        .values(refusal)
        .onConflictDoUpdate({
          target: [ownerMark, askerMark],
          set: {
            blockedAt: sql`least(${blockedAt}, excluded.blocked_at)`,
            declinedAt: sql`greatest(${declinedAt}, excluded.declined_at)`,
          },
        });
    },
    async list(ownerMarks, mark) {
      const wanted = and(inArray(ownerMark, ownerMarks), eq(askerMark, mark));
      return (await tx.select().from(refusalTable).where(wanted)).map(withoutNulls);
    },
    async listByAsker(mark) {
      return (await tx.select().from(refusalTable).where(eq(askerMark, mark))).map(withoutNulls);
    },
    async removeDeclined(before) {
      await tx.delete(refusalTable).where(and(isNull(blockedAt), lt(declinedAt, before)));
    },
  };
}

function invitationsIn(tx: Database): InvitationRepository {
  const newestFirst = [desc(rows.createdAt), desc(rows.id)];
  const longestDueFirst = [asc(rows.nextMailAt), asc(rows.id)];
  const isWaiting = (now: Date) => and(lte(rows.nextMailAt, now), isNull(rows.sentAt));
  async function pageOf(wanted: SQL | undefined, { offset, limit }: Range): Promise<InvitationPage> {
    const page = tx
      .select()
      .from(rows)
      .where(wanted)
      .orderBy(...newestFirst)
      .offset(offset)
      .limit(limit);
    return { invitations: (await page).map(withoutNulls), total: await tx.$count(rows, wanted) };
  }
  const isKey = (key: object) =>
    and(...Object.entries(key).map(([name, value]) => eq(rows[name as keyof Invitation], value)));

  return {
    async add(invitation) {
      const added = tx.insert(rows).values(invitation).onConflictDoNothing({ target: rows.associationId });
      return (await added.returning({ id: rows.id })).length === 1;
    },
    async find(key) {
      const [found] = await tx.select().from(rows).where(isKey(key));
      return withoutNulls(found);
    },
    async save(invitation) {
      const isNext = and(eq(rows.id, invitation.id), eq(rows.version, invitation.version - 1));
      return (await tx.update(rows).set(withNulls(invitation)).where(isNext).returning({ id: rows.id })).length === 1;
    },
    page: (by, state, range) => pageOf(isKey({ ...by, state }), range),
    pageOpen(address, { inviters, now }, range) {
      const isInTime = or(isNull(rows.sentAt), gt(rows.expiresAt, now));
      return pageOf(and(isKey({ address, state: "pending" }), isInTime, notInArray(rows.inviterId, inviters)), range);
    },
    async listDeclines(inviterId, addresses, since) {
      if (addresses.length === 0) return new Map();
      const declined = and(
        isKey({ inviterId, state: "declined" }),
        inArray(rows.address, addresses),
        gt(rows.answeredAt, since),
      );
      const latest = await tx
        .select({ address: rows.address, at: max(rows.answeredAt) })
        .from(rows)
        .where(declined)
        .groupBy(rows.address);
      return new Map(latest.flatMap(({ address, at }) => (at ? [[address, at] as const] : [])));
    },
    async lockSending() {
      await tx.execute(sql`select pg_advisory_xact_lock(${SENDING_LOCK})`);
    },
    async listWaitingInviters(now) {
      const longest = min(rows.nextMailAt);
      const inviters = tx
        .select({ inviterId: rows.inviterId })
        .from(rows)
        .where(isWaiting(now))
        .groupBy(rows.inviterId)
        .orderBy(asc(longest), asc(rows.inviterId));
      return (await inviters).map(({ inviterId }) => inviterId);
    },
    async findWaiting(inviterId, now) {
      const mine = and(eq(rows.inviterId, inviterId), eq(rows.state, "pending"), isWaiting(now));
      const [next] = await tx
        .select()
        .from(rows)
        .where(mine)
        .orderBy(...longestDueFirst)
        .limit(1);
      return withoutNulls(next);
    },
    async listRemindable(now, limit) {
      const due = and(lte(rows.nextMailAt, now), isNotNull(rows.sentAt), gt(rows.expiresAt, now));
      const list = tx
        .select()
        .from(rows)
        .where(due)
        .orderBy(...longestDueFirst)
        .limit(limit);
      return (await list).map(withoutNulls);
    },
    async listExpired(now, after, limit) {
      const { id, expiresAt: at } = rows;
      const over = and(eq(rows.state, "pending"), lte(at, now), isNotNull(rows.sentAt));
      const further = and(over, followsDue(at, id, after));
      return tx.select({ id, at }).from(rows).where(further).orderBy(asc(at), asc(id)).limit(limit);
    },
    async removeByInviter(inviterId, limit) {
      const some = tx.select({ id: rows.id }).from(rows).where(eq(rows.inviterId, inviterId)).limit(limit);
      return (await tx.delete(rows).where(inArray(rows.id, some)).returning()).map(withoutNulls);
    },
    async removeRefused(before) {
      await tx.delete(rows).where(and(isNull(rows.scope), lt(rows.endedAt, before)));
    },
    async removeEnded(before) {
      await tx.delete(rows).where(lt(rows.endedAt, before));
    },
  };
}
