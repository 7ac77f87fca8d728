import { afterAll, describe, expect, test } from "bun:test";
import { migrationsIn } from "../../src/backup/schema.ts";
import { cleared, MIGRATIONS } from "../backup/stage.ts";
import { becomeRelease, RELEASES } from "../releases/releases.ts";
import { migrationKills, place, start } from "./migration_kills.ts";

afterAll(cleared);

/** The full form: `ALL=1 bun test/faults/migration_kills.ts`. */
describe("a migration", () => {
  test.each([
    ["postgres", (statements: number) => [1, Math.floor(statements / 2), statements]],
    ["pglite", (statements: number) => [statements - 1]],
  ] as const)(
    "that is killed on %s has changed nothing, and the next start does all of it",
    async (database, at) => {
      const { kills, wrong } = await migrationKills({ database, at });
      expect(kills).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
    },
    300_000,
  );

  test("is done once by three processes that start concurrently", async () => {
    const { url, during, migrations } = await place("postgres");
    await during((opened) => becomeRelease(opened, RELEASES[0] ?? ""));
    const starts = await Promise.all([start(url), start(url), start(url)]);
    expect(starts.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await migrations()).toBe(migrationsIn(MIGRATIONS).length);
    // One of them ran the statements.
    expect(starts.filter(({ said }) => Number(said) > 10)).toHaveLength(1);
  }, 120_000);
});
