import type { EventOf } from "../../events/catalogue.ts";
import { joined } from "../../shared/batching.ts";
import type { BreachDeps, BreachStore } from "../ports.ts";
import { countAgain } from "./announce.ts";

const ORPHANS_AT_ONCE = 100;

/** Keeps this module's copy of all watches in sync with tracking. */
export function watching({ transaction, feeds, now }: BreachDeps) {
  const sources = feeds.map(({ source }) => source);
  const timesOf = joined((addresses: string[]) => transaction((store) => knownTimes(store, addresses, sources)));
  return {
    /** Makes the address due immediately, even if others track it, as the new association needs its first report. */
    onMonitoringStarted({
      associationId,
      accountId,
      address,
      scope,
    }: EventOf<"tracking.monitoringStarted">): Promise<void> {
      return transaction(async ({ watches, scans }) => {
        await watches.add({ associationId, accountId, address, ...scope });
        await scans.add(address, sources, now());
      });
    },

    /** Applies the owner's new scope immediately; a check then raises the alerts that it newly allows. */
    onScopeChanged({ associationId, address, scope }: EventOf<"tracking.scopeChanged">): Promise<void> {
      return transaction(async (store) => {
        const { watches, scans, changes } = store;
        await scans.lock([address]);
        if (!(await watches.setScope(associationId, scope))) return;
        const watch = await watches.find(associationId);
        if (scope.sensitive && watch?.suspended === false) await scans.add(address, sources, now());
        if (scope.sensitive) await changes.worsenMissed(associationId);
        await countAgain(store, [associationId]);
      });
    },

    /** Keeps the data; the address is no longer checked unless others track it. */
    onMonitoringSuspended({ associationId, address }: EventOf<"tracking.monitoringSuspended">): Promise<void> {
      return transaction(async (store) => {
        const checkedAt = (await store.scans.timesOf([address], sources)).get(address)?.checkedAt;
        for (const each of await addressesOf(store, associationId, address))
          await endChecksUnlessOthersWatch(store, associationId, each);
        await store.watches.setSuspended(associationId, true);
        if (checkedAt) await store.watches.keepLastCheck(associationId, checkedAt);
      });
    },

    /**
     * Makes the address due immediately: breaches published meanwhile raise alerts, escalated ones become pending without a
     * message.
     */
    onMonitoringResumed({ associationId, address }: EventOf<"tracking.monitoringResumed">): Promise<void> {
      return transaction(async (store) => {
        const { watches, scans, changes } = store;
        const addresses = await addressesOf(store, associationId, address);
        await scans.lock(addresses);
        if (!(await watches.setSuspended(associationId, false))) return;
        for (const each of addresses) await scans.add(each, sources, now());
        if ((await changes.worsenMissed(associationId)) > 0) await countAgain(store, [associationId]);
      });
    },

    /** Deletes the association's alerts, and the address's data if this was its last watch. */
    onMonitoringStopped({ associationId, address }: EventOf<"tracking.monitoringStopped">): Promise<void> {
      return transaction(async (store) => {
        const addresses = await addressesOf(store, associationId, address);
        for (const each of addresses) await endChecksUnlessOthersWatch(store, associationId, each);
        await store.watches.remove(associationId);
        await store.alerts.removeByAssociation(associationId);
        await store.exposures.removeUnwatched(addresses);
        await store.traces.removeUnwatched(address);
        await store.disclosures.removeUnwatched(addresses);
      });
    },

    /** The alias is due immediately, unless its association is suspended. */
    onAliasStarted({ aliasId, associationId, address }: EventOf<"tracking.aliasStarted">): Promise<void> {
      return transaction(async ({ watches, scans }) => {
        await scans.lock([address]);
        const watch = await watches.addAlias({ id: aliasId, associationId, address });
        if (watch?.suspended === false) await scans.add(address, sources, now());
      });
    },

    /** Deletes what was found under the alias alone, and its data if no one else tracks it. */
    onAliasStopped({ aliasId, associationId, address }: EventOf<"tracking.aliasStopped">): Promise<void> {
      return transaction((store) => endAlias(store, aliasId, associationId, address));
    },

    /**
     * The job: ends aliases that outlived their association, as the previous release, running alongside during an upgrade, ends
     * associations without them. Returns their number.
     */
    async endOrphanedAliases(): Promise<number> {
      for (let ended = 0; ; ) {
        const orphans = await transaction(({ watches }) => watches.listOrphans(ORPHANS_AT_ONCE));
        for (const { associationId: id, aliasOf, address } of orphans)
          if (aliasOf !== undefined) await transaction((store) => endAlias(store, id, aliasOf, address));
        ended += orphans.length;
        if (orphans.length < ORPHANS_AT_ONCE) return ended;
      }
    },

    /** Last and next check of these addresses. */
    async checkTimesOf(addresses: string[]): Promise<Map<string, KnownTimes>> {
      const times = await Promise.all(addresses.map(async (address) => [address, await timesOf(address)] as const));
      return new Map(times.flatMap(([address, found]) => (found ? [[address, found]] : [])));
    },
  };
}

/** The last check, even of an address that is not checked now; the next one, where one is planned. */
export type KnownTimes = { checkedAt: Date | undefined; dueAt: Date | undefined };

export async function knownTimes(
  { scans, watches }: BreachStore,
  addresses: string[],
  sources: string[],
): Promise<Map<string, KnownTimes>> {
  const times: Map<string, KnownTimes> = await scans.timesOf(addresses, sources);
  const unchecked = addresses.filter((address) => times.get(address)?.checkedAt === undefined);
  for (const [address, checkedAt] of await watches.lastChecks(unchecked))
    times.set(address, { checkedAt, dueAt: times.get(address)?.dueAt });
  return times;
}

/** The association's address and those of its aliases, in the lock order of a check. */
async function addressesOf({ watches }: BreachStore, associationId: string, address: string): Promise<string[]> {
  const aliases = await watches.listAliases(associationId);
  return [address, ...aliases.map((alias) => alias.address)].toSorted();
}

/** Also deletes alerts of the alias itself, which only the previous release raises. */
async function endAlias(store: BreachStore, aliasId: string, associationId: string, address: string) {
  await store.watches.lockRemovals(address);
  await store.scans.lock([address]);
  await endChecksUnlessOthersWatch(store, aliasId, address);
  await store.watches.remove(aliasId);
  await store.alerts.removeVariant(associationId, address);
  await store.alerts.removeByAssociation(aliasId);
  await store.exposures.removeUnwatched([address]);
  await store.disclosures.removeUnwatched([address]);
  if (await store.watches.find(associationId)) await countAgain(store, [associationId]);
}

/** Before the watch itself is changed, in the lock order of a check: the address, then its watches. */
async function endChecksUnlessOthersWatch({ watches, scans }: BreachStore, id: string, address: string) {
  await watches.lockRemovals(address);
  const active = await watches.listActive([address]);
  if (active.every((watch) => watch.associationId === id || watch.aliasOf === id)) await scans.remove([address]);
}
