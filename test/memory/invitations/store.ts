import { type ConsentRecord, type Invitation, isOpen } from "../../../src/invitations/invitation.ts";
import type { Range } from "../../../src/invitations/page.ts";
import type {
  Block,
  InvitationKey,
  InvitationRepository,
  InvitationStore,
  Refusal,
  RefusalRepository,
} from "../../../src/invitations/ports.ts";
import { dueAfter, type MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";
import { memoryStrangerMail } from "../events/stranger_mail.ts";

const timeOf = (time: Date | undefined) => time?.getTime() ?? 0;
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const newestFirst = (a: Invitation, b: Invitation) => timeOf(b.createdAt) - timeOf(a.createdAt) || byId(b, a);
const longestDueFirst = (a: Invitation, b: Invitation) => timeOf(a.nextMailAt) - timeOf(b.nextMailAt) || byId(a, b);

export function memoryInvitations(tables: MemoryTables): InvitationStore {
  const blocks = tables<Block>("invitations.block");
  const records = tables<ConsentRecord>("invitations.consent_record");
  return {
    events: memoryEvents(tables),
    invitations: invitationsIn(tables),
    records: {
      async add(record) {
        records.set(record.id, record);
      },
      list: async (invitationId) =>
        records
          .filter((record) => record.invitationId === invitationId)
          .sort((a, b) => timeOf(a.at) - timeOf(b.at) || byId(a, b)),
    },
    blocks: {
      async add(block) {
        const key = `${block.addressMark} ${block.inviterId}`;
        if (!blocks.get(key)) blocks.set(key, block);
      },
      has: async (addressMarks, inviterId) =>
        addressMarks.some((addressMark) => blocks.get(`${addressMark} ${inviterId}`) !== undefined),
      listInviters: async (addressMarks) => {
        const blocked = blocks.filter(({ addressMark }) => addressMarks.includes(addressMark));
        return [...new Set(blocked.map(({ inviterId }) => inviterId))];
      },
      listByInviter: async (inviterId) => blocks.filter((block) => block.inviterId === inviterId),
      async removeByInviter(inviterId) {
        blocks.removeWhere((block) => block.inviterId === inviterId);
      },
    },
    refusals: refusalsIn(tables),
    strangerMail: memoryStrangerMail(tables),
  };
}

function refusalsIn(tables: MemoryTables): RefusalRepository {
  const rows = tables<Refusal>("invitations.refusal");
  const extreme = (pick: (...times: number[]) => number, times: (Date | undefined)[]) => {
    const known = times.flatMap((time) => time?.getTime() ?? []);
    return known.length === 0 ? undefined : new Date(pick(...known));
  };
  return {
    async add(refusal) {
      const key = `${refusal.ownerMark} ${refusal.askerMark}`;
      const before = rows.get(key);
      rows.set(key, {
        ...refusal,
        blockedAt: extreme(Math.min, [before?.blockedAt, refusal.blockedAt]),
        declinedAt: extreme(Math.max, [before?.declinedAt, refusal.declinedAt]),
      });
    },
    list: async (ownerMarks, askerMark) =>
      rows.filter((row) => row.askerMark === askerMark && ownerMarks.includes(row.ownerMark)),
    listByAsker: async (askerMark) => rows.filter((row) => row.askerMark === askerMark),
    async removeDeclined(before) {
      rows.removeWhere(
        ({ blockedAt, declinedAt }) => blockedAt === undefined && declinedAt !== undefined && declinedAt < before,
      );
    },
  };
}

function invitationsIn(tables: MemoryTables): InvitationRepository {
  const rows = tables<Invitation>("invitations.invitation");
  const records = tables<ConsentRecord>("invitations.consent_record");
  const isDue = ({ nextMailAt }: Invitation, now: Date) => nextMailAt !== undefined && nextMailAt <= now;
  const waiting = (now: Date) =>
    rows.filter((row) => row.sentAt === undefined && isDue(row, now)).sort(longestDueFirst);
  const ofInviter = (inviterId: string, state: Invitation["state"]) =>
    rows.filter((row) => row.inviterId === inviterId && row.state === state).sort(newestFirst);
  const ofAddress = (address: string, state: Invitation["state"]) =>
    rows.filter((row) => row.address === address && row.state === state).sort(newestFirst);
  const pageOf = (all: Invitation[], { offset, limit }: Range) => ({
    invitations: all.slice(offset, offset + limit),
    total: all.length,
  });
  const remove = ({ id }: Invitation) => {
    records.removeWhere(({ invitationId }) => invitationId === id);
    rows.delete(id);
  };
  const find = (key: InvitationKey) => {
    const wanted = Object.entries(key) as [keyof Invitation, string][];
    return rows.find((row) => wanted.every(([name, value]) => row[name] === value));
  };

  return {
    async add(invitation) {
      if (find({ associationId: invitation.associationId })) return false;
      rows.set(invitation.id, invitation);
      return true;
    },
    find: async (key) => find(key),
    async save(invitation) {
      if (rows.get(invitation.id)?.version !== invitation.version - 1) return false;
      rows.set(invitation.id, invitation);
      return true;
    },
    page: async (by, state, range) =>
      pageOf("inviterId" in by ? ofInviter(by.inviterId, state) : ofAddress(by.address, state), range),
    async pageOpen(address, { inviters, now }, range) {
      const open = ofAddress(address, "pending").filter((row) => isOpen(row, now) && !inviters.includes(row.inviterId));
      return pageOf(open, range);
    },
    async listDeclines(inviterId, addresses, since) {
      const declined = ofInviter(inviterId, "declined").filter(({ address }) => addresses.includes(address));
      const times = declined.flatMap(({ address, answeredAt }) =>
        answeredAt && answeredAt > since ? [[address, answeredAt] as const] : [],
      );
      return new Map(times.sort(([, a], [, b]) => timeOf(a) - timeOf(b)));
    },
    // In-memory transactions are serialised anyway.
    lockSending: async () => {},
    listWaitingInviters: async (now) => [...new Set(waiting(now).map(({ inviterId }) => inviterId))],
    findWaiting: async (inviterId, now) => waiting(now).find((row) => row.inviterId === inviterId),
    listRemindable: async (now, limit) =>
      rows
        .filter((row) => row.sentAt !== undefined && isDue(row, now) && row.expiresAt > now)
        .sort(longestDueFirst)
        .slice(0, limit),
    async listExpired(now, after, limit) {
      const over = rows.filter((row) => row.state === "pending" && row.sentAt !== undefined && row.expiresAt <= now);
      const due = over.map(({ id, expiresAt: at }) => ({ id, at }));
      return dueAfter(due, after, limit);
    },
    async removeByInviter(inviterId, limit) {
      const gone = rows.filter((row) => row.inviterId === inviterId).slice(0, limit);
      for (const row of gone) remove(row);
      return gone;
    },
    async removeRefused(before) {
      for (const row of rows.filter(
        ({ scope, endedAt }) => scope === undefined && endedAt !== undefined && endedAt < before,
      ))
        remove(row);
    },
    async removeEnded(before) {
      for (const row of rows.filter(({ endedAt }) => endedAt !== undefined && endedAt < before)) remove(row);
    },
  };
}
