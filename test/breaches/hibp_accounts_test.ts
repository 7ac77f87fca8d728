import { afterEach, describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import { breachWorld } from "../support/breaches.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { HIBP_TEST_ACCOUNTS, type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";

let peer: HibpPeer | undefined;
afterEach(() => peer?.stop());

describe("HIBP's 16 official test accounts", () => {
  test.each([true, false])(
    "get their alerts exactly once while the catalogue grows (by range: %p)",
    async (IncludesKAnon) => {
      const source = await startHibpPeer({ subscription: { IncludesKAnon } });
      peer = source;
      const { deps, clock, published, transaction } = breachWorld();
      const breaches = createBreaches({ ...deps, feeds: [feedOn(source, { now: clock.now })] });
      expect(await breaches.syncCatalogue()).toMatchObject({ changed: [], removed: [], broken: 0 });
      const accounts = HIBP_TEST_ACCOUNTS.map((account) => ({ ...account, accountId: crypto.randomUUID() }));
      for (const { address, accountId } of accounts) {
        const watch = { associationId: crypto.randomUUID(), accountId, address };
        await breaches.onMonitoringStarted({
          type: "tracking.monitoringStarted",
          ...watch,
          scope: { details: true, sensitive: true },
        });
      }
      const expected = accounts.map(({ address, found }) => [address, found.toSorted()]);
      const total = expected.flatMap(([, found]) => found).length;
      const told = async () => {
        const events = await published();
        return events.flatMap((event) =>
          event.type === "breaches.baselineReady"
            ? event.alertIds
            : event.type === "breaches.alertsRaised"
              ? event.alerts.map(({ alertId }) => alertId)
              : [],
        );
      };
      const alerts = () =>
        transaction(async ({ alerts: stored }) => {
          const list: [string, string[]][] = [];
          for (const { address, accountId } of accounts)
            list.push([address, (await stored.listBreachNames(accountId, address)).toSorted()]);
          return list;
        });

      expect(await breaches.scanDue()).toEqual({ checked: 16, raised: total, trouble: undefined });
      expect(await alerts()).toEqual(expected as [string, string[]][]);
      const ids = await told();
      expect([ids.length, new Set(ids).size]).toEqual([total, total]);

      source.publish("2026-07-20");
      clock.pass(DAY + HOUR);
      const report = await breaches.syncCatalogue();
      if (!("added" in report)) throw new Error(report.reason);
      expect([report.added.length, report.changed.length, report.removed.length]).toEqual([97, 4, 0]);
      expect(await breaches.syncCatalogue()).toEqual({ added: [], changed: [], removed: [], broken: 0 });
      expect(await breaches.scanDue()).toEqual({ checked: 16, raised: 0, trouble: undefined });
      expect(await alerts()).toEqual(expected as [string, string[]][]);
      expect(await told()).toEqual([]);
    },
  );
});
