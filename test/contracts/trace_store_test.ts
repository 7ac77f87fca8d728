import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Paste, TraceAnswer } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-03-02T08:00:00.000Z");
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const PASTES: Paste[] = [
  { source: "Pastebin", id: "8Q0BvKD8", title: "syslog", date: "2014-03-04T19:14:54Z", addresses: 139 },
  { source: "AdHocUrl", id: "https://paste.example/1", title: undefined, date: undefined, addresses: 0 },
];
const aKey = (address = "alice@example.com") => ({ accountId: crypto.randomUUID(), address });
const anAnswer = (more: Partial<TraceAnswer> = {}): TraceAnswer => ({
  askedAt: NOW,
  pastes: PASTES,
  sites: ["github.com", "paypal.com", "zoo.example"],
  sitesRefused: false,
  ...more,
});

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("TraceRepository on %s", (_, open) => {
  async function opened() {
    const { transaction } = await open();
    const find = ({ accountId, address }: ReturnType<typeof aKey>) =>
      transaction(({ traces }) => traces.find(accountId, address));
    return { transaction, find };
  }

  test("an answer is found as it was kept, and only by its account and address", async () => {
    const { transaction, find } = await opened();
    const key = aKey();
    await transaction(async ({ traces }) => {
      expect(await traces.claim(key, NOW, at(3))).toBeUndefined();
      expect(await traces.find(key.accountId, key.address)).toEqual({
        ...key,
        againAt: at(3),
        answer: undefined,
        done: [],
      });
      await traces.keep(key, anAnswer(), at(60));
    });
    const kept = { ...key, againAt: at(60), answer: anAnswer(), done: [] };
    expect(await find(key)).toEqual(kept);
    expect(await transaction(({ traces }) => traces.list(key.accountId))).toEqual([kept]);
    expect(await find({ ...key, address: "bob@example.com" })).toBeUndefined();
    expect(await find(aKey())).toBeUndefined();
  });

  test("what a source does not say is told from what it says there is none of", async () => {
    const { transaction, find } = await opened();
    const [silent, empty] = [aKey(), aKey()];
    const nothing = anAnswer({ pastes: undefined, sites: undefined, sitesRefused: true });
    await transaction(async ({ traces }) => {
      for (const key of [silent, empty]) await traces.claim(key, NOW, at(3));
      await traces.keep(silent, nothing, at(60));
      await traces.keep(empty, anAnswer({ pastes: [], sites: [] }), at(60));
    });
    expect((await find(silent))?.answer).toEqual(nothing);
    expect((await find(empty))?.answer).toEqual(anAnswer({ pastes: [], sites: [] }));
  });

  test("one of several callers may ask; the others are told when, and one may again after that", async () => {
    const { transaction } = await opened();
    const key = aKey();
    const claim = (minute: number) => transaction(({ traces }) => traces.claim(key, at(minute), at(minute + 3)));
    const first = await Promise.all(Array.from({ length: 6 }, () => claim(0)));
    expect(first.filter((until) => until === undefined)).toHaveLength(1);
    expect(first.filter((until) => until !== undefined)).toEqual(Array(5).fill(at(3)));
    await transaction(({ traces }) => traces.postpone(key, at(10)));
    expect(await claim(9)).toEqual(at(10));
    expect(await claim(10)).toBeUndefined();
  });

  test("sites are ticked one by one, even concurrently, and only those that there are", async () => {
    const { transaction, find } = await opened();
    const key = aKey();
    const tick = (site: string, done: boolean) => transaction(({ traces }) => traces.tick(key, site, done));
    expect(await tick("github.com", true)).toBe(false);
    await transaction(async ({ traces }) => {
      await traces.claim(key, NOW, at(3));
      await traces.keep(key, anAnswer(), at(60));
    });
    expect(await tick("other.example", true)).toBe(false);
    await Promise.all([tick("github.com", true), tick("paypal.com", true), tick("github.com", true)]);
    expect((await find(key))?.done.toSorted()).toEqual(["github.com", "paypal.com"]);
    expect(await tick("github.com", false)).toBe(true);
    expect(await tick("zoo.example", false)).toBe(true);
    expect((await find(key))?.done).toEqual(["paypal.com"]);
  });

  test("a later answer keeps the ticks of the sites that are still there", async () => {
    const { transaction, find } = await opened();
    const key = aKey();
    await transaction(async ({ traces }) => {
      await traces.claim(key, NOW, at(3));
      await traces.keep(key, anAnswer(), at(60));
      for (const site of ["github.com", "paypal.com"]) await traces.tick(key, site, true);
      await traces.keep(key, anAnswer({ sites: ["new.example", "paypal.com"] }), at(120));
    });
    expect(await find(key)).toMatchObject({ done: ["paypal.com"], answer: { sites: ["new.example", "paypal.com"] } });
  });

  test("an answer that comes after its removal is not kept", async () => {
    const { transaction, find } = await opened();
    const key = aKey();
    await transaction(async ({ traces }) => {
      await traces.claim(key, NOW, at(3));
      await traces.remove(key.accountId);
      await traces.keep(key, anAnswer(), at(60));
      await traces.postpone(key, at(60));
    });
    expect(await find(key)).toBeUndefined();
  });

  test("those of an account are removed, all of them or those of one address", async () => {
    const { transaction, find } = await opened();
    const [former, other] = [aKey(), aKey()];
    const current = { ...former, address: "alice@new.example" };
    await transaction(async ({ traces }) => {
      for (const key of [former, current, other]) await traces.claim(key, NOW, at(3));
      await traces.remove(former.accountId, former.address);
    });
    expect([await find(former), (await find(current))?.address]).toEqual([undefined, current.address]);
    await transaction(({ traces }) => traces.remove(former.accountId));
    expect([await find(current), (await find(other))?.address]).toEqual([undefined, other.address]);
  });

  test("those of an address are removed once nobody tracks it", async () => {
    const { transaction, find } = await opened();
    const key = aKey("carol@example.com");
    const associationId = crypto.randomUUID();
    await transaction(async ({ traces, watches }) => {
      await watches.add({ associationId, ...key, ...FULL_SCOPE });
      await traces.claim(key, NOW, at(3));
      await traces.removeUnwatched(key.address);
    });
    expect(await find(key)).toMatchObject(key);
    await transaction(async ({ traces, watches }) => {
      await watches.remove(associationId);
      await traces.removeUnwatched(key.address);
    });
    expect(await find(key)).toBeUndefined();
  });
});
