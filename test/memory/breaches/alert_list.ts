import type { Breach } from "../../../src/breaches/catalogue/breach.ts";
import type {
  Alert,
  AlertFilter,
  AlertOrder,
  AlertReader,
  KnownBreach,
  SeenAlert,
  Watch,
} from "../../../src/breaches/ports.ts";
import type { AlertSort } from "../../../src/shared/alert.ts";
import { containsText } from "../../../src/shared/shown_address.ts";
import type { MemoryTables } from "../database.ts";
import { type BreachRow, type ExposureRow, keyOf, type LogoRow } from "./rows.ts";

/** An unlisted breach may turn out to be sensitive. */
export function isWithinScope({ sensitive }: Watch, row: BreachRow | undefined): boolean {
  return sensitive || row?.breach.flags.includes("sensitive") === false;
}

type Key = string | number | undefined;
/** An alert with its search and sort keys. Without details there is no breach. */
type Row = { alert: SeenAlert; breach: Breach | undefined; title: string | undefined; former: string[] };

const newsAt = ({ raisedAt, worsenedAt }: Alert) => Math.max(raisedAt.getTime(), worsenedAt?.getTime() ?? 0);
const isInTable = ({ handledAt }: Alert, handledAfter: Date) => handledAt === undefined || handledAt > handledAfter;

/** Unknown values come last, in either direction. */
function compare(a: Key, b: Key, direction: AlertOrder["direction"]): number {
  if (a === b) return 0;
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a < b === (direction === "asc") ? -1 : 1;
}

function keysOf({ alert, breach, title }: Row, { by, ranking }: AlertOrder): Key[] {
  const place = alert.details ? (ranking ?? []).indexOf(alert.breachName) : -1;
  const isOlder = alert.details && alert.changedSince === "after";
  const keys: Record<AlertSort, Key[]> = {
    found: [alert.raisedAt.getTime(), breach?.addedDate],
    happened: [breach?.breachDate ?? undefined],
    known: [breach?.addedDate],
    service: [title],
    address: [alert.address],
    seriousness: [isOlder ? 0 : 1, place < 0 ? undefined : place],
  };
  return keys[by];
}

const NEWEST_FIRST = { by: "found", direction: "desc" } as const;

function inOrder(rows: Row[], order: AlertOrder = NEWEST_FIRST): SeenAlert[] {
  const keyed = rows.map((row) => ({
    row,
    first: keysOf(row, order),
    last: [...keysOf(row, NEWEST_FIRST), row.alert.id],
  }));
  keyed.sort((a, b) => {
    const first = a.first.map((key, place) => compare(key, b.first[place], order.direction));
    const last = a.last.map((key, place) => compare(key, b.last[place], "desc"));
    return [...first, ...last].find((difference) => difference !== 0) ?? 0;
  });
  return keyed.map(({ row }) => row.alert);
}

function fits(
  { alert, breach, title, former }: Row,
  { state, search, address, breachNames, handledAfter }: AlertFilter,
) {
  const addresses = [alert.address, ...alert.variants];
  const shown = [...addresses, title, ...former, breach?.domain.toLowerCase()];
  const text = (title === undefined ? addresses : shown).join(" ");
  return (
    isInTable(alert, handledAfter) &&
    (state === undefined || alert.state === state) &&
    (address === undefined || alert.address === address) &&
    (breachNames === undefined || (alert.details && breachNames.includes(alert.breachName))) &&
    (search === undefined || text.includes(search.toLowerCase()) || containsText(alert.address, search.toLowerCase()))
  );
}

function counted(values: string[]): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => compare(a, b, "asc"));
}

