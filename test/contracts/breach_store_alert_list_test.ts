import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { AlertFilter, AlertOrder, SeenAlert } from "../../src/breaches/ports.ts";
import { type ConsentScope, FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const BREACHES = [
  aBreach({ name: "A", title: "zebra", breachDate: "2020-05-01", addedDate: "2021-01-01T00:00:00Z" }),
  aBreach({ name: "B", title: "Apple", domain: "Fruit.example", breachDate: "2022-01-01" }),
  aBreach({ name: "C", title: "mango", breachDate: "2019-12-31", addedDate: "2020-01-01T00:00:00.500Z" }),
];
const NO_DETAILS = { details: false, sensitive: true };

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's list of alerts on %s", (_, open) => {
  /** Alice has alerts for A, then B, C and an unlisted breach at her address, and later for B and C at Bob's. */
  async function alicesList(ofBobs: ConsentScope = FULL_SCOPE) {
    const { transaction } = await open();
    const watch = (address: string, scope: ConsentScope) => ({
      associationId: crypto.randomUUID(),
      accountId: ALICE.accountId,
      address,
      ...scope,
    });
    const [own, bobs] = [watch(ALICE.address, FULL_SCOPE), watch(BOB.address, ofBobs)];
    await transaction(async ({ breaches, watches, alerts }) => {
      await breaches.put(
        "test",
        BREACHES.map((breach) => ({ breach, hash: breach.name })),
        at(0),
      );
      for (const one of [own, bobs]) await watches.add(one);
      await alerts.addMissing([{ address: ALICE.address, breachNames: ["A"] }], at(1));
      await alerts.addMissing([{ address: ALICE.address, breachNames: ["B", "C", "Unlisted"] }], at(2));
      await alerts.addMissing([{ address: BOB.address, breachNames: ["B", "C"] }], at(3));
    });
    const told = ({ breachName, associationId }: SeenAlert) =>
      associationId === own.associationId ? breachName : `Bob's ${breachName}`;
    const list = async (filter: Partial<AlertFilter> = {}) =>
      transaction(async ({ alerts }) => {
        const full = { handledAfter: at(0), ...filter };
        const page = await alerts.list(ALICE.accountId, full, 0, 100);
        expect(page.total).toBe(page.alerts.length);
        expect(await alerts.listIds(ALICE.accountId, full)).toEqual(page.alerts.map(({ id }) => id));
        return page.alerts;
      });
    const names = async (filter: Partial<AlertFilter> = {}) => (await list(filter)).map(told);
    const sorted = (by: AlertOrder["by"], direction: AlertOrder["direction"], ranking?: string[]) =>
      names({ order: { by, direction, ...(ranking && { ranking }) } });
    return { transaction, list, names, sorted, told };
  }

  test("list() sorts by every key in both directions, unknown values last, and equal ones newest first", async () => {
    const { sorted } = await alicesList();
    expect(await sorted("service", "asc")).toEqual(["Bob's B", "B", "Bob's C", "C", "Unlisted", "A"]);
    expect(await sorted("service", "desc")).toEqual(["A", "Unlisted", "Bob's C", "C", "Bob's B", "B"]);
    expect(await sorted("happened", "asc")).toEqual(["Bob's C", "C", "A", "Bob's B", "B", "Unlisted"]);
    expect(await sorted("happened", "desc")).toEqual(["Bob's B", "B", "A", "Bob's C", "C", "Unlisted"]);
    expect(await sorted("known", "asc")).toEqual(["Bob's B", "B", "Bob's C", "C", "A", "Unlisted"]);
    expect(await sorted("known", "desc")).toEqual(["A", "Bob's C", "C", "Bob's B", "B", "Unlisted"]);
    expect(await sorted("found", "asc")).toEqual(["A", "B", "C", "Unlisted", "Bob's B", "Bob's C"]);
    expect(await sorted("found", "desc")).toEqual(["Bob's C", "Bob's B", "C", "B", "Unlisted", "A"]);
    expect(await sorted("address", "asc")).toEqual(["C", "B", "Unlisted", "A", "Bob's C", "Bob's B"]);
    expect(await sorted("address", "desc")).toEqual(["Bob's C", "Bob's B", "C", "B", "Unlisted", "A"]);
    const ranking = ["C", "A", "Unlisted", "Elsewhere"];
    expect(await sorted("seriousness", "asc", ranking)).toEqual(["Bob's C", "C", "A", "Unlisted", "Bob's B", "B"]);
    expect(await sorted("seriousness", "desc", ranking)).toEqual(["Unlisted", "A", "Bob's C", "C", "Bob's B", "B"]);
    expect(await sorted("seriousness", "desc")).toEqual(await sorted("found", "desc"));
  });

  test("list() returns every alert once across its pages, however many sort keys are equal", async () => {
    const { transaction } = await open();
    const many = Array.from({ length: 50 }, (_, number) => aBreach({ name: `Breach${number}`, title: "The same" }));
    await transaction(async ({ breaches, watches, alerts }) => {
      await watches.add({ associationId: crypto.randomUUID(), ...ALICE, ...FULL_SCOPE });
      await breaches.put(
        "test",
        many.map((breach) => ({ breach, hash: "1" })),
        at(0),
      );
      await alerts.addMissing([{ address: ALICE.address, breachNames: many.map(({ name }) => name) }], at(1));
    });
    const ranking = many.map(({ name }) => name).slice(0, 5);
    for (const by of ["found", "happened", "known", "service", "address", "seriousness"] as const) {
      for (const direction of ["asc", "desc"] as const) {
        const filter = { handledAfter: at(0), order: { by, direction, ranking } };
        const pages = await Promise.all(
          [0, 7, 14, 21, 28, 35, 42, 49].map((offset) =>
            transaction(({ alerts }) => alerts.list(ALICE.accountId, filter, offset, 7)),
          ),
        );
        const ids = pages.flatMap((page) => page.alerts.map(({ id }) => id));
        expect(new Set(ids).size).toBe(50);
        expect(await transaction(({ alerts }) => alerts.listIds(ALICE.accountId, filter))).toEqual(ids);
      }
    }
  });

  test("list() filters by address and by breaches, and finds a domain", async () => {
    const { names } = await alicesList();
    expect(await names({ address: BOB.address })).toEqual(["Bob's C", "Bob's B"]);
    expect(await names({ address: "bob" })).toEqual([]);
    expect(await names({ breachNames: ["B", "Unlisted", "Elsewhere"] })).toEqual(["Bob's B", "B", "Unlisted"]);
    expect(await names({ breachNames: [] })).toEqual([]);
    expect(await names({ search: "FRUIT.EX" })).toEqual(["Bob's B", "B"]);
    expect(await names({ search: "fruit.ex", breachNames: ["B", "C"], address: ALICE.address })).toEqual(["B"]);
  });

  test("list() finds a renamed breach by each of its titles, and by its domain", async () => {
    const { transaction, names } = await alicesList();
    const [breach] = await transaction(({ breaches }) => breaches.listByNames(["B"]));
    if (breach === undefined) throw new Error("There is no such breach");
    const rename = (title: string) =>
      transaction(({ breaches }) => breaches.put("test", [{ breach: { ...breach, title }, hash: title }], at(4)));
    for (const title of ["Ünited Bells", "Third", "Ünited Bells", "Last"]) await rename(title);
    for (const search of [breach.title, "ünited bells", "THIRD", "last", breach.domain])
      expect([search, (await names({ search })).filter((name) => name.endsWith("B"))]).toEqual([
        search,
        ["Bob's B", "B"],
      ]);
    expect(await names({ search: "last third" })).toEqual([]);
  });

  test("list() finds an international address by what its owner typed", async () => {
    const { transaction } = await open();
    const address = "grete@xn--mnchen-post-thb.example";
    const found = await transaction(async ({ watches, alerts }) => {
      for (const one of [address, ALICE.address])
        await watches.add({
          associationId: crypto.randomUUID(),
          accountId: ALICE.accountId,
          address: one,
          ...FULL_SCOPE,
        });
      await alerts.addMissing(
        [address, ALICE.address].map((one) => ({ address: one, breachNames: ["Unlisted"] })),
        at(1),
      );
      const filter = { handledAfter: at(0), search: "Grete@mün" };
      const page = await alerts.list(ALICE.accountId, filter, 0, 10);
      expect(await alerts.listIds(ALICE.accountId, filter)).toEqual(page.alerts.map(({ id }) => id));
      return [page.total, ...page.alerts.map((alert) => alert.address)];
    });
    expect(found).toEqual([1, address]);
  });

  test("list() does not reveal undisclosed breaches by search, filter or order", async () => {
    const { transaction, names, list, told } = await alicesList(NO_DETAILS);
    for (const filter of [{ search: "apple" }, { search: "fruit" }, { breachNames: ["B"] }])
      expect(await names(filter)).toEqual(["B"]);
    expect(await names({ search: BOB.address })).toHaveLength(2);
    const ranking = ["B", "A", "C"];
    for (const by of ["service", "happened", "known", "seriousness"] as const) {
      for (const direction of ["asc", "desc"] as const) {
        const alerts = await list({ order: { by, direction, ranking } });
        const undisclosed = alerts.filter(({ details }) => !details);
        // In the order of their ids, after all known ones.
        expect(undisclosed.map(({ id }) => id)).toEqual(
          undisclosed
            .map(({ id }) => id)
            .toSorted()
            .toReversed(),
        );
        expect(alerts.filter((one) => one.details || one.breachName === "Unlisted").map(told)).toHaveLength(4);
        expect(alerts.slice(0, 3).every(({ details }) => details)).toBe(true);
      }
    }
    const counted = await transaction(({ alerts }) => alerts.countByBreach(ALICE.accountId, at(0)));
    expect(counted.breaches.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
  });

  test("countByBreach() and countByAddress() count the same as the table, for this account only", async () => {
    const { transaction, list } = await alicesList();
    const counts = (handledAfter: Date) =>
      transaction(async ({ alerts }) => {
        const { breaches: byBreach } = await alerts.countByBreach(ALICE.accountId, handledAfter);
        const byAddress = await alerts.countByAddress(ALICE.accountId, handledAfter);
        return [
          byBreach.map(({ breachName, count }) => `${breachName} ${count}`).toSorted(),
          byAddress.map(({ address, count }) => `${address} ${count}`),
        ];
      });
    const all = [
      ["A 1", "B 2", "C 2", "Unlisted 1"],
      [`${ALICE.address} 4`, `${BOB.address} 2`],
    ];
    expect(await counts(at(0))).toEqual(all);
    const turn = { state: "handled", reason: undefined, note: undefined, at: at(9) } as const;
    const bobs = await list({ address: BOB.address });
    await transaction(({ alerts }) => alerts.transition(bobs, turn));
    expect(await counts(at(8))).toEqual(all);
    expect(await counts(at(9))).toEqual([["A 1", "B 1", "C 1", "Unlisted 1"], [`${ALICE.address} 4`]]);
    expect(await transaction(({ alerts }) => alerts.countByAddress(CHARLIE.accountId, at(0)))).toEqual([]);
  });

  test("countByBreach() counts what is pending, and reveals nothing of breaches whose details are not shared", async () => {
    const { transaction, list } = await alicesList();
    const pending = async (handledAfter: Date) => {
      const { breaches, undisclosed } = await transaction(({ alerts }) =>
        alerts.countByBreach(ALICE.accountId, handledAfter),
      );
      expect(undisclosed).toBe(0);
      return breaches.map((each) => `${each.breachName} ${each.pending}`).toSorted();
    };
    expect(await pending(at(0))).toEqual(["A 1", "B 2", "C 2", "Unlisted 1"]);
    const turn = { state: "handled", reason: undefined, note: undefined, at: at(9) } as const;
    const own = (await list({ address: ALICE.address })).filter(({ breachName }) => breachName !== "C");
    await transaction(({ alerts }) => alerts.transition(own, turn));
    expect(await pending(at(8))).toEqual(["A 0", "B 1", "C 2", "Unlisted 0"]);
    expect(await pending(at(9))).toEqual(["B 1", "C 2"]);
    const none = await transaction(({ alerts }) => alerts.countByBreach(CHARLIE.accountId, at(0)));
    expect(none).toEqual({ breaches: [], undisclosed: 0 });
    const hidden = await (await alicesList(NO_DETAILS)).transaction(({ alerts }) =>
      alerts.countByBreach(ALICE.accountId, at(0)),
    );
    expect(hidden.undisclosed).toBe(2);
    expect(hidden.breaches.map((each) => each.pending)).toEqual([1, 1, 1, 1]);
  });

  test("latest() starts with the newest, and countNews() counts what is pending, and what is new since then", async () => {
    const { transaction, list, told } = await alicesList();
    const latest = (limit: number, handledAfter = at(0)) =>
      transaction(async ({ alerts }) => (await alerts.latest(ALICE.accountId, handledAfter, limit)).map(told));
    const news = (since?: Date) => transaction(({ alerts }) => alerts.countNews(ALICE.accountId, since));
    const fresh = async (since?: Date) => (await news(since)).fresh;
    expect(await latest(3)).toEqual(["Bob's C", "Bob's B", "C"]);
    expect([await fresh(), await fresh(at(0)), await fresh(at(1)), await fresh(at(2)), await fresh(at(3))]).toEqual([
      ...[6, 6, 5, 2, 0],
    ]);
    const turn = { state: "handled", reason: undefined, note: undefined, at: at(9) } as const;
    const bobs = await list({ address: BOB.address });
    await transaction(({ alerts }) => alerts.transition(bobs, turn));
    expect([await fresh(), await fresh(at(1)), await fresh(at(2))]).toEqual([4, 3, 0]);
    expect(await news(at(2))).toEqual({ pending: 4, fresh: 0 });
    expect([await latest(1), await latest(1, at(9))]).toEqual([["Bob's C"], ["C"]]);
    expect(await transaction(({ alerts }) => alerts.latest(CHARLIE.accountId, at(0), 3))).toEqual([]);
  });
});
