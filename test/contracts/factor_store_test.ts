import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { Authenticator, Passkey } from "../../src/identity/factors/factor_ports.ts";
import { after, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

function anAuthenticator(accountId: string, changed: Partial<Authenticator> = {}): Authenticator {
  return { accountId, sealedSecret: "sealed", createdAt: NOW, confirmedAt: undefined, lastStep: 0, ...changed };
}
function aPasskey(accountId: string, changed: Partial<Passkey> = {}): Passkey {
  const key = { id: crypto.randomUUID(), publicKey: "key", counter: 0, transports: ["usb", "nfc"], name: "Key" };
  return { ...key, accountId, createdAt: NOW, lastUsedAt: undefined, ...changed };
}

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the factors of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);
  const bob = () => alice({ email: "bob@example.com" });

  describe("authenticators", () => {
    const find = (id: string) => within(({ authenticators }) => authenticators.find(id));

    test("find() returns what save() stored or replaced, until it is confirmed", async () => {
      const { id } = await alice();
      expect(await find(id)).toBeUndefined();
      const [first, second] = [
        anAuthenticator(id),
        anAuthenticator(id, { sealedSecret: "other", createdAt: after(1) }),
      ];
      expect(await within(({ authenticators }) => authenticators.save(first))).toBe(true);
      expect(await find(id)).toEqual(first);
      expect(await within(({ authenticators }) => authenticators.save(second))).toBe(true);
      await within(({ authenticators }) => authenticators.confirm(id, after(2)));
      expect(await within(({ authenticators }) => authenticators.save(first))).toBe(false);
      expect(await find(id)).toEqual({ ...second, confirmedAt: after(2) });
      expect(await find((await bob()).id)).toBeUndefined();
    });

    test("confirm() keeps the first time, and confirms nothing that does not exist", async () => {
      const { id } = await alice();
      await within(({ authenticators }) => authenticators.confirm(id, NOW));
      expect(await find(id)).toBeUndefined();
      await within(({ authenticators }) => authenticators.save(anAuthenticator(id)));
      await within(({ authenticators }) => authenticators.confirm(id, after(1)));
      await within(({ authenticators }) => authenticators.confirm(id, after(2)));
      expect((await find(id))?.confirmedAt).toEqual(after(1));
    });

    test("takeStep() accepts a step once of 50 concurrent calls, and none before it", async () => {
      const { id } = await alice();
      const take = (step: number) => within(({ authenticators }) => authenticators.takeStep(id, step));
      expect(await take(7)).toBe(false);
      await within(({ authenticators }) => authenticators.save(anAuthenticator(id, { lastStep: 5 })));
      expect((await times(50, () => take(7))).filter(Boolean)).toHaveLength(1);
      expect([await take(6), await take(7), await take(59_000_000_000)]).toEqual([false, false, true]);
      expect((await find(id))?.lastStep).toBe(59_000_000_000);
    });

    test("remove() succeeds once, and only for its own account", async () => {
      const { id } = await alice();
      const other = await bob();
      await within(({ authenticators }) => authenticators.save(anAuthenticator(id)));
      const remove = (of: string) => within(({ authenticators }) => authenticators.remove(of));
      expect(await remove(other.id)).toBe(false);
      expect((await times(5, () => remove(id))).filter(Boolean)).toHaveLength(1);
      expect(await find(id)).toBeUndefined();
    });
  });

  describe("passkeys", () => {
    const add = (passkey: Passkey) => within(({ passkeys }) => passkeys.add(passkey));
    const list = (id: string) => within(({ passkeys }) => passkeys.list(id));

    test("list() returns an account's own, oldest first, and find() no other account's", async () => {
      const [own, other] = [await alice(), await bob()];
      const [second, first] = [aPasskey(own.id, { createdAt: after(1) }), aPasskey(own.id)];
      for (const passkey of [second, first, aPasskey(other.id)]) expect(await add(passkey)).toBe(true);
      expect(await list(own.id)).toEqual([first, second]);
      expect(await within(({ passkeys }) => passkeys.find(own.id, first.id))).toEqual(first);
      expect(await within(({ passkeys }) => passkeys.find(other.id, first.id))).toBeUndefined();
      expect(await within(({ passkeys }) => passkeys.find(own.id, "unknown"))).toBeUndefined();
    });

    test("add() stores a credential once, for any account", async () => {
      const [own, other] = [await alice(), await bob()];
      const passkey = aPasskey(own.id);
      const taken = await times(10, (i) => add({ ...passkey, accountId: i % 2 ? own.id : other.id, name: `${i}` }));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect([...(await list(own.id)), ...(await list(other.id))]).toHaveLength(1);
    });

    test("used() only increments the counter, for one of 50 concurrent calls at a time", async () => {
      const [own, other] = [await alice(), await bob()];
      const passkey = aPasskey(own.id, { counter: 4 });
      await add(passkey);
      const used = (counter: number, id = own.id) =>
        within(({ passkeys }) => passkeys.used(id, passkey.id, counter, after(counter)));
      expect([await used(0), await used(3), await used(4), await used(9, other.id)]).toEqual([
        false,
        false,
        false,
        false,
      ]);
      expect((await list(own.id))[0]?.lastUsedAt).toBeUndefined();
      expect((await times(50, () => used(5))).filter(Boolean)).toHaveLength(1);
      expect(await used(4_294_967_295)).toBe(true);
      expect(await list(own.id)).toEqual([{ ...passkey, counter: 4_294_967_295, lastUsedAt: after(4_294_967_295) }]);
    });

    test("used() accepts 0 from an authenticator without a counter, until it counts", async () => {
      const { id } = await alice();
      const passkey = aPasskey(id);
      await add(passkey);
      const used = (counter: number) => within(({ passkeys }) => passkeys.used(id, passkey.id, counter, NOW));
      expect([await used(0), await used(0), await used(1), await used(0)]).toEqual([true, true, true, false]);
    });

    test("rename() and remove() affect the account's own only", async () => {
      const [own, other] = [await alice(), await bob()];
      const passkey = aPasskey(own.id);
      await add(passkey);
      expect(await within(({ passkeys }) => passkeys.rename(other.id, passkey.id, "Mine"))).toBe(false);
      expect(await within(({ passkeys }) => passkeys.remove(other.id, passkey.id))).toBe(false);
      expect(await within(({ passkeys }) => passkeys.rename(own.id, passkey.id, "Blue"))).toBe(true);
      expect(await list(own.id)).toEqual([{ ...passkey, name: "Blue" }]);
      const removed = await times(5, () => within(({ passkeys }) => passkeys.remove(own.id, passkey.id)));
      expect(removed.filter(Boolean)).toHaveLength(1);
      expect(await list(own.id)).toEqual([]);
    });
  });

  describe("recoveryCodes", () => {
    const count = (id: string) => within(({ recoveryCodes }) => recoveryCodes.count(id));
    const replace = (id: string, macs: string[]) => within(({ recoveryCodes }) => recoveryCodes.replaceAll(id, macs));
    const use = (id: string, mac: string) => within(({ recoveryCodes }) => recoveryCodes.use(id, mac));

    test("use() accepts a code once of 50 concurrent calls, for its own account only", async () => {
      const [own, other] = [await alice(), await bob()];
      await replace(own.id, ["a", "b"]);
      await replace(other.id, ["c"]);
      expect([await use(other.id, "a"), await use(own.id, "c"), await use(own.id, "d")]).toEqual([false, false, false]);
      expect((await times(50, () => use(own.id, "a"))).filter(Boolean)).toHaveLength(1);
      expect([await count(own.id), await count(other.id)]).toEqual([1, 1]);
    });

    test("replaceAll() voids the account's former codes, even without new ones", async () => {
      const [own, other] = [await alice(), await bob()];
      await replace(own.id, ["a", "b"]);
      await replace(other.id, ["a"]);
      await replace(own.id, ["b", "c", "d"]);
      expect(await use(own.id, "a")).toBe(false);
      expect(await count(own.id)).toBe(3);
      await replace(own.id, []);
      expect([await count(own.id), await count(other.id)]).toEqual([0, 1]);
    });
  });

  test("secondFactors.of() returns the account's factors, including an authenticator once it is confirmed", async () => {
    const [own, other] = [await alice(), await bob()];
    const of = (id: string) => within(({ secondFactors }) => secondFactors.of(id));
    const none = { passkey: false, authenticator: false, recoveryCode: false };
    await within(({ authenticators }) => authenticators.save({ ...anAuthenticator(own.id), confirmedAt: undefined }));
    expect(await of(own.id)).toEqual(none);
    await within(({ authenticators }) => authenticators.confirm(own.id, NOW));
    expect(await of(own.id)).toEqual({ ...none, authenticator: true });
    await within(async ({ passkeys, recoveryCodes }) => {
      await passkeys.add(aPasskey(own.id));
      await recoveryCodes.replaceAll(own.id, ["a"]);
    });
    expect(await of(own.id)).toEqual({ passkey: true, authenticator: true, recoveryCode: true });
    expect(await of(other.id)).toEqual(none);
  });

  test("remove() of the user removes every factor", async () => {
    const [own, other] = [await alice(), await bob()];
    for (const { id } of [own, other])
      await within(async ({ authenticators, passkeys, recoveryCodes }) => {
        await authenticators.save(anAuthenticator(id));
        await passkeys.add(aPasskey(id));
        await recoveryCodes.replaceAll(id, ["a"]);
      });
    expect(await within(({ users }) => users.remove(own.id))).toBe(true);
    const left = (id: string) =>
      within(async ({ authenticators, passkeys, recoveryCodes }) => [
        (await authenticators.find(id)) !== undefined,
        (await passkeys.list(id)).length,
        await recoveryCodes.count(id),
      ]);
    expect(await left(own.id)).toEqual([false, 0, 0]);
    expect(await left(other.id)).toEqual([true, 1, 1]);
  });
});
