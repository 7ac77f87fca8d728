import { describe, expect, test } from "bun:test";
import { postgresOperations } from "../../src/operations/adapters/postgres/store.ts";
import type { Incident } from "../../src/operations/ports.ts";
import { memoryOperations } from "../memory/operations/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (time: string) => new Date(`2026-11-${time}.000Z`);
const NOON = at("20T12:00:00");

function incident(more: Partial<Incident> = {}): Incident {
  return {
    id: crypto.randomUUID(),
    kind: "incident",
    title: { en: "Mail is late", de: "Mails verspätet" },
    parts: ["email"],
    state: "investigating",
    startsAt: NOON,
    endsAt: undefined,
    resolvedAt: undefined,
    ...more,
  };
}

describe.each(eachDatabase(memoryOperations, postgresOperations))("IncidentRepository on %s", (_, open) => {
  test("stores an incident with its updates, latest first, and deletes both", async () => {
    const { transaction } = await open();
    const one = incident();
    const first = { id: crypto.randomUUID(), at: NOON, state: "investigating", text: { en: "We look." } } as const;
    const second = { ...first, id: crypto.randomUUID(), at: at("20T12:05:00"), text: { en: "It is DNS.", fr: "DNS" } };
    await transaction(async ({ incidents }) => {
      await incidents.add(one);
      await incidents.addUpdate(one.id, first);
      await incidents.addUpdate(one.id, second);
      expect(await incidents.findLocked(one.id)).toEqual(one);
      expect(await incidents.findLocked(crypto.randomUUID())).toBeUndefined();
      const resolved: Incident = { ...one, state: "resolved", resolvedAt: at("20T13:00:00") };
      await incidents.save(resolved);
      expect(await incidents.list(0, 10)).toEqual({
        incidents: [{ ...resolved, updates: [second, first] }],
        total: 1,
      });
      const corrected = { ...second, state: "monitoring", text: { en: "It was DNS." } } as const;
      await incidents.saveUpdate(corrected);
      expect(await incidents.listUpdates(one.id)).toEqual([corrected, first]);
      await incidents.saveUpdate({ ...corrected, id: crypto.randomUUID() });
      expect(await incidents.listUpdates(one.id)).toHaveLength(2);
      expect(await incidents.listUpdates(crypto.randomUUID())).toEqual([]);
      await incidents.save(one);
      expect((await incidents.findLocked(one.id))?.resolvedAt).toBeUndefined();
    });
    expect(await transaction(({ incidents }) => incidents.remove(one.id))).toBe(true);
    expect(await transaction(({ incidents }) => incidents.remove(one.id))).toBe(false);
    expect(await transaction(({ incidents }) => incidents.list(0, 10))).toEqual({ incidents: [], total: 0 });
  });

  test("lists ongoing incidents, and those that had not ended at a given time", async () => {
    const { transaction } = await open();
    const since = at("10T00:00:00");
    const rows = {
      old: incident({ startsAt: at("01T00:00:00"), resolvedAt: at("02T00:00:00"), state: "resolved" }),
      oldOpen: incident({ startsAt: at("01T01:00:00") }),
      overSince: incident({ startsAt: at("09T00:00:00"), resolvedAt: since, state: "resolved" }),
      maintained: incident({ kind: "maintenance", startsAt: at("03T00:00:00"), endsAt: at("04T00:00:00") }),
      planned: incident({ kind: "maintenance", startsAt: at("29T00:00:00"), endsAt: at("29T01:00:00") }),
    };
    await transaction(async ({ incidents }) => {
      for (const row of Object.values(rows)) await incidents.add(row);
      const ids = (await incidents.listSince(since)).map(({ id }) => id);
      expect(ids).toEqual([rows.planned.id, rows.overSince.id, rows.oldOpen.id]);
      const page = await incidents.list(1, 2);
      expect(page.total).toBe(5);
      expect(page.incidents.map(({ id }) => id)).toEqual([rows.overSince.id, rows.maintained.id]);
    });
  });
});

describe.each(eachDatabase(memoryOperations, postgresOperations))("UptimeRepository on %s", (_, open) => {
  test("counts a minute once, however many processes check it and however often", async () => {
    const { transaction } = await open();
    const parts = [
      { part: "source:hibp", troubled: true },
      { part: "channel:email", troubled: false },
    ];
    const look = () => transaction(({ uptime }) => uptime.count(NOON, parts));
    await Promise.all(Array.from({ length: 8 }, look));
    await transaction(({ uptime }) => uptime.count(at("20T12:01:00"), parts.toReversed()));
    // A process whose clock is slow.
    await look();
    await transaction(({ uptime }) => uptime.count(at("20T12:02:00"), [{ part: "source:hibp", troubled: false }]));
    await transaction(({ uptime }) => uptime.count(at("20T12:03:00"), []));
    expect(await transaction(({ uptime }) => uptime.list("2026-11-20"))).toEqual([
      { day: "2026-11-20", part: "channel:email", measured: 2, troubled: 0 },
      { day: "2026-11-20", part: "source:hibp", measured: 3, troubled: 2 },
    ]);
  });

  test("lists from a day on, and deletes the days before one", async () => {
    const { transaction } = await open();
    await transaction(async ({ uptime }) => {
      for (const day of ["18", "19", "20"])
        await uptime.count(at(`${day}T23:59:00`), [{ part: "source:hibp", troubled: false }]);
      const days = async (from: string) => (await uptime.list(from)).map(({ day }) => day);
      expect(await days("2026-11-19")).toEqual(["2026-11-19", "2026-11-20"]);
      expect(await uptime.removeBefore("2026-11-20")).toBe(2);
      expect(await days("2026-11-01")).toEqual(["2026-11-20"]);
    });
  });
});
