import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { NO_DIFFERENCE } from "../../src/breaches/catalogue/breach_change.ts";
import type { NewChange, WorseChange } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const passwords: NewChange = {
  ...NO_DIFFERENCE,
  breachName: "Shop",
  addedClasses: ["Passwords"],
  removedFlags: ["unverified"],
  count: { from: 1, to: 2 },
  retired: null,
  worse: true,
};
const harmless: NewChange = { ...NO_DIFFERENCE, breachName: "Shop", retired: true, worse: false };

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's changes on %s", (_, open) => {
  /** `count` associations with an alert for the shop each, raised at 0. */
  async function opened(count = 1) {
    const { transaction } = await open();
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    await transaction(async ({ watches, alerts, breaches }) => {
      await breaches.put("hibp", [{ breach: aBreach({ name: "Shop" }), hash: "1" }], at(0));
      for (const associationId of ids) {
        const address = `${associationId}@example.com`;
        await watches.add({ associationId, accountId: ALICE.accountId, address, ...FULL_SCOPE });
        await alerts.addMissing([{ address, breachNames: ["Shop"] }], at(0));
        await watches.markBaselines([associationId], at(0));
      }
    });
    const alertOf = async (associationId: string) => {
      const [alert] = await transaction(({ alerts }) => alerts.listByAssociation(associationId, at(-1), 9));
      if (!alert) throw new Error("Expected an alert");
      return alert;
    };
    return {
      transaction,
      ids,
      alertOf,
      add: (changes: NewChange[], ms: number) => transaction((store) => store.changes.add(changes, at(ms))),
      worsen: (change: Partial<WorseChange> = {}, limit = 9) =>
        transaction(({ changes }) =>
          changes.worsenNext({ id: "", breachName: "Shop", at: at(5), through: undefined, ...change }, limit),
        ),
      claim: () => transaction(({ changes }) => changes.claimWorse()),
      async handle(associationId: string) {
        const turn = { state: "handled" as const, reason: "other" as const, note: "Words", at: at(1) };
        const alert = await alertOf(associationId);
        await transaction(({ alerts }) => alerts.transition([alert], turn));
      },
    };
  }

  test("listByBreaches() returns what was added, newest first, and find() one of them", async () => {
    const { transaction, add } = await opened();
    await add([passwords, { ...passwords, breachName: "Other" }], 5);
    await add([harmless], 9);
    await add([], 10);
    const list = (...names: string[]) => transaction(({ changes }) => changes.listByBreaches(names));
    const [second, first, ...more] = await list("Shop");
    expect(more).toEqual([]);
    expect(second).toEqual({ ...harmless, id: expect.any(String), at: at(9).toISOString() });
    expect(first).toEqual({ ...passwords, id: expect.any(String), at: at(5).toISOString() });
    expect(await list("Shop", "Other")).toHaveLength(3);
    expect([await list("Unknown"), await list()]).toEqual([[], []]);
    expect(await transaction(({ changes }) => changes.find(first?.id ?? ""))).toEqual(first);
    expect(await transaction(({ changes }) => changes.find(crypto.randomUUID()))).toBeUndefined();
  });

  test("listKept() returns whether entries are listed and linked", async () => {
    const { transaction } = await opened();
    await transaction(async ({ breaches, changes }) => {
      const entries = ["Gone", "a:Shop"].map((name) => ({ breach: aBreach({ name }), hash: "1" }));
      await breaches.put("hibp", entries, at(0));
      await breaches.markRemoved("hibp", ["Gone"], at(1));
      await breaches.link("a:Shop", "Shop");
      const kept = await changes.listKept(["Gone", "Shop", "Unknown", "a:Shop"]);
      expect(kept.toSorted((a, b) => (a.breach.name < b.breach.name ? -1 : 1))).toEqual([
        { breach: aBreach({ name: "Gone" }), isRemoved: true, isLinked: false, isAwaited: false },
        { breach: aBreach({ name: "Shop" }), isRemoved: false, isLinked: false, isAwaited: false },
        { breach: aBreach({ name: "a:Shop" }), isRemoved: false, isLinked: true, isAwaited: false },
      ]);
      expect(await changes.listKept([])).toEqual([]);
    });
  });

  test("compareInTurn() lets two concurrent comparisons of one source see each other's result", async () => {
    const { transaction } = await opened();
    const compare = () =>
      transaction(async ({ changes }) => {
        await changes.lockComparisons("hibp");
        if ((await changes.listByBreaches(["Shop"])).length === 0) await changes.add([passwords], at(5));
      });
    await Promise.all(Array.from({ length: 6 }, compare));
    expect(await transaction(({ changes }) => changes.listByBreaches(["Shop"]))).toHaveLength(1);
  });

  test("claimWorse() returns the oldest worse change until it is announced, with its progress", async () => {
    const { transaction, add, claim } = await opened();
    expect(await claim()).toBeUndefined();
    await add([harmless], 3);
    await add([{ ...passwords, breachName: "Other" }], 7);
    await add([passwords], 5);
    const first = await claim();
    expect(first).toMatchObject({ breachName: "Shop", at: at(5), through: undefined });
    const through = crypto.randomUUID();
    await transaction(({ changes }) => changes.advance(first?.id ?? "", through));
    expect(await claim()).toMatchObject({ id: first?.id ?? "", through });
    await transaction(({ changes }) => changes.markTold(first?.id ?? "", at(9)));
    const second = await claim();
    expect(second).toMatchObject({ breachName: "Other" });
    await transaction(({ changes }) => changes.markTold(second?.id ?? "", at(9)));
    expect(await claim()).toBeUndefined();
  });

  test("worsenNext() makes alerts pending in batches, with the next version, each once", async () => {
    const { ids, worsen, handle, alertOf } = await opened(5);
    await handle(ids[0] ?? "");
    expect(await alertOf(ids[0] ?? "")).toMatchObject({ state: "handled", reason: "other", note: "Words", version: 2 });
    const batches = [await worsen({}, 2)];
    for (let last = batches[0]; last?.through !== undefined; last = batches.at(-1))
      batches.push(await worsen({ through: last.through }, 2));
    expect(batches.map(({ alerts }) => alerts.length)).toEqual([2, 2, 1, 0]);
    const all = batches.flatMap(({ alerts }) => alerts);
    expect(all.map(({ associationId }) => associationId).toSorted()).toEqual(ids.toSorted());
    expect(all.filter(({ reopened }) => reopened).map(({ associationId }) => associationId)).toEqual([ids[0] ?? ""]);
    expect(all.every(({ reported, accountId }) => reported && accountId === ALICE.accountId)).toBe(true);
    const pending = { state: "pending", worsenedAt: at(5), reason: undefined, note: undefined, handledAt: undefined };
    expect(await alertOf(ids[0] ?? "")).toMatchObject({ ...pending, version: 3 });
    expect(await alertOf(ids[1] ?? "")).toMatchObject({ ...pending, version: 2 });
  });

  test("worsenNext() skips suspended and hidden associations, and alerts that are later or of another breach", async () => {
    const { transaction, ids, worsen } = await opened(4);
    const [one = "", two = "", three = "", four = ""] = ids;
    const later = crypto.randomUUID();
    await transaction(async ({ watches, alerts, breaches }) => {
      await watches.setSuspended(one, true);
      await watches.setScope(two, { details: true, sensitive: false });
      await breaches.put("hibp", [{ breach: aBreach({ name: "Shop", flags: ["sensitive"] }), hash: "2" }], at(1));
      await watches.add({ associationId: later, ...ALICE, ...FULL_SCOPE });
      await alerts.addMissing([{ address: ALICE.address, breachNames: ["Shop", "Other"] }], at(6));
    });
    const { alerts, through } = await worsen();
    expect(alerts.map(({ associationId }) => associationId).toSorted()).toEqual([three, four].toSorted());
    expect(await worsen({ through: through ?? "" })).toEqual({ alerts: [], through: undefined });
    const passedOver = await worsen({ breachName: "Other" });
    expect(passedOver).toEqual({ alerts: [], through: undefined });
    expect((await worsen({ at: at(6) })).alerts.find(({ associationId }) => associationId === later)).toMatchObject({
      reported: false,
    });
  });

  test("worsenNext() never replaces the date of a later change by an earlier one", async () => {
    const { ids, worsen, alertOf } = await opened();
    await worsen({ at: at(8) });
    await worsen({ at: at(5) });
    expect(await alertOf(ids[0] ?? "")).toMatchObject({ worsenedAt: at(8), version: 3 });
  });

  test("worsenMissed() catches up once with what was announced to others", async () => {
    const { transaction, ids, add, worsen, claim, alertOf, handle } = await opened(2);
    const [one = "", two = ""] = ids;
    const missed = (id: string) => transaction(({ changes }) => changes.worsenMissed(id));
    await handle(one);
    await add([passwords, harmless], 5);
    // Nothing was announced yet: the next batch includes it.
    expect(await missed(one)).toBe(0);
    const change = await claim();
    await transaction(({ watches }) => watches.setSuspended(one, true));
    const { through } = await worsen();
    await transaction(({ changes }) => changes.advance(change?.id ?? "", through ?? ""));
    expect(await alertOf(one)).toMatchObject({ state: "handled" });
    expect([await missed(two), await missed(one)]).toEqual([0, 1]);
    expect(await alertOf(one)).toMatchObject({ state: "pending", reason: undefined, worsenedAt: at(5), version: 3 });
    await transaction(({ changes }) => changes.markTold(change?.id ?? "", at(9)));
    expect([await missed(two), await missed(one), await missed(crypto.randomUUID())]).toEqual([0, 0, 0]);
  });

  test("worsenMissed() skips what was raised after the change, or is hidden", async () => {
    const { transaction, ids, add, claim } = await opened();
    await add([passwords], -1);
    const early = await claim();
    await transaction(({ changes }) => changes.markTold(early?.id ?? "", at(0)));
    expect(await transaction(({ changes }) => changes.worsenMissed(ids[0] ?? ""))).toBe(0);
    await add([passwords], 5);
    const change = await claim();
    await transaction(async ({ changes, breaches, watches }) => {
      await changes.markTold(change?.id ?? "", at(9));
      await watches.setScope(ids[0] ?? "", { details: true, sensitive: false });
      await breaches.put("hibp", [{ breach: aBreach({ name: "Shop", flags: ["sensitive"] }), hash: "2" }], at(1));
      expect(await changes.worsenMissed(ids[0] ?? "")).toBe(0);
      await watches.setScope(ids[0] ?? "", FULL_SCOPE);
      expect(await changes.worsenMissed(ids[0] ?? "")).toBe(1);
    });
  });

  test("a rolled back transaction leaves nothing", async () => {
    const { transaction, ids, alertOf } = await opened();
    const failing = transaction(async ({ changes }) => {
      await changes.add([passwords], at(5));
      await changes.worsenNext({ id: "", breachName: "Shop", at: at(5), through: undefined }, 9);
      throw new Error("Stop");
    });
    await expect(failing).rejects.toThrow("Stop");
    expect(await transaction(({ changes }) => changes.listByBreaches(["Shop"]))).toEqual([]);
    expect(await alertOf(ids[0] ?? "")).toMatchObject({ version: 1, worsenedAt: undefined });
  });

  test("returns changes from a given time on, newest first, up to the limit", async () => {
    const { add, transaction } = await opened();
    await add([harmless], 1000);
    await add([passwords], 2000);
    await add([harmless], 3000);
    const since = (ms: number, limit: number) => transaction(({ changes }) => changes.listSince(at(ms), limit));
    expect((await since(2000, 9)).map((change) => change.at)).toEqual([at(3000).toISOString(), at(2000).toISOString()]);
    expect((await since(0, 1)).map((change) => change.at)).toEqual([at(3000).toISOString()]);
    expect(await since(3001, 9)).toEqual([]);
  });

  test("returns listed entries of these sources added since a day, newest first", async () => {
    const { transaction } = await opened(0);
    const entry = (name: string, addedDate: string) => ({ breach: aBreach({ name, addedDate }), hash: name });
    await transaction(async ({ breaches }) => {
      const list = [
        entry("Old", "2026-01-01T00:00:00Z"),
        entry("New", "2026-03-01T00:00:00Z"),
        entry("Newer", "2026-04-01T00:00:00Z"),
      ];
      await breaches.put("hibp", [...list, entry("Gone", "2026-05-01T00:00:00Z")], at(0));
      await breaches.put("other", [entry("Foreign", "2026-05-01T00:00:00Z")], at(0));
      await breaches.markRemoved("hibp", ["Gone"], at(1));
    });
    const since = (limit: number) =>
      transaction(({ breaches }) => breaches.listAddedSince(["hibp"], "2026-02-01T00:00:00Z", limit));
    expect((await since(9)).map(({ name }) => name)).toEqual(["Newer", "New"]);
    expect((await since(1)).map(({ name }) => name)).toEqual(["Newer"]);
  });
});
