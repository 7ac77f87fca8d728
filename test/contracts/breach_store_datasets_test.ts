import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { hashBlocks } from "../../src/breaches/datasets/hash_blocks.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import { PREFIX } from "../../src/breaches/scanning/watched_hashes.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

function blocksOf(findings: { hash: string; breachName: string }[]) {
  const blocks = hashBlocks();
  for (const { hash, breachName } of findings) blocks.add(Uint8Array.fromHex(hash), breachName);
  return [...blocks.blocks()];
}
const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const sha1 = ({ address }: { address: string }) => addressHashes(address).sha1;
const sha256 = ({ address }: { address: string }) => addressHashes(address).sha256;
const idOf = (who: number) => `00000000-0000-4000-8000-00000000000${who}`;

async function watch(transaction: Transaction<BreachStore>, ...people: (typeof ALICE)[]) {
  await transaction(async ({ watches }) => {
    for (const [index, person] of people.entries())
      await watches.add({ associationId: idOf(index + 1), ...person, ...FULL_SCOPE });
  });
}

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's datasets on %s", (_, open) => {
  const progress = {
    state: "running" as const,
    lines: 3,
    added: 2,
    raised: 1,
    bad: 1,
    reason: undefined,
    problems: [{ line: 2, reason: "no address" }],
  };

  test("add() stores each pair once, within a call, across calls and in thousands", async () => {
    const { transaction } = await open();
    const hashOf = (number: number) => addressHashes(`person${number}@example.org`)[number % 2 ? "sha1" : "sha256"];
    const many = Array.from({ length: 2500 }, (_, number) => ({ hash: hashOf(number), breachName: "Shop" }));
    const [first, eighth, unknown] = [hashOf(0), hashOf(7), hashOf(9999)];
    const add = (list: typeof many) => transaction(({ datasets }) => datasets.add(blocksOf(list)));
    const found = async (...hashes: string[]) =>
      (await transaction(({ datasets }) => datasets.breachesOf(hashes))).toSorted();
    expect(await add([...many, ...many.slice(0, 5)])).toBe(2500);
    expect(await add([...many.slice(-3), { hash: first, breachName: "Other" }])).toBe(1);
    expect(await add([])).toBe(0);
    expect(await found(first, eighth, unknown)).toEqual(["Other", "Shop"]);
    expect([await found(eighth), await found(unknown), await found(unknown, first)]).toEqual([
      ...[["Shop"], [], ["Other", "Shop"]],
    ]);
  });

  test("add() stores a block once, however many others are in its bucket", async () => {
    const { transaction } = await open();
    const blocks = Array.from({ length: 30 }, (_, number) => ({
      bucket: 0xabc,
      breachName: "Shop",
      hashes: Uint8Array.fromHex(
        [0, 1, 2].map((place) => `abc${String(10 * number + place).padStart(37, "0")}`).join(""),
      ),
    }));
    for (const block of blocks) expect(await transaction(({ datasets }) => datasets.add([block]))).toBe(3);
    for (const block of blocks) expect(await transaction(({ datasets }) => datasets.add([block]))).toBe(0);
    expect(await transaction(({ datasets }) => datasets.add(blocks))).toBe(0);
  });

  test("hasGrownSince() returns whether a file is being read, or was since then", async () => {
    const { transaction } = await open();
    const hasGrownSince = (ms: number) => transaction(({ datasets }) => datasets.hasGrownSince(at(ms)));
    expect(await hasGrownSince(0)).toBe(false);
    const claimed = await transaction(({ datasets }) => datasets.claim("file", at(0), 100));
    expect([await hasGrownSince(99), await hasGrownSince(100)]).toEqual([true, false]);
    await transaction(({ datasets }) => datasets.advance("file", claimed?.leaseToken ?? "", progress, at(300)));
    expect([await hasGrownSince(299), await hasGrownSince(300)]).toEqual([true, false]);
  });

  test("listHashes() returns the prefixes of all monitored addresses' hashes, page by page", async () => {
    const { transaction } = await open();
    await watch(transaction, ALICE, BOB, { ...CHARLIE, address: ALICE.address });
    for (const [kind, of] of [["sha1", sha1] as const, ["sha256", sha256] as const]) {
      const pages: string[] = [];
      for (let after: string | undefined = ""; after !== undefined; ) {
        const from: string = after;
        const { prefixes, last } = await transaction(({ watches }) => watches.listHashes(kind, from, 1));
        pages.push(prefixes);
        after = last;
      }
      const expected = [ALICE, BOB].map((person) => of(person).slice(0, PREFIX)).toSorted();
      expect(pages.pop()).toBe("");
      expect(pages.filter((page) => expected.includes(page))).toEqual(expected);
      expect(pages).toEqual(pages.toSorted());
    }
  });

  test("listBreaches() returns the breaches of the datasets' own source", async () => {
    const { transaction } = await open();
    await transaction(async ({ breaches }) => {
      await breaches.put("dataset", [{ breach: aBreach({ name: "dataset:Shop" }), hash: "1" }], at(0));
      await breaches.put("hibp", [{ breach: aBreach(), hash: "1" }], at(0));
    });
    expect((await transaction(({ datasets }) => datasets.listBreaches())).map(({ name }) => name)).toEqual([
      "dataset:Shop",
    ]);
  });

  test("claim() gives a file to one reader until its lease expires, with its progress", async () => {
    const { transaction } = await open();
    const claim = (ms: number) => transaction(({ datasets }) => datasets.claim("file", at(ms), 100));
    const advance = (token: string, ms: number) =>
      transaction(({ datasets }) => datasets.advance("file", token, progress, at(ms)));
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(0)));
    const [held, ...others] = claims.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(held?.progress).toEqual({
      state: "running",
      lines: 0,
      added: 0,
      raised: 0,
      bad: 0,
      problems: [],
      reason: undefined,
    });
    expect(await advance(crypto.randomUUID(), 200)).toBe(false);
    expect(await advance(held?.leaseToken ?? "", 200)).toBe(true);
    expect(await claim(200)).toBeUndefined();
    const next = await claim(201);
    expect(next?.progress).toEqual({ ...progress, added: 0, raised: 0 });
    expect(await advance(held?.leaseToken ?? "", 400)).toBe(false);
    expect(await transaction(({ datasets }) => datasets.claim("another", at(0), 100))).toBeDefined();
  });

  test("count() adds to the stored totals for concurrent callers, as long as the lease is held", async () => {
    const { transaction } = await open();
    const held = await transaction(({ datasets }) => datasets.claim("file", at(0), 100));
    const token = held?.leaseToken ?? "";
    await transaction(({ datasets }) => datasets.advance("file", token, progress, at(100)));
    const count = (by: string, part: { added: number; raised: number }, ms: number) =>
      transaction(({ datasets }) => datasets.count("file", by, part, at(ms)));
    const parts = Array.from({ length: 5 }, (_, index) => ({ added: index, raised: 10 * index }));
    expect(await Promise.all(parts.map((part) => count(token, part, 300)))).toEqual([true, true, true, true, true]);
    expect(await count(crypto.randomUUID(), { added: 1, raised: 1 }, 500)).toBe(false);
    // The file is still claimed.
    expect(await transaction(({ datasets }) => datasets.claim("file", at(300), 100))).toBeUndefined();
    const next = await transaction(({ datasets }) => datasets.claim("file", at(301), 100));
    expect(next?.progress).toEqual({ ...progress, added: 10, raised: 100 });
    // The stored progress is kept.
    await transaction(({ datasets }) => datasets.advance("file", next?.leaseToken ?? "", progress, at(400)));
    const last = await transaction(({ datasets }) => datasets.claim("file", at(401), 100));
    expect(last?.progress).toEqual({ ...progress, added: 10, raised: 100 });
  });
});
