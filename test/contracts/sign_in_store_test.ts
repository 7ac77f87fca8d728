import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { aCode, after, aSession, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the log-in part of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);

  describe("loginCodes", () => {
    test("find() returns what save() stored or replaced", async () => {
      const { id } = await alice();
      const blank = aCode(id, { mac: undefined, sentAt: undefined });
      await within(({ loginCodes }) => loginCodes.save(blank));
      expect(await within(({ loginCodes }) => loginCodes.find(blank.id))).toEqual(blank);
      const sent = { ...blank, mac: "mac", sentAt: after(7), expiresAt: after(8), tries: 2 };
      await within(({ loginCodes }) => loginCodes.save(sent));
      expect(await within(({ loginCodes }) => loginCodes.find(blank.id))).toEqual(sent);
      expect(await within(({ loginCodes }) => loginCodes.find(crypto.randomUUID()))).toBeUndefined();
    });

    test("countTry() counts exactly five of 200 concurrent attempts", async () => {
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

    test("countTry() counts nothing from the time the code expires", async () => {
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

    test("remove() succeeds once and removes the waiting partial sessions", async () => {
      const { id } = await alice();
      const code = aCode(id);
      const [partial, full] = [aSession(id, { challengeId: code.id }), aSession(id)];
      await within(async ({ loginCodes, sessions }) => {
        await loginCodes.save(code);
        await sessions.open(partial, 100);
        await sessions.open(full, 100);
      });
      const won = await Promise.all(
        Array.from({ length: 10 }, () => within(({ loginCodes }) => loginCodes.remove(code.id))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await within(({ sessions }) => sessions.findLiving(partial.tokenHash, NOW))).toBeUndefined();
      expect(await within(({ sessions }) => sessions.findLiving(full.tokenHash, NOW))).toBeDefined();
    });

    test("removeExpired() removes codes that had expired by then, and nothing else", async () => {
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
});
