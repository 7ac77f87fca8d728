import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { AlertsChanged, HandlingNote, VersionedAlert } from "../../src/breaches/alerts/alert_handling.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";
import { emptyServer } from "../support/postgres.ts";

const NAMES = ["Adobe", "Canva", "Suno"];
const ALL = { state: "all", search: "", page: 1 } as const;

/** Alice tracks two addresses, each in three breaches. */
async function worldOfTwo() {
  const exposures = { [ALICE.address]: NAMES, [BOB.address]: NAMES };
  const world = breachWorld({ breaches: NAMES.map((name) => aBreach({ name })), exposures });
  await world.breaches.syncCatalogue();
  const associations = [
    await world.watch(ALICE),
    await world.watch({ accountId: ALICE.accountId, address: BOB.address }),
  ];
  await world.breaches.scanDue();
  await world.published();
  const list = async () => accepted(await world.breaches.listAlerts(ALICE.accountId, ALL)).items;
  const saw = async (): Promise<VersionedAlert[]> => (await list()).map(({ id, version }) => ({ id, version }));
  const handle = async (alerts: VersionedAlert[], why?: HandlingNote): Promise<AlertsChanged> =>
    accepted(await world.breaches.handleAlerts(ALICE.accountId, alerts, why));
  const reopen = async (alerts: VersionedAlert[]): Promise<AlertsChanged> =>
    accepted(await world.breaches.reopenAlerts(ALICE.accountId, alerts));
  return { ...world, associations, list, saw, handle, reopen };
}

describe("handleAlert() and reopenAlert()", () => {
  test("keep the reason and note, trimmed and none if empty, until it is reopened", async () => {
    const { breaches, saw, list } = await worldOfTwo();
    const [first] = await saw();
    const { id = "", version = 0 } = first ?? {};
    const why = { reason: "account_closed", note: "  Closed by phone.\n" } as const;
    const handled = accepted(await breaches.handleAlert(ALICE.accountId, id, version, why));
    expect(handled).toMatchObject({ state: "handled", reason: "account_closed", note: "Closed by phone." });
    expect((await list()).find((one) => one.id === id)).toEqual(handled);
    const { alerts } = await breaches.recordsOf(ALICE.accountId);
    expect(alerts.find((one) => one.id === id)).toEqual(handled);
    expect(accepted(await breaches.reopenAlert(ALICE.accountId, id, 2))).toMatchObject({ reason: null, note: null });
    const silent = accepted(await breaches.handleAlert(ALICE.accountId, id, 3, { reason: null, note: " \n" }));
    expect(silent).toMatchObject({ state: "handled", reason: null, note: null });
  });
});

