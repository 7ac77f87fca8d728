import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Channel } from "../../src/shared/contacts.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { ALICE_ID, BOB_ID, contact, LEASE, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  describe("contacts", () => {
    test("find() returns what add() stored, dates and missing values included", async () => {
      const { transaction } = await open();
      const full = contact("a@x.example", {
        confirmHash: "h",
        confirmExpiresAt: later(1),
        confirmedAt: later(2),
        refusedAt: later(3),
        state: "broken",
        settings: { device: "phone,desktop", emergency: true, secret: "sealed", devices: ["phone"] },
      });
      const bare = contact("b@x.example");
      await transaction(async ({ contacts }) => {
        expect(await contacts.add(full)).toBe(true);
        expect(await contacts.add(bare)).toBe(true);
      });
      await transaction(async ({ contacts }) => {
        expect(await contacts.find(full.id)).toEqual(full);
        expect(await contacts.findByConfirmHash("h")).toEqual(full);
        expect(await contacts.find(bare.id)).toEqual(bare);
        expect(await contacts.find(crypto.randomUUID())).toBeUndefined();
        expect(await contacts.findByConfirmHash("other")).toBeUndefined();
        expect(await contacts.list(ALICE_ID)).toHaveLength(2);
        const both = expect.arrayContaining([full, bare]);
        expect(await contacts.listByIds([full.id, bare.id, crypto.randomUUID()])).toEqual(both);
        expect(await contacts.listByIds([])).toEqual([]);
        expect(await contacts.listLocked([BOB_ID])).toEqual([]);
        expect(await contacts.listLocked([BOB_ID, ALICE_ID])).toEqual(both);
      });
    });

    test("add() enforces the account's limit for concurrent callers", async () => {
      const { transaction } = await open();
      const added = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          transaction(({ contacts }) => contacts.add(contact(`${index}@x.example`), 5)),
        ),
      );
      expect(added.filter(Boolean)).toHaveLength(5);
      await transaction(async ({ contacts }) => {
        expect(await contacts.count(ALICE_ID)).toBe(5);
        expect(await contacts.count(BOB_ID)).toBe(0);
        expect(await contacts.add(contact("a@x.example", { accountId: BOB_ID }), 5)).toBe(true);
      });
    });

    test("lockAt() returns the contacts at the given places, each of its own account", async () => {
      const { transaction } = await open();
      const [mine, other, theirs] = [
        contact("a@x.example"),
        contact("b@x.example"),
        contact("a@x.example", { accountId: BOB_ID }),
      ];
      await transaction(async ({ contacts }) => {
        for (const one of [mine, other, theirs]) await contacts.add(one);
        const at = { channel: "email" as const, value: "a@x.example" };
        expect(await contacts.lockAt([{ accountId: ALICE_ID, ...at }])).toEqual([mine]);
        const both = await contacts.lockAt([ALICE_ID, BOB_ID].map((accountId) => ({ accountId, ...at })));
        expect(both).toEqual(expect.arrayContaining([mine, theirs]));
        expect(both).toHaveLength(2);
        expect(await contacts.lockAt([])).toEqual([]);
      });
    });

    test("replace() overwrites all settings", async () => {
      const { transaction } = await open();
      const device = contact("a@x.example", { settings: { device: "phone" } });
      await transaction(async ({ contacts }) => {
        await contacts.add(device);
        expect(await contacts.replace({ ...device, settings: { emergency: true } })).toBe(true);
        expect((await contacts.find(device.id))?.settings).toEqual({ emergency: true });
      });
    });

    test("add() refuses a second contact with the same account, channel and value", async () => {
      const { transaction } = await open();
      const added = await transaction(async ({ contacts }) => [
        await contacts.add(contact("a@x.example")),
        await contacts.add(contact("a@x.example")),
        await contacts.add(contact("a@x.example", { accountId: BOB_ID })),
        await contacts.add(contact("a@x.example", { channel: "telegram" })),
      ]);
      expect(added).toEqual([true, false, true, true]);
    });

    test("listAt() returns the account's contacts at the addresses, each of its channel", async () => {
      const { transaction } = await open();
      const mail = contact("a@x.example");
      const chat = contact("same", { channel: "telegram" });
      await transaction(async ({ contacts }) => {
        for (const each of [mail, chat, contact("same", { channel: "pushover" }), contact("b@x.example")])
          await contacts.add(each);
        await contacts.add(contact("a@x.example", { accountId: BOB_ID }));
        const listAt = (...places: [Channel, string][]) =>
          contacts.listAt(
            ALICE_ID,
            places.map(([channel, value]) => ({ channel, value })),
          );
        expect(await listAt(["email", "a@x.example"], ["email", "c@x.example"])).toEqual([mail]);
        expect(await listAt(["email", "same"], ["telegram", "same"], ["telegram", "same"])).toEqual([chat]);
        expect(await listAt()).toEqual([]);
      });
    });

    test("statesAt() returns the states at the places, each of its own account", async () => {
      const { transaction } = await open();
      await transaction(async ({ contacts }) => {
        await contacts.add(contact("a@x.example"));
        await contacts.add(contact("a@x.example", { accountId: BOB_ID, state: "active" }));
        await contacts.add(contact("b@x.example", { accountId: BOB_ID }));
        const place = (accountId: string, value: string, channel: Channel = "email") => ({ accountId, channel, value });
        const [alices, bobs] = [place(ALICE_ID, "a@x.example"), place(BOB_ID, "a@x.example")];
        expect(await contacts.statesAt([alices])).toEqual([{ ...alices, state: "unconfirmed" }]);
        expect(await contacts.statesAt([bobs])).toEqual([{ ...bobs, state: "active" }]);
        expect(await contacts.statesAt([alices, bobs])).toHaveLength(2);
        // Neither another account's, nor another channel's.
        expect(await contacts.statesAt([place(ALICE_ID, "b@x.example"), { ...alices, channel: "ntfy" }])).toEqual([]);
        expect(await contacts.statesAt([])).toEqual([]);
      });
    });

    test("replace() succeeds once per version", async () => {
      const { transaction } = await open();
      const seen = contact("a@x.example");
      await transaction(({ contacts }) => contacts.add(seen));
      const wins = await Promise.all(
        Array.from({ length: 8 }, () =>
          transaction(({ contacts }) => contacts.replace({ ...seen, state: "active", confirmedAt: NOW })),
        ),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await transaction(({ contacts }) => contacts.find(seen.id))).toEqual({
        ...seen,
        state: "active",
        confirmedAt: NOW,
        version: 2,
      });
      await transaction(({ contacts }) => contacts.replace({ ...seen, version: 2 }));
      expect((await transaction(({ contacts }) => contacts.find(seen.id)))?.confirmedAt).toBeUndefined();
    });

    test("countConfirmations() counts those of one address since a given time, and old ones are deleted", async () => {
      const { transaction } = await open();
      await transaction(async ({ contacts }) => {
        await contacts.addConfirmation("mark", later(-10), later(-100));
        await contacts.addConfirmation("mark", NOW, later(-100));
        await contacts.addConfirmation("other", NOW, later(-100));
        expect(await contacts.countConfirmations("mark", later(-100))).toBe(2);
        expect(await contacts.countConfirmations("mark", later(-5))).toBe(1);
        await contacts.addConfirmation("other", NOW, later(-5));
        expect(await contacts.countConfirmations("mark", later(-100))).toBe(1);
      });
    });

    test("removeByAccount() removes only that account's contacts", async () => {
      const { transaction } = await open();
      await transaction(async ({ contacts }) => {
        await contacts.add(contact("a@x.example"));
        await contacts.add(contact("a@x.example", { accountId: BOB_ID }));
        await contacts.removeByAccount(ALICE_ID);
        expect(await contacts.list(ALICE_ID)).toEqual([]);
        expect(await contacts.list(BOB_ID)).toHaveLength(1);
      });
    });
  });

  describe("channels", () => {
    test("count consecutive failures until they recover", async () => {
      const { transaction } = await open();
      await transaction(async ({ channels }) => {
        expect(await channels.listFailing()).toEqual([]);
        expect(await channels.countFailure("email", "535")).toBe(1);
        expect(await channels.countFailure("email", "535")).toBe(2);
        expect(await channels.countFailure("telegram", "535")).toBe(1);
        await channels.pause("email", LEASE);
        expect(await channels.listFailing()).toContainEqual({
          channel: "email",
          failures: 2,
          pausedUntil: LEASE,
          reason: "535",
        });
        expect(await channels.recover("email")).toBe(2);
        expect(await channels.recover("email")).toBe(0);
        expect(await channels.recover("pushover")).toBe(0);
        expect(await channels.listFailing()).toEqual([
          { channel: "telegram", failures: 1, pausedUntil: undefined, reason: "535" },
        ]);
      });
    });

    test("count a grave failure as several", async () => {
      const { transaction } = await open();
      await transaction(async ({ channels }) => {
        expect(await channels.countFailure("email", "535", 5)).toBe(5);
        expect(await channels.countFailure("email", "535", 5)).toBe(6);
        expect(await channels.countFailure("telegram", "535")).toBe(1);
        expect(await channels.countFailure("telegram", "535", 5)).toBe(5);
      });
    });

    test("takeProbe() admits one attempt after the pause", async () => {
      const { transaction } = await open();
      await transaction(async ({ channels }) => {
        await channels.countFailure("email", "535");
        await channels.pause("email", NOW);
      });
      const probe = (now: Date) => transaction(({ channels }) => channels.takeProbe("email", now, later(60_000)));
      expect(await probe(later(-1))).toBe(false);
      const takers = await Promise.all(Array.from({ length: 6 }, () => probe(NOW)));
      expect(takers.filter(Boolean)).toHaveLength(1);
      expect(await probe(later(60_000))).toBe(true);
    });
  });
});
