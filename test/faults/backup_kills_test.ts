import { afterAll, expect, test } from "bun:test";
import { cleared } from "../backup/stage.ts";
import { backupKills } from "./backup_kills.ts";

afterAll(cleared);

/** The whole form: `KILLS=20 bun test/faults/backup_kills.ts`. */
test.each(["postgres", "pglite"] as const)(
  "kill -9 during a backup of %s leaves whole files and the database as it was",
  async (database) => {
    const { broken } = await backupKills({ kills: 2, seed: 3, database });
    expect(broken).toEqual([]);
  },
  300_000,
);