describe("handleAlerts() and reopenAlerts()", () => {
  test("change all of them together, in the order named, and publish each association's count once, in a fixed order", async () => {
    const { saw, handle, reopen, publishedOf, associations, clock } = await worldOfTwo();
    clock.pass(HOUR);
    const all = (await saw()).toReversed();
    const { changed, conflicts } = await handle(all, { reason: "steps_done", note: "Everything" });
    expect(conflicts).toEqual([]);
    expect(changed.map(({ id, version }) => ({ id, version }))).toEqual(all.map(({ id }) => ({ id, version: 2 })));
    for (const one of changed)
      expect(one).toMatchObject({ state: "handled", reason: "steps_done", note: "Everything", breach: {} });
    const [told] = await publishedOf("breaches.openAlertsChanged");
    expect(told?.counts.map(({ associationId, open }) => [associationId, open])).toEqual(
      associations.toSorted().map((id) => [id, 0]),
    );
    const undone = await reopen(changed);
    expect(undone.conflicts).toEqual([]);
    for (const one of undone.changed) expect(one).toMatchObject({ state: "pending", version: 3, reason: null });
    const [again, ...others] = await publishedOf("breaches.openAlertsChanged");
    expect([again?.counts.map(({ open }) => open), others]).toEqual([[3, 3], []]);
  });

  test("return those that somebody else has changed meanwhile, and change the rest", async () => {
    const { breaches, saw, handle, list, publishedOf } = await worldOfTwo();
    const seenBefore = await saw();
    const [taken, missing] = [seenBefore[1], { id: crypto.randomUUID(), version: 1 }];
    const other = await breaches.handleAlert(ALICE.accountId, taken?.id ?? "", 1, { note: "In the other tab" });
    expect(other.ok).toBe(true);
    await publishedOf("breaches.openAlertsChanged");
    const { changed, conflicts } = await handle([...seenBefore, missing], { note: "In this tab" });
    expect(conflicts).toEqual([taken?.id ?? "", missing.id]);
    expect(changed).toHaveLength(5);
    const notes = (await list()).map(({ id, note }) => [id === taken?.id, note]);
    expect(notes.filter(([isTaken]) => isTaken)).toEqual([[true, "In the other tab"]]);
    expect(notes.filter(([isTaken, note]) => !isTaken && note === "In this tab")).toHaveLength(5);
  });

  test("change no alert of another account, and publish nothing", async () => {
    const { breaches, saw, list, published } = await worldOfTwo();
    const [before, alices] = [await list(), await saw()];
    for (const turn of [breaches.handleAlerts, breaches.reopenAlerts])
      expect(accepted(await turn(BOB.accountId, alices))).toEqual({
        changed: [],
        conflicts: alices.map(({ id }) => id),
      });
    expect(await list()).toEqual(before);
    expect(await published()).toEqual([]);
  });

  test("reject a version that no database column could hold", async () => {
    const { saw, handle } = await worldOfTwo();
    const wanted = (await saw()).map(({ id }, place) => ({ id, version: place === 0 ? 1e300 : 2 ** 53 }));
    expect(await handle(wanted)).toEqual({ changed: [], conflicts: wanted.map(({ id }) => id) });
  });
});

describe.each([
  ["memory", async (world: ReturnType<typeof breachWorld>): Promise<Transaction<BreachStore>> => world.transaction],
  ["postgres", async () => (await emptyServer()).transactionOf(postgresBreaches)],
] as const)("parallel handling on %s", (_, open) => {
  test("tabs that handle and reopen overlapping alerts of three addresses concurrently cause no deadlock and lose no change", async () => {
    const plain = breachWorld();
    const transaction = await open(plain);
    const breaches = createBreaches({ ...plain.deps, transaction });
    const names = Array.from({ length: 20 }, (_, number) => `Breach${number}`);
    const addresses = ["one@example.com", "two@example.com", "three@example.com"];
    await transaction(async ({ watches, alerts }) => {
      for (const address of addresses) {
        const scope = { details: true, sensitive: true };
        await watches.add({ associationId: crypto.randomUUID(), accountId: ALICE.accountId, address, ...scope });
        await alerts.addMissing([{ address, breachNames: names }], plain.clock.now());
      }
    });
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => accepted(await breaches.listAlerts(ALICE.accountId, { ...ALL, page })).items),
    );
    const all = pages.flat().map(({ id, version }) => ({ id, version }));
    const tabs = Array.from({ length: 12 }, (_, tab) => {
      const order = tab % 2 ? all : all.toReversed();
      return breaches.handleAlerts(ALICE.accountId, order.slice(tab, tab + 45), { note: `Tab ${tab}` });
    });
    const answers = (await Promise.all(tabs)).map(accepted);
    const won = answers.flatMap(({ changed }) => changed.map(({ id }) => id));
    expect(new Set(won).size).toBe(won.length);
    expect(answers.every(({ changed, conflicts }) => changed.length + conflicts.length === 45)).toBe(true);
    const after = accepted(await breaches.listAlerts(ALICE.accountId, ALL));
    expect(after).toMatchObject({ total: 60, pending: 60 - won.length });
  });
});
