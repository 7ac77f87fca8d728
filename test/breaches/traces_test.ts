import { describe, expect, test } from "bun:test";
import type { Paste } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { breachWorld, later } from "../support/breaches.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { HOUR, MINUTE } from "../support/clock.ts";

const PASTE: Paste = { source: "Pastebin", id: "8Q0BvKD8", title: "syslog", date: undefined, addresses: 139 };
const SITES = ["forum.example", "github.com", "paypal.com"];

/** Alice, whose proven address she tracks herself, or Bob does with her consent. */
function worldOf({ manager = ALICE.accountId, verified = true, email = ALICE.address } = {}) {
  const view = { address: ALICE.address, associationId: "a", managerId: manager, scope: FULL_SCOPE } as const;
  const world = breachWorld({
    asks: {
      monitoringAccess: { of: async () => ({ ok: true, value: { ...view, status: "safe", since: new Date(0) } }) },
      accounts: {
        of: async (id) => (id === ALICE.accountId ? { email, language: "en", verified } : undefined),
      },
    },
  });
  const { traces } = world.feed;
  traces.leave(ALICE.address, { pastes: [PASTE], sites: SITES });
  const ask = () => world.breaches.askTraces(ALICE.accountId, ALICE.address);
  const show = async () => accepted(await world.breaches.showTraces(ALICE.accountId, ALICE.address));
  return { ...world, traces, ask, show };
}

