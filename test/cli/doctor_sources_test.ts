import { afterEach, describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Database } from "../../src/database/postgres.ts";
import { postgresDomains } from "../../src/domains/adapters/postgres/store.ts";
import type { SourceState } from "../../src/domains/ports.ts";
import { emptyPglite } from "../support/postgres.ts";
import { bench, closeAll, findings, peer } from "./doctor_bench.ts";

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

  test("says whether XposedOrNot has a key and accepted it when it was last asked, without asking with it", async () => {
    const server = await peer({ "/v1/breaches": { body: {} } });
    const database = await emptyPglite();
    const transaction = database.transactionOf((tx: Database) => tx);
    const listOf = async (environment: Record<string, string>) => {
      const own = { BREACH_SOURCE: "xposedornot", XPOSEDORNOT_BASE_URL: server, ...environment };
      const { list } = await findings("sources", bench(own, { database: async () => transaction }));
      return list.slice(1);
    };
    const withKey = () => listOf({ XPOSEDORNOT_API_KEY: "canary-key" });
    const note = (domain: string, more: Partial<SourceState>) => {
      const unasked = { generation: undefined, askedAt: undefined, reason: undefined, record: undefined };
      const state = { domain, source: "xposedornot", state: "unasked" as const, dueAt: new Date(), ...unasked };
      const store = database.transactionOf((tx: Database) => postgresDomains(tx, { publish: async () => {} }));
      return store(({ sources }) => sources.save({ ...state, ...more }));
    };
    expect(await listOf({})).toEqual(["ok: XposedOrNot: no key, so it is not asked about whole domains"]);
    await note("a.example", {});
    expect(await withKey()).toEqual([
      "ok: XposedOrNot has a key, which is only checked by its first answer about a domain",
    ]);
    await note("a.example", { state: "answered", askedAt: new Date("2026-11-26T10:00:00Z") });
    await note("b.example", { state: "trouble", reason: "It is down" });
    expect(await withKey()).toEqual([
      "ok: XposedOrNot accepted the key on 2026-11-26, when it last answered about a domain",
      "warn: XposedOrNot gave no answer about 1 domain: It is down",
    ]);
    await note("b.example", { state: "trouble", reason: "XposedOrNot refused the API key" });
    expect(await withKey()).toEqual(["fail: XposedOrNot refused the key when it was last asked about domains"]);
  });
});
