import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Alert, Drill } from "../../src/breaches/ports.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { aBreach } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-03-02T08:00:00.000Z");

function aDrill(more: Partial<Drill> = {}) {
  const id = crypto.randomUUID();
  const drill: Drill = {
    id,
    accountId: crypto.randomUUID(),
    associationId: crypto.randomUUID(),
    address: "alice@example.com",
    breachName: `drill:${id}`,
    alertId: crypto.randomUUID(),
    startedAt: NOW,
    ...more,
  };
  const { associationId, accountId, address, breachName } = drill;
  const alert: Alert = {
    id: drill.alertId,
    associationId,
    accountId,
    address,
    breachName,
    state: "pending",
    baseline: false,
    raisedAt: NOW,
    handledAt: undefined,
    worsenedAt: undefined,
    changedSince: undefined,
    variants: [],
    reason: undefined,
    note: undefined,
    steps: [],
    version: 1,
  };
  return { drill, made: { breach: aBreach({ name: breachName, title: "Fire drill", flags: ["drill"] }), alert } };
}

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("DrillRepository on %s", (_, open) => {
  test("a drill creates its breach and its alert, and removes them again", async () => {
    const { transaction } = await open();
    const { drill, made } = aDrill();
    const { accountId, associationId, address, alertId, breachName } = drill;
    await transaction(async ({ drills, alerts, breaches, watches }) => {
      await watches.add({ associationId, accountId, address, details: true, sensitive: false });
      expect(await drills.start(drill, made)).toBe(true);
      expect(await drills.find(accountId)).toEqual(drill);
      expect(await alerts.find(accountId, alertId)).toMatchObject({ state: "pending", details: true });
      expect(await breaches.find(breachName)).toMatchObject({ title: "Fire drill" });
      expect(await breaches.hashes("hibp")).toEqual(new Map());
    });
    await transaction(async ({ drills, alerts, breaches }) => {
      expect(await drills.end(accountId)).toEqual(drill);
      expect(await drills.end(accountId)).toBeUndefined();
      expect(await alerts.find(accountId, alertId)).toBeUndefined();
      expect(await breaches.find(breachName)).toBeUndefined();
    });
  });

  test("a drill is disclosed even if the owner of the address shares no details; real breaches are not", async () => {
    const { transaction } = await open();
    const { drill, made } = aDrill();
    const { accountId, associationId, address, alertId, breachName } = drill;
    await transaction(async ({ drills, alerts, watches }) => {
      await watches.add({ associationId, accountId, address, details: false, sensitive: false });
      await drills.start(drill, made);
      const handledAfter = new Date(0);
      const list = (filter: object) => alerts.list(accountId, { handledAfter, ...filter }, 0, 10);
      expect(await alerts.find(accountId, alertId)).toMatchObject({ details: true });
      expect((await list({ search: "fire drill" })).alerts).toMatchObject([{ id: alertId, details: true }]);
      expect((await list({ breachNames: [breachName] })).total).toBe(1);
      const counted = { breaches: [{ breachName, count: 1, pending: 1 }], undisclosed: 0 };
      expect(await alerts.countByBreach(accountId, handledAfter)).toEqual(counted);
    });
  });

  test("an account has one at a time, even if many are started concurrently", async () => {
    const { transaction } = await open();
    const accountId = crypto.randomUUID();
    const many = Array.from({ length: 6 }, () => aDrill({ accountId }));
    const started = await Promise.all(
      many.map(({ drill, made }) => transaction(({ drills }) => drills.start(drill, made))),
    );
    expect(started.filter(Boolean)).toHaveLength(1);
  });

  test("unfinished ones are listed, oldest first", async () => {
    const { transaction } = await open();
    const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
    await transaction(async ({ drills }) => {
      for (const minutes of [3, 1, 2]) {
        const { drill, made } = aDrill({ startedAt: at(minutes) });
        await drills.start(drill, made);
      }
      const over = await drills.listStartedBefore(at(3), 10);
      expect(over.map(({ startedAt }) => startedAt)).toEqual(expect.arrayContaining([at(1), at(2)]));
      expect(over).toHaveLength(2);
      expect(await drills.listStartedBefore(at(9), 1)).toHaveLength(1);
    });
  });
});
