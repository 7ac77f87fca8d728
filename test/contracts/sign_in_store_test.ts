import { describe, expect, test } from "bun:test";
import { memoryIdentity } from "../../src/identity/adapters/memory.ts";
import { postgresIdentity } from "../../src/identity/adapters/postgres.ts";
import type { Limit } from "../../src/identity/ports.ts";
import { aCode, after, aSession, freshStore, NOW } from "../identity/rows.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the sign-in part of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);

  describe("loginCodes", () => {
    test("find() gives back what save() stored or replaced", async () => {
      const { id } = await alice();
      const blank = aCode(id, { mac: undefined, sentAt: undefined });
      await within(({ loginCodes }) => loginCodes.save(blank));
      expect(await within(({ loginCodes }) => loginCodes.find(blank.id))).toEqual(blank);
      const sent = { ...blank, mac: "mac", sentAt: after(7), expiresAt: after(8), tries: 2 };
      await within(({ loginCodes }) => loginCodes.save(sent));
      expect(await within(({ loginCodes }) => loginCodes.find(blank.id))).toEqual(sent);
      expect(await within(({ loginCodes }) => loginCodes.find(crypto.randomUUID()))).toBeUndefined();
    });

    test("countTry() counts exactly five of 200 parallel tries", async () => {
      const { id } = await alice();
      const code = aCode(id);
      await within(({ loginCodes }) => loginCodes.save(code));
      const counted = await Promise.all(
        Array.from({ length: 200 }, () => within(({ loginCodes }) => loginCodes.countTry(code.id, 5, NOW))),
      );
      expect(counted.flatMap((tried) => tried?.tries ?? []).toSorted()).toEqual([1, 2, 3, 4, 5]);
      expect(counted.find((tried) => tried)?.mac).toBe("mac");
      expect((await within(({ loginCodes }) => loginCodes.find(code.id)))?.tries).toBe(5);
    });

    test("countTry() counts nothing from the moment the code expires", async () => {
      const { id } = await alice();
      const code = aCode(id);
      await within(({ loginCodes }) => loginCodes.save(code));
      expect(await within(({ loginCodes }) => loginCodes.countTry(code.id, 5, after(1000)))).toBeUndefined();
      expect(await within(({ loginCodes }) => loginCodes.countTry(code.id, 5, after(999)))).toEqual({
        mac: "mac",
        tries: 1,
      });
      expect(await within(({ loginCodes }) => loginCodes.countTry(crypto.randomUUID(), 5, NOW))).toBeUndefined();
    });

    test("remove() wins once and takes the waiting partial sessions along", async () => {
      const { id } = await alice();
      const code = aCode(id);
      const [partial, full] = [aSession(id, { challengeId: code.id }), aSession(id)];
      await within(async ({ loginCodes, sessions }) => {
        await loginCodes.save(code);
        await sessions.add(partial);
        await sessions.add(full);
      });
      const won = await Promise.all(
        Array.from({ length: 10 }, () => within(({ loginCodes }) => loginCodes.remove(code.id))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await within(({ sessions }) => sessions.findLiving(partial.tokenHash, NOW))).toBeUndefined();
      expect(await within(({ sessions }) => sessions.findLiving(full.tokenHash, NOW))).toBeDefined();
    });

    test("removeExpired() removes what was over then, and nothing else", async () => {
      const { id } = await alice();
      const [over, living] = [aCode(id), aCode(id, { expiresAt: after(1001) })];
      await within(async ({ loginCodes }) => {
        await loginCodes.save(over);
        await loginCodes.save(living);
        await loginCodes.removeExpired(after(1000));
      });
      expect(await within(({ loginCodes }) => loginCodes.find(over.id))).toBeUndefined();
      expect(await within(({ loginCodes }) => loginCodes.find(living.id))).toEqual(living);
    });
  });

  describe("attempts", () => {
    const limit: Limit = { tries: 3, windowMs: 1000, lockMs: 5000 };
    const count = (ms: number, key = "key") => within(({ attempts }) => attempts.count(key, limit, after(ms)));
    const giveBack = (ms: number) => within(({ attempts }) => attempts.giveBack("key", limit, after(ms)));

    test("count() allows the limit, locks with its last try and starts anew afterwards", async () => {
      expect(await count(0)).toEqual({ allowed: true, tries: 1, until: after(1000) });
      expect(await count(10)).toEqual({ allowed: true, tries: 2, until: after(1000) });
      expect(await count(20)).toEqual({ allowed: true, tries: 3, until: after(5020) });
      expect(await count(30)).toEqual({ allowed: false, tries: 4, until: after(5020) });
      expect(await count(5019)).toEqual({ allowed: false, tries: 4, until: after(5020) });
      expect(await count(30, "other")).toEqual({ allowed: true, tries: 1, until: after(1030) });
      expect(await count(5020)).toEqual({ allowed: true, tries: 1, until: after(6020) });
    });

    test("count() begins a new window when the old one is over", async () => {
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

    test("count() allows a single try where the limit is one", async () => {
      const once = { tries: 1, windowMs: 1000, lockMs: 0 };
      const tryAt = (ms: number) => within(({ attempts }) => attempts.count("once", once, after(ms)));
      expect(await tryAt(0)).toEqual({ allowed: true, tries: 1, until: after(1000) });
      expect(await tryAt(999)).toEqual({ allowed: false, tries: 2, until: after(1000) });
      expect(await tryAt(1000)).toEqual({ allowed: true, tries: 1, until: after(2000) });
    });

    test("count() allows exactly the limit of 50 parallel tries", async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => count(0)));
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(3);
    });

    test("giveBack() takes one try back, with the lock it set", async () => {
      await count(0);
      await count(0);
      await count(10);
      await giveBack(20);
      expect(await count(30)).toEqual({ allowed: true, tries: 3, until: after(5030) });
      expect(await count(40)).toEqual({ allowed: false, tries: 4, until: after(5030) });
    });

    test("giveBack() opens no lock that has refused somebody, and never counts below zero", async () => {
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

    test("countInTurn() counts by one after the other, up to the first that refuses", async () => {
      const [first, second] = [
        { key: "first", limit },
        { key: "second", limit: { ...limit, tries: 2 } },
      ];
      const both = (ms: number) => within(({ attempts }) => attempts.countInTurn([first, second], after(ms)));
      expect(await both(0)).toEqual([
        { allowed: true, tries: 1, until: after(1000) },
        { allowed: true, tries: 1, until: after(1000) },
      ]);
      await count(1, "first");
      expect(await both(2)).toEqual([
        { allowed: true, tries: 3, until: after(5002) },
        { allowed: true, tries: 2, until: after(5002) },
      ]);
      expect(await both(3)).toEqual([{ allowed: false, tries: 4, until: after(5002) }]);
      await within(({ attempts }) => attempts.reset("first"));
      expect((await both(4)).map(({ allowed, tries }) => ({ allowed, tries }))).toEqual([
        { allowed: true, tries: 1 },
        { allowed: false, tries: 3 },
      ]);
      expect(await within(({ attempts }) => attempts.countInTurn([], NOW))).toEqual([]);
    });

    test("countInTurn() allows exactly the limits of 50 parallel tries", async () => {
      const [wide, narrow] = [
        { key: "wide", limit: { ...limit, tries: 7 } },
        { key: "narrow", limit },
      ];
      const all = Array.from({ length: 50 }, () => within(({ attempts }) => attempts.countInTurn([wide, narrow], NOW)));
      const tried = await Promise.all(all);
      expect(tried.filter((each) => each.length === 2)).toHaveLength(7);
      expect(tried.filter((each) => each.length === 2 && each[1]?.allowed)).toHaveLength(3);
    });

    test("succeed() takes one try back and forgets those that are over", async () => {
      for (const key of ["back", "back", "one", "other", "left"]) await count(0, key);
      await within(({ attempts }) => attempts.succeed({ key: "back", limit }, ["one", "other"], after(1)));
      const tries = async (key: string) => (await count(2, key)).tries;
      expect([await tries("back"), await tries("one"), await tries("other"), await tries("left")]).toEqual([
        2, 1, 1, 2,
      ]);
      await within(({ attempts }) => attempts.succeed(undefined, ["one"], after(3)));
      expect([await tries("one"), await tries("other")]).toEqual([1, 2]);
      await within(({ attempts }) => attempts.succeed({ key: "nobody", limit }, ["other"], after(3)));
      expect(await tries("other")).toBe(1);
    });

    test("reset() forgets the tries, removeExpired() only what is over", async () => {
      for (const ms of [0, 1, 2, 3]) await count(ms);
      await within(({ attempts }) => attempts.removeExpired(after(5001)));
      expect((await count(4)).allowed).toBe(false);
      await within(({ attempts }) => attempts.reset("key"));
      expect(await count(5)).toEqual({ allowed: true, tries: 1, until: after(1005) });
      await within(({ attempts }) => attempts.removeExpired(after(1005)));
      expect(await count(6)).toEqual({ allowed: true, tries: 1, until: after(1006) });
    });
  });
});