describe("pastes and stealer logs", () => {
  test("are asked for only on request, and shown until they are asked for again", async () => {
    const { ask, show, traces, clock } = worldOf();
    const nothing = { askedAt: null, pastes: null, sites: null, sitesRefused: false, askAgainAt: null };
    const offered = { source: "memory", sendsAddress: true, offers: { pastes: true, sites: true } };
    expect(await show()).toEqual({ address: ALICE.address, ...offered, ...nothing });
    expect(traces.asked).toEqual([]);
    const found = accepted(await ask());
    expect(found).toEqual({
      address: ALICE.address,
      ...offered,
      askedAt: clock.now().toISOString(),
      pastes: [{ source: "Pastebin", url: null, title: "syslog", date: null, addresses: 139 }],
      sites: ["paypal.com", "github.com", "forum.example"].map((site) => ({ site, done: false })),
      sitesRefused: false,
      askAgainAt: new Date(clock.now().getTime() + HOUR).toISOString(),
    });
    expect(traces.asked).toEqual([`pastes of ${ALICE.address}`, `sites of ${ALICE.address}`]);
    expect(await show()).toEqual(found);
    clock.pass(HOUR);
    expect(await show()).toEqual({ ...found, askAgainAt: null });
    expect(traces.asked).toHaveLength(2);
  });

  test("are asked for once an hour, however many requests come at the same time", async () => {
    const { ask, traces, clock } = worldOf();
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(answers.filter(({ ok }) => !ok)).toEqual(
      Array(3).fill({ ok: false, code: "TRACES_ASKED_RECENTLY", retryAfter: expect.any(Number) }),
    );
    clock.pass(HOUR - MINUTE);
    expect(await ask()).toEqual({ ok: false, code: "TRACES_ASKED_RECENTLY", retryAfter: 60 });
    expect(traces.asked).toHaveLength(2);
    clock.pass(MINUTE);
    expect((await ask()).ok).toBe(true);
    expect(traces.asked).toHaveLength(4);
  });

  test("leave out what the subscription lacks, and what the source refuses for this address", async () => {
    const { ask, show, traces, clock } = worldOf();
    traces.subscribe({ stealerLogs: false });
    expect((await show()).offers).toEqual({ pastes: true, sites: false });
    expect(accepted(await ask())).toMatchObject({ pastes: [{ title: "syslog" }], sites: null, sitesRefused: false });
    expect(traces.asked).toEqual([`pastes of ${ALICE.address}`]);
    traces.subscribe({ stealerLogs: true });
    traces.answerNext("sitesOf", { kind: "refused" });
    traces.answerNext("pastesOf", { kind: "refused" });
    clock.pass(HOUR);
    expect(accepted(await ask())).toMatchObject({ pastes: null, sites: null, sitesRefused: true });
  });

  test("wait for the source's rate limit for a while", async () => {
    const { ask, traces, waits } = worldOf();
    traces.answerNext("pastesOf", { ...later(6000), isRateLimit: true } as never);
    traces.answerNext("sitesOf", { ...later(7000), isRateLimit: true } as never);
    expect((await ask()).ok).toBe(true);
    expect(waits).toEqual([6000, 7000]);
    const busy = worldOf();
    busy.traces.answerNext("pastesOf", ...Array(5).fill({ ...later(6000), isRateLimit: true }));
    expect(await busy.ask()).toEqual({ ok: false, code: "SOURCE_UNAVAILABLE", retryAfter: 60 });
    expect(busy.waits).toEqual([6000, 6000, 6000]);
  });

  test("that cannot be had are an error, after which one may soon try again; checks are not affected", async () => {
    const { ask, show, traces, clock, reports, stateOf } = worldOf();
    accepted(await ask());
    const before = await show();
    clock.pass(HOUR);
    traces.answerNext("sitesOf", later(90_000));
    expect(await ask()).toEqual({ ok: false, code: "SOURCE_UNAVAILABLE", retryAfter: 90 });
    expect(await show()).toMatchObject({ askedAt: before.askedAt, sites: before.sites, pastes: before.pastes });
    expect(await ask()).toEqual({ ok: false, code: "TRACES_ASKED_RECENTLY", retryAfter: 90 });
    clock.pass(90_000);
    traces.answerNext("pastesOf", { kind: "misconfigured", reason: "The key is refused" });
    expect(await ask()).toEqual({ ok: false, code: "SOURCE_UNAVAILABLE", retryAfter: 60 });
    expect(reports).toEqual([
      "Cannot ask memory about pastes: Not now",
      "Cannot ask memory about pastes: The key is refused",
    ]);
    expect(await stateOf()).toMatchObject({ trouble: undefined, lookUpTrouble: undefined, pausedUntil: undefined });
    traces.answerNext("subscription", later(1000));
    clock.pass(HOUR);
    expect(await ask()).toEqual({ ok: false, code: "SOURCE_UNAVAILABLE", retryAfter: 60 });
  });

  test("are offered by no source without them, and none while the subscription is unknown", async () => {
    const { show, traces, ask, feed, deps } = worldOf();
    traces.answerNext("subscription", { kind: "misconfigured", reason: "No key" });
    expect(await show()).toMatchObject({ source: "memory", offers: { pastes: false, sites: false } });
    accepted(await ask());
    const { traces: _, ...breachesOnly } = feed;
    const bare = breachWorld({
      others: [],
      feed: () => breachesOnly as typeof feed,
      asks: { accounts: deps.accounts },
    });
    expect(bare.breaches.subscriptionOf("memory")).toBeUndefined();
    expect(await bare.breaches.askTraces(ALICE.accountId, ALICE.address)).toMatchObject({ ok: false });
  });
});

