import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const idOf = (who: number) => `00000000-0000-4000-8000-00000000000${who}`;

describe.each(eachDatabase(memoryBreaches, postgresBreaches))(
  "BreachStore's checks with two sources on %s",
  (_, open) => {
    const BOTH = ["one", "two"];
    async function opened() {
      const { transaction } = await open();
      await transaction(({ watches }) => watches.add({ associationId: idOf(1), ...ALICE, ...FULL_SCOPE }));
      await transaction(({ scans }) => scans.add(ALICE.address, BOTH, at(0)));
      return {
        transaction,
        claim: async (source: string, ms: number) => {
          const [scan] = await transaction(({ scans }) => scans.claimDue(source, 5, at(ms), 1000));
          if (scan === undefined) throw new Error(`Cannot claim anything of "${source}"`);
          return scan;
        },
        times: async (sources = BOTH) =>
          (await transaction(({ scans }) => scans.timesOf([ALICE.address], sources))).get(ALICE.address),
        /** The sources that still have to check the address. */
        awaited: (ms: number) =>
          transaction(async ({ scans }) => {
            const of = (sources: string[]) => scans.awaited([ALICE.address, "unknown@example.com"], sources, at(ms));
            const each = [];
            for (const source of BOTH) if ((await of([source])).includes(ALICE.address)) each.push(source);
            expect(await of(BOTH)).toEqual(each.length > 0 ? [ALICE.address] : []);
            expect([await of([]), await scans.awaited([], BOTH, at(ms))]).toEqual([[], []]);
            return each;
          }),
        unreported: (ms: number, sources = BOTH) =>
          transaction(({ watches }) => watches.listUnreported(sources, at(ms), 5)),
      };
    }

    test("unavailable sources do not count, unless all are unavailable", async () => {
      const { transaction, claim, times } = await opened();
      const trouble = (source: string, reason: string | undefined) =>
        transaction(async ({ sources }) => {
          if (reason === undefined) await sources.endLookUpTrouble(source);
          else await sources.noteLookUpTrouble(source, { reason, keepsCause: false });
        });
      const one = await claim("one", 0);
      await transaction(({ scans }) => scans.finish([one], at(1), at(100)));
      expect(await times()).toEqual({ checkedAt: undefined, dueAt: at(0) });
      await trouble("two", "It hangs up");
      expect(await times()).toEqual({ checkedAt: at(1), dueAt: at(100) });
      await trouble("one", "It hangs up, too");
      expect(await times()).toEqual({ checkedAt: undefined, dueAt: at(0) });
      expect(await times(["one"])).toEqual({ checkedAt: at(1), dueAt: at(100) });
      await trouble("two", undefined);
      expect(await times()).toEqual({ checkedAt: undefined, dueAt: at(0) });
    });

    test("each has a separate row: its lease, its end and its queue", async () => {
      const { transaction, claim, times, awaited, unreported } = await opened();
      const [one, two] = [await claim("one", 0), await claim("two", 0)];
      expect([one.source, two.source]).toEqual(BOTH);
      expect(await unreported(1)).toEqual([]);
      expect(await transaction(({ scans }) => scans.finish([one], at(1), at(100)))).toEqual([one.address]);
      expect(await times()).toEqual({ checkedAt: undefined, dueAt: at(0) });
      expect(await times(["one"])).toEqual({ checkedAt: at(1), dueAt: at(100) });
      expect(await awaited(2)).toEqual(["two"]);
      expect([await unreported(2), await unreported(2, ["one"])]).toEqual([[], [ALICE.address]]);
      expect(await transaction(({ scans }) => scans.finish([two], at(3), at(90)))).toEqual([two.address]);
      expect(await times()).toEqual({ checkedAt: at(1), dueAt: at(90) });
      expect([await awaited(4), await awaited(90)]).toEqual([[], ["two"]]);
      expect(await unreported(4)).toEqual([ALICE.address]);
      await transaction(({ watches }) => watches.markBaselines([idOf(1)], at(5)));
      expect(await unreported(5)).toEqual([]);
      await transaction(({ scans }) => scans.remove([ALICE.address]));
      expect(await times()).toBeUndefined();
    });

    test("finishUnsupported() ignores a source until it can check the address again", async () => {
      const { transaction, claim, times, awaited, unreported } = await opened();
      const [one, two] = [await claim("one", 0), await claim("two", 0)];
      expect(await transaction(({ scans }) => scans.finishUnsupported([two], at(50)))).toEqual([two.address]);
      expect(await transaction(({ scans }) => scans.finishUnsupported([two], at(50)))).toEqual([]);
      expect(await unreported(1)).toEqual([]);
      await transaction(({ scans }) => scans.finish([one], at(1), at(100)));
      expect([await times(), await awaited(2)]).toEqual([{ checkedAt: at(1), dueAt: at(100) }, []]);
      expect(await times(["two"])).toBeUndefined();
      expect(await unreported(2)).toEqual([ALICE.address]);
      await transaction(async ({ scans }) => void (await scans.finish([await claim2(scans)], at(51), at(120))));
      expect(await times()).toEqual({ checkedAt: at(1), dueAt: at(100) });
      async function claim2(scans: BreachStore["scans"]) {
        const [again] = await scans.claimDue("two", 5, at(50), 1000);
        if (again === undefined) throw new Error("Cannot claim it again");
        return again;
      }
    });

    test("pause() lasts until it is ended, whatever else is noted of its source", async () => {
      const { transaction } = await opened();
      const pausedUntil = (source: string) =>
        transaction(async ({ sources }) => (await sources.find(source)).pausedUntil);
      await transaction(({ sources }) => sources.pause("one", at(500)));
      await transaction(async ({ sources }) => {
        await sources.pause("one", at(700));
        await sources.raiseGenerations(BOTH);
        await sources.noteCatalogueTrouble("one", { reason: "Away", keepsCause: false });
        await sources.claimPoll("one", at(1), at(2));
      });
      expect([await pausedUntil("one"), await pausedUntil("two")]).toEqual([at(700), undefined]);
      expect(await transaction(({ sources }) => sources.find("one"))).toMatchObject({ generation: 1, trouble: "Away" });
      await transaction(({ sources }) => sources.pause("one", undefined));
      expect(await pausedUntil("one")).toBeUndefined();
      expect(await transaction(({ sources }) => sources.claimPoll("two", at(1), at(2)))).toBe(true);
      await transaction(({ sources }) => sources.pause("three", undefined));
      expect(await transaction(({ sources }) => sources.claimPoll("three", at(1), at(2)))).toBe(true);
    });

    test("enrol() adds monitored addresses that are missing and not suspended, as due", async () => {
      const { transaction, times } = await opened();
      await transaction(async ({ watches, scans }) => {
        await watches.add({ associationId: idOf(2), ...BOB, ...FULL_SCOPE });
        await watches.setSuspended(idOf(2), true);
        await scans.enrol("three", undefined, 10, at(7));
        await scans.enrol("three", undefined, 10, at(8));
        expect(await scans.timesOf([BOB.address], ["three"])).toEqual(new Map());
      });
      expect(await times(["three"])).toEqual({ checkedAt: undefined, dueAt: at(7) });
      expect(await times()).toEqual({ checkedAt: undefined, dueAt: at(0) });
    });

    test("enrol() looks at each address once, a few at a time", async () => {
      const { transaction } = await opened();
      const seen = await transaction(async ({ watches, scans }) => {
        await watches.add({ associationId: idOf(2), ...BOB, ...FULL_SCOPE });
        await watches.add({ associationId: idOf(3), ...ALICE, ...FULL_SCOPE });
        const first = await scans.enrol("three", undefined, 1, at(7));
        expect((await scans.timesOf([ALICE.address, BOB.address], ["three"])).size).toBe(1);
        const second = await scans.enrol("three", first, 1, at(7));
        expect((await scans.timesOf([ALICE.address, BOB.address], ["three"])).size).toBe(2);
        return [first, second, await scans.enrol("three", second, 1, at(7))];
      });
      expect(seen).toEqual([ALICE.address, BOB.address, undefined]);
    });
  },
);

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's synced sources on %s", (_, open) => {
  const SOURCE = "hibp";

  test("noteSynced() stores the newest entry, increments the generation if told to, and changes nothing else", async () => {
    const { transaction } = await open();
    const find = () => transaction(({ sources }) => sources.find(SOURCE));
    const sync = (grows: boolean, ms: number, newest?: { name: string; addedDate: string }) =>
      transaction(({ sources }) => sources.noteSynced(SOURCE, { newest, grows, leftOut: [`x${ms}`] }, at(ms)));
    await sync(true, 1, { name: "Adobe", addedDate: "2013-12-04T00:00:00Z" });
    expect(await find()).toMatchObject({
      generation: 1,
      latestName: "Adobe",
      latestAdded: "2013-12-04T00:00:00Z",
      syncedAt: at(1),
      checkedAt: at(1),
    });
    await transaction(async ({ sources }) => {
      await sources.noteCatalogueTrouble(SOURCE, { reason: "Away", keepsCause: false });
      await sources.noteLookUpTrouble(SOURCE, { reason: "Blocked", keepsCause: false });
      await sources.pause(SOURCE, at(99));
    });
    await sync(false, 2);
    expect(await find()).toMatchObject({
      generation: 1,
      leftOut: ["x2"],
      latestName: undefined,
      latestAdded: undefined,
      syncedAt: at(2),
    });
    expect(await find()).toMatchObject({ trouble: undefined, lookUpTrouble: "Blocked", pausedUntil: at(99) });
    await Promise.all([sync(true, 3), sync(true, 4)]);
    expect((await find()).generation).toBe(3);
  });
});
