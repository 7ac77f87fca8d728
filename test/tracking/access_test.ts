import { describe, expect, test } from "bun:test";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, accepted, anAssociation, aTrackInput, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { trackingWorld } from "../support/tracking.ts";

const NO_IDS = [
  "",
  "1",
  "null",
  "undefined",
  "../../etc",
  "' or 1=1 --",
  "a11ce000-0000-4000-8000",
  `${crypto.randomUUID()}0`,
  "\0",
];

describe("canAddMore()", () => {
  test("is true only below the cap of a running plan", async () => {
    const { tracking, plan, store } = trackingWorld();
    await store(
      anAssociation({ address: "one@example.com" }),
      anAssociation({ address: "two@example.com", suspended: true }),
    );
    const answers: [typeof plan, boolean][] = [
      [{ active: true, cap: 3 }, true],
      [{ active: true, cap: 2 }, false],
      [{ active: true, cap: 1 }, false],
      [{ active: true, cap: null }, true],
      [{ active: false, cap: 3 }, false],
      [{ active: false, cap: null }, false],
    ];
    for (const [entitlement, answer] of answers) {
      Object.assign(plan, entitlement);
      expect(await tracking.canAddMore(ALICE.accountId)).toBe(answer);
    }
  });

  test("counts an account's own associations only", async () => {
    const { tracking, plan, store } = trackingWorld();
    plan.cap = 1;
    await store(anAssociation({ accountId: BOB.accountId }));
    expect(await tracking.canAddMore(ALICE.accountId)).toBe(true);
    expect(await tracking.canAddMore(BOB.accountId)).toBe(false);
  });
});

describe("belongs()", () => {
  test("finds the account's own association", async () => {
    const { tracking } = trackingWorld();
    const { id } = accepted(await tracking.track(ALICE.accountId, aTrackInput()));
    expect(await tracking.belongs(ALICE.accountId, id)).toEqual({ ok: true, value: undefined });
  });
});

describe.each(eachDatabase(memoryTracking, postgresTracking))("belongs() on %s", (_, open) => {
  test("responds the same for foreign, unknown and malformed ids", async () => {
    const { transaction } = await open();
    const { tracking, store } = trackingWorld({ transaction });
    const association = anAssociation();
    await store(association);
    for (const id of [association.id, crypto.randomUUID(), ...NO_IDS]) {
      expect(await tracking.belongs(BOB.accountId, id)).toEqual({ ok: false, code: "ACCESS_DENIED" });
    }
    expect(await tracking.belongs(ALICE.accountId, association.id)).toEqual({ ok: true, value: undefined });
  });
});

describe("mayMonitor()", () => {
  test("lets an account see what it tracks, in any spelling of the address", async () => {
    const { tracking, store } = trackingWorld();
    await store(anAssociation(), anAssociation({ address: "paused@example.com", paused: true }));
    for (const typed of [ALICE.address, " Alice@Example.COM ", "paused@example.com"]) {
      expect(await tracking.mayMonitor(ALICE.accountId, typed)).toEqual({ ok: true, value: undefined });
    }
  });

  test("returns that monitoring is suspended", async () => {
    const { tracking, store } = trackingWorld();
    await store(anAssociation({ suspended: true }));
    expect(await tracking.mayMonitor(ALICE.accountId, ALICE.address)).toEqual({
      ok: false,
      code: "MONITORING_SUSPENDED",
    });
  });

  test("responds the same for an address tracked by others, an untracked and an invalid one", async () => {
    const { tracking, store } = trackingWorld();
    await store(anAssociation(), anAssociation({ accountId: BOB.accountId, address: BOB.address, suspended: true }));
    for (const address of [
      ALICE.address,
      BOB.address,
      "nobody@example.com",
      "",
      "nonsense",
      "a@b",
      "\0@example.com",
      "a@".repeat(5000),
    ]) {
      expect(await tracking.mayMonitor(CHARLIE.accountId, address)).toEqual({
        ok: false,
        code: "MONITORING_NOT_AUTHORISED",
      });
    }
  });
});
