import { describe, expect, test } from "bun:test";
import { wasSent } from "../../src/breaches/adapters/sources/entries.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type { DisclosureForm } from "../../src/shared/disclosure.ts";
import type { MemoryFeed } from "../memory/breaches/feed.ts";
import { adobe, breachWorld } from "../support/breaches.ts";
import { ALICE } from "../support/builders.ts";

const BOB = { accountId: "00000000-0000-7000-8000-0000000000b0", address: "bob@example.com" };

/** A source that is told addresses in this form. */
const told =
  (form: DisclosureForm) =>
  (feed: MemoryFeed): MemoryFeed => ({
    ...feed,
    async lookUp(address, onTold) {
      const answer = await feed.lookUp(address);
      if (wasSent(answer)) onTold?.(form);
      return answer;
    },
  });

function world(feed = told("hash_prefix")) {
  const plain = breachWorld({
    feed,
    breaches: [adobe],
    exposures: { [ALICE.address]: ["Adobe"] },
    asks: {
      accounts: { of: async () => ({ email: ALICE.address, language: "en", verified: true }) },
      monitoringAccess: {
        of: async (accountId, address) => ({
          ok: true,
          value: {
            address,
            associationId: crypto.randomUUID(),
            managerId: accountId,
            scope: FULL_SCOPE,
            status: "breached",
            since: plain.clock.now(),
          },
        }),
      },
    },
  });
  const listOf = (address: string) => plain.transaction(({ disclosures }) => disclosures.list(address));
  return { ...plain, listOf };
}

describe("what a source was told", () => {
  test("is noted with each check", async () => {
    const { breaches, watch, listOf, clock } = world();
    await watch(ALICE);
    await watch(BOB);
    const first = clock.now();
    await breaches.scanDue();
    const once = [{ source: "memory", form: "hash_prefix" as const, firstAt: first, lastAt: first, times: 1 }];
    expect([await listOf(ALICE.address), await listOf(BOB.address)]).toEqual([once, once]);
    clock.pass(8 * 24 * 3_600_000);
    await breaches.scanDue();
    expect(await listOf(BOB.address)).toMatchObject([{ firstAt: first, lastAt: clock.now(), times: 2 }]);
  });

  test("is noted even if the source then gives no answer, unless our own rate limit held the request back", async () => {
    const { breaches, watch, listOf, feed } = world();
    await watch(ALICE);
    feed.failNext("lookUp", { kind: "later", afterMs: 60_000, reason: "Not now", isRateLimit: true });
    await breaches.scanDue();
    expect(await listOf(ALICE.address)).toEqual([]);
    const { breaches: others, watch: watchOthers, listOf: listOthers, feed: failing } = world(told("address"));
    await watchOthers(ALICE);
    failing.failNext("lookUp", { kind: "later", afterMs: 60_000, reason: "Status 500" });
    await others.scanDue();
    expect(await listOthers(ALICE.address)).toMatchObject([{ form: "address", times: 1 }]);
  });

  test("is nothing where the data is on this server", async () => {
    const { breaches, watch, listOf } = world((feed) => feed);
    await watch(ALICE);
    await breaches.scanDue();
    expect(await listOf(ALICE.address)).toEqual([]);
  });

  test("is removed with the last watch of the address", async () => {
    const { breaches, watch, listOf } = world();
    const [mine, other] = [await watch(ALICE), await watch({ ...BOB, address: ALICE.address })];
    await breaches.scanDue();
    const stop = (associationId: string) =>
      breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", associationId, ...ALICE });
    await stop(mine);
    expect(await listOf(ALICE.address)).toHaveLength(1);
    await stop(other);
    expect(await listOf(ALICE.address)).toEqual([]);
  });

  test("is shown to the address's owner alone, and in the export of the owner's data", async () => {
    const { breaches, watch } = world();
    await watch(ALICE);
    await watch(BOB);
    await breaches.scanDue();
    const own = await breaches.showMonitoring(ALICE.accountId, ALICE.address);
    expect(own.ok && own.value.told).toMatchObject([{ source: "memory", form: "hash_prefix", times: 1 }]);
    const foreign = await breaches.showMonitoring(ALICE.accountId, BOB.address);
    expect(foreign.ok && foreign.value.told).toBeNull();
    expect((await breaches.recordsOf(ALICE.accountId)).told).toMatchObject([
      { address: ALICE.address, source: "memory", times: 1 },
    ]);
  });
});
