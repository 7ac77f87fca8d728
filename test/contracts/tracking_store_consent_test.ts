import { describe, expect, test } from "bun:test";
import { FULL_SCOPE, NO_SCOPE } from "../../src/shared/consent.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import type { Association } from "../../src/tracking/association.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, anAssociation, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (day: number) => ({ createdAt: new Date(Date.UTC(2026, 10, day)) });
const waiting = (more: Partial<Association> = {}) =>
  anAssociation({ address: BOB.address, owner: false, consent: "pending", scope: NO_SCOPE, ...more });

describe.each(eachDatabase(memoryTracking, postgresTracking))("TrackingStore's consent on %s", (_, open) => {
  async function storeOf(...associations: Association[]) {
    const { transaction } = await open();
    await transaction(({ associations: all }) => all.addAll(associations));
    const listed = () => transaction(({ associations: all }) => all.listByAccount(ALICE.accountId));
    return { transaction, listed };
  }

  test("addAll() adds many in one call, and none if one is tracked already", async () => {
    const [first, second] = [anAssociation({ ...at(1) }), waiting({ ...at(2) })];
    const { transaction, listed } = await storeOf(first, second);
    expect(await listed()).toEqual([first, second]);
    const again = [anAssociation({ address: CHARLIE.address }), waiting()];
    await expect(transaction(({ associations }) => associations.addAll(again))).rejects.toThrow();
    expect(await listed()).toEqual([first, second]);
    await transaction(({ associations }) => associations.addAll([]));
  });

  test("list() omits associations without consent, except for the used places; countByAccount() and listTracked() do not", async () => {
    const own = anAssociation({ ...at(1), openVersion: 1 });
    const rest = [
      waiting({ ...at(2) }),
      anAssociation({ ...at(3), address: "c@example.org", openVersion: 1, openAlerts: 2 }),
      anAssociation({ ...at(4), address: "d@example.org", paused: true }),
      anAssociation({ ...at(5), address: "e@example.org" }),
      anAssociation({ ...BOB }),
    ];
    const { transaction } = await storeOf(own, ...rest);
    await transaction(async ({ associations }) => {
      const listOf = async (accountId: string) => {
        const [page] = await associations.list(
          [{ accountId, search: "", status: "all", order: "oldest", offset: 0 }],
          10,
        );
        const { associations: _, ...counted } = page ?? { associations: [] };
        return counted;
      };
      const [counts, none] = [
        { safe: 1, active: 1, breached: 1, inactive: 1 },
        { safe: 0, active: 0, breached: 0, inactive: 0 },
      ];
      expect(await listOf(ALICE.accountId)).toEqual({
        total: 4,
        used: 5,
        counts,
        waiting: { addresses: 1, alerts: 2 },
      });
      expect(await listOf(CHARLIE.accountId)).toEqual({
        total: 0,
        used: 0,
        counts: none,
        waiting: { addresses: 0, alerts: 0 },
      });
      expect(await associations.countByAccount(ALICE.accountId)).toBe(5);
      const asked = [BOB.address, ALICE.address, "nobody@example.org"];
      const tracked = await associations.listTracked(ALICE.accountId, asked);
      expect(tracked.toSorted()).toEqual([ALICE.address, BOB.address]);
      expect(await associations.listTracked(ALICE.accountId, [])).toEqual([]);
      const many = Array.from({ length: 70_000 }, (_, n) => `a${n}@alias.example`);
      expect(await associations.listTracked(ALICE.accountId, [...many, BOB.address])).toEqual([BOB.address]);
    });
  });

  test("listWatching() returns everybody who may see an address, oldest first", async () => {
    const [late, early] = [
      anAssociation({ ...at(9) }),
      anAssociation({ ...at(1), accountId: BOB.accountId, address: ALICE.address, consent: "granted" }),
    ];
    const { transaction } = await storeOf(
      late,
      early,
      waiting({ accountId: CHARLIE.accountId, address: ALICE.address }),
    );
    expect(await transaction(({ associations }) => associations.listWatching(ALICE.address))).toEqual([early, late]);
  });

  test("grant() stores scope and consent once per version, and returns the former ones", async () => {
    const association = waiting();
    const { transaction, listed } = await storeOf(association);
    const grant = (version: number, scope = FULL_SCOPE) =>
      transaction(({ associations }) => associations.grant(association.id, scope, version));
    expect(await grant(2, { details: true, sensitive: false })).toEqual(association);
    const stored = { ...association, consent: "granted" as const, scope: { details: true, sensitive: false } };
    expect(await listed()).toEqual([{ ...stored, scopeVersion: 2 }]);
    expect([await grant(1), await grant(2)]).toEqual([undefined, undefined]);
    expect(await listed()).toEqual([{ ...stored, scopeVersion: 2 }]);
    const won = await Promise.all(Array.from({ length: 10 }, () => grant(3)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(
      await transaction(({ associations }) => associations.grant(crypto.randomUUID(), FULL_SCOPE, 9)),
    ).toBeUndefined();
  });

  test("saveSettings(), setPreferred() and removeAll() affect the account's own only", async () => {
    const [own, other, bobs] = [anAssociation({ ...at(1) }), waiting({ ...at(2) }), anAssociation({ ...BOB })];
    const { transaction, listed } = await storeOf(own, other, bobs);
    const settings = { language: "pt", contacts: [{ channel: "telegram", value: "alice_m" }], paused: true } as const;
    const changed = { ...settings, contacts: [...settings.contacts] };
    await transaction(async ({ associations }) => {
      await associations.saveSettings(ALICE.accountId, own.id, changed);
      await associations.saveSettings(ALICE.accountId, bobs.id, changed);
      await associations.setPreferred(ALICE.accountId, [own.id, bobs.id]);
    });
    expect(await listed()).toEqual([{ ...own, ...changed, preferred: true }, other]);
    await transaction(({ associations }) => associations.setPreferred(ALICE.accountId, [other.id]));
    expect((await listed()).map(({ preferred }) => preferred)).toEqual([false, true]);
    const removed = await transaction(({ associations }) =>
      associations.removeAll(ALICE.accountId, [other.id, bobs.id, crypto.randomUUID()]),
    );
    expect(removed.map(({ id }) => id)).toEqual([other.id]);
    expect(await listed()).toHaveLength(1);
    await transaction(async ({ associations }) => {
      expect(await associations.removeAll(ALICE.accountId, [])).toEqual([]);
      expect(await associations.find(BOB.accountId, bobs.id)).toEqual(bobs);
    });
  });
});
