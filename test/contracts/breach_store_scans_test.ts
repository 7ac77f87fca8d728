import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { CheckTimes, ClaimedScan } from "../../src/breaches/ports.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const SOURCE = "hibp";
const LEASE = 1000;
const FAR = 1_000_000;
const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const addressesOf = (claimed: ClaimedScan[]) => claimed.map(({ address }) => address);

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's scans on %s", (_, open) => {
  async function openScans() {
    const { transaction } = await open();
    const claim = (ms: number, limit = 50) => transaction(({ scans }) => scans.claimDue(SOURCE, limit, at(ms), LEASE));
    const claimOne = async (ms: number) => {
      const [scan] = await claim(ms, 1);
      if (scan === undefined) throw new Error(`Cannot claim anything at ${ms}`);
      return scan;
    };
    const finish = (scan: ClaimedScan, checked: number, next: number) =>
      transaction(async ({ scans }) => (await scans.finish([scan], at(checked), at(next))).length === 1);
    return {
      transaction,
      claim,
      claimOne,
      finish,
      add: (address: string, ms: number) => transaction(({ scans }) => scans.add(address, [SOURCE], at(ms))),
      remove: (address: string) => transaction(({ scans }) => scans.remove([address])),
      release: (scan: ClaimedScan, retry: number, failed: boolean) =>
        transaction(({ scans }) => scans.release([scan], at(retry), failed)),
      timesOf: (...addresses: string[]) => transaction(({ scans }) => scans.timesOf(addresses, [SOURCE])),
      backlog: (ms: number) => transaction(({ scans }) => scans.backlog(SOURCE, at(ms))),
      grow: (source = SOURCE) => transaction(({ sources }) => sources.raiseGenerations([source])),
      /** An address whose check at `ms` is done; the next one is far away. */
      async check(address: string, ms: number) {
        await transaction(({ scans }) => scans.add(address, [SOURCE], at(ms)));
        for (const scan of await claim(ms)) await finish(scan, ms, FAR);
      },
    };
  }

  test("add() makes an address due immediately, and timesOf() returns that", async () => {
    const { add, claim, timesOf } = await openScans();
    await add("a@example.com", 10);
    expect(await timesOf("a@example.com", "unknown@example.com")).toEqual(
      new Map([["a@example.com", { checkedAt: undefined, dueAt: at(10) }]]),
    );
    expect(await timesOf()).toEqual(new Map());
    expect(await claim(9)).toEqual([]);
    expect(await claim(10)).toEqual([
      {
        address: "a@example.com",
        source: SOURCE,
        generation: 0,
        request: 1,
        failures: 0,
        leaseToken: expect.any(String),
      },
    ]);
  });

  test("claimDue() gives an address to one claimer until its lease expires", async () => {
    const { add, claim } = await openScans();
    await add("a@example.com", 0);
    const [first] = await claim(0);
    expect(await claim(LEASE)).toEqual([]);
    const [second] = await claim(LEASE + 1);
    expect(second).toMatchObject({ address: "a@example.com", request: 1, failures: 0 });
    expect(second?.leaseToken).not.toBe(first?.leaseToken ?? "");
  });

  test("claimDue() returns new addresses first, then the one checked longest ago, up to the limit", async () => {
    const { add, check, claim, grow } = await openScans();
    await check("b-first@example.com", 1);
    await check("a-second@example.com", 2);
    await grow();
    await add("z-new@example.com", 3);
    await add("y-new@example.com", 4);
    expect(addressesOf(await claim(5, 3))).toEqual(["z-new@example.com", "y-new@example.com", "b-first@example.com"]);
    expect(addressesOf(await claim(5, 3))).toEqual(["a-second@example.com"]);
    expect(await claim(5, 3)).toEqual([]);
  });

  test("claimDue() divides due addresses among ten concurrent claimers, each address once", async () => {
    const { transaction, claim } = await openScans();
    const addresses = Array.from({ length: 45 }, (_, number) => `a${String(number).padStart(2, "0")}@example.com`);
    await transaction(async ({ scans }) => {
      for (const address of addresses) await scans.add(address, [SOURCE], at(0));
    });
    const claimed = await Promise.all(Array.from({ length: 10 }, () => claim(0, 5)));
    for (const batch of claimed) expect(batch.length).toBeLessThanOrEqual(5);
    const rest = await claim(0, 50);
    expect(addressesOf([...claimed.flat(), ...rest]).toSorted()).toEqual(addresses);
  });

  test("finish() records the check only for the holder of the lease", async () => {
    const { add, claimOne, finish, timesOf } = await openScans();
    await add("a@example.com", 0);
    const lost = await claimOne(0);
    const held = await claimOne(LEASE + 1);
    expect(await finish(lost, 5, 100)).toBe(false);
    expect(await timesOf("a@example.com")).toEqual(
      new Map([["a@example.com", { checkedAt: undefined, dueAt: at(0) }]]),
    );
    expect(await finish(held, LEASE + 7, FAR)).toBe(true);
    expect(await timesOf("a@example.com")).toEqual(
      new Map([["a@example.com", { checkedAt: at(LEASE + 7), dueAt: at(FAR) }]]),
    );
    expect(await finish(held, LEASE + 8, FAR + 1)).toBe(false);
  });

  test("finish() succeeds for one of ten concurrent callers", async () => {
    const { add, claimOne, finish } = await openScans();
    await add("a@example.com", 0);
    const scan = await claimOne(0);
    const answers = await Promise.all(Array.from({ length: 10 }, () => finish(scan, 1, FAR)));
    expect(answers.filter((isWon) => isWon)).toHaveLength(1);
  });

  test("finish(), finishUnsupported() and release() accept batches, and skip those whose lease is lost", async () => {
    const { transaction, claim, add, timesOf } = await openScans();
    const addresses = ["a", "b", "c", "d"].map((name) => `${name}@example.com`);
    for (const [ms, address] of addresses.entries()) await add(address, ms);
    const [lost, ...others] = await claim(3);
    const [again] = await claim(LEASE + 4, 1);
    const [one, two, three] = others;
    if (!lost || !again || !one || !two || !three) throw new Error("Not all were claimed");
    await transaction(async ({ scans }) => {
      await scans.lock(addresses);
      expect(await scans.finish([two, lost, one], at(5), at(FAR))).toHaveLength(2);
      expect(await scans.finishUnsupported([three], at(FAR))).toEqual([three.address]);
      for (const none of [await scans.finish([], at(6), at(FAR)), await scans.finishUnsupported([], at(FAR))])
        expect(none).toEqual([]);
      await scans.release([again, two, three], at(7), true);
      for (const nothing of [scans.release([], at(7), true), scans.remove([])]) await nothing;
    });
    const checked = { checkedAt: at(5), dueAt: at(FAR) };
    expect(await timesOf(...addresses)).toEqual(
      new Map<string, CheckTimes>([
        [lost.address, { checkedAt: undefined, dueAt: at(0) }],
        [one.address, checked],
        [two.address, checked],
      ]),
    );
    expect(await claim(LEASE * 3)).toMatchObject([{ address: lost.address, failures: 1 }]);
  });

  test("finish() makes the address available for its next check", async () => {
    const { check, claim } = await openScans();
    await check("a@example.com", 0);
    expect(await claim(FAR - 1)).toEqual([]);
    expect(addressesOf(await claim(FAR))).toEqual(["a@example.com"]);
  });

  test("finish() keeps an address due that was requested again during the check", async () => {
    const { add, claimOne, claim, finish, timesOf } = await openScans();
    await add("a@example.com", 0);
    const scan = await claimOne(0);
    await add("a@example.com", 5);
    expect(await claim(6)).toEqual([]);
    expect(await finish(scan, 7, FAR)).toBe(true);
    expect(await timesOf("a@example.com")).toEqual(new Map([["a@example.com", { checkedAt: at(7), dueAt: at(5) }]]));
    expect(await claim(7)).toMatchObject([{ address: "a@example.com", request: 2 }]);
  });

  test("an address is due when its source's catalogue has grown since it was claimed", async () => {
    const { add, claimOne, claim, finish, grow } = await openScans();
    await add("a@example.com", 0);
    const scan = await claimOne(0);
    await grow();
    await finish(scan, 1, FAR);
    const [again] = await claim(2);
    expect(again).toMatchObject({ address: "a@example.com", generation: 1 });
    await finish(again ?? scan, 3, FAR);
    expect(await claim(4)).toEqual([]);
    for (let raised = 0; raised < 9; raised++) await grow("other");
    expect(await claim(4)).toEqual([]);
    await grow();
    expect(addressesOf(await claim(4))).toEqual(["a@example.com"]);
  });

  test("release() restores an address with its former result, due from the given time on", async () => {
    const { check, claimOne, claim, release, timesOf } = await openScans();
    await check("a@example.com", 0);
    const before = await timesOf("a@example.com");
    const scan = await claimOne(FAR);
    await release(scan, FAR + 50, false);
    expect(await timesOf("a@example.com")).toEqual(before);
    expect(await claim(FAR + 49)).toEqual([]);
    expect(await claim(FAR + 50)).toMatchObject([{ address: "a@example.com", failures: 0 }]);
  });

  test("release() counts consecutive failures, and finish() resets them", async () => {
    const { add, claimOne, finish, release } = await openScans();
    await add("a@example.com", 0);
    for (const failures of [0, 1, 2]) {
      const scan = await claimOne(failures);
      expect(scan.failures).toBe(failures);
      await release(scan, failures + 1, true);
    }
    const scan = await claimOne(3);
    expect(scan.failures).toBe(3);
    await finish(scan, 4, 5);
    expect((await claimOne(5)).failures).toBe(0);
  });

  test("release() without the lease changes nothing", async () => {
    const { add, claimOne, claim, finish, release } = await openScans();
    await add("a@example.com", 0);
    const lost = await claimOne(0);
    const held = await claimOne(LEASE + 1);
    await release(lost, 0, true);
    expect(await claim(LEASE + 2)).toEqual([]);
    expect(await finish(held, LEASE + 3, FAR)).toBe(true);
  });

  test("add() makes an address due immediately even if it waits for a retry", async () => {
    const { add, claimOne, claim, release } = await openScans();
    await add("a@example.com", 0);
    await release(await claimOne(0), FAR, true);
    await add("a@example.com", 10);
    expect(await claim(10)).toMatchObject([{ address: "a@example.com", request: 2 }]);
  });

  test("remove() deletes the address and its lease", async () => {
    const { add, remove, claimOne, claim, finish, timesOf } = await openScans();
    await add("a@example.com", 0);
    const scan = await claimOne(0);
    await remove("a@example.com");
    await remove("unknown@example.com");
    expect(await timesOf("a@example.com")).toEqual(new Map());
    await add("a@example.com", 1);
    expect(await finish(scan, 2, FAR)).toBe(false);
    expect(await claim(2)).toMatchObject([{ address: "a@example.com", request: 1 }]);
  });

  test("backlog() counts what is due, claimed or not, and what waits for its next try, and returns the oldest", async () => {
    const { add, check, backlog, claim, claimOne, release, grow } = await openScans();
    expect(await backlog(0)).toEqual({ due: 0, retrying: 0, oldest: undefined });
    await check("checked@example.com", 0);
    await add("one@example.com", 5);
    await add("two@example.com", 7);
    expect(await backlog(6)).toEqual({ due: 1, retrying: 0, oldest: at(5) });
    expect(await backlog(7)).toEqual({ due: 2, retrying: 0, oldest: at(5) });
    await release(await claimOne(7), 9, true);
    expect(await backlog(7)).toEqual({ due: 2, retrying: 1, oldest: at(5) });
    expect(await backlog(9)).toEqual({ due: 2, retrying: 0, oldest: at(5) });
    await claim(9);
    expect(await backlog(9)).toEqual({ due: 2, retrying: 0, oldest: at(5) });
    await grow();
    expect(await backlog(9)).toEqual({ due: 3, retrying: 0, oldest: at(5) });
  });
});
