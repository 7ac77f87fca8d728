import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachFeed } from "../../src/breaches/ports.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { breachWorld, later } from "../support/breaches.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, HOUR, MINUTE } from "../support/clock.ts";

const WORK = { ...ALICE, address: "alice@work.example" };
const SINCE = "2026-11-20T12:00:00.000Z";

/** A world whose source responds only while it is `up`; the accounts in `people` have a verified email. */
function staleWorld(options: { others?: BreachFeed[] } = {}) {
  const source = { up: false };
  const people = new Map([
    [ALICE.accountId, { email: ALICE.address, language: "de" as const, verified: true }],
    [BOB.accountId, { email: BOB.address, language: "fr" as const, verified: false }],
  ]);
  const asks = { accounts: { of: async (id: string) => people.get(id) } };
  const world = breachWorld({
    ...options,
    feed: (plain) => ({
      ...plain,
      lookUp: async (address) => (source.up ? plain.lookUp(address) : later(HOUR)),
    }),
    asks,
  });
  const { breaches, clock, deps } = world;
  return {
    ...world,
    source,
    people,
    asks,
    mails: async () =>
      (await world.publishedOf("mail.requested")).map(({ template, to, language, params }) => {
        return { template, to, language, params };
      }),
    another: () => createBreaches({ ...deps, ...asks }),
    /** Time passes and the jobs run. */
    async pass(ms: number) {
      clock.pass(ms);
      await breaches.scanDue();
      return breaches.tellStale();
    },
  };
}

describe("Overdue checks", () => {
  test("are reported once, an hour after they were a day late, and once more when they are done", async () => {
    const { watch, pass, source, mails, breaches } = staleWorld();
    await watch(ALICE);
    await watch(WORK);
    expect(await pass(DAY - MINUTE)).toBe(0);
    expect(await pass(MINUTE)).toBe(0);
    expect(await pass(HOUR - MINUTE)).toBe(0);
    expect(await breaches.lateSince(ALICE.accountId)).toBeUndefined();
    expect(await mails()).toEqual([]);
    expect(await pass(MINUTE)).toBe(1);
    const told = { to: ALICE.address, language: "de" } as const;
    expect(await mails()).toEqual([
      { ...told, template: "checks_stale", params: { addresses: "2", since: SINCE, at: "2026-11-21T13:00:00.000Z" } },
    ]);
    expect(await breaches.lateSince(ALICE.accountId)).toEqual(new Date(SINCE));
    expect(await pass(HOUR)).toBe(0);
    expect(await pass(3 * DAY)).toBe(0);
    source.up = true;
    expect(await pass(2 * HOUR)).toBe(1);
    expect(await mails()).toEqual([
      { ...told, template: "checks_resumed", params: { addresses: "2", since: SINCE, at: "2026-11-24T16:00:00.000Z" } },
    ]);
    expect(await breaches.lateSince(ALICE.accountId)).toBeUndefined();
    expect(await pass(HOUR)).toBe(0);
    expect(await mails()).toEqual([]);
  });

  test("are reported again the next time", async () => {
    const { watch, pass, source, mails } = staleWorld();
    await watch(ALICE);
    await pass(DAY);
    await pass(HOUR);
    source.up = true;
    await pass(2 * HOUR);
    source.up = false;
    expect(await pass(8 * DAY)).toBe(0);
    expect(await pass(HOUR)).toBe(1);
    expect((await mails()).map(({ template }) => template)).toEqual(["checks_stale", "checks_resumed", "checks_stale"]);
  });

  test("are not reported if they are done immediately, as after the machine was off", async () => {
    const { watch, pass, source, mails, breaches, clock } = staleWorld();
    await watch(ALICE);
    clock.pass(3 * DAY);
    expect(await breaches.tellStale()).toBe(0);
    source.up = true;
    expect(await pass(10 * MINUTE)).toBe(0);
    expect(await pass(DAY)).toBe(0);
    expect(await mails()).toEqual([]);
  });

  test("end only when every address was checked, including those added meanwhile", async () => {
    const { watch, pass, source, mails, feed } = staleWorld();
    await watch(ALICE);
    await pass(DAY);
    await pass(HOUR);
    await watch(WORK);
    source.up = true;
    feed.failNext("lookUp", { ...later(HOUR), isOfAddress: true } as never);
    await pass(2 * HOUR);
    expect((await mails()).map(({ template }) => template)).toEqual(["checks_stale"]);
    await pass(2 * HOUR);
    expect((await mails()).map(({ template }) => template)).toEqual(["checks_resumed"]);
  });

  test("are not reported while one source responds, nor if none is configured, nor while nothing is monitored", async () => {
    const other = memoryFeed({ source: "other" });
    const two = staleWorld({ others: [other] });
    await two.watch(ALICE);
    await two.pass(DAY);
    await two.pass(HOUR);
    expect(await two.mails()).toEqual([]);

    const refused = staleWorld();
    refused.feed.refuse(ALICE.address);
    refused.source.up = true;
    await refused.watch(ALICE);
    await refused.pass(0);
    refused.source.up = false;
    await refused.pass(9 * DAY);
    await refused.pass(HOUR);
    expect(await refused.mails()).toEqual([]);

    const paused = staleWorld();
    const associationId = await paused.watch(ALICE);
    const about = { associationId, ...ALICE, reason: "paused" as const };
    await paused.breaches.onMonitoringSuspended({ type: "tracking.monitoringSuspended", ...about });
    await paused.pass(DAY);
    await paused.pass(HOUR);
    expect(await paused.mails()).toEqual([]);
  });

  test("end without a message when the account tracks nothing any more, or was deleted", async () => {
    const { watch, pass, mails, breaches } = staleWorld();
    const associationId = await watch(ALICE);
    await pass(DAY);
    await pass(HOUR);
    expect(await mails()).toHaveLength(1);
    const about = { associationId, ...ALICE };
    await breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", ...about });
    expect(await pass(HOUR)).toBe(0);
    expect(await breaches.lateSince(ALICE.accountId)).toBeUndefined();

    await watch(WORK);
    await pass(DAY);
    await breaches.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    const { lateChecks } = await breaches.recordsOf(ALICE.accountId);
    expect(lateChecks).toBeNull();
  });

  test("are not reported to an unverified address", async () => {
    const { watch, pass, mails } = staleWorld();
    await watch(BOB);
    await pass(DAY);
    expect(await pass(HOUR)).toBe(0);
    expect(await mails()).toEqual([]);
  });

  test("are reported once by ten concurrent processes", async () => {
    const { watch, pass, clock, source, mails, breaches, another } = staleWorld();
    await watch(ALICE);
    await pass(DAY);
    clock.pass(HOUR);
    const all = () => Promise.all(Array.from({ length: 10 }, () => another().tellStale()));
    expect((await all()).reduce((sum, told) => sum + told)).toBe(1);
    source.up = true;
    clock.pass(2 * HOUR);
    await breaches.scanDue();
    expect((await all()).reduce((sum, told) => sum + told)).toBe(1);
    expect((await mails()).map(({ template }) => template)).toEqual(["checks_stale", "checks_resumed"]);
  });
});
