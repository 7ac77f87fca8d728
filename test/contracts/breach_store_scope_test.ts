import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-11-01T00:00:00Z");
const EVER = { handledAfter: new Date(0) };
const adobe = aBreach({ name: "Adobe", addedDate: "2013-12-04T00:00:00Z" });
const secret = aBreach({ name: "Affairs", flags: ["sensitive", "unverified"], addedDate: "2020-01-01T00:00:00Z" });

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's scopes on %s", (_, open) => {
  /**
   * Bob tracks Alice's address within `scope`; it is in the Adobe breach, in a sensitive one, and in an unlisted one.
   */
  async function bobWatches(scope: ConsentScope) {
    const { transaction } = await open();
    const associationId = crypto.randomUUID();
    await transaction(async ({ breaches, watches, alerts }) => {
      await breaches.put(
        "test",
        [adobe, secret].map((breach) => ({ breach, hash: breach.name })),
        NOW,
      );
      await watches.add({ associationId, accountId: BOB.accountId, address: ALICE.address, ...scope });
      await alerts.addMissing([{ address: ALICE.address, breachNames: ["Adobe", "Affairs", "Unlisted"] }], NOW);
    });
    const seen = () =>
      transaction(async ({ alerts }) => {
        const { alerts: listed, total } = await alerts.list(BOB.accountId, EVER, 0, 10);
        const names = (list: { breachName: string }[]) => list.map(({ breachName }) => breachName).toSorted();
        const byAssociation = await alerts.listByAssociation(associationId, new Date(0), 10);
        expect(names(byAssociation)).toEqual(names(listed));
        expect(names(await alerts.listByIds(listed.map(({ id }) => id)))).toEqual(names(listed));
        expect(total).toBe(listed.length);
        expect((await alerts.countNews(BOB.accountId, undefined)).pending).toBe(total);
        expect((await alerts.countWithin(BOB.accountId, NOW, NOW)).pending).toBe(total);
        expect((await alerts.countOpen([associationId]))[0]?.open).toBe(total);
        return { names: names(listed), details: listed.map(({ details }) => details), listed };
      });
    return { transaction, associationId, seen };
  }

  test("without sensitive breaches nothing is raised for a breach that is or may be sensitive", async () => {
    expect((await (await bobWatches({ details: true, sensitive: true })).seen()).names).toEqual([
      "Adobe",
      "Affairs",
      "Unlisted",
    ]);
    const { transaction, seen, associationId } = await bobWatches({ details: true, sensitive: false });
    expect((await seen()).names).toEqual(["Adobe"]);
    // What was held back is raised once the scope is wider, or the breach turns out not to be sensitive.
    await transaction(({ breaches }) =>
      breaches.put("test", [{ breach: aBreach({ name: "Unlisted" }), hash: "Unlisted" }], NOW),
    );
    expect(
      await transaction(({ alerts }) => alerts.addMissing([{ address: ALICE.address, breachNames: [] }], NOW)),
    ).toHaveLength(1);
    expect(
      await transaction(({ watches }) => watches.setScope(associationId, { details: true, sensitive: true })),
    ).toBe(true);
    expect(
      await transaction(({ alerts }) => alerts.addMissing([{ address: ALICE.address, breachNames: [] }], NOW)),
    ).toHaveLength(1);
    expect((await seen()).names).toEqual(["Adobe", "Affairs", "Unlisted"]);
  });

  test("a narrowed scope immediately hides what was raised before", async () => {
    const { transaction, associationId, seen } = await bobWatches({ details: true, sensitive: true });
    const affair = (await seen()).listed.find(({ breachName }) => breachName === "Affairs");
    const scope = { details: false, sensitive: false };
    expect(await transaction(({ watches }) => watches.setScope(associationId, scope))).toBe(true);
    expect(await transaction(({ watches }) => watches.setScope(crypto.randomUUID(), scope))).toBe(false);
    expect(await seen()).toMatchObject({ names: ["Adobe"], details: [false] });
    expect(await transaction(({ alerts }) => alerts.find(BOB.accountId, affair?.id ?? ""))).toBeUndefined();
    expect(await transaction(({ watches }) => watches.find(associationId))).toMatchObject(scope);
  });

  test("a breach that becomes sensitive is hidden, too", async () => {
    const { transaction, seen } = await bobWatches({ details: true, sensitive: false });
    await transaction(({ breaches }) =>
      breaches.put("test", [{ breach: { ...adobe, flags: ["sensitive"] }, hash: "now" }], NOW),
    );
    expect((await seen()).names).toEqual([]);
  });

  test("without details a search finds the address and never the breach", async () => {
    const { transaction } = await bobWatches({ details: false, sensitive: true });
    const found = (search: string) =>
      transaction(async ({ alerts }) => (await alerts.list(BOB.accountId, { ...EVER, search }, 0, 10)).total);
    expect([await found("adobe"), await found("alice")]).toEqual([0, 3]);
  });

  test("listExposures() returns everything about an address, newest first, whatever its associations may see", async () => {
    const { transaction } = await bobWatches({ details: false, sensitive: false });
    const found = await transaction(({ alerts }) => alerts.listExposures(ALICE.address, 10));
    expect(found.map(({ breachName }) => breachName)).toEqual(["Affairs", "Adobe", "Unlisted"]);
    expect(found.every(({ foundAt }) => foundAt.getTime() === NOW.getTime())).toBe(true);
    expect(await transaction(({ alerts }) => alerts.listExposures(ALICE.address, 1))).toHaveLength(1);
    expect(await transaction(({ alerts }) => alerts.listExposures(CHARLIE.address, 10))).toEqual([]);
  });
});
