import { describe, expect, test } from "bun:test";
import { type AlertSelection, mostOf } from "../../src/breaches/alerts/alert_list.ts";
import { type ConsentScope, FULL_SCOPE } from "../../src/shared/consent.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";

const NEW_LABEL = "Dreams & hopes";
const BREACHES = [
  aBreach({ name: "Cards", dataClasses: ["Credit cards", "Credit card CVV"], breachDate: "2026-01-01" }),
  aBreach({ name: "Emails", dataClasses: ["Email addresses"], flags: ["unverified", "spamList"] }),
  aBreach({ name: "Phones", dataClasses: ["Email addresses", "Phone numbers"], flags: ["sensitive"] }),
  aBreach({ name: "Strange", dataClasses: ["Email addresses", NEW_LABEL], addedDate: "2026-01-01T00:00:00Z" }),
];
const NAMES = BREACHES.map(({ name }) => name);
const ALL = { state: "all", search: "", page: 1 } as const;

/** Alice tracks her own address and Bob's, which are in all of these breaches; Bob's within `scope`. */
async function worldOfTwo(scope: ConsentScope = FULL_SCOPE) {
  const world = breachWorld({ breaches: BREACHES, exposures: { [ALICE.address]: NAMES, [BOB.address]: NAMES } });
  await world.breaches.syncCatalogue();
  await world.watch(ALICE);
  const bobs = await world.watch({ accountId: ALICE.accountId, address: BOB.address, scope });
  await world.breaches.scanDue();
  const list = async (selection: Partial<AlertSelection> = {}) =>
    accepted(await world.breaches.listAlerts(ALICE.accountId, { ...ALL, ...selection }));
  const found = async (selection: Partial<AlertSelection>) => {
    const { items, total } = await list(selection);
    expect(total).toBe(items.length);
    return items.map(({ address, breach }) => `${address === BOB.address ? "Bob's " : ""}${breach?.name ?? "secret"}`);
  };
  const facets = async (accountId = ALICE.accountId) => accepted(await world.breaches.listFacets(accountId));
  return { ...world, bobs, list, found, facets };
}

describe("listAlerts()", () => {
  test("filters by address, by category key and by flag, and by all of them combined", async () => {
    const { found } = await worldOfTwo();
    expect((await found({ address: BOB.address })).toSorted()).toEqual(NAMES.map((name) => `Bob's ${name}`));
    expect((await found({ category: "phone-numbers" })).toSorted()).toEqual(["Bob's Phones", "Phones"]);
    expect((await found({ category: "dreams-hopes" })).toSorted()).toEqual(["Bob's Strange", "Strange"]);
    expect(await found({ category: "Phone numbers" })).toEqual([]);
    expect((await found({ flag: "spamList" })).toSorted()).toEqual(["Bob's Emails", "Emails"]);
    expect(await found({ flag: "malware" })).toEqual([]);
    const all = { category: "email-addresses", flag: "sensitive", address: ALICE.address, search: "phon" } as const;
    expect(await found(all)).toEqual(["Phones"]);
    expect(await found({ ...all, search: "strange" })).toEqual([]);
  });

  test("sorts by severity, most severe first, and by name from A, unless reversed", async () => {
    const { found } = await worldOfTwo();
    const own = (names: string[]) => names.filter((name) => !name.startsWith("Bob's"));
    const gravest = await found({ sort: "seriousness" });
    // Payment cards with security codes are critical, phone numbers of a sensitive service high, an unknown category
    // medium.
    expect(own(gravest)).toEqual(["Cards", "Phones", "Strange", "Emails"]);
    expect(gravest.map((name) => name.replace("Bob's ", ""))).toEqual(
      ["Cards", "Phones", "Strange", "Emails"].flatMap((name) => [name, name]),
    );
    expect(own(await found({ sort: "seriousness", direction: "asc" }))).toEqual(own(gravest).toReversed());
    expect(own(await found({ sort: "service" }))).toEqual(NAMES);
    expect(own(await found({ sort: "service", direction: "desc" }))).toEqual(NAMES.toReversed());
  });

  test("without details finds nothing by category or flag, and lists undisclosed alerts last", async () => {
    const { found } = await worldOfTwo({ details: false, sensitive: true });
    expect(await found({ category: "phone-numbers" })).toEqual(["Phones"]);
    expect(await found({ flag: "spamList" })).toEqual(["Emails"]);
    for (const sort of ["seriousness", "service", "happened", "known"] as const)
      for (const direction of ["asc", "desc"] as const)
        expect((await found({ sort, direction })).slice(4)).toEqual(Array(4).fill("Bob's secret"));
  });

  test("omits handled alerts after 30 days, but never pending ones", async () => {
    const { breaches, list, facets, clock } = await worldOfTwo();
    const [first, second] = (await list({ sort: "address" })).items;
    await breaches.handleAlert(ALICE.accountId, first?.id ?? "", 1);
    clock.pass(30 * DAY - 1);
    expect((await list()).total).toBe(8);
    clock.pass(1);
    expect((await list()).items.map(({ id }) => id)).not.toContain(first?.id ?? "");
    expect((await list({ state: "handled" })).total).toBe(0);
    expect((await facets()).addresses).toEqual([
      { address: ALICE.address, count: 3 },
      { address: BOB.address, count: 4 },
    ]);
    clock.pass(365 * DAY);
    expect((await list()).items.map(({ id }) => id)).toContain(second?.id ?? "");
    // It is listed again after it was reopened.
    await breaches.reopenAlert(ALICE.accountId, first?.id ?? "", 2);
    expect((await list()).total).toBe(8);
  });
});

