import { joined } from "../shared/batching.ts";
import type { Language } from "../shared/language.ts";
import { ok, type Result } from "../shared/result.ts";
import { type Association, type AssociationStatus, isWatched, statusOf } from "./association.ts";
import type { AssociationQuery } from "./inputs.ts";
import type { AskedPage, AssociationOrder, ContactState, TrackingDeps } from "./ports.ts";

export const ASSOCIATIONS_PER_PAGE = 25;

export type AssociationView = {
  id: string;
  address: string;
  status: AssociationStatus;
  language: Language;
  pendingAlerts: number;
  /** ISO 8601; null before the first check, or while nothing is checked. */
  checkedAt: string | null;
  nextCheckAt: string | null;
  contacts: ContactState[];
} & Pick<Association, "owner" | "consent" | "scope" | "paused" | "suspended" | "preferred">;

export type AssociationPage = {
  items: AssociationView[];
  total: number;
  page: number;
  pageSize: number;
  /** `used` includes those that await their owner's answer. */
  capacity: { used: number; cap: number | null };
  counts: Record<AssociationStatus | "all", number>;
  /** The number of addresses with pending alerts, and of these alerts, regardless of the filter. */
  waiting: { addresses: number; alerts: number };
  /** Set while checks are long overdue, so that the page may be out of date. */
  stale: { since: string } | null;
};

/** The data of the dashboard. */
export function dashboard({ transaction, planGate, checks, lateChecks, contactStates }: TrackingDeps) {
  const pageOf = joined(async (keys: string[]) => {
    const asked = keys.map((key) => JSON.parse(key) as AskedPage);
    const pages = await transaction(({ associations }) => associations.list(asked, ASSOCIATIONS_PER_PAGE));
    return new Map(pages.map((page, place) => [keys[place] ?? "", page]));
  });

  return {
    /** A summary of what is tracked, with the addresses that have the most pending alerts. */
    async watchedBy(accountId: string, named: number) {
      const all = await transaction(({ associations }) => associations.listByAccount(accountId));
      const watched = all.filter(isWatched);
      const first = watched.toSorted((one, other) => other.openAlerts - one.openAlerts).slice(0, named);
      const times = await checks.of(first.map(({ address }) => address));
      const addresses = first.map(({ address, openAlerts: pending }) => ({
        address,
        pending,
        checkedAt: times.get(address)?.checkedAt,
      }));
      return { watched: watched.length, addresses };
    },

    /** Those of these associations that await their owner's answer. */
    async awaiting(accountId: string, ids: string[]): Promise<Set<string>> {
      const found = await transaction(({ associations }) => associations.listByIds(ids));
      const open = found.filter((one) => one.accountId === accountId && one.consent === "pending");
      return new Set(open.map(({ id }) => id));
    },

    async listAssociations(
      accountId: string,
      { search, status, page }: AssociationQuery,
      order: AssociationOrder = "oldest",
    ): Promise<Result<AssociationPage>> {
      const offset = (page - 1) * ASSOCIATIONS_PER_PAGE;
      const asked: AskedPage = { accountId, search, status, order, offset };
      const [{ cap }, late, found] = await Promise.all([
        planGate.of(accountId),
        lateChecks.since(accountId),
        pageOf(JSON.stringify(asked)),
      ]);
      if (!found) throw new Error("Cannot list associations");
      const { associations, total, used, counts, waiting } = found;
      const [states, times] = await Promise.all([
        contactStates.of(
          accountId,
          associations.flatMap((association) => association.contacts),
        ),
        checks.of(associations.map(({ address }) => address)),
      ]);
      const stale = late ? { since: late.toISOString() } : null;
      const items = associations.map((association) => viewOf(association, times.get(association.address), states));
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const page_ = { items, total, page, pageSize: ASSOCIATIONS_PER_PAGE };
      return ok({ ...page_, capacity: { used, cap }, counts: { ...counts, all }, waiting, stale });
    },
  };
}

function viewOf(
  association: Association,
  times: { checkedAt: Date | undefined; dueAt: Date | undefined } | undefined,
  states: ContactState[],
): AssociationView {
  const { id, address, language, openAlerts, owner, consent, scope, paused, suspended, preferred } = association;
  const status = statusOf(association);
  return {
    id,
    address,
    status,
    language,
    pendingAlerts: openAlerts,
    owner,
    consent,
    scope,
    paused,
    suspended,
    preferred,
    checkedAt: times?.checkedAt?.toISOString() ?? null,
    nextCheckAt: status === "inactive" ? null : (times?.dueAt?.toISOString() ?? null),
    contacts: association.contacts.map(
      (contact) =>
        states.find((state) => state.channel === contact.channel && state.value === contact.value) ?? {
          ...contact,
          state: "unconfirmed",
        },
    ),
  };
}
