import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const SOURCE = "hibp";
const LEASE = 1000;
const FAR = 1_000_000;
const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's lanes of scans on %s", (_, open) => {
  async function openLanes() {
    const { transaction } = await open();
    const claim = (ms: number, limit = 50) => transaction(({ scans }) => scans.claimDue(SOURCE, limit, at(ms), LEASE));
    const add = (address: string, ms: number) => transaction(({ scans }) => scans.add(address, [SOURCE], at(ms)));
    return {
      transaction,
      add,
      claim: async (ms: number, limit?: number) => (await claim(ms, limit)).map(({ address }) => address),
      /** An address whose check at `ms` is done, or that the source cannot check; due again at `next`. */
      async check(address: string, ms: number, { next = FAR, unfit = false } = {}) {
        await add(address, ms);
        for (const scan of (await claim(ms)).filter((one) => one.address === address))
          await transaction(({ scans }) =>
            unfit ? scans.finishUnsupported([scan], at(next)) : scans.finish([scan], at(ms), at(next)),
          );
      },
      grow: () => transaction(({ sources }) => sources.raiseGenerations([SOURCE])),
    };
  }

  test("claimDue() returns new addresses, then those of an older catalogue, then the longest overdue", async () => {
    const { transaction, add, check, claim, grow } = await openLanes();
    await check("i-checked-late@example.com", 20, { next: 8000 });
    await check("h-checked-early@example.com", 10, { next: 9000 });
    await check("g-unfit@example.com", 30, { unfit: true });
    await grow();
    // Checked and due long before the others, but under the current catalogue.
    await transaction(async ({ scans }) => {
      for (const [address, checked, due] of [
        ["a-due-late@example.com", 1, 4000],
        ["b-due-early@example.com", 2, 3000],
        ["c-not-due@example.com", 3, FAR],
      ] as const) {
        await scans.add(address, [SOURCE], at(0));
        const scan = (await scans.claimDue(SOURCE, 1, at(40), LEASE))[0];
        expect(scan?.address).toBe(address);
        if (scan) await scans.finish([scan], at(checked), at(due));
      }
    });
    await add("e-newer@example.com", 46);
    await add("f-new@example.com", 45);
    const all = [
      ...["f-new@example.com", "e-newer@example.com"],
      ...["g-unfit@example.com", "h-checked-early@example.com", "i-checked-late@example.com"],
      ...["b-due-early@example.com", "a-due-late@example.com"],
    ];
    expect(await claim(5000)).toEqual(all);
    for (let limit = 1; limit <= all.length; limit++)
      expect(await claim(5000 + limit * 2 * LEASE, limit)).toEqual(all.slice(0, limit));
  });

  test("claimDue() skips addresses that wait for a retry or are claimed, in every lane", async () => {
    const { transaction, add, check, claim, grow } = await openLanes();
    await check("old@example.com", 10);
    await grow();
    await add("new@example.com", 20);
    const [first] = await transaction(({ scans }) => scans.claimDue(SOURCE, 1, at(30), LEASE));
    expect(first?.address).toBe("new@example.com");
    expect(await claim(30)).toEqual(["old@example.com"]);
    if (first) await transaction(({ scans }) => scans.release([first], at(5000), true));
    expect(await claim(31 + LEASE)).toEqual(["old@example.com"]);
    expect(await claim(5000)).toEqual(["new@example.com", "old@example.com"]);
  });

  test("addresses that a source cannot check never count as new", async () => {
    const { add, check, claim } = await openLanes();
    await check("unfit@example.com", 10, { unfit: true, next: 50 });
    await add("new@example.com", 60);
    expect(await claim(100, 1)).toEqual(["new@example.com"]);
    expect(await claim(100, 1)).toEqual(["unfit@example.com"]);
  });
});
