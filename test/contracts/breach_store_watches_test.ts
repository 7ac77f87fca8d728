import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's watches on %s", (_, open) => {
  test("find() returns what add() stored, once, even if added again", async () => {
    const { transaction } = await open();
    const watch = { associationId: crypto.randomUUID(), ...ALICE, ...FULL_SCOPE };
    await transaction(async ({ watches }) => {
      await watches.add(watch);
      expect(await watches.find(watch.associationId)).toEqual({
        ...watch,
        baselineAt: undefined,
        suspended: false,
        aliasOf: undefined,
      });
      await watches.setSuspended(watch.associationId, true);
      await watches.markBaselines([watch.associationId], at(7));
      await watches.add(watch);
      expect(await watches.find(watch.associationId)).toEqual({
        ...watch,
        baselineAt: at(7),
        suspended: true,
        aliasOf: undefined,
      });
      expect(await watches.countAll(ALICE.address)).toBe(1);
      expect(await watches.find(crypto.randomUUID())).toBeUndefined();
    });
  });

  test("listActive() omits suspended ones, countAll() does not, remove() affects both", async () => {
    const { transaction } = await open();
    const [own, other, elsewhere] = [ALICE, { ...BOB, address: ALICE.address }, BOB].map((who) => ({
      associationId: crypto.randomUUID(),
      ...who,
      ...FULL_SCOPE,
    }));
    if (!own || !other || !elsewhere) throw new Error("Cannot happen");
    await transaction(async ({ watches }) => {
      for (const watch of [own, other, elsewhere]) await watches.add(watch);
      const active = async () =>
        (await watches.listActive([ALICE.address])).map(({ associationId }) => associationId).toSorted();
      expect(await active()).toEqual([own.associationId, other.associationId].toSorted());
      expect(await watches.setSuspended(own.associationId, true)).toBe(true);
      expect(await watches.setSuspended(crypto.randomUUID(), true)).toBe(false);
      expect(await active()).toEqual([other.associationId]);
      expect(await watches.countAll(ALICE.address)).toBe(2);
      expect(await watches.setSuspended(own.associationId, false)).toBe(true);
      await watches.remove(other.associationId);
      await watches.remove(crypto.randomUUID());
      expect(await active()).toEqual([own.associationId]);
      expect(await watches.countAll(ALICE.address)).toBe(1);
      expect(await watches.countAll("unknown@example.com")).toBe(0);
      expect(await watches.setSuspended(other.associationId, false)).toBe(false);
    });
  });

  test("lastChecks() returns the latest stored check of an address, until its association is removed", async () => {
    const { transaction } = await open();
    const [own, other, unchecked] = [ALICE, { ...BOB, address: ALICE.address }, BOB].map((who) => ({
      associationId: crypto.randomUUID(),
      ...who,
      ...FULL_SCOPE,
    }));
    if (!own || !other || !unchecked) throw new Error("Cannot happen");
    await transaction(async ({ watches }) => {
      for (const watch of [own, other, unchecked]) await watches.add(watch);
      await watches.keepLastCheck(own.associationId, at(7));
      await watches.keepLastCheck(other.associationId, at(5));
      await watches.keepLastCheck(crypto.randomUUID(), at(9));
      const asked = [ALICE.address, BOB.address, "unknown@example.com"];
      expect(await watches.lastChecks(asked)).toEqual(new Map([[ALICE.address, at(7)]]));
      await watches.remove(own.associationId);
      expect(await watches.lastChecks(asked)).toEqual(new Map([[ALICE.address, at(5)]]));
      expect(await watches.lastChecks([])).toEqual(new Map());
    });
  });

  test("listByAccount() returns the account's associations, suspended or not", async () => {
    const { transaction } = await open();
    const [own, other, bobs] = [ALICE, { ...ALICE, address: "alice@work.example" }, BOB].map((who) => ({
      associationId: crypto.randomUUID(),
      ...who,
      ...FULL_SCOPE,
    }));
    if (!own || !other || !bobs) throw new Error("Cannot happen");
    await transaction(async ({ watches }) => {
      for (const watch of [own, other, bobs]) await watches.add(watch);
      await watches.setSuspended(other.associationId, true);
      const found = (await watches.listByAccount(ALICE.accountId)).toSorted((a, b) => (a.address < b.address ? -1 : 1));
      expect(found).toEqual([
        { ...own, baselineAt: undefined, suspended: false, aliasOf: undefined },
        { ...other, baselineAt: undefined, suspended: true, aliasOf: undefined },
      ]);
      expect(await watches.listByAccount(crypto.randomUUID())).toEqual([]);
    });
  });

  test("markBaselines() succeeds for one of ten concurrent callers, and keeps that caller's time", async () => {
    const { transaction } = await open();
    const { associationId } = { associationId: crypto.randomUUID() };
    await transaction(({ watches }) => watches.add({ associationId, ...ALICE, ...FULL_SCOPE }));
    const mark = (ms: number) => transaction(({ watches }) => watches.markBaselines([associationId], at(ms)));
    const answers = await Promise.all(Array.from({ length: 10 }, (_, ms) => mark(ms)));
    expect(answers.flat()).toEqual([associationId]);
    const found = await transaction(({ watches }) => watches.find(associationId));
    expect(found?.baselineAt).toEqual(at(answers.findIndex((ids) => ids.length > 0)));
    expect(await transaction(({ watches }) => watches.markBaselines([crypto.randomUUID()], at(0)))).toEqual([]);
  });
});
