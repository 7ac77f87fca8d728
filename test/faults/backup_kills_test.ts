import { afterAll, expect, test } from "bun:test";
import { cleared } from "../backup/stage.ts";
import { backupKills } from "./backup_kills.ts";

afterAll(cleared);

/** The full form: `KILLS=20 bun test/faults/backup_kills.ts`. */
test.each(["postgres", "pglite"] as const)(
  "kill -9 during a backup of %s leaves complete files and an unchanged database",
  async (database) => {
    const { broken } = await backupKills({ kills: 2, seed: 3, database });
    expect(broken).toEqual([]);
  },
  300_000,
);
