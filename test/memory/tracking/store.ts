import { FULL_SCOPE } from "../../../src/shared/consent.ts";
import { containsText } from "../../../src/shared/shown_address.ts";
import { type Association, type AssociationStatus, ATTENTION, statusOf } from "../../../src/tracking/association.ts";
import type { AskedPage, AssociationList, TrackingStore } from "../../../src/tracking/ports.ts";
import type { MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";
import { memoryStrangerMail } from "../events/stranger_mail.ts";
import { memoryAliases } from "./aliases.ts";

export function memoryTracking(tables: MemoryTables): TrackingStore {
  const rows = tables<Association>("tracking.association");
  const accounts = tables<{ changedAt: Date }>("tracking.account");
  const ofAccount = (accountId: string) => rows.filter((row) => row.accountId === accountId);
  const byAge = (a: Association, b: Association) =>
    a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
  const find = (accountId: string, id: string) => rows.find((row) => row.id === id && row.accountId === accountId);
  const findByAddress = (accountId: string, address: string) =>
    rows.find((row) => row.accountId === accountId && row.address === address);

  const byAttention = (a: Association, b: Association) =>
    ATTENTION.indexOf(statusOf(a)) - ATTENTION.indexOf(statusOf(b)) || b.openAlerts - a.openAlerts || byAge(a, b);

  function pageOf({ accountId, search, status, order, offset }: AskedPage, limit: number): AssociationList {
    const all = ofAccount(accountId);
    const granted = all.filter(({ consent }) => consent !== "pending");
    const matches = granted.filter(
      (row) => containsText(row.address, search.toLowerCase()) && (status === "all" || statusOf(row) === status),
    );
    const counted = (wanted: AssociationStatus) => granted.filter((row) => statusOf(row) === wanted).length;
    const [safe, active] = [counted("safe"), counted("active")];
    return {
      associations: matches.sort(order === "attention" ? byAttention : byAge).slice(offset, offset + limit),
      total: matches.length,
      used: all.length,
      counts: { safe, active, breached: counted("breached"), inactive: counted("inactive") },
      waiting: {
        addresses: granted.filter(({ openAlerts }) => openAlerts > 0).length,
        alerts: granted.reduce((sum, { openAlerts }) => sum + openAlerts, 0),
      },
    };
  }

  return {
    events: memoryEvents(tables),
    aliases: memoryAliases(tables),
    strangerMail: memoryStrangerMail(tables),
    associations: {
      // In-memory transactions are serialised anyway.
      lockAccount: async () => {},
      async add(association) {
        if (findByAddress(association.accountId, association.address)) return false;
        rows.set(association.id, association);
        return true;
      },
      find: async (accountId, id) => find(accountId, id),
      findByAddress: async (accountId, address) => findByAddress(accountId, address),
      listByIds: async (ids) => ids.flatMap((id) => rows.get(id) ?? []),
      listByAccount: async (accountId) => ofAccount(accountId).sort(byAge),
      list: async (asked, limit) => asked.map((page) => pageOf(page, limit)),
      listTracked: async (accountId, list) =>
        ofAccount(accountId).flatMap(({ address }) => (list.includes(address) ? [address] : [])),
      async addAll(associations) {
        for (const association of associations) {
          if (findByAddress(association.accountId, association.address))
            throw new Error(`Cannot add "${association.address}": it is tracked already`);
          rows.set(association.id, association);
        }
      },
      listWatching: async (address) =>
        rows.filter((row) => row.address === address && row.consent !== "pending").sort(byAge),
      async saveSettings(accountId, id, { language, contacts, paused }) {
        const row = find(accountId, id);
        if (row) rows.set(id, { ...row, language, contacts, paused });
      },
      async grant(id, scope, scopeVersion) {
        const row = rows.get(id);
        if (!row || row.consent === "own" || row.scopeVersion >= scopeVersion) return undefined;
        rows.set(id, { ...row, consent: "granted", scope, scopeVersion });
        return row;
      },
      listOwn: async (after = "", limit) =>
        rows
          .filter(({ id, consent }) => consent === "own" && id > after)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, limit),
      async prove(accountId, id) {
        const row = find(accountId, id);
        if (row) rows.set(id, { ...row, owner: true, consent: "own", scope: FULL_SCOPE });
      },
      async setPreferred(accountId, ids) {
        for (const row of ofAccount(accountId)) rows.set(row.id, { ...row, preferred: ids.includes(row.id) });
      },
      countByAccount: async (accountId) => ofAccount(accountId).length,
      async setSuspended(id, suspended) {
        const row = rows.get(id);
        if (row) rows.set(id, { ...row, suspended });
      },
      async setOpenAlerts(counts) {
        for (const { associationId, open: openAlerts, version: openVersion } of counts) {
          const row = rows.get(associationId);
          if (row && row.openVersion < openVersion) rows.set(row.id, { ...row, openAlerts, openVersion });
        }
      },
      async remove(accountId, id) {
        const row = find(accountId, id);
        if (row) rows.delete(id);
        return row;
      },
      async removeAll(accountId, ids) {
        const found = ofAccount(accountId).filter(({ id }) => ids.includes(id));
        for (const { id } of found) rows.delete(id);
        return found;
      },
      async noteEntitlement(accountId, changedAt) {
        const known = accounts.get(accountId);
        if (known && known.changedAt > changedAt) return false;
        accounts.set(accountId, { changedAt });
        return true;
      },
      async forgetAccount(accountId) {
        accounts.delete(accountId);
      },
    },
  };
}
