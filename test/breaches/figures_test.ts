import { describe, expect, test } from "bun:test";
import { type ConsentScope, FULL_SCOPE } from "../../src/shared/consent.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";

const BREACHES = [
  aBreach({ name: "Cards", dataClasses: ["Credit cards", "Email addresses"], breachDate: "2024-06-01" }),
  aBreach({ name: "Emails", dataClasses: ["Email addresses"], breachDate: "2019-01-31" }),
  aBreach({ name: "Phones", dataClasses: ["Phone numbers"], breachDate: "2019-02-01", flags: ["sensitive"] }),
];

/** Alice's own address is in the first two, Bob's, which she tracks within `scope`, in the last two. */
async function worldOfTwo(scope: ConsentScope = FULL_SCOPE) {
  const world = breachWorld({
    breaches: BREACHES,
    exposures: { [ALICE.address]: ["Cards", "Emails"], [BOB.address]: ["Emails", "Phones"] },
  });
  await world.breaches.syncCatalogue();
  await world.watch(ALICE);
  const bobs = await world.watch({ accountId: ALICE.accountId, address: BOB.address, scope });
  await world.breaches.scanDue();
  const figures = async (accountId = ALICE.accountId) => accepted(await world.breaches.showFigures(accountId));
  const handle = async (breach: string, address: string) => {
    const { items } = accepted(
      await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: breach, address, page: 1 }),
    );
    accepted(await world.breaches.handleAlert(ALICE.accountId, items[0]?.id ?? "", items[0]?.version ?? 0));
  };
  return { ...world, bobs, figures, handle };
}

describe("showFigures()", () => {
  test("counts a breach of two addresses once, as open until both are handled", async () => {
    const { figures, handle } = await worldOfTwo();
    const groups = [
      { group: "money", breaches: 1 },
      { group: "contact", breaches: 3 },
    ] as const;
    const latest = { year: 2024, breaches: 1, open: 1 };
    const all = { breaches: 3, groups: [...groups], undisclosed: 0 };
    expect(await figures()).toEqual({ ...all, open: 3, years: [latest, { year: 2019, breaches: 2, open: 2 }] });
    await handle("Emails", ALICE.address);
    expect(await figures()).toEqual({ ...all, open: 3, years: [latest, { year: 2019, breaches: 2, open: 2 }] });
    await handle("Emails", BOB.address);
    expect(await figures()).toEqual({ ...all, open: 2, years: [latest, { year: 2019, breaches: 2, open: 1 }] });
  });

  test("count the same as the table: after 30 days without handled alerts", async () => {
    const { figures, handle, clock } = await worldOfTwo();
    await handle("Cards", ALICE.address);
    clock.pass(30 * DAY - 1);
    expect(await figures()).toMatchObject({ breaches: 3, open: 2 });
    clock.pass(1);
    expect(await figures()).toMatchObject({ breaches: 2, open: 2, groups: [{ group: "contact", breaches: 2 }] });
  });

  test("without details count undisclosed breaches, and reveal nothing else about them", async () => {
    const { figures } = await worldOfTwo({ details: false, sensitive: true });
    expect(await figures()).toEqual({
      breaches: 2,
      open: 2,
      undisclosed: 2,
      groups: [
        { group: "money", breaches: 1 },
        { group: "contact", breaches: 2 },
      ],
      years: [
        { year: 2024, breaches: 1, open: 1 },
        { year: 2019, breaches: 1, open: 1 },
      ],
    });
  });

  test("do not count a sensitive breach outside the scope, from the moment it is narrowed", async () => {
    const { breaches, bobs, figures } = await worldOfTwo();
    const about = { associationId: bobs, accountId: ALICE.accountId, address: BOB.address };
    const scope = { details: true, sensitive: false };
    await breaches.onScopeChanged({ type: "tracking.scopeChanged", ...about, scope });
    expect(await figures()).toMatchObject({ breaches: 2, undisclosed: 0, years: [{ year: 2024 }, { breaches: 1 }] });
  });

  test("include neither other accounts' alerts nor fire drills", async () => {
    const { breaches, bobs, figures } = await worldOfTwo({ details: false, sensitive: false });
    const before = await figures();
    accepted(await breaches.startDrill(ALICE.accountId, bobs));
    expect(await figures()).toEqual(before);
    expect(await figures(BOB.accountId)).toEqual({ breaches: 0, open: 0, groups: [], years: [], undisclosed: 0 });
  });
});
