import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Alert, AlertFilter } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

/** What is known of a breach that no source has found nor listed. */
const NOTHING = { breach: undefined, logo: undefined, sources: [] };
const WITHOUT_WORDS = { reason: undefined, note: undefined };
const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const byNumber = (a = 0, b = 0) => a - b;
const namesOf = (alerts: Alert[]) => alerts.map(({ breachName }) => breachName).toSorted();

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's alerts on %s", (_, open) => {
  /** A store in which Alice and Bob track Alice's address. */
  async function openAlerts() {
    const { transaction } = await open();
    const [alices, bobs] = [crypto.randomUUID(), crypto.randomUUID()];
    await transaction(async ({ watches }) => {
      await watches.add({ associationId: alices, ...ALICE, ...FULL_SCOPE });
      await watches.add({ associationId: bobs, ...BOB, address: ALICE.address, ...FULL_SCOPE });
    });
    const addMissing = (names: string[], ms = 0, address = ALICE.address) =>
      transaction(({ alerts }) => alerts.addMissing([{ address, breachNames: names }], at(ms)));
    return {
      transaction,
      alices,
      bobs,
      addMissing,
      list: (filter: Partial<AlertFilter> = {}, offset = 0, limit = 100) =>
        transaction(({ alerts }) => alerts.list(ALICE.accountId, { handledAfter: at(0), ...filter }, offset, limit)),
      setState: async (alert: Alert, state: Alert["state"], ms: number) =>
        (await transaction(({ alerts }) => alerts.transition([alert], { ...WITHOUT_WORDS, state, at: at(ms) })))[0],
      find: (accountId: string, id: string) => transaction(({ alerts }) => alerts.find(accountId, id)),
      async addOne(name: string, ms = 0): Promise<Alert> {
        const alert = (await addMissing([name], ms)).find(({ associationId }) => associationId === alices);
        if (alert === undefined) throw new Error(`Cannot raise an alert for "${name}"`);
        return alert;
      },
    };
  }

  test("addMissing() raises one alert per association and exposure, and returns only new ones", async () => {
    const { addMissing, alices, bobs, find } = await openAlerts();
    const added = await addMissing(["Adobe", "Canva"], 5);
    expect(added).toHaveLength(4);
    expect(new Set(added.map(({ id }) => id)).size).toBe(4);
    for (const alert of added) {
      const isAlices = alert.associationId === alices;
      expect(alert).toEqual({
        id: expect.any(String),
        associationId: isAlices ? alices : bobs,
        accountId: isAlices ? ALICE.accountId : BOB.accountId,
        address: ALICE.address,
        breachName: expect.stringMatching(/^(Adobe|Canva)$/),
        state: "pending",
        baseline: true,
        raisedAt: at(5),
        handledAt: undefined,
        worsenedAt: undefined,
        changedSince: undefined,
        variants: [],
        reason: undefined,
        note: undefined,
        steps: [],
        version: 1,
      });
      expect(await find(alert.accountId, alert.id)).toEqual({ ...alert, details: true, known: NOTHING });
    }
    expect(await addMissing(["Canva", "Adobe"], 6)).toEqual([]);
    expect(namesOf(await addMissing(["Adobe", "Suno", "Suno"], 7))).toEqual(["Suno", "Suno"]);
  });

  test("addMissing() marks alerts raised before the end of an association's first check as baseline", async () => {
    const { transaction, addMissing, alices } = await openAlerts();
    await transaction(({ watches }) => watches.markBaselines([alices], at(0)));
    const added = await addMissing(["Adobe"]);
    expect(added.map(({ associationId, baseline }) => [associationId === alices, baseline]).toSorted()).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test("addMissing() gives new and resumed associations everything known about the address, and nothing to others", async () => {
    const { transaction, addMissing, alices } = await openAlerts();
    await transaction(({ watches }) => watches.setSuspended(alices, true));
    expect(await addMissing(["Adobe"])).toHaveLength(1);
    const charlies = crypto.randomUUID();
    await transaction(({ watches }) =>
      watches.add({ associationId: charlies, ...CHARLIE, address: ALICE.address, ...FULL_SCOPE }),
    );
    await transaction(({ watches }) => watches.setSuspended(alices, false));
    const added = await addMissing([]);
    expect(added.map(({ associationId }) => associationId).toSorted()).toEqual([alices, charlies].toSorted());
    expect(namesOf(added)).toEqual(["Adobe", "Adobe"]);
  });

  test("addMissing() raises nothing without an association, and keeps the exposure for a later one", async () => {
    const { transaction, addMissing } = await openAlerts();
    expect(await addMissing(["Adobe"], 0, BOB.address)).toEqual([]);
    await transaction(({ watches }) => watches.add({ associationId: crypto.randomUUID(), ...BOB, ...FULL_SCOPE }));
    expect(namesOf(await addMissing([], 1, BOB.address))).toEqual(["Adobe"]);
  });

  test("removeUnwatched() deletes what is known about one address", async () => {
    const { transaction, addMissing } = await openAlerts();
    await addMissing(["Adobe"], 0, BOB.address);
    await addMissing(["Adobe"], 0, CHARLIE.address);
    await transaction(({ exposures }) => exposures.removeUnwatched([BOB.address]));
    for (const who of [BOB, CHARLIE]) {
      await transaction(({ watches }) => watches.add({ associationId: crypto.randomUUID(), ...who, ...FULL_SCOPE }));
    }
    expect(await addMissing([], 1, BOB.address)).toEqual([]);
    expect(await addMissing([], 1, CHARLIE.address)).toHaveLength(1);
  });

  test("addMissing() raises each alert once for ten concurrent callers", async () => {
    const { addMissing, list } = await openAlerts();
    const added = await Promise.all(Array.from({ length: 10 }, () => addMissing(["Adobe", "Canva"])));
    expect(added.flat()).toHaveLength(4);
    expect((await list()).total).toBe(2);
  });

  test("find() does not return another account's alert; listByIds() returns any", async () => {
    const { transaction, addOne, find } = await openAlerts();
    const alert = await addOne("Adobe");
    expect(await find(BOB.accountId, alert.id)).toBeUndefined();
    expect(await find(ALICE.accountId, crypto.randomUUID())).toBeUndefined();
    const listByIds = (ids: string[]) => transaction(({ alerts }) => alerts.listByIds(ids));
    expect(await listByIds([crypto.randomUUID(), alert.id])).toEqual([{ ...alert, details: true, known: NOTHING }]);
    expect(await listByIds([])).toEqual([]);
  });

  test("find() and lists say what is known of an alert's breach, under any of its addresses", async () => {
    const { transaction, alices, find, list } = await openAlerts();
    const alias = "alice+shop@example.com";
    await transaction(async ({ breaches, watches, alerts }) => {
      await breaches.put("hibp", [{ breach: aBreach({ name: "Adobe" }), hash: "a" }], at(0));
      await watches.addAlias({ id: crypto.randomUUID(), associationId: alices, address: alias });
      const found = (address: string, source: string) =>
        alerts.addMissing([{ address, breachNames: ["Adobe", "Unlisted"] }], at(0), source);
      await found(ALICE.address, "other");
      await found(ALICE.address, "hibp");
      await alerts.addMissing([{ address: alias, breachNames: ["Adobe"] }], at(1), "push");
      await alerts.addMissing([{ address: alias, breachNames: ["Adobe"] }], at(1), "hibp");
    });
    const { alerts } = await list({ order: { by: "service", direction: "asc" } });
    const breach = expect.objectContaining({ name: "Adobe" });
    expect(alerts.map(({ known }) => known && { ...known, sources: known.sources.toSorted() })).toEqual([
      { breach, logo: undefined, sources: ["hibp", "other", "push"] },
      { ...NOTHING, sources: ["hibp", "other"] },
    ]);
    for (const alert of alerts) expect(await find(ALICE.accountId, alert.id)).toEqual(alert);
  });

  test("without details nothing is known of an alert's breach", async () => {
    const { transaction, alices, addOne, find, list } = await openAlerts();
    await transaction(({ watches }) => watches.setScope(alices, { details: false, sensitive: true }));
    const alert = await addOne("Adobe");
    const seen = { ...alert, details: false, known: undefined };
    expect(await find(ALICE.accountId, alert.id)).toEqual(seen);
    expect((await list()).alerts).toEqual([seen]);
  });

  test("turn() changes an alert to handled and back", async () => {
    const { addOne, setState, find } = await openAlerts();
    const alert = await addOne("Adobe");
    const handled = await setState(alert, "handled", 50);
    expect(handled).toEqual({ ...alert, state: "handled", handledAt: at(50), version: 2 });
    const seen = { ...alert, state: "handled", handledAt: at(50), version: 2, details: true, known: NOTHING } as const;
    expect(await find(ALICE.accountId, alert.id)).toEqual(seen);
    expect(await setState(alert, "pending", 60)).toBeUndefined();
    expect(await setState({ ...alert, version: 2 }, "pending", 60)).toEqual({ ...alert, version: 3 });
    expect(await setState({ ...alert, id: crypto.randomUUID() }, "handled", 60)).toBeUndefined();
  });

  test("countWithin() counts an account's alerts, countOpen() an association's, with an increasing version", async () => {
    const { transaction, addMissing, addOne, setState, alices, bobs } = await openAlerts();
    const countOpen = (id: string) => transaction(async ({ alerts }) => (await alerts.countOpen([id]))[0]);
    const countWithin = (id: string, from: number, to: number) =>
      transaction(({ alerts }) => alerts.countWithin(id, at(from), at(to)));
    const countPending = async (id: string) => (await countWithin(id, 0, 0)).pending;
    await setState(await addOne("Adobe"), "handled", 5);
    await addMissing(["Canva", "Suno"]);
    expect(await countPending(ALICE.accountId)).toBe(2);
    expect(await countPending(BOB.accountId)).toBe(3);
    expect(await countPending(CHARLIE.accountId)).toBe(0);
    expect(await countWithin(ALICE.accountId, 5, 6)).toMatchObject({ handled: 1, pending: 2 });
    expect(await countWithin(ALICE.accountId, 0, 5)).toMatchObject({ handled: 0, pending: 2 });
    expect(await countOpen(alices)).toEqual({ associationId: alices, open: 2, version: 1 });
    expect(await countOpen(alices)).toEqual({ associationId: alices, open: 2, version: 2 });
    expect(await countOpen(bobs)).toEqual({ associationId: bobs, open: 3, version: 1 });
    const versions = await Promise.all(Array.from({ length: 10 }, () => countOpen(alices)));
    expect(versions.map((count) => count?.version).toSorted(byNumber)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  test("countOpen() returns the newest version with the newest count for concurrent changes", async () => {
    const { transaction, addMissing, list, alices } = await openAlerts();
    await addMissing(Array.from({ length: 10 }, (_, number) => `Breach${number}`));
    const counts = await Promise.all(
      (await list()).alerts.map((alert) =>
        transaction(async ({ alerts }) => {
          await alerts.transition([alert], { ...WITHOUT_WORDS, state: "handled", at: at(5) });
          return (await alerts.countOpen([alices]))[0];
        }),
      ),
    );
    expect(counts.find((count) => count?.version === 10)?.open).toBe(0);
    expect(counts.map((count) => (count?.open ?? 0) + (count?.version ?? 0))).toEqual(Array(10).fill(10));
  });

  test("removeByAssociation() deletes its alerts and no others", async () => {
    const { transaction, addMissing, alices, list } = await openAlerts();
    await addMissing(["Adobe", "Canva"]);
    await transaction(({ alerts }) => alerts.removeByAssociation(alices));
    expect(await list()).toEqual({ alerts: [], total: 0, pending: 0 });
    expect((await transaction(({ alerts }) => alerts.countNews(BOB.accountId, undefined))).pending).toBe(2);
  });

  test("list() is sorted from newest to oldest, in pages, with a stable order among equal ones", async () => {
    const { addMissing, list } = await openAlerts();
    const older = namesOf(await addMissing(["A", "B", "C"], 10));
    await addMissing(["D"], 30);
    await addMissing(["E"], 20);
    const all = await list();
    expect(all.total).toBe(5);
    expect(all.alerts.slice(0, 2).map(({ breachName }) => breachName)).toEqual(["D", "E"]);
    expect(namesOf(all.alerts.slice(2))).toEqual([...new Set(older)]);
    const pages = await Promise.all([0, 2, 4, 6].map((offset) => list({}, offset, 2)));
    expect(pages.flatMap(({ alerts }) => alerts)).toEqual(all.alerts);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
  });

  test("list() filters by state, and omits what was handled long ago", async () => {
    const { addOne, addMissing, setState, list } = await openAlerts();
    const old = await addOne("Old");
    const recent = await addOne("Recent");
    await addMissing(["Pending"]);
    await setState(old, "handled", 100);
    await setState(recent, "handled", 101);
    const names = async (filter: Partial<AlertFilter>) => {
      const { alerts, total } = await list(filter);
      expect(total).toBe(alerts.length);
      return namesOf(alerts);
    };
    expect(await names({})).toEqual(["Old", "Pending", "Recent"]);
    expect(await names({ handledAfter: at(100) })).toEqual(["Pending", "Recent"]);
    expect(await names({ state: "handled", handledAfter: at(100) })).toEqual(["Recent"]);
    expect(await names({ state: "pending", handledAfter: at(1000) })).toEqual(["Pending"]);
  });

  test("list() finds by address and by the breach's title, ignoring case, without wildcards", async () => {
    const { transaction, addMissing, list } = await openAlerts();
    const titles = {
      Plain: "Plain",
      Percent: "100% off",
      Under: "a_b",
      Back: "a\\b",
      Accents: "ÉCOLE Überall",
      Quote: "O'Neill",
    };
    await transaction(({ breaches }) =>
      breaches.put(
        "hibp",
        Object.entries(titles).map(([name, title]) => ({ breach: aBreach({ name, title }), hash: "1" })),
        at(0),
      ),
    );
    await addMissing([...Object.keys(titles), "Untitled"]);
    const found = async (search: string) => {
      const { alerts, total } = await list({ search });
      expect(total).toBe(alerts.length);
      return namesOf(alerts);
    };
    expect(await found("PLAIN")).toEqual(["Plain"]);
    expect(await found("%")).toEqual(["Percent"]);
    expect(await found("_")).toEqual(["Under"]);
    expect(await found("a_b")).toEqual(["Under"]);
    expect(await found("\\")).toEqual(["Back"]);
    expect(await found("'")).toEqual(["Quote"]);
    expect(await found("école über")).toEqual(["Accents"]);
    expect(await found("untitled")).toEqual(["Untitled"]);
    expect(await found("Alice@Example")).toHaveLength(7);
    expect(await found("example.com plain")).toEqual(["Plain"]);
    expect(await found("bob")).toEqual([]);
  });
});
