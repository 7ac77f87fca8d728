import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const BOTH = ["hibp", "other"];
const WORK = { ...ALICE, address: "alice@work.example" };
const IN_ORDER = [ALICE, BOB, CHARLIE].map(({ accountId }) => accountId).toSorted();

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("StaleRepository on %s", (_, open) => {
  async function opened() {
    const { transaction } = await open();
    return {
      transaction,
      watch: (who: typeof ALICE, dueAt: Date, sources = BOTH) =>
        transaction(async ({ watches, scans }) => {
          const associationId = crypto.randomUUID();
          await watches.add({ associationId, ...who, ...FULL_SCOPE });
          await scans.add(who.address, sources, dueAt);
          return associationId;
        }),
      overdue: (before: Date, ids = IN_ORDER, sources = BOTH) =>
        transaction(({ stale }) => stale.listOverdue(ids, sources, before)),
      over: async (now: Date) => (await transaction(({ stale }) => stale.page(undefined, 10, BOTH, now))).over,
      async check(source: string, checkedAt: Date, nextAt: Date) {
        await transaction(async ({ scans }) => {
          for (const scan of await scans.claimDue(source, 10, checkedAt, 1))
            await scans.finish([scan], checkedAt, nextAt);
        });
      },
    };
  }

  test("returns whether anything is long overdue, and which accounts track addresses, page by page", async () => {
    const { transaction, watch } = await opened();
    for (const who of [ALICE, BOB, CHARLIE, WORK]) await watch(who, at(5));
    await transaction(async ({ stale }) => {
      expect(await stale.isAnythingDue(BOTH, at(4))).toBe(false);
      expect(await stale.isAnythingDue(BOTH, at(5))).toBe(true);
      expect(await stale.isAnythingDue(["third"], at(9))).toBe(false);
      expect(await stale.listAccounts(undefined, 2)).toEqual(IN_ORDER.slice(0, 2));
      expect(await stale.listAccounts(IN_ORDER[1], 2)).toEqual(IN_ORDER.slice(2));
      expect(await stale.listAccounts(IN_ORDER[2], 2)).toEqual([]);
    });
  });

  test("lists addresses that all their sources should have checked, since the last of these was overdue", async () => {
    const { transaction, watch, overdue } = await opened();
    await watch(ALICE, at(1), ["hibp"]);
    await transaction(({ scans }) => scans.add(ALICE.address, ["other"], at(3)));
    await watch(WORK, at(2));
    await watch(BOB, at(9));
    expect(await overdue(at(1))).toEqual([]);
    expect(await overdue(at(2))).toEqual([{ accountId: ALICE.accountId, addresses: 1, since: at(2) }]);
    expect(await overdue(at(3))).toEqual([{ accountId: ALICE.accountId, addresses: 2, since: at(2) }]);
    expect(await overdue(at(1), IN_ORDER, ["hibp"])).toEqual([
      { accountId: ALICE.accountId, addresses: 1, since: at(1) },
    ]);
    expect(await overdue(at(9), [BOB.accountId])).toEqual([{ accountId: BOB.accountId, addresses: 1, since: at(9) }]);
    expect(await overdue(at(9), [])).toEqual([]);
    expect(await overdue(at(9))).toHaveLength(2);
  });

  test("omits suspended and checked addresses, and those that a source cannot check", async () => {
    const { transaction, watch, overdue, check } = await opened();
    const suspended = await watch(ALICE, at(1));
    await transaction(({ watches }) => watches.setSuspended(suspended, true));
    await watch(BOB, at(1));
    await watch(CHARLIE, at(1), ["hibp"]);
    expect(await overdue(at(1))).toHaveLength(2);
    await check("other", at(2), at(9));
    expect((await overdue(at(3))).map(({ accountId }) => accountId)).toEqual([CHARLIE.accountId]);
    await transaction(async ({ scans }) => {
      for (const scan of await scans.claimDue("hibp", 10, at(3), 1)) await scans.finishUnsupported([scan], at(4));
    });
    expect(await overdue(at(5))).toEqual([]);
    expect((await overdue(at(9))).map(({ accountId }) => accountId)).toEqual([BOB.accountId]);
  });

  test("an incident is detected once, announced once and ended once", async () => {
    const { transaction } = await opened();
    const first = { accountId: ALICE.accountId, addresses: 1, since: at(1) };
    const { accountId } = first;
    const race = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, work));
    await race(() => transaction(({ stale }) => stale.see([first], at(2))));
    await transaction(async ({ stale }) => {
      await stale.see([{ ...first, addresses: 9 }], at(3));
      await stale.see([], at(3));
      expect(await stale.list(IN_ORDER)).toEqual([{ ...first, seenAt: at(2), toldAt: undefined }]);
      expect(await stale.list([BOB.accountId])).toEqual([]);
    });
    const told = await race(() => transaction(({ stale }) => stale.tell({ ...first, addresses: 4 }, at(5))));
    expect(told.filter(Boolean)).toHaveLength(1);
    const notice = { ...first, addresses: 4, seenAt: at(2), toldAt: at(5) };
    await transaction(async ({ stale }) => {
      expect(await stale.list([accountId])).toEqual([notice]);
      expect(await stale.tell({ ...first, accountId: BOB.accountId }, at(6))).toBe(false);
    });
    const ended = await race(() => transaction(({ stale }) => stale.end(accountId)));
    expect(ended.filter(Boolean)).toEqual([notice]);
  });

  test("an incident ends when some source has checked each address since it was detected or announced", async () => {
    const { transaction, watch, over, check } = await opened();
    await watch(ALICE, at(1));
    await watch(WORK, at(1), ["hibp"]);
    const { accountId } = ALICE;
    await transaction(({ stale }) => stale.see([{ accountId, addresses: 2, since: at(1) }], at(2)));
    expect(await over(at(2))).toEqual([]);
    await check("other", at(3), at(50));
    expect(await over(at(3))).toEqual([]);
    await check("hibp", at(4), at(5));
    expect(await over(at(4))).toEqual([{ accountId, isWatching: true }]);
    // Due again, and checked after it was detected.
    expect(await over(at(60))).toEqual([{ accountId, isWatching: true }]);
    await transaction(({ stale }) => stale.tell({ accountId, addresses: 2, since: at(1) }, at(4)));
    expect(await over(at(4))).toEqual([{ accountId, isWatching: true }]);
    expect(await over(at(60))).toEqual([]);
  });

  test("an incident ends when nothing is monitored, and is listed page by page", async () => {
    const { transaction, watch, over } = await opened();
    const suspended = await watch(ALICE, at(1));
    await watch(BOB, at(1));
    await transaction(async ({ stale, watches }) => {
      await stale.see(
        IN_ORDER.map((accountId) => ({ accountId, addresses: 1, since: at(1) })),
        at(2),
      );
      await watches.setSuspended(suspended, true);
    });
    const gone = [ALICE, CHARLIE].map(({ accountId }) => ({ accountId, isWatching: false }));
    expect(await over(at(3))).toEqual(gone.toSorted((one, two) => (one.accountId < two.accountId ? -1 : 1)));
    await transaction(async ({ stale }) => {
      const first = await stale.page(undefined, 2, BOTH, at(3));
      expect(first.notices.map(({ accountId }) => accountId)).toEqual(IN_ORDER.slice(0, 2));
      const rest = await stale.page(IN_ORDER[1], 2, BOTH, at(3));
      expect(rest.notices.map(({ accountId }) => accountId)).toEqual(IN_ORDER.slice(2));
    });
  });
});
