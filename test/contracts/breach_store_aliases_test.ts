import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const SHOP = "alice+shop@example.com";
const NEWS = "alice+news@example.com";
const ID = crypto.randomUUID();
const [SHOP_ID, NEWS_ID] = [crypto.randomUUID(), crypto.randomUUID()];

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("a breach store's aliases on %s", (_, open) => {
  /** Alice's address, which was checked, with two aliases. */
  async function opened() {
    const { transaction } = await open();
    await transaction(async ({ watches, scans, breaches }) => {
      await breaches.put(
        "hibp",
        ["Adobe", "Canva"].map((name) => ({ breach: aBreach({ name }), hash: name })),
        at(0),
      );
      await watches.add({ associationId: ID, ...ALICE, ...FULL_SCOPE });
      await watches.markBaselines([ID], at(0));
      await watches.addAlias({ id: SHOP_ID, associationId: ID, address: SHOP });
      await watches.addAlias({ id: NEWS_ID, associationId: ID, address: NEWS });
      for (const address of [ALICE.address, SHOP, NEWS]) await scans.add(address, ["hibp"], at(0));
    });
    return transaction;
  }
  const found = (address: string, ...breachNames: string[]) => [{ address, breachNames }];
  async function check({ scans }: BreachStore, address: string) {
    const claimed = await scans.claimDue("hibp", 10, at(10), 60_000);
    await scans.release(
      claimed.filter((scan) => scan.address !== address),
      at(10),
      false,
    );
    await scans.finish(
      claimed.filter((scan) => scan.address === address),
      at(10),
      at(1e9),
    );
  }

  test("addAlias() watches it with the account, scope and suspension of its association, once", async () => {
    const { transaction } = await open();
    const alias = { id: SHOP_ID, associationId: ID, address: SHOP };
    await transaction(async ({ watches }) => {
      expect(await watches.addAlias(alias)).toBeUndefined();
      await watches.add({ associationId: ID, ...ALICE, ...FULL_SCOPE });
      await watches.setSuspended(ID, true);
      await watches.markBaselines([ID], at(3));
      const expected = {
        ...{ associationId: SHOP_ID, aliasOf: ID, accountId: ALICE.accountId, address: SHOP },
        ...{ suspended: true, baselineAt: undefined, ...FULL_SCOPE },
      };
      expect(await watches.addAlias(alias)).toEqual(expected);
      await watches.addAlias(alias);
      expect(await watches.listAliases(ID)).toEqual([expected]);
      expect(await watches.addAlias({ ...alias, id: NEWS_ID, associationId: SHOP_ID })).toBeUndefined();
      expect(await watches.listActive([SHOP])).toEqual([]);
      expect(await watches.setSuspended(ID, false)).toBe(true);
      expect(await watches.listActive([SHOP])).toEqual([{ ...expected, suspended: false }]);
    });
  });

  test("remove() of an association removes its aliases, and that of an alias only that one", async () => {
    const transaction = await opened();
    await transaction(async ({ watches }) => {
      await watches.remove(SHOP_ID);
      expect(await watches.countAll(SHOP)).toBe(0);
      expect((await watches.listAliases(ID)).map(({ address }) => address)).toEqual([NEWS]);
      await watches.remove(ID);
      expect(await watches.countAll(NEWS)).toBe(0);
      expect(await watches.countAll(ALICE.address)).toBe(0);
    });
  });

  test("addMissing() raises one alert of the association for a breach, which names the alias", async () => {
    const transaction = await opened();
    const raised = await transaction(({ alerts }) => alerts.addMissing(found(SHOP, "Adobe"), at(1), "hibp"));
    expect(raised).toMatchObject([
      { associationId: ID, accountId: ALICE.accountId, address: ALICE.address, breachName: "Adobe", variants: [SHOP] },
    ]);
    expect(raised[0]).toMatchObject({ baseline: true, state: "pending", version: 1 });
    const again = await transaction(({ alerts }) => alerts.addMissing(found(SHOP, "Adobe"), at(2), "hibp"));
    expect(again).toEqual([]);
  });

  test("addMissing() names all addresses of one check, and none for the tracked address alone", async () => {
    const transaction = await opened();
    const findings = [...found(SHOP, "Adobe"), ...found(NEWS, "Adobe"), ...found(ALICE.address, "Adobe", "Canva")];
    const raised = await transaction(({ alerts }) => alerts.addMissing(findings, at(1), "hibp"));
    const named = raised.map(({ breachName, variants, baseline }) => ({ breachName, variants, baseline }));
    expect(named.toSorted((a, b) => (a.breachName < b.breachName ? -1 : 1))).toEqual([
      { breachName: "Adobe", variants: [NEWS, SHOP, ALICE.address], baseline: false },
      { breachName: "Canva", variants: [], baseline: false },
    ]);
    expect(raised.some(({ again }) => again)).toBe(false);
  });

  test("addMissing() makes a handled alert pending again when it is found under another alias", async () => {
    const transaction = await opened();
    const [first] = await transaction(({ alerts }) => alerts.addMissing(found(ALICE.address, "Adobe"), at(1), "hibp"));
    const id = first?.id ?? "";
    await transaction(({ alerts }) =>
      alerts.transition([{ id, version: 1 }], { state: "handled", reason: "other", note: "Done", at: at(2) }),
    );
    await transaction(async ({ alerts }) => {
      await alerts.tick(ALICE.accountId, id, { name: "password", done: true });
      await alerts.notePasswordChange(ALICE.accountId, id, "after");
    });
    const [more] = await transaction(({ alerts }) => alerts.addMissing(found(SHOP, "Adobe"), at(3), "hibp"));
    const expected = {
      ...{ id, state: "pending", reason: undefined, note: undefined, handledAt: undefined, version: 3 },
      ...{ steps: [], changedSince: undefined },
    };
    expect(more).toMatchObject({ ...expected, again: true, baseline: true, variants: [SHOP, ALICE.address] });
    expect(await transaction(({ alerts }) => alerts.find(ALICE.accountId, id))).toMatchObject({
      ...expected,
      baseline: false,
      variants: [SHOP, ALICE.address],
    });
    expect(await transaction(({ alerts }) => alerts.addMissing(found(SHOP, "Adobe"), at(4), "hibp"))).toEqual([]);
    expect(await transaction(({ alerts }) => alerts.countOpen([ID]))).toMatchObject([{ open: 1 }]);
  });

  test("leaves the alerts of others who track the alias to themselves", async () => {
    const transaction = await opened();
    const other = { associationId: crypto.randomUUID(), accountId: BOB.accountId, address: SHOP, ...FULL_SCOPE };
    await transaction(({ watches }) => watches.add(other));
    const raised = await transaction(({ alerts }) => alerts.addMissing(found(SHOP, "Adobe"), at(1), "hibp"));
    const named = raised.map(({ accountId, address, variants }) => ({ accountId, address, variants }));
    expect(named.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))).toEqual([
      { ...ALICE, variants: [SHOP] },
      { accountId: BOB.accountId, address: SHOP, variants: [] },
    ]);
  });

  test("endFirstChecks() waits for all aliases of the association, and ends once", async () => {
    const transaction = await opened();
    const end = () => transaction(({ watches }) => watches.endFirstChecks([ID], ["hibp"], at(10)));
    expect(await end()).toEqual(new Map());
    await transaction((store) => check(store, SHOP));
    expect(await end()).toEqual(new Map());
    await transaction((store) => check(store, NEWS));
    expect(await end()).toEqual(new Map([[ID, [NEWS, SHOP]]]));
    expect(await end()).toEqual(new Map());
    expect(await transaction(({ watches }) => watches.endFirstChecks([], ["hibp"], at(10)))).toEqual(new Map());
  });

  test("removeVariant() removes the alias from alerts, and alerts that were found under it alone", async () => {
    const transaction = await opened();
    const findings = [...found(SHOP, "Adobe", "Canva"), ...found(NEWS, "Adobe"), ...found(ALICE.address, "Adobe")];
    await transaction(({ alerts }) => alerts.addMissing(findings, at(1), "hibp"));
    const left = () =>
      transaction(async ({ alerts }) =>
        (await alerts.listByAssociation(ID, at(0), 9)).map(({ breachName, variants }) => ({ breachName, variants })),
      );
    await transaction(({ alerts }) => alerts.removeVariant(ID, SHOP));
    expect(await left()).toEqual([{ breachName: "Adobe", variants: [NEWS, ALICE.address] }]);
    await transaction(({ alerts }) => alerts.removeVariant(ID, NEWS));
    expect(await left()).toEqual([{ breachName: "Adobe", variants: [] }]);
    await transaction(({ alerts }) => alerts.removeVariant(ID, ALICE.address));
    expect(await left()).toHaveLength(1);
  });

  test("listFoundUnder() and a search find alerts by their aliases", async () => {
    const transaction = await opened();
    const findings = [...found(SHOP, "Adobe"), ...found(ALICE.address, "Canva")];
    await transaction(({ alerts }) => alerts.addMissing(findings, at(1), "hibp"));
    const under = (...addresses: string[]) =>
      transaction(async ({ alerts }) =>
        (await alerts.listFoundUnder(ID, addresses)).map(({ breachName }) => breachName),
      );
    expect(await under(SHOP, NEWS)).toEqual(["Adobe"]);
    expect(await under(ALICE.address)).toEqual(["Canva"]);
    expect(await under(NEWS)).toEqual([]);
    const search = (text: string) =>
      transaction(({ alerts }) => alerts.list(ALICE.accountId, { search: text, handledAfter: at(0) }, 0, 9));
    expect((await search("+SHOP")).alerts.map(({ breachName }) => breachName)).toEqual(["Adobe"]);
    expect((await search("+news")).total).toBe(0);
  });

  test("mergeLinked() keeps the aliases of both alerts", async () => {
    const transaction = await opened();
    const findings = [...found(SHOP, "Adobe"), ...found(ALICE.address, "Canva")];
    await transaction(({ alerts }) => alerts.addMissing(findings, at(1), "hibp"));
    await transaction(async ({ breaches, exposures }) => {
      await breaches.link("Adobe", "Canva");
      await exposures.mergeLinked();
    });
    expect(await transaction(({ alerts }) => alerts.listByAssociation(ID, at(0), 9))).toMatchObject([
      { breachName: "Canva", variants: [SHOP, ALICE.address] },
    ]);
    expect(await transaction(({ alerts }) => alerts.addMissing(found(SHOP, "Canva"), at(2), "hibp"))).toEqual([]);
  });
});
