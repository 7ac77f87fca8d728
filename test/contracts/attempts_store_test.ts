import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { Ending, Limit } from "../../src/identity/ports.ts";
import { placeAt } from "../../src/identity/sign_in/attempts.ts";
import { after, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))(
  "the attempt counters of IdentityStore on %s",
  (_, open) => {
    const { within } = freshStore(open);

    const limit: Limit = { tries: 3, windowMs: 1000, lockMs: 5000 };
    const count = (ms: number, key = "key") => within(({ attempts }) => attempts.count(key, limit, after(ms)));
    const giveBack = (ms: number) => within(({ attempts }) => attempts.giveBack("key", limit, after(ms)));

    test("count() allows the limit, locks with its last attempt and starts over afterwards", async () => {
      expect(await count(0)).toEqual({ allowed: true, tries: 1, until: after(1000) });
      expect(await count(10)).toEqual({ allowed: true, tries: 2, until: after(1000) });
      expect(await count(20)).toEqual({ allowed: true, tries: 3, until: after(5020) });
      expect(await count(30)).toEqual({ allowed: false, tries: 4, until: after(5020) });
      expect(await count(5019)).toEqual({ allowed: false, tries: 4, until: after(5020) });
      expect(await count(30, "other")).toEqual({ allowed: true, tries: 1, until: after(1030) });
      expect(await count(5020)).toEqual({ allowed: true, tries: 1, until: after(6020) });
    });

    test("count() starts a new window when the old one has ended", async () => {
      await count(0);
      await count(999);
      expect(await count(1000)).toEqual({ allowed: true, tries: 1, until: after(2000) });
      expect(await count(1001)).toEqual({ allowed: true, tries: 2, until: after(2000) });
    });

    test("count() without a lock refuses until the window ends", async () => {
      const open = { ...limit, lockMs: 0 };
      const tries = [0, 1, 2, 3].map((ms) => () => within(({ attempts }) => attempts.count("open", open, after(ms))));
      const answers = [];
      for (const attempt of tries) answers.push(await attempt());
      expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true, false]);
      expect(answers.at(-1)?.until).toEqual(after(1000));
    });

    test("count() allows a single attempt where the limit is one", async () => {
      const once = { tries: 1, windowMs: 1000, lockMs: 0 };
      const tryAt = (ms: number) => within(({ attempts }) => attempts.count("once", once, after(ms)));
      expect(await tryAt(0)).toEqual({ allowed: true, tries: 1, until: after(1000) });
      expect(await tryAt(999)).toEqual({ allowed: false, tries: 2, until: after(1000) });
      expect(await tryAt(1000)).toEqual({ allowed: true, tries: 1, until: after(2000) });
    });

    test("count() allows exactly the limit of 50 concurrent attempts", async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => count(0)));
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3);
    });

    test("giveBack() takes one attempt back, with the lock it set", async () => {
      await count(0);
      await count(0);
      await count(10);
      await giveBack(20);
      expect(await count(30)).toEqual({ allowed: true, tries: 3, until: after(5030) });
      expect(await count(40)).toEqual({ allowed: false, tries: 4, until: after(5030) });
    });

    test("giveBack() keeps a lock that has refused somebody, and never counts below zero", async () => {
      for (const ms of [0, 1, 2, 3]) await count(ms);
      await giveBack(4);
      expect((await count(5)).allowed).toBe(false);
      await within(({ attempts }) => attempts.count("few", limit, NOW));
      for (let i = 0; i < 5; i++) await within(({ attempts }) => attempts.giveBack("few", limit, NOW));
      const allowed = [];
      for (let i = 0; i < 4; i++)
        allowed.push((await within(({ attempts }) => attempts.count("few", limit, NOW))).allowed);
      expect(allowed).toEqual([true, true, true, false]);
    });

    const PLACE_MS = 30_000;
    const place = (ms: number, id: string | number = "one") => placeAt(after(ms), String(id));
    const reserve = (ms: number, { id, keys = ["key"] }: { id: string | number; keys?: string[] }) =>
      within(({ attempts }) =>
        attempts.reserve(
          keys.map((key) => ({ key, limit })),
          place(0, id),
          after(ms),
        ),
      );
    const settle = (
      ms: number,
      { id, ...endings }: { id: string | number } & Record<string, Ending | string | number>,
    ) =>
      within(({ attempts }) => {
        const counters = Object.entries(endings).map(([key, ending]) => ({ key, limit, ending: ending as Ending }));
        return attempts.conclude(counters, place(0, id), after(ms));
      });

    test("reserve() grants as many slots as the limit, and counts no attempt before it is settled", async () => {
      const kept = { tries: 0, until: after(PLACE_MS) };
      for (const id of [1, 2, 3]) expect(await reserve(0, { id })).toEqual([{ reserved: true, ...kept }]);
      expect(await reserve(1, { id: 4 })).toEqual([{ reserved: false, tries: 0, until: after(PLACE_MS + 1) }]);
      expect(await settle(2, { id: 1, key: "free" })).toBe(0);
      expect(await reserve(3, { id: 4 })).toMatchObject([{ reserved: true, tries: 0 }]);
      expect(await reserve(3, { id: 5 })).toMatchObject([{ reserved: false, tries: 0 }]);
    });

    test("settle() counts a wrong attempt, and the last of the limit locks", async () => {
      for (const id of [1, 2, 3]) await reserve(0, { id });
      expect(await settle(10, { id: 1, key: "wrong" })).toBe(1);
      expect(await settle(20, { id: 2, key: "wrong" })).toBe(2);
      expect(await reserve(25, { id: 4 })).toEqual([{ reserved: false, tries: 2, until: after(1010) }]);
      expect(await settle(30, { id: 3, key: "wrong" })).toBe(3);
      expect(await reserve(40, { id: 4 })).toEqual([{ reserved: false, tries: 3, until: after(5030) }]);
      expect(await reserve(5029, { id: 4 })).toMatchObject([{ reserved: false, tries: 3 }]);
      expect(await reserve(5030, { id: 4 })).toMatchObject([{ reserved: true, tries: 0 }]);
    });

    test("settle() releases its own slot and takes back no wrong attempt, unless it has expired", async () => {
      for (const id of [1, 2]) {
        await reserve(0, { id });
        await settle(1, { id, key: "wrong" });
      }
      await reserve(2, { id: 3 });
      expect(await settle(3, { id: 3, key: "free" })).toBe(2);
      // A slot that was already released, or never reserved, belongs to nobody else.
      await reserve(4, { id: 4 });
      expect(await settle(5, { id: 3, key: "free" })).toBe(2);
      expect(await reserve(6, { id: 5 })).toMatchObject([{ reserved: false, tries: 2 }]);
      expect(await settle(7, { id: 4, key: "cleared" })).toBe(0);
      for (const id of [6, 7, 8]) expect(await reserve(8, { id })).toMatchObject([{ reserved: true, tries: 0 }]);
      expect(await settle(9, { id: 6, nobody: "free" })).toBeUndefined();
    });

    test("settle() starts a window with the first wrong attempt, not with a reservation", async () => {
      await reserve(0, { id: 1 });
      await settle(900, { id: 1, key: "wrong" });
      expect(await reserve(1899, { id: 2 })).toMatchObject([{ tries: 1, until: after(1900) }]);
      await settle(1900, { id: 2, key: "wrong" });
      expect(await reserve(1901, { id: 3 })).toMatchObject([{ tries: 1, until: after(2900) }]);
    });

    test("reserve() treats unsettled slots as free after a while", async () => {
      for (const id of [1, 2, 3]) await reserve(0, { id });
      expect(await reserve(PLACE_MS - 1, { id: 4 })).toMatchObject([{ reserved: false }]);
      await within(({ attempts }) => attempts.removeExpired(after(PLACE_MS - 1)));
      expect(await reserve(PLACE_MS - 1, { id: 4 })).toMatchObject([{ reserved: false }]);
      expect(await reserve(PLACE_MS + 1, { id: 4 })).toMatchObject([{ reserved: true, tries: 0 }]);
      // A late settlement still counts.
      expect(await settle(PLACE_MS + 2, { id: 1, key: "wrong" })).toBe(1);
    });

    test("reserve() checks one counter after the other, up to the first that refuses", async () => {
      const keys = ["first", "second"];
      for (const id of [1, 2, 3])
        expect(await reserve(0, { id, keys })).toMatchObject([{ reserved: true }, { reserved: true }]);
      expect(await reserve(0, { id: 4, keys })).toMatchObject([{ reserved: false }]);
      expect(await settle(1, { id: 1, first: "free", second: "wrong" })).toBe(1);
      expect(await reserve(2, { id: 4, keys })).toMatchObject([
        { reserved: true, tries: 0 },
        { reserved: false, tries: 1 },
      ]);
      expect(await settle(3, { id: 4, first: "free" })).toBe(0);
      expect(await reserve(4, { id: 5, keys: ["first"] })).toMatchObject([{ reserved: true }]);
    });

    test("reserve() grants exactly the limits to 50 concurrent callers", async () => {
      const counters = [
        { key: "wide", limit: { ...limit, tries: 7 } },
        { key: "narrow", limit },
      ];
      const all = Array.from({ length: 50 }, (_, i) =>
        within(({ attempts }) => attempts.reserve(counters, place(0, i), NOW)),
      );
      const answers = await Promise.all(all);
      expect(answers.filter(([wide]) => wide?.reserved)).toHaveLength(7);
      expect(answers.filter(([, narrow]) => narrow?.reserved)).toHaveLength(3);
    });

    test("concurrent reserve() and settle() never allow more wrong attempts than the limit, nor lock for correct ones", async () => {
      async function guess(id: number, ending: Ending): Promise<string> {
        const [answer] = await reserve(0, { id });
        if (!answer?.reserved) return (answer?.tries ?? 0) >= limit.tries ? "locked" : "busy";
        await settle(0, { id, key: ending });
        return ending;
      }
      const right = await Promise.all(Array.from({ length: 50 }, (_, id) => guess(id, "free")));
      expect(right).not.toContain("locked");
      const mixed = await Promise.all(
        Array.from({ length: 200 }, (_, id) => guess(id + 100, id % 5 === 0 ? "free" : "wrong")),
      );
      expect(mixed.filter((how) => how === "wrong").length).toBeLessThanOrEqual(3);
      for (let id = 1000; id < 1003; id++) await guess(id, "wrong");
      expect(await guess(2000, "free")).toBe("locked");
    });

    test("reset() deletes the attempts, removeExpired() only expired ones", async () => {
      for (const ms of [0, 1, 2, 3]) await count(ms);
      await within(({ attempts }) => attempts.removeExpired(after(5001)));
      expect((await count(4)).allowed).toBe(false);
      await within(({ attempts }) => attempts.reset("key"));
      expect(await count(5)).toEqual({ allowed: true, tries: 1, until: after(1005) });
      await within(({ attempts }) => attempts.removeExpired(after(1005)));
      expect(await count(6)).toEqual({ allowed: true, tries: 1, until: after(1006) });
    });
  },
);
