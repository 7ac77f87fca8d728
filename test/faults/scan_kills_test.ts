import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { type Engine, randomOf, scanKills } from "./scan_kills.ts";

/** The full form: `KILLS=50 bun test/faults/scan_kills.ts`. */
const KILLS = Number(process.env.KILLS ?? 0);
const SEED = Number(process.env.SEED ?? 1);
const FORMS = [
  ["postgres", KILLS || 4],
  ["pglite", KILLS || 2],
] as const;

describe("kill -9 during sync and scan, with two sources", () => {
  test.each(FORMS)(
    "on %s, %d times: no alert is lost or duplicated",
    async (database, kills) => {
      const report = await scanKills({ kills, seed: SEED, database });
      expect({ lost: report.lost, doubled: report.doubled }).toEqual({ lost: [], doubled: [] });
      // A process that is killed right after its start has not queried anything yet.
      expect(report.met).toBeGreaterThan(0);
      expect(report.alerts).toBeGreaterThan(100);
    },
    3_600_000,
  );

  test("detects missing, extra and duplicate alerts", async () => {
    const spoil = ({ plain }: Engine) =>
      plain(async (tx) => {
        await tx.execute(
          sql`delete from breaches.alert where address = 'person0@example.org' and breach_name = 'Adobe'`,
        );
        await tx.execute(sql`insert into breaches.alert
          (id, association_id, account_id, address, breach_name, state, baseline, raised_at, version)
          select gen_random_uuid(), association_id, account_id, address,
          'Canva', state, baseline, raised_at, 1 from breaches.alert where address = 'person1@example.org' limit 1`);
        await tx.execute(sql`insert into events.outbox (id, order_key, event, run_at) select gen_random_uuid(), order_key,
          event, run_at from events.outbox where event->>'type' = 'breaches.baselineReady' limit 1`);
      });
    const { lost, doubled } = await scanKills({ kills: 0, seed: SEED, database: "postgres" }, spoil);
    expect(lost).toEqual(["person0@example.org Adobe: no alert", "person1@example.org Canva: announced to nobody"]);
    expect(doubled).toContainEqual("person1@example.org Canva: an alert too many");
    expect(doubled.filter((text) => text.endsWith("announced 2 times")).length).toBeGreaterThan(0);
    expect(doubled.filter((text) => text.endsWith("announced, and no alert any more"))).toHaveLength(1);
  }, 300_000);

  test("the same seed gives the same times", () => {
    const [one, again, other] = [randomOf(7), randomOf(7), randomOf(8)].map((next) => [next(), next(), next()]);
    expect(again).toEqual(one ?? []);
    expect(other).not.toEqual(one ?? []);
    expect((one ?? []).every((value) => value >= 0 && value < 1)).toBe(true);
  });
});