describe("listFacets()", () => {
  test("returns, of very many addresses, the 500 with the most alerts, in the order they were added", () => {
    const addresses = Array.from({ length: 501 }, (_, index) => ({
      address: `a${index}@example.org`,
      count: index === 7 ? 1 : 2,
    }));
    expect(mostOf(addresses)).toEqual(addresses.filter(({ count }) => count === 2));
    expect(mostOf(addresses.slice(0, 500))).toEqual(addresses.slice(0, 500));
  });

  test("counts alerts by address, category and flag, most frequent first; a new label is kept unchanged", async () => {
    const { facets } = await worldOfTwo();
    expect(await facets()).toEqual({
      addresses: [
        { address: ALICE.address, count: 4 },
        { address: BOB.address, count: 4 },
      ],
      categories: [
        { key: "email-addresses", label: "Email addresses", count: 6 },
        { key: "credit-card-cvv", label: "Credit card CVV", count: 2 },
        { key: "credit-cards", label: "Credit cards", count: 2 },
        { key: "dreams-hopes", label: NEW_LABEL, count: 2 },
        { key: "phone-numbers", label: "Phone numbers", count: 2 },
      ],
      flags: [
        { flag: "sensitive", count: 2 },
        { flag: "spamList", count: 2 },
        { flag: "unverified", count: 2 },
      ],
    });
    expect(await facets(BOB.accountId)).toEqual({ addresses: [], categories: [], flags: [] });
  });

  test("counts a narrowed scope by address only, from the moment it is narrowed", async () => {
    const { breaches, facets, bobs } = await worldOfTwo();
    const about = { associationId: bobs, accountId: ALICE.accountId, address: BOB.address };
    const scope = { details: false, sensitive: false };
    await breaches.onScopeChanged({ type: "tracking.scopeChanged", ...about, scope });
    const { addresses, categories, flags } = await facets();
    expect(addresses).toEqual([
      { address: ALICE.address, count: 4 },
      { address: BOB.address, count: 3 },
    ]);
    expect(categories.map(({ key, count }) => [key, count])).toContainEqual(["email-addresses", 3]);
    expect(flags.every(({ count }) => count === 1)).toBe(true);
  });
});
