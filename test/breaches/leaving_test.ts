import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { Database } from "../../src/database/postgres.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { DAY, testClock } from "../support/clock.ts";
import { emptyServer } from "../support/postgres.ts";
import { tablesWith } from "../support/stored_values.ts";

describe("the last association of an address", () => {
  test("deletes everything known about it, even if all associations end concurrently", async () => {
    const database = await emptyServer();
    const { now } = testClock();
    const breaches = createBreaches({
      transaction: database.transactionOf(postgresBreaches),
      feeds: [memoryFeed({ breaches: [aBreach()], exposures: { [ALICE.address]: ["Adobe"] } })],
      now,
      sleep: async () => {},
      hash: hashToken,
      newId: () => Bun.randomUUIDv7(),
      report: () => {},
      descriptions: sanitizedDescriptions(),
      directories: bundledDirectories(),
      letterDirectories: bundledLetterDirectories(),
      monitoringAccess: { of: async () => ({ ok: false, code: "MONITORING_NOT_AUTHORISED" }) },
      people: { nameOf: async () => undefined },
      accounts: { of: async () => undefined },
      translate: intlTranslate(),
    });
    const plain = database.transactionOf((tx: Database) => tx);
    for (let round = 0; round < 10; round++) {
      const watches = [ALICE, BOB, ALICE, BOB].map(({ accountId }) => {
        return { associationId: crypto.randomUUID(), accountId, address: ALICE.address };
      });
      for (const watch of watches)
        await breaches.onMonitoringStarted({ type: "tracking.monitoringStarted", ...watch, scope: FULL_SCOPE });
      await breaches.scanDue();
      expect(await tablesWith({ plain }, ALICE.address)).toContain("breaches.exposure");
      const leave = watches.map((watch) =>
        breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", ...watch }),
      );
      await Promise.all(leave);
      const left = await tablesWith({ plain }, ALICE.address);
      expect({ round, left: left.filter((table) => table.startsWith("breaches.")) }).toEqual({ round, left: [] });
    }
  });

  test("leaves no data to a check that finds no association", async () => {
    const world = breachWorld({ breaches: [aBreach()], exposures: { [ALICE.address]: ["Adobe"] } });
    await world.breaches.syncCatalogue();
    const associationId = await world.watch(ALICE);
    await world.breaches.scanDue();
    await world.transaction(({ watches }) => watches.remove(associationId));
    world.clock.pass(8 * DAY);
    await world.breaches.scanDue();
    expect(await world.breaches.checkTimesOf([ALICE.address])).toEqual(new Map());
    const known = await world.transaction(async ({ watches, alerts }) => {
      await watches.add({ associationId: crypto.randomUUID(), ...ALICE, ...FULL_SCOPE });
      return alerts.addMissing([{ address: ALICE.address, breachNames: [] }], world.clock.now());
    });
    expect(known).toEqual([]);
  });
});