describe("the sites of a stealer log", () => {
  const tick = (world: ReturnType<typeof worldOf>, site: string, done: boolean) =>
    world.breaches.tickSite(ALICE.accountId, { address: ALICE.address, site, done });

  test("are ticked one by one; two tabs keep both", async () => {
    const world = worldOf();
    accepted(await world.ask());
    await Promise.all([tick(world, "paypal.com", true), tick(world, "github.com", true)]);
    expect(await tick(world, "github.com", false)).toEqual({ ok: true, value: { site: "github.com", done: false } });
    expect((await world.show()).sites).toEqual([
      { site: "paypal.com", done: true },
      { site: "github.com", done: false },
      { site: "forum.example", done: false },
    ]);
    expect(await tick(world, "other.example", true)).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("that are too many leave out the lightest", async () => {
    const { ask, traces } = worldOf();
    const many = Array.from({ length: 1200 }, (_, n) => `site${String(n).padStart(4, "0")}.example`);
    traces.leave(ALICE.address, { sites: [...many, "paypal.com"], pastes: Array(1200).fill(PASTE) });
    const { sites, pastes } = accepted(await ask());
    expect([sites?.length, pastes?.length, sites?.[0]?.site]).toEqual([1000, 1000, "paypal.com"]);
  });
});

test("only a paste whose id is an https URL has a link", async () => {
  const ids = [
    "https://paste.example/1",
    "http://paste.example/1",
    "javascript:alert(1)",
    "https://a@paste.example",
    "x",
  ];
  const { ask, traces } = worldOf();
  traces.leave(ALICE.address, { pastes: ids.map((id) => ({ ...PASTE, id })) });
  expect(accepted(await ask()).pastes?.map(({ url }) => url)).toEqual([ids[0] ?? "", null, null, null, null]);
});

describe("only the owner of an address", () => {
  const NOT_AUTHORISED = { ok: false, code: "MONITORING_NOT_AUTHORISED" } as const;

  test.each<[string, Parameters<typeof worldOf>[0], string]>([
    ["another account, which tracks it with consent", { manager: BOB.accountId }, BOB.accountId],
    ["its own account before it has proven it", { verified: false }, ALICE.accountId],
    ["an account with another address", { email: "alice@new.example" }, ALICE.accountId],
  ])("asks and sees: not %s", async (_, options, accountId) => {
    const { breaches, traces, transaction } = worldOf(options);
    const site = { address: ALICE.address, site: "paypal.com", done: true };
    expect(await breaches.askTraces(accountId, ALICE.address)).toEqual(NOT_AUTHORISED);
    expect(await breaches.showTraces(accountId, ALICE.address)).toEqual(NOT_AUTHORISED);
    expect(await breaches.tickSite(accountId, site)).toEqual(NOT_AUTHORISED);
    expect(await breaches.askTraces(accountId, "no address")).toEqual(NOT_AUTHORISED);
    expect(traces.asked).toEqual([]);
    expect(await transaction((store) => store.traces.list(accountId))).toEqual([]);
  });

  test("asks and sees, even if another account tracks it", async () => {
    const { ask, show } = worldOf({ manager: BOB.accountId });
    accepted(await ask());
    expect((await show()).sites).toHaveLength(3);
  });
});

describe("what was found of an address", () => {
  const kept = ({ transaction }: ReturnType<typeof worldOf>) =>
    transaction((store) => store.traces.list(ALICE.accountId));

  test("ends with its last tracking, with the account, and when the account has another address", async () => {
    const { accountId, address } = ALICE;
    const ends: ((world: ReturnType<typeof worldOf>, associationId: string) => Promise<void>)[] = [
      ({ breaches }, associationId) =>
        breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", associationId, accountId, address }),
      ({ breaches }) => breaches.onDeleted({ type: "identity.deleted", accountId }),
      ({ breaches }) =>
        breaches.onEmailChanged({
          type: "identity.emailChanged",
          ...{ accountId, from: address, to: "alice@new.example", formerAddress: "end" },
        }),
    ];
    for (const end of ends) {
      const world = worldOf();
      const associationId = await world.watch(ALICE);
      accepted(await world.ask());
      expect(await kept(world)).toHaveLength(1);
      expect((await world.breaches.recordsOf(accountId)).traces).toMatchObject([{ address, sites: expect.any(Array) }]);
      await end(world, associationId);
      expect(await kept(world)).toEqual([]);
    }
  });

  test("stays while another account tracks it", async () => {
    const world = worldOf();
    const [associationId] = [await world.watch(ALICE), await world.watch({ ...BOB, address: ALICE.address })];
    accepted(await world.ask());
    await world.breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", associationId, ...ALICE });
    expect(await kept(world)).toHaveLength(1);
  });
});

test("the operator is told what the subscription includes", () => {
  const { breaches, traces } = worldOf();
  traces.subscribe({ name: "Core 1", stealerLogs: false });
  const facts = { name: "Core 1", until: "2030-01-01T00:00:00Z", perMinute: 500, kAnonymity: true, stealerLogs: false };
  expect(breaches.subscriptionOf("memory")).toEqual(facts);
  expect(breaches.subscriptionOf("other")).toBeUndefined();
});
