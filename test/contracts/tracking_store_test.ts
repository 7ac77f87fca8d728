import { describe, expect, test } from "bun:test";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import type { Association } from "../../src/tracking/association.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, anAssociation, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { storeWith } from "../support/tracking.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);

describe.each(eachDatabase(memoryTracking, postgresTracking))("TrackingStore on %s", (_, open) => {
  const storeOf = (...stored: Association[]) => storeWith(open, ...stored);

  test("find() returns what add() stored, to the millisecond", async () => {
    const association = anAssociation({
      owner: false,
      language: "pt",
      contacts: [
        { channel: "email", value: "ælice’s@example.com" },
        { channel: "telegram", value: '"quoted" \\ {json}' },
      ],
      paused: true,
      suspended: true,
      openAlerts: 3,
      openVersion: 7,
      createdAt: new Date("2026-03-29T01:30:00.987Z"),
    });
    const bare = anAssociation({ address: "bare@example.com", contacts: [] });
    const { find } = await storeOf(association, bare);
    expect(await find(association)).toEqual(association);
    expect(await find(bare)).toEqual(bare);
  });

  test("a stored association is a copy", async () => {
    const association = anAssociation();
    const { find } = await storeOf(association);
    const before = structuredClone(association);
    association.contacts.push({ channel: "email", value: "later@example.com" });
    const found = await find(association);
    expect(found).toEqual(before);
    found?.contacts.push({ channel: "email", value: "later@example.com" });
    expect(await find(association)).toEqual(before);
  });

  test("add() accepts an address once per account, and reports that", async () => {
    const first = anAssociation();
    const { transaction, find } = await storeOf(first);
    const again = anAssociation({ language: "fr" });
    expect(await transaction(({ associations }) => associations.add(again))).toBe(false);
    expect(await find(first)).toEqual(first);
    expect(await find(again)).toBeUndefined();
    const others = anAssociation({ accountId: BOB.accountId });
    expect(await transaction(({ associations }) => associations.add(others))).toBe(true);
  });

  test("add() succeeds for one of ten concurrent callers", async () => {
    const { transaction } = await storeOf();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => transaction(({ associations }) => associations.add(anAssociation()))),
    );
    expect(answers.filter((isAdded) => isAdded)).toHaveLength(1);
  });

  test("find(), findByAddress() and remove() find neither another account's association nor an unknown one", async () => {
    const association = anAssociation();
    const { transaction, find } = await storeOf(association);
    await transaction(async ({ associations }) => {
      expect(await associations.find(BOB.accountId, association.id)).toBeUndefined();
      expect(await associations.find(ALICE.accountId, crypto.randomUUID())).toBeUndefined();
      expect(await associations.findByAddress(BOB.accountId, association.address)).toBeUndefined();
      expect(await associations.findByAddress(ALICE.accountId, "other@example.com")).toBeUndefined();
      expect(await associations.findByAddress(ALICE.accountId, "")).toBeUndefined();
      expect(await associations.remove(BOB.accountId, association.id)).toBeUndefined();
      expect(await associations.remove(ALICE.accountId, crypto.randomUUID())).toBeUndefined();
    });
    expect(await find(association)).toEqual(association);
  });

  test("findByAddress() returns the account's association", async () => {
    const association = anAssociation();
    const { transaction } = await storeOf(association, anAssociation({ accountId: BOB.accountId }));
    const found = await transaction(({ associations }) =>
      associations.findByAddress(ALICE.accountId, association.address),
    );
    expect(found).toEqual(association);
  });

  test("remove() returns the association to the one caller that removes it", async () => {
    const association = anAssociation();
    const { transaction, find } = await storeOf(association);
    const removed = await Promise.all(
      Array.from({ length: 10 }, () =>
        transaction(({ associations }) => associations.remove(ALICE.accountId, association.id)),
      ),
    );
    expect(removed.filter((row) => row !== undefined)).toEqual([association]);
    expect(await find(association)).toBeUndefined();
  });

  test("setSuspended() changes only that; an unknown id changes nothing", async () => {
    const [association, other] = [anAssociation({ openVersion: 2 }), anAssociation({ address: "other@example.com" })];
    const { transaction, find } = await storeOf(association, other);
    await transaction(({ associations }) => associations.setSuspended(association.id, true));
    expect(await find(association)).toEqual({ ...association, suspended: true });
    await transaction(({ associations }) => associations.setSuspended(association.id, false));
    await transaction(({ associations }) => associations.setSuspended(crypto.randomUUID(), true));
    expect(await find(association)).toEqual(association);
    expect(await find(other)).toEqual(other);
  });

  test("setOpenAlerts() accepts a newer version only, per association", async () => {
    const [association, other] = [anAssociation(), anAssociation({ address: "other@example.com" })];
    const { transaction, find } = await storeOf(association, other);
    const set = async (open: number, version: number) => {
      const counts = [
        { associationId: association.id, open, version },
        { associationId: crypto.randomUUID(), open: 1, version: 9 },
        { associationId: other.id, open: 7, version: 1 },
      ];
      await transaction(({ associations }) => associations.setOpenAlerts(counts));
      expect(await find(other)).toEqual({ ...other, openAlerts: 7, openVersion: 1 });
      const found = await find(association);
      return [found?.openAlerts, found?.openVersion];
    };
    expect(await set(4, 2)).toEqual([4, 2]);
    expect(await set(9, 1)).toEqual([4, 2]);
    expect(await set(9, 2)).toEqual([4, 2]);
    expect(await set(0, 3)).toEqual([0, 3]);
    await transaction(({ associations }) => associations.setOpenAlerts([]));
  });

  test("setOpenAlerts() ends at the newest of ten concurrent versions", async () => {
    const association = anAssociation();
    const { transaction, find } = await storeOf(association);
    const versions = [4, 9, 1, 10, 3, 7, 2, 8, 6, 5];
    await Promise.all(
      versions.map((version) =>
        transaction(({ associations }) =>
          associations.setOpenAlerts([{ associationId: association.id, open: version * 2, version }]),
        ),
      ),
    );
    expect(await find(association)).toMatchObject({ openAlerts: 20, openVersion: 10 });
  });

  test("noteEntitlement() accepts the same or a newer change, per account, until the account is deleted", async () => {
    const { transaction } = await storeOf();
    const note = (accountId: string, ms: number) =>
      transaction(({ associations }) => associations.noteEntitlement(accountId, at(ms)));
    expect(await note(ALICE.accountId, 5)).toBe(true);
    expect(await note(ALICE.accountId, 4)).toBe(false);
    expect(await note(ALICE.accountId, 5)).toBe(true);
    expect(await note(BOB.accountId, 1)).toBe(true);
    expect(await note(ALICE.accountId, 6)).toBe(true);
    expect(await note(ALICE.accountId, 5)).toBe(false);
    await transaction(({ associations }) => associations.forgetAccount(ALICE.accountId));
    expect(await note(ALICE.accountId, 1)).toBe(true);
    expect(await note(BOB.accountId, 0)).toBe(false);
  });

  test("lockAccount() lets one writer per account at a time count and add, and loses nothing that is recorded", async () => {
    const { transaction } = await storeOf();
    const note = (ms: number) =>
      transaction(({ associations }) => associations.noteEntitlement(ALICE.accountId, at(ms)));
    expect(await note(5)).toBe(true);
    const add = (number: number) =>
      transaction(async ({ associations }) => {
        await associations.lockAccount(ALICE.accountId);
        if ((await associations.countByAccount(ALICE.accountId)) >= 3) return false;
        return associations.add(anAssociation({ address: `alice+${number}@example.com` }));
      });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, number) => add(number)));
    expect(answers.filter((isAdded) => isAdded)).toHaveLength(3);
    expect(await note(4)).toBe(false);
  });

  test("a rolled back transaction leaves nothing, events included", async () => {
    const kept = anAssociation();
    const { transaction, outbox, find } = await storeOf(kept);
    const added = anAssociation({ address: "added@example.com" });
    const failing = transaction(async ({ associations, events }) => {
      await associations.lockAccount(ALICE.accountId);
      await associations.add(added);
      await associations.setSuspended(kept.id, true);
      await associations.noteEntitlement(ALICE.accountId, at(9));
      await associations.remove(ALICE.accountId, kept.id);
      await events.publish({ type: "identity.deleted", accountId: ALICE.accountId });
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await find(kept)).toEqual(kept);
    expect(await find(added)).toBeUndefined();
    expect(await transaction(({ associations }) => associations.noteEntitlement(ALICE.accountId, at(1)))).toBe(true);
    expect(await takePublished(outbox)).toEqual([]);
  });

  test("what is published is committed with what is stored", async () => {
    const { transaction, outbox } = await storeOf();
    const event = { type: "identity.deleted" as const, accountId: ALICE.accountId };
    await transaction(async ({ associations, events }) => {
      await associations.add(anAssociation());
      await events.publish(event);
    });
    expect(await takePublished(outbox)).toEqual([event]);
  });

  test("a nested transaction is refused", async () => {
    const { transaction, find } = await storeOf();
    const association = anAssociation();
    const nested = async () =>
      transaction(async ({ associations }) => {
        await associations.add(association);
        return transaction(({ associations: inner }) => inner.countByAccount(ALICE.accountId));
      });
    await expect(nested()).rejects.toThrow("Cannot open a transaction inside a transaction");
    expect(await find(association)).toBeUndefined();
  });
});
