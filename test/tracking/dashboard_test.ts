import { describe, expect, test } from "bun:test";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { ALICE, accepted, anAssociation, BOB } from "../support/builders.ts";
import { trackingWorld } from "../support/tracking.ts";

const ALL = { search: "", status: "all", page: 1 } as const;
const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, second));

describe("listAssociations()", () => {
  test("shows what is monitored, the last and next check, and the state of its contacts", async () => {
    const checkedAt = new Date("2026-11-19T07:00:00Z");
    const dueAt = new Date("2026-11-26T07:00:00Z");
    const contacts = [
      { channel: "email" as const, value: ALICE.address },
      { channel: "email" as const, value: "new@example.com" },
    ];
    const { tracking, store } = trackingWorld({
      checks: { of: async (addresses) => new Map(addresses.map((address) => [address, { checkedAt, dueAt }])) },
      contactRoom: { has: async () => true },
      contactStates: {
        of: async (accountId, addresses) => {
          expect({ accountId, addresses }).toEqual({ accountId: ALICE.accountId, addresses: contacts });
          return [{ channel: "email", value: ALICE.address, state: "active" }];
        },
      },
    });
    const association = anAssociation({ language: "it", contacts, openAlerts: 2, openVersion: 5 });
    await store(association);
    expect(accepted(await tracking.listAssociations(ALICE.accountId, ALL))).toEqual({
      items: [
        {
          id: association.id,
          address: ALICE.address,
          status: "breached",
          language: "it",
          owner: true,
          consent: "own",
          scope: FULL_SCOPE,
          paused: false,
          suspended: false,
          preferred: false,
          pendingAlerts: 2,
          checkedAt: "2026-11-19T07:00:00.000Z",
          nextCheckAt: "2026-11-26T07:00:00.000Z",
          contacts: [
            { channel: "email", value: ALICE.address, state: "active" },
            { channel: "email", value: "new@example.com", state: "unconfirmed" },
          ],
        },
      ],
      total: 1,
      page: 1,
      pageSize: 25,
      capacity: { used: 1, cap: 3 },
      counts: { all: 1, safe: 0, active: 0, breached: 1, inactive: 0 },
      waiting: { addresses: 1, alerts: 2 },
      stale: null,
    });
  });

  test("shows no next check where none is due", async () => {
    const dueAt = new Date("2026-11-26T07:00:00Z");
    const { tracking, store } = trackingWorld({
      checks: { of: async () => new Map([[ALICE.address, { checkedAt: undefined, dueAt }]]) },
    });
    await store(
      anAssociation({ suspended: true, createdAt: at(1) }),
      anAssociation({ address: "unknown@example.com", createdAt: at(2) }),
    );
    const { items } = accepted(await tracking.listAssociations(ALICE.accountId, ALL));
    expect(items).toMatchObject([
      { status: "inactive", checkedAt: null, nextCheckAt: null },
      { status: "active", checkedAt: null, nextCheckAt: null },
    ]);
  });

  test("filters by status and by a part of the address, and counts the used places over all", async () => {
    const { tracking, store, plan } = trackingWorld();
    plan.cap = null;
    await store(
      anAssociation({ address: "safe@example.com", openVersion: 1, createdAt: at(1) }),
      anAssociation({ address: "breached@example.com", openVersion: 1, openAlerts: 1, createdAt: at(2) }),
      anAssociation({ address: "active_100%@example.com", createdAt: at(3) }),
      anAssociation({ address: "paused@example.net", paused: true, createdAt: at(4) }),
      anAssociation({ accountId: BOB.accountId, address: "stranger@example.com" }),
    );
    const found = async (query: Partial<Parameters<typeof tracking.listAssociations>[1]>) => {
      const { items, total, capacity } = accepted(
        await tracking.listAssociations(ALICE.accountId, { ...ALL, ...query }),
      );
      expect(capacity).toEqual({ used: 4, cap: null });
      expect(total).toBe(items.length);
      return items.map(({ address }) => address.replace(/@.*/, ""));
    };
    expect(await found({})).toEqual(["safe", "breached", "active_100%", "paused"]);
    expect(await found({ status: "safe" })).toEqual(["safe"]);
    expect(await found({ status: "breached" })).toEqual(["breached"]);
    expect(await found({ status: "active" })).toEqual(["active_100%"]);
    expect(await found({ status: "inactive" })).toEqual(["paused"]);
    expect(await found({ search: "EXAMPLE.com" })).toEqual(["safe", "breached", "active_100%"]);
    expect(await found({ search: "example.com", status: "safe" })).toEqual(["safe"]);
    expect(await found({ search: "%" })).toEqual(["active_100%"]);
    expect(await found({ search: "_" })).toEqual(["active_100%"]);
    expect(await found({ search: "s.fe" })).toEqual([]);
  });

  test("returns pages of 25, oldest first", async () => {
    const { tracking, store } = trackingWorld();
    const addresses = Array.from({ length: 30 }, (_, number) => `alice+${number}@example.com`);
    await store(...addresses.map((address, number) => anAssociation({ address, createdAt: at(number) })).toReversed());
    const page = async (number: number) => {
      const { items, ...rest } = accepted(await tracking.listAssociations(ALICE.accountId, { ...ALL, page: number }));
      expect(rest).toMatchObject({ total: 30, page: number, pageSize: 25 });
      return items.map(({ address }) => address);
    };
    expect(await page(1)).toEqual(addresses.slice(0, 25));
    expect(await page(2)).toEqual(addresses.slice(25));
    expect(await page(3)).toEqual([]);
  });
});
