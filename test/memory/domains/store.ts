import type { Domain } from "../../../src/domains/domain.ts";
import { isHeld } from "../../../src/domains/domain.ts";
import type { DomainRepository, DomainStore, Look, LookRepository, SourceState } from "../../../src/domains/ports.ts";
import { dueAfter, type MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";
import { memoryStrangerMail } from "../events/stranger_mail.ts";
import { memoryFindings } from "./findings.ts";

const HOUR_MS = 3_600_000;
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const oldestFirst = (a: Domain, b: Domain) => a.createdAt.getTime() - b.createdAt.getTime() || byId(a, b);

export function memoryDomains(tables: MemoryTables): DomainStore {
  const states = tables<SourceState>("domains.source");
  const keyOf = (domain: string, source: string) => `${domain} ${source}`;
  return {
    events: memoryEvents(tables),
    domains: domainsIn(tables),
    findings: memoryFindings(tables),
    looks: looksIn(tables),
    sources: {
      listDue: async (source, now, limit) =>
        states
          .filter((row) => row.source === source && row.dueAt <= now)
          .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime() || (a.domain < b.domain ? -1 : 1))
          .slice(0, limit),
      async addMissing(domain, sources, now) {
        const nothing = { generation: undefined, askedAt: undefined, reason: undefined, record: undefined };
        for (const source of sources)
          if (!states.get(keyOf(domain, source)))
            states.set(keyOf(domain, source), { domain, source, state: "unasked", dueAt: now, ...nothing });
      },
      list: async (domain) =>
        states.filter((row) => row.domain === domain).toSorted((a, b) => (a.source < b.source ? -1 : 1)),
      find: async (domain, source) => states.get(keyOf(domain, source)),
      save: async (state) => states.set(keyOf(state.domain, state.source), state),
      remove: async (domain) => void states.removeWhere((row) => row.domain === domain),
      async countTroubles() {
        const troubled = states.filter(({ state }) => state === "trouble");
        return [...Map.groupBy(troubled, ({ source, reason = "" }) => JSON.stringify([source, reason]))]
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, rows]) => {
            const [source, reason] = JSON.parse(key) as [string, string];
            return { source, reason, domains: rows.length };
          });
      },
    },
    strangerMail: memoryStrangerMail(tables),
  };
}

type Wake = { id: string; people: Date | undefined; telling: Date | undefined };

function domainsIn(tables: MemoryTables): DomainRepository {
  const rows = tables<Domain>("domains.domain");
  const wakes = tables<Wake>("domains.wake");
  const held = (due: Wake[]) => due.flatMap(({ id }) => rows.get(id) ?? []).filter(isHeld);
  const longestDueFirst = (a: Wake, b: Wake) => (a.people?.getTime() ?? 0) - (b.people?.getTime() ?? 0) || byId(a, b);
  const ofAccount = (accountId: string) => rows.filter((row) => row.accountId === accountId).toSorted(oldestFirst);
  return {
    // In-memory transactions are serialised anyway.
    count: async (accountId) => ofAccount(accountId).length,
    lockName: async () => {},
    async add(domain) {
      if (ofAccount(domain.accountId).some(({ name }) => name === domain.name)) return false;
      rows.set(domain.id, domain);
      return true;
    },
    list: async (accountId) => ofAccount(accountId),
    find: async (accountId, id) => ofAccount(accountId).find((row) => row.id === id),
    findById: async (id) => rows.get(id),
    listByIds: async (ids) => ids.flatMap((id) => rows.get(id) ?? []),
    listByName: async (name) => rows.filter((row) => row.name === name).toSorted(oldestFirst),
    async save(domain) {
      if (rows.get(domain.id)?.version !== domain.version - 1) return false;
      rows.set(domain.id, domain);
      return true;
    },
    async remove(accountId, id) {
      const found = ofAccount(accountId).find((row) => row.id === id);
      if (found) rows.delete(id);
      wakes.delete(id);
      return found;
    },
    async removeByAccount(accountId) {
      const gone = ofAccount(accountId);
      for (const { id } of gone) {
        rows.delete(id);
        wakes.delete(id);
      }
      return gone;
    },
    listDue: async (now, { limit, except }) => {
      const due = rows
        .filter(({ name, dueAt }) => dueAt !== undefined && dueAt <= now && !except.includes(name))
        .toSorted((a, b) => (a.dueAt?.getTime() ?? 0) - (b.dueAt?.getTime() ?? 0) || byId(a, b));
      return [...Map.groupBy(due, ({ name }) => name).values()].flatMap(([first]) => first ?? []).slice(0, limit);
    },
    listHeldNames: async () => [...new Set(rows.filter(isHeld).map(({ name }) => name))].toSorted(),
    async wake(name, now) {
      for (const { id } of rows.filter((row) => row.name === name && isHeld(row)))
        wakes.set(id, { id, people: now, telling: now });
    },
    async listPeopleDue(now, limit) {
      const due = wakes.filter(({ people }) => people !== undefined && people <= now).toSorted(longestDueFirst);
      return [...new Set(held(due).map(({ name }) => name))].slice(0, limit);
    },
    async setPeopleDue(name, dueAt) {
      for (const { id } of rows.filter((row) => row.name === name))
        wakes.set(id, { telling: undefined, ...wakes.get(id), id, people: dueAt });
    },
    async listTellingDue(now, after, limit) {
      const due = wakes.filter(({ telling }) => telling !== undefined && telling <= now);
      const domains = held(due).map(({ id, accountId, name }) => {
        return { id, accountId, name, at: wakes.get(id)?.telling ?? now };
      });
      return dueAfter(domains, after, limit);
    },
    async endTelling(id, at) {
      const wake = wakes.get(id);
      if (wake?.telling && wake.telling < at) wakes.set(id, { ...wake, telling: undefined });
    },
    async setTellingDue(id, dueAt) {
      wakes.set(id, { people: undefined, ...wakes.get(id), id, telling: dueAt });
    },
  };
}

function looksIn(tables: MemoryTables): LookRepository {
  const rows = tables<Look>("domains.look");
  const latestFirst = (a: Look, b: Look) =>
    b.at.getTime() - a.at.getTime() || (a.accountId + a.what < b.accountId + b.what ? -1 : 1);
  return {
    async add(look) {
      const hour = Math.floor(look.at.getTime() / HOUR_MS);
      const key = JSON.stringify([look.domain, look.accountId, look.what, look.alias ?? "", hour]);
      if (!rows.get(key)) rows.set(key, look);
    },
    list: async (domain, alias, limit) =>
      rows
        .filter((row) => row.domain === domain && (row.alias === undefined || row.alias === alias))
        .toSorted(latestFirst)
        .slice(0, limit),
    listByAccount: async (accountId, limit) =>
      rows
        .filter((row) => row.accountId === accountId)
        .toSorted(latestFirst)
        .slice(0, limit),
    removeBefore: async (before) => void rows.removeWhere(({ at }) => at < before),
    removeByAccount: async (accountId) => void rows.removeWhere((row) => row.accountId === accountId),
  };
}
