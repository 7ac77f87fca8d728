import { afterEach, describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Database } from "../../src/database/postgres.ts";
import { emptyPglite } from "../support/postgres.ts";
import { bench, closeAll, findings } from "./doctor_bench.ts";

afterEach(closeAll);

describe("doctor's look at sources", () => {
  test("names the entries that could not be read when the catalogue was last read", async () => {
    const database = await emptyPglite();
    const plain = database.transactionOf((tx: Database) => tx);
    const room = bench({}, { database: async () => plain });
    expect((await findings("sources", room)).list).toEqual([expect.stringContaining("Bundled example data")]);
    const reading = { newest: undefined, grows: false, leftOut: ["Torn", "entry 7"] };
    await database.transactionOf(postgresBreaches)(({ sources }) => sources.noteSynced("hibp", reading, new Date()));
    expect((await findings("sources", room)).list.slice(1)).toEqual([
      "warn: 2 entries of hibp cannot be read and nobody is told of them: Torn, entry 7",
    ]);
  });
});
