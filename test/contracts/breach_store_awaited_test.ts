import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.parse("2026-11-20T12:00:00Z") + ms);

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's awaited breaches on %s", (_, open) => {
  test("claimAwaited() claims entries that are explained or whose time is over, until endWait()", async () => {
    const { transaction } = await open();
    const met = (name: string, awaitedUntil?: Date) => ({ breach: aBreach({ name }), awaitedUntil });
    const listed = (name: string) => ({ breach: aBreach({ name }), hash: "1" });
    const claim = (ms: number) =>
      transaction(async ({ breaches }) => {
        const claimed = await breaches.claimAwaited(at(ms));
        if (claimed) await breaches.endWait(claimed.name);
        return claimed;
      });
    const awaited = () => transaction(({ breaches }) => breaches.listAwaited(["A", "B", "C", "Unknown"]));
    await transaction(({ breaches }) =>
      breaches.addUnlisted("hibp", [met("A", at(5)), met("B", at(9)), met("C")], at(0)),
    );
    expect(await awaited()).toEqual(["A", "B"]);
    expect((await transaction(({ breaches }) => breaches.listAlike())).map(({ name }) => name)).toEqual(["C"]);
    expect(await claim(4)).toBeUndefined();
    expect(await claim(5)).toEqual({ name: "A", isKnown: false });
    expect(await claim(5)).toBeUndefined();
    await transaction(({ breaches }) => breaches.put("hibp", [listed("B"), listed("C")], at(6)));
    expect(await awaited()).toEqual(["B"]);
    expect(await claim(6)).toEqual({ name: "B", isKnown: true });
    expect(await awaited()).toEqual([]);
  });

  test("addUnlisted() leaves what is stored alone, whether it is listed, removed or unlisted itself", async () => {
    const { transaction } = await open();
    const named = (name: string, title: string) => aBreach({ name, title });
    const standIn = (name: string) => ({ breach: named(name, "Stand-in"), awaitedUntil: at(9) });
    await transaction(async ({ breaches }) => {
      const listed = ["Listed", "Removed"].map((name) => ({ breach: named(name, "Real"), hash: "1" }));
      await breaches.put("hibp", listed, at(0));
      await breaches.markRemoved("hibp", ["Removed"], at(1));
      await breaches.addUnlisted("hibp", [{ breach: named("Met", "Real") }], at(1));
    });
    const names = ["Listed", "Met", "New", "Removed"];
    await transaction(({ breaches }) => breaches.addUnlisted("other", names.toReversed().map(standIn), at(2)));
    await transaction(({ breaches }) => breaches.addUnlisted("other", [], at(2)));
    await transaction(async ({ breaches }) => {
      const titles = (await breaches.listByNames(names)).map(({ name, title }) => `${name} ${title}`);
      expect(titles.toSorted()).toEqual(["Listed Real", "Met Real", "New Stand-in", "Removed Real"]);
      expect(await breaches.listAwaited(names)).toEqual(["New"]);
      expect(await breaches.hashes("hibp")).toEqual(new Map(Object.entries({ Listed: "1", Met: "" })));
      expect(await breaches.hashes("other")).toEqual(new Map([["New", ""]]));
    });
  });

  test("put() and addUnlisted() of the same breaches in any order end with what put() stored", async () => {
    const { transaction } = await open();
    const names = Array.from({ length: 300 }, (_, number) => `Breach${number}`);
    const put = (list: string[]) =>
      transaction(({ breaches }) =>
        breaches.put(
          "hibp",
          list.map((name) => ({ breach: aBreach({ name }), hash: "1" })),
          at(0),
        ),
      );
    const add = (list: string[]) =>
      transaction(({ breaches }) =>
        breaches.addUnlisted(
          "hibp",
          list.map((name) => ({ breach: aBreach({ name, title: "Stand-in" }) })),
          at(0),
        ),
      );
    const reversed = names.toReversed();
    await Promise.all([add(names), put(reversed), add(reversed), put(names)]);
    const stored = await transaction(({ breaches }) => breaches.listByNames(names));
    expect(stored.filter(({ name, title }) => name === title)).toHaveLength(300);
    expect(new Set((await transaction(({ breaches }) => breaches.hashes("hibp"))).values())).toEqual(new Set(["1"]));
  });

  test("listReported() lists the alerts of a breach that were told, or only those outside the first report", async () => {
    const { transaction } = await open();
    const [first, late] = [crypto.randomUUID(), crypto.randomUUID()];
    const ids = await transaction(async ({ watches, alerts, breaches }) => {
      await breaches.put("hibp", [{ breach: aBreach({ name: "A" }), hash: "1" }], at(0));
      await watches.add({ associationId: first, ...ALICE, ...FULL_SCOPE });
      const [one] = await alerts.addMissing([{ address: ALICE.address, breachNames: ["A"] }], at(1));
      expect(await alerts.listReported("A", true)).toEqual([]);
      await watches.markBaselines([first], at(2));
      await watches.add({ associationId: late, ...BOB, ...FULL_SCOPE });
      await watches.markBaselines([late], at(2));
      const [other] = await alerts.addMissing([{ address: BOB.address, breachNames: ["A"] }], at(3));
      return [one?.id, other?.id];
    });
    const listed = (baseline: boolean) =>
      transaction(async ({ alerts }) => (await alerts.listReported("A", baseline)).map(({ id }) => id));
    expect((await listed(true)).toSorted()).toEqual(ids.map(String).toSorted());
    expect(await listed(false)).toEqual([String(ids[1])]);
    await transaction(({ watches }) => watches.setSuspended(late, true));
    expect(await listed(false)).toEqual([]);
  });
});
