import type { Alert, AlertRepository, Exposure, OpenCount, RaisedAlert, Watch } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";
import { isWithinScope, memoryAlertList } from "./alert_list.ts";
import type { BreachRow } from "./rows.ts";

function compareDown(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

export function memoryAlerts(tables: MemoryTables): AlertRepository {
  const breachRows = tables<BreachRow>("breaches.breach");
  const watchRows = tables<Watch>("breaches.watch");
  const exposures = tables<Exposure & { address: string }>("breaches.exposure");
  const alertRows = tables<Alert>("breaches.alert");
  const counts = tables<{ version: number }>("breaches.alert_count");

  const reader = memoryAlertList(tables);
  const addedDate = (name: string) => breachRows.get(name)?.breach.addedDate ?? "";

  const foundUnder = ({ address, variants }: Alert) => (variants.length === 0 ? [address] : variants);

  /** The same alert, also found under this address. */
  function extended(alert: Alert, address: string): Alert {
    const variants = [...new Set([...foundUnder(alert), address])].sort();
    return { ...alert, variants: variants.length === 1 && address === alert.address ? [] : variants };
  }

  function raiseMissing(addresses: string[], now: Date): RaisedAlert[] {
    const added = new Map<string, RaisedAlert>();
    const before = new Set(alertRows.filter().map(({ id }) => id));
    for (const watch of watchRows.filter((row) => addresses.includes(row.address) && !row.suspended)) {
      for (const { breachName } of exposures.filter((row) => row.address === watch.address)) {
        if (!isWithinScope(watch, breachRows.get(breachName))) continue;
        const associationId = watch.aliasOf ?? watch.associationId;
        const baseline = watch.baselineAt === undefined;
        const stored = alertRows.find((row) => row.associationId === associationId && row.breachName === breachName);
        if (stored) {
          if (foundUnder(stored).includes(watch.address)) continue;
          const more = extended(stored, watch.address);
          const isNew = !before.has(stored.id);
          const isFirst = (added.get(stored.id)?.baseline ?? true) && baseline;
          const first = added.has(stored.id) || isNew ? more : { ...more, version: more.version + 1 };
          const open: Alert = {
            ...{ ...first, state: "pending", handledAt: undefined, reason: undefined, note: undefined },
            ...{ steps: [], changedSince: undefined },
          };
          alertRows.set(stored.id, isNew ? { ...open, baseline: isFirst } : open);
          added.set(stored.id, { ...open, baseline: isFirst, ...(isNew ? {} : { again: true }) });
          continue;
        }
        const { accountId } = watch;
        const main = watchRows.get(associationId);
        if (!main) continue;
        const { address } = main;
        const alert: Alert = {
          id: Bun.randomUUIDv7(),
          associationId,
          accountId,
          address,
          breachName,
          state: "pending",
          baseline,
          raisedAt: now,
          handledAt: undefined,
          worsenedAt: undefined,
          version: 1,
          reason: undefined,
          note: undefined,
          changedSince: undefined,
          steps: [],
          variants: watch.address === address ? [] : [watch.address],
        };
        alertRows.set(alert.id, alert);
        added.set(alert.id, alert);
      }
    }
    return [...added.values()];
  }

  return {
    ...reader,
    async addMissing(findings, now, source) {
      for (const { address, breachNames } of findings)
        for (const breachName of breachNames) {
          const known = exposures.get(`${address} ${breachName}`) ?? { address, breachName, foundAt: now, sources: [] };
          const sources = [...new Set([...known.sources, ...(source === undefined ? [] : [source])])];
          exposures.set(`${address} ${breachName}`, { ...known, sources });
        }
      const addresses = findings.map(({ address }) => address);
      return raiseMissing(addresses, now);
    },
    async listExposures(address, limit) {
      const found = exposures.filter((row) => row.address === address);
      found.sort(
        (a, b) =>
          b.foundAt.getTime() - a.foundAt.getTime() || compareDown(addedDate(a.breachName), addedDate(b.breachName)),
      );
      return found.slice(0, limit).map(({ breachName, foundAt, sources }) => ({ breachName, foundAt, sources }));
    },
    async listBreachNames(accountId, address) {
      const own = alertRows.filter((row) => row.accountId === accountId && row.address === address);
      return [...new Set(own.map(({ breachName }) => breachName))];
    },
    async listReported(breachName, baseline) {
      const own = alertRows.filter((row) => row.breachName === breachName && (baseline || !row.baseline));
      const isTold = ({ associationId }: Alert) => {
        const watch = watchRows.get(associationId);
        return watch?.baselineAt && !watch.suspended && isWithinScope(watch, breachRows.get(breachName));
      };
      const told = own.filter(isTold).toSorted((one, other) => (one.id < other.id ? -1 : 1));
      return told.map(({ id, associationId, accountId }) => ({ id, associationId, accountId }));
    },
    async listBaselineIds(associationIds) {
      const rows = alertRows.filter((row) => row.baseline && associationIds.includes(row.associationId));
      const byAssociation = Map.groupBy(rows, ({ associationId }) => associationId);
      return new Map([...byAssociation].map(([associationId, alerts]) => [associationId, alerts.map(({ id }) => id)]));
    },
    async transition(saw, { state, reason, note, at }) {
      return saw.flatMap(({ id, version }) => {
        const stored = alertRows.get(id);
        if (stored?.version !== version) return [];
        const handledAt = state === "handled" ? (stored.handledAt ?? at) : undefined;
        const changed: Alert = { ...stored, state, reason, note, handledAt, version: version + 1 };
        alertRows.set(id, changed);
        return [changed];
      });
    },
    async tick(accountId, id, { name, done }) {
      const stored = alertRows.get(id);
      if (stored?.accountId !== accountId) return undefined;
      const others = stored.steps.filter((step) => step !== name);
      const steps = done ? (stored.steps.includes(name) ? stored.steps : [...others, name]) : others;
      alertRows.set(id, { ...stored, steps });
      return steps;
    },
    async notePasswordChange(accountId, id, changed) {
      const alert = alertRows.get(id);
      if (alert?.accountId !== accountId) return false;
      alertRows.set(id, { ...alert, changedSince: changed });
      return true;
    },
    async removeByAssociation(associationId) {
      alertRows.removeWhere((row) => row.associationId === associationId);
      counts.delete(associationId);
    },
    async removeVariant(associationId, address) {
      const found = alertRows.filter((row) => row.associationId === associationId && row.variants.includes(address));
      for (const alert of found) {
        const left = alert.variants.filter((one) => one !== address);
        const variants = left.length === 1 && left[0] === alert.address ? [] : left;
        if (left.length === 0) alertRows.delete(alert.id);
        else alertRows.set(alert.id, { ...alert, variants, version: alert.version + 1 });
      }
    },
    async listFoundUnder(associationId, addresses) {
      const own = alertRows.filter((row) => row.associationId === associationId);
      const found = own.filter((row) => foundUnder(row).some((address) => addresses.includes(address)));
      return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },
    async countOpen(associationIds) {
      const all: OpenCount[] = [];
      for (const associationId of associationIds) {
        const version = (counts.get(associationId)?.version ?? 0) + 1;
        counts.set(associationId, { version });
        const seen = await reader.listByAssociation(associationId, new Date(0), Number.POSITIVE_INFINITY);
        all.push({ associationId, open: seen.filter(({ state }) => state === "pending").length, version });
      }
      return all;
    },
  };
}
