import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import type { Database } from "../../src/database/postgres.ts";
import { postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { doneOrBlocked } from "../support/blocked.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { testClock } from "../support/clock.ts";
import { emptyServer } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

type Moment = "before" | "after";

/**
 * A check on a real server that pauses before or after storing its alerts, uncommitted, until it is told to continue.
 */
async function pausedCheck(moment: Moment, watchers: { accountId: string }[]) {
  const database = await emptyServer();
  const plain = database.transactionOf((tx: Database) => tx);
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const paused = database.transactionOf((tx, events): BreachStore => {
    const store = postgresBreaches(tx, events);
    const addMissing: BreachStore["alerts"]["addMissing"] = async (...given) => {
      const pause = async (now: Moment) => {
        if (now !== moment) return;
        reached.resolve();
        await released.promise;
      };
      await pause("before");
      const added = await store.alerts.addMissing(...given);
      await pause("after");
      return added;
    };
    return { ...store, alerts: { ...store.alerts, addMissing } };
  });
  const deps = {
    feeds: [memoryFeed({ breaches: [aBreach()], exposures: { [ALICE.address]: ["Adobe"] } })],
    now: testClock().now,
    sleep: async () => {},
    hash: hashToken,
    descriptions: sanitizedDescriptions(),
    directories: bundledDirectories(),
    letterDirectories: bundledLetterDirectories(),
    newId: () => Bun.randomUUIDv7(),
    monitoringAccess: { of: async () => ({ ok: false as const, code: "MONITORING_NOT_AUTHORISED" as const }) },
    people: { nameOf: async () => undefined },
    accounts: { of: async () => undefined },
    translate: intlTranslate(),
    report(error: unknown) {
      throw error;
    },
  };
  const breaches = createBreaches({ ...deps, transaction: database.transactionOf(postgresBreaches) });
  const associations: string[] = [];
  for (const { accountId } of watchers) {
    const associationId = crypto.randomUUID();
    await breaches.onMonitoringStarted({
      type: "tracking.monitoringStarted",
      associationId,
      accountId,
      address: ALICE.address,
      scope: FULL_SCOPE,
    });
    associations.push(associationId);
  }
  const checking = createBreaches({ ...deps, transaction: paused }).scanDue();
  await reached.promise;

  return {
    breaches,
    associations,
    published: () => takePublished(postgresOutbox(plain)),
    async pendingOf(accountId: string) {
      const counts = database.transactionOf(postgresBreaches)(({ alerts }) => alerts.countNews(accountId, undefined));
      return (await counts).pending;
    },
    /** Starts something, waits until it is done or blocked by the check, and lets the check continue. */
    async overtake(work: () => Promise<void>): Promise<void> {
      const overtaking = work();
      await doneOrBlocked(plain, overtaking);
      released.resolve();
      await Promise.all([overtaking, checking]);
    },
  };
}

describe.each(["before", "after"] as const)("while a check is %s storing its alerts", (moment) => {
  test.each([
    ["nobody else", [ALICE]],
    ["somebody else", [ALICE, BOB]],
  ])("onMonitoringStopped() leaves no alert behind, with %s monitoring", async (_, watchers) => {
    const { breaches, associations, pendingOf, overtake } = await pausedCheck(moment, watchers);
    const about = { associationId: associations[0] ?? "", ...ALICE };
    await overtake(() => breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", ...about }));
    expect(await pendingOf(ALICE.accountId)).toBe(0);
    expect(await pendingOf(BOB.accountId)).toBe(watchers.length - 1);
  });

  test.each([
    ["nobody else", [ALICE]],
    ["somebody else", [ALICE, BOB]],
  ])("onMonitoringSuspended() loses no report, with %s monitoring", async (_, watchers) => {
    const { breaches, associations, published, overtake } = await pausedCheck(moment, watchers);
    const about = { associationId: associations[0] ?? "", ...ALICE };
    await overtake(() =>
      breaches.onMonitoringSuspended({ type: "tracking.monitoringSuspended", reason: "plan", ...about }),
    );
    await breaches.onMonitoringResumed({ type: "tracking.monitoringResumed", reason: "plan", ...about });
    await breaches.scanDue();
    const reports = (await published()).filter((event) => event.type === "breaches.baselineReady");
    expect(reports.map(({ alertIds }) => alertIds.length)).toEqual(watchers.map(() => 1));
    expect(reports.map(({ associationId }) => associationId).toSorted()).toEqual(associations.toSorted());
  });

  test("onMonitoringStarted() waits, so that the new association gets its own report", async () => {
    const { breaches, published, overtake } = await pausedCheck(moment, [ALICE]);
    const watching = { associationId: crypto.randomUUID(), accountId: BOB.accountId, address: ALICE.address };
    const newcomer = { ...watching, scope: FULL_SCOPE };
    await overtake(() => breaches.onMonitoringStarted({ type: "tracking.monitoringStarted", ...newcomer }));
    await breaches.scanDue();
    const reports = (await published()).filter((event) => event.type === "breaches.baselineReady");
    expect(reports.map(({ accountId, alertIds }) => [accountId, alertIds.length])).toEqual([
      [ALICE.accountId, 1],
      [BOB.accountId, 1],
    ]);
  });
});
