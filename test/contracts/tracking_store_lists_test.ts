import { describe, expect, test } from "bun:test";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import { type Association, type AssociationStatus, STATUSES, statusOf } from "../../src/tracking/association.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, anAssociation, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const EVERYTHING = { search: "", status: "all", order: "oldest" } as const;

describe.each(eachDatabase(memoryTracking, postgresTracking))("TrackingStore's lists on %s", (_, open) => {
  async function storeOf(...stored: Association[]) {
    const { transaction } = await open();
    await transaction(async ({ associations }) => {
      for (const association of stored) await associations.add(association);
    });
    return { transaction };
  }

  test("listByIds() returns the existing ones, of any account", async () => {
    const [own, other] = [anAssociation(), anAssociation({ accountId: BOB.accountId })];
    const { transaction } = await storeOf(own, other);
    const list = (ids: string[]) => transaction(({ associations }) => associations.listByIds(ids));
    const found = await list([other.id, crypto.randomUUID(), own.id]);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([own, other]));
    expect(await list([])).toEqual([]);
  });

  test("listByAccount() and list() sort from oldest to newest, equal ones by id; countByAccount() counts the same", async () => {
    const ids = [
      "c0000000-0000-4000-8000-000000000000",
      "a0000000-0000-4000-8000-000000000000",
      "b0000000-0000-4000-8000-000000000000",
    ];
    const [late, early, equal] = [
      anAssociation({ id: ids[0] ?? "", address: "late@example.com", createdAt: at(1) }),
      anAssociation({ id: ids[2] ?? "", address: "early@example.com", createdAt: at(0) }),
      anAssociation({ id: ids[1] ?? "", address: "equal@example.com", createdAt: at(0) }),
    ];
    const { transaction } = await storeOf(late, early, equal, anAssociation({ accountId: BOB.accountId }));
    await transaction(async ({ associations }) => {
      expect(await associations.listByAccount(ALICE.accountId)).toEqual([equal, early, late]);
      const counts = { safe: 0, active: 3, breached: 0, inactive: 0 };
      const all = { total: 3, used: 3, counts, waiting: { addresses: 0, alerts: 0 } };
      const page = async (offset: number, limit: number) =>
        (await associations.list([{ accountId: ALICE.accountId, ...EVERYTHING, offset }], limit))[0];
      expect(await page(0, 10)).toEqual({ associations: [equal, early, late], ...all });
      expect(await page(1, 1)).toEqual({ associations: [early], ...all });
      expect(await page(3, 10)).toEqual({ associations: [], ...all });
      expect(await associations.countByAccount(ALICE.accountId)).toBe(3);
      expect(await associations.countByAccount(crypto.randomUUID())).toBe(0);
    });
  });

  test("list() finds an international address by what its owner typed, and by its stored form", async () => {
    const grete = anAssociation({ address: "grete@xn--mnchen-post-thb.example" });
    const { transaction } = await storeOf(grete, anAssociation(), anAssociation({ ...BOB, address: grete.address }));
    const found = (...searches: string[]) =>
      transaction(async ({ associations }) => {
        const asked = searches.map((search) => ({ accountId: ALICE.accountId, ...EVERYTHING, search, offset: 0 }));
        return (await associations.list(asked, 10)).map((page) => [page.associations, page.total]);
      });
    expect(await found("MÜNCHEN", "grete@mün", "post.example", "xn--mnchen")).toEqual(Array(4).fill([[grete], 1]));
    expect(await found("muenchen")).toEqual([[[], 0]]);
  });

  test("list() returns the own page to each concurrent caller, in the order of the calls", async () => {
    const [first, second] = [
      anAssociation({ address: "first@example.com", createdAt: at(0) }),
      anAssociation({ address: "second@example.com", createdAt: at(1), openVersion: 1, openAlerts: 1 }),
    ];
    const bobs = anAssociation({ accountId: BOB.accountId, address: "first@example.com", consent: "pending" });
    const { transaction } = await storeOf(first, second, bobs);
    const asked = [
      { accountId: BOB.accountId, ...EVERYTHING, offset: 0 },
      { accountId: ALICE.accountId, search: "", status: "breached", order: "oldest", offset: 0 },
      { accountId: crypto.randomUUID(), ...EVERYTHING, offset: 0 },
      { accountId: ALICE.accountId, search: "First", status: "all", order: "oldest", offset: 0 },
      { accountId: ALICE.accountId, ...EVERYTHING, offset: 1 },
    ] as const;
    const pages = await transaction(({ associations }) => associations.list([...asked], 10));
    expect(pages.map((page) => [page.associations, page.total, page.used])).toEqual([
      [[], 0, 1],
      [[second], 1, 2],
      [[], 0, 0],
      [[first], 1, 2],
      [[second], 2, 2],
    ]);
    expect(await transaction(({ associations }) => associations.list([], 10))).toEqual([]);
  });

  test("list() finds by a part of the address, ignoring case, without wildcards", async () => {
    const addresses = ["a%b@example.com", "a_b@example.com", "axb@example.com", "a'b@example.com"];
    const { transaction } = await storeOf(
      ...addresses.map((address, index) => anAssociation({ address, createdAt: at(index) })),
    );
    const found = async (search: string) => {
      const filter = { search, status: "all", order: "oldest" } as const;
      const asked = [{ accountId: ALICE.accountId, ...filter, offset: 0 }];
      const [page] = await transaction(({ associations: all }) => all.list(asked, 10));
      const { associations, total } = page ?? { associations: [], total: undefined };
      expect(total).toBe(associations.length);
      return associations.map(({ address }) => address);
    };
    expect(await found("EXAMPLE")).toEqual(addresses);
    expect(await found("a%b")).toEqual(["a%b@example.com"]);
    expect(await found("a_b")).toEqual(["a_b@example.com"]);
    expect(await found("'")).toEqual(["a'b@example.com"]);
    expect(await found("a\\")).toEqual([]);
    expect(await found("a.b")).toEqual([]);
  });

  test("list() filters by the status that statusOf() returns, for every combination of facts", async () => {
    const bools = [false, true];
    const associations = bools.flatMap((paused) =>
      bools.flatMap((suspended) =>
        [0, 1, 2].flatMap((openVersion) =>
          [0, 1, 2].map((openAlerts) => {
            const address = `${[paused, suspended, openVersion, openAlerts].join("-")}@example.com`;
            return anAssociation({ paused, suspended, openVersion, openAlerts, address });
          }),
        ),
      ),
    );
    const { transaction } = await storeOf(...associations);
    const addresses = (list: Association[]) => list.map(({ address }) => address).toSorted();
    const ofStatus = (status: AssociationStatus) => associations.filter((each) => statusOf(each) === status);
    const counts = Object.fromEntries(STATUSES.map((status) => [status, ofStatus(status).length]));
    const listed = async (status: AssociationStatus) => {
      const asked = [{ accountId: ALICE.accountId, ...EVERYTHING, status, offset: 0 }];
      const [page] = await transaction(({ associations: all }) => all.list(asked, 100));
      expect(page?.total).toBe(page?.associations.length);
      // With any filter.
      expect<object | undefined>(page?.counts).toEqual(counts);
      return addresses(page?.associations ?? []);
    };
    for (const status of STATUSES) {
      expect(await listed(status)).toEqual(addresses(ofStatus(status)));
    }
  });

  test("list() sorts those that need attention first when asked, and counts what is pending", async () => {
    const stored = [
      anAssociation({ address: "safe@example.com", createdAt: at(0), openVersion: 1 }),
      anAssociation({ address: "paused@example.com", createdAt: at(1), openVersion: 1, openAlerts: 5, paused: true }),
      anAssociation({ address: "one@example.com", createdAt: at(2), openVersion: 1, openAlerts: 1 }),
      anAssociation({ address: "new@example.com", createdAt: at(3) }),
      anAssociation({ address: "three@example.com", createdAt: at(4), openVersion: 1, openAlerts: 3 }),
      anAssociation({ address: "also-one@example.com", createdAt: at(5), openVersion: 1, openAlerts: 1 }),
      anAssociation({ address: "asked@example.com", createdAt: at(6), openAlerts: 9, consent: "pending" }),
    ];
    const { transaction } = await storeOf(...stored, anAssociation({ accountId: BOB.accountId, openAlerts: 7 }));
    const pageFrom = async (offset: number, limit: number) => {
      const asked = [{ accountId: ALICE.accountId, ...EVERYTHING, order: "attention", offset } as const];
      const [page] = await transaction(({ associations }) => associations.list(asked, limit));
      expect(page?.waiting).toEqual({ addresses: 4, alerts: 10 });
      return page?.associations.map(({ address }) => address.split("@")[0]);
    };
    expect(await pageFrom(0, 10)).toEqual(["three", "one", "also-one", "new", "paused", "safe"]);
    expect(await pageFrom(2, 2)).toEqual(["also-one", "new"]);
  });
});
