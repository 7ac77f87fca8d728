import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { isMigratedTo } from "../../src/database/migration_status.ts";
import { unwatched } from "../../src/telemetry/health.ts";
import { probeRoutes, readiness } from "../../src/telemetry/probes.ts";
import { cleared, openNew } from "../backup/stage.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";

const never = () => new Promise<boolean>(() => {});

describe("readiness()", () => {
  test("returns why this process cannot handle requests", async () => {
    const about = (isMigrated: () => Promise<boolean>, isStopping = false, isFull = false) =>
      readiness({ isMigrated, isFull: () => isFull, isStopping: () => isStopping })();
    expect(await about(async () => true)).toBeUndefined();
    expect(await about(async () => false)).toBe("migrations");
    expect(await about(() => Promise.reject(new Error("gone")))).toBe("database");
    expect(await about(never, true)).toBe("stopping");
    expect(await about(async () => true, false, true)).toBe("disk");
  });

  test("does not wait for a database that does not respond", async () => {
    const from = performance.now();
    expect(await readiness({ isMigrated: never, isFull: () => false, isStopping: () => false })()).toBe("database");
    expect(performance.now() - from).toBeLessThan(5000);
  }, 10_000);

  test("checks once for concurrent callers, and again later", async () => {
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const unready = readiness({
      isMigrated: () => (++asked === 1 ? promise : Promise.resolve(true)),
      isFull: () => false,
      isStopping: () => false,
    });
    const answers = [unready(), unready(), unready()];
    resolve(false);
    expect(await Promise.all(answers)).toEqual(["migrations", "migrations", "migrations"]);
    expect(asked).toBe(1);
    expect(await unready()).toBeUndefined();
  });
});

describe("probeRoutes()", () => {
  test("/livez needs no database, /readyz tells the load balancer to use another process", async () => {
    const routes = probeRoutes(async () => "database");
    expect((await routes.request("/livez")).status).toBe(200);
    const answer = await routes.request("/readyz");
    expect([answer.status, await answer.json()]).toEqual([503, { status: "unready", reason: "database" }]);
  });

  test("respond to everybody, without a session lookup, and are not cacheable", async () => {
    const adapters = adaptersOn(memoryGround());
    const world = composed({
      ...adapters,
      transactions: { ...adapters.transactions, identity: () => Promise.reject(new Error("nobody may ask")) },
    });
    for (const path of ["/livez", "/readyz"]) {
      const answer = await world.app.request(path, { headers: { Cookie: "__Host-session=x" } });
      expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    }
  });

  test("of a stopping process return 503, and its other responses close their connections", async () => {
    const health = { ...unwatched, isStopping: () => true, unready: async () => "stopping" as const };
    const { app } = composed({ ...adaptersOn(memoryGround()), health });
    expect((await app.request("/readyz")).status).toBe(503);
    const answer = await app.request("/api/instance");
    expect([answer.status, answer.headers.get("Connection")]).toEqual([200, "close"]);
  });
});

test.each(["pglite", "postgres"] as const)(
  "isMigratedTo() is true for this release's schema and for a later one on %s, and false for an earlier one",
  async (engine) => {
    const database = await openNew(engine);
    const newest = await database.transaction(async (tx) => {
      const result: unknown = await tx.execute(
        sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`,
      );
      const rows = (Array.isArray(result) ? result : (result as { rows: unknown[] }).rows) as { at: string }[];
      return Number(rows[0]?.at);
    });
    const isAt = (at: number) => database.transaction((tx) => isMigratedTo(tx, at));
    expect([await isAt(newest), await isAt(newest - 1), await isAt(newest + 1)]).toEqual([true, true, false]);
    await cleared();
  },
  60_000,
);