export function memoryAlertList(tables: MemoryTables): AlertReader {
  const breachRows = tables<BreachRow>("breaches.breach");
  const watchRows = tables<Watch>("breaches.watch");
  const alertRows = tables<Alert>("breaches.alert");
  const logoRows = tables<LogoRow>("breaches.logo");
  const exposureRows = tables<ExposureRow>("breaches.exposure");

  function knownOf({ address, breachName, variants }: Alert): KnownBreach {
    const breach = breachRows.get(breachName)?.breach;
    const logo = breach?.logoPath === undefined ? undefined : logoRows.get(breach.logoPath)?.kept?.file;
    const addresses = variants.length === 0 ? [address] : variants.toSorted();
    const sources = addresses.flatMap((each) => exposureRows.get(keyOf(each, breachName))?.sources ?? []);
    return { breach, logo, sources: [...new Set(sources)] };
  }

  function seen(matches: (row: Alert) => boolean): Row[] {
    return alertRows.filter(matches).flatMap((alert) => {
      const watch = watchRows.get(alert.associationId);
      const row = breachRows.get(alert.breachName);
      if (!watch || !isWithinScope(watch, row)) return [];
      // A drill's data is made up and reveals nothing, and must be recognisable as a drill.
      const details = watch.details || row?.source === "drill";
      const title = details ? (row?.breach.title ?? alert.breachName).toLowerCase() : undefined;
      const known = details ? knownOf(alert) : undefined;
      return [{ alert: { ...alert, details, known }, breach: known?.breach, title, former: row?.former ?? [] }];
    });
  }
  const plain = (rows: Row[]) => rows.map(({ alert }) => alert);
  const found = (accountId: string, filter: AlertFilter) =>
    inOrder(
      seen((row) => row.accountId === accountId).filter((row) => fits(row, filter)),
      filter.order,
    );
  const table = (accountId: string, handledAfter: Date) =>
    seen((row) => row.accountId === accountId && isInTable(row, handledAfter));
  const pending = (accountId: string) => seen((row) => row.accountId === accountId && row.state === "pending");

  return {
    find: async (accountId, id) => plain(seen((row) => row.id === id && row.accountId === accountId))[0],
    findAll: async (accountId, ids) => plain(seen((row) => ids.includes(row.id) && row.accountId === accountId)),
    listByIds: async (ids) => plain(seen((row) => ids.includes(row.id))),
    async listByAssociation(associationId, handledAfter, limit) {
      const rows = seen((row) => row.associationId === associationId && isInTable(row, handledAfter));
      return inOrder(rows).slice(0, limit);
    },
    async list(accountId, filter, offset, limit) {
      const all = found(accountId, filter);
      const alerts = all.slice(offset, offset + limit);
      return { alerts, total: all.length, pending: pending(accountId).length };
    },
    listIds: async (accountId, filter) => found(accountId, filter).map(({ id }) => id),
    async countByBreach(accountId, handledAfter) {
      const all = plain(table(accountId, handledAfter));
      const shown = all.filter(({ details }) => details);
      const breaches = counted(shown.map((alert) => alert.breachName)).map(([breachName, count]) => {
        const open = shown.filter((alert) => alert.breachName === breachName && alert.state === "pending");
        return { breachName, count, pending: open.length };
      });
      return { breaches, undisclosed: all.length - shown.length };
    },
    async countByAddress(accountId, handledAfter) {
      const all = plain(table(accountId, handledAfter));
      return counted(all.map((alert) => alert.address)).map(([address, count]) => ({ address, count }));
    },
    async latest(accountId, handledAfter, limit) {
      const rows = table(accountId, handledAfter).map((row) => ({
        alert: row.alert,
        keys: [newsAt(row.alert), row.breach?.addedDate, row.alert.id],
      }));
      rows.sort((a, b) => a.keys.map((key, at) => compare(key, b.keys[at], "desc")).find((one) => one !== 0) ?? 0);
      return rows.slice(0, limit).map(({ alert }) => alert);
    },
    async countNews(accountId, since) {
      const rows = plain(pending(accountId));
      const fresh = rows.filter((row) => since === undefined || newsAt(row) > since.getTime());
      return { pending: rows.length, fresh: fresh.length };
    },
    async countWithin(accountId, from, to) {
      const all = plain(table(accountId, new Date(0)));
      const isWithin = (at: Date | undefined) => at !== undefined && at >= from && at < to;
      return {
        found: all.filter(({ raisedAt }) => isWithin(raisedAt)).length,
        handled: all.filter(({ handledAt }) => isWithin(handledAt)).length,
        pending: pending(accountId).length,
      };
    },
  };
}
