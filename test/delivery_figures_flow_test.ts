import { describe, expect, test } from "bun:test";
import type { NotificationStore } from "../src/notifications/ports.ts";
import { BOUNDS_MS, type Histogram } from "../src/notifications/reporting/latency.ts";
import { memoryNotifications } from "./memory/notifications/store.ts";
import { aBreach } from "./support/builders.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./support/clock.ts";
import { Death, mortal } from "./support/mortal.ts";
import { type Ground, memoryGround, type Step, settle, signedUp, worldOn } from "./support/world.ts";

const ALICE = "alice@example.com";

/** All figures, including today's. */
async function tallies(ground: Ground) {
  const read = ground.transactionOf<NotificationStore>(memoryNotifications);
  const [day] = await read((store) => store.stats.list("2020-01-01", "2030-01-01"));
  const { accepted = 0, failed = 0, refused = 0, inDoubt = 0, latencies = [] } = day ?? {};
  return { accepted, failed, refused, inDoubt, timed: seconds(latencies) };
}

/** The bound of each message's bucket, in seconds. */
function seconds(histogram: Histogram): number[] {
  return histogram.flatMap((count, place) => Array.from({ length: count }, () => (BOUNDS_MS[place] ?? 0) / SECOND));
}

/** Alice tracks her address, and her first report has arrived. */
async function watching(ground: Ground) {
  const world = worldOn(ground);
  await world.breaches.pollCatalogue();
  const call = await signedUp(world, ALICE);
  const contacts = { email: [ALICE] };
  await call("POST", "/api/associations", { address: ALICE, owner: true, language: "en", contacts });
  await settle(world);
  return { world, call, before: await tallies(ground) };
}

function publish({ feed, clock }: Ground, name = "New", ms = HOUR) {
  feed.publish(aBreach({ name, addedDate: clock.now().toISOString() }));
  feed.expose(ALICE, name);
  clock.pass(ms);
}

async function detect(ground: Ground, step?: Step) {
  const world = worldOn(ground, step);
  await world.breaches.pollCatalogue();
  await world.breaches.scanDue();
  await world.dispatcher.drain();
  return world;
}

describe("Delivery figures", () => {
  test("measure an alert from detection to acceptance, and count codes and reports without a latency", async () => {
    const ground = memoryGround();
    const { before } = await watching(ground);
    // A log-in code and the report of the first check; other mails are counted in the same way.
    expect(before.accepted).toBeGreaterThanOrEqual(2);
    expect(before.timed).toEqual([]);
    publish(ground);
    const world = await detect(ground);
    ground.clock.pass(40 * SECOND);
    await settle(world);
    expect(await tallies(ground)).toEqual({ ...before, accepted: before.accepted + 1, timed: [45] });
  });

  test("attribute retries and pauses of a channel to us", async () => {
    const ground = memoryGround();
    const { before, world } = await watching(ground);
    publish(ground);
    await detect(ground);
    ground.sender.answer({ kind: "retry", scope: "contact", reason: "greylisted" });
    await settle(world);
    expect(await tallies(ground)).toEqual(before);
    ground.clock.pass(5 * MINUTE);
    await settle(world);
    expect(await tallies(ground)).toEqual({ ...before, accepted: before.accepted + 1, timed: [5 * 60] });
  });

  test("start the clock at the end of quiet hours, as their recipient wants it", async () => {
    const ground = memoryGround();
    const { call, world, before } = await watching(ground);
    const { items } = (await (await call("GET", "/api/contacts")).json()) as { items: { id: string }[] };
    const quiet = { quiet: { from: "12:00", to: "20:00" }, zone: "UTC" };
    const settings = {
      discreet: false,
      language: null,
      digestBelow: null,
      digestHour: 8,
      device: null,
      emergency: false,
    };
    const saved = await call("PUT", `/api/contacts/${items[0]?.id}/settings`, { ...settings, ...quiet });
    expect(saved.status).toBe(200);
    publish(ground);
    await detect(ground);
    await settle(world);
    expect(await tallies(ground)).toEqual(before);
    ground.clock.set("2026-11-20T20:00:20.000Z");
    await world.notifications.gatherDue();
    await settle(world);
    expect(await tallies(ground)).toEqual({ ...before, accepted: before.accepted + 1, timed: [20] });
  });

  test("exclude test messages and drills", async () => {
    const ground = memoryGround();
    const { call, world, before } = await watching(ground);
    const listed = (await (await call("GET", "/api/associations")).json()) as { items: { id: string }[] };
    expect((await call("POST", "/api/fire-drill", { associationId: listed.items[0]?.id })).status).toBe(201);
    await settle(world);
    expect(ground.sender.sent.at(-1)?.content.subject).toContain("Fire drill");
    expect(await tallies(ground)).toEqual(before);
    const { items } = (await (await call("GET", "/api/contacts")).json()) as { items: { id: string }[] };
    const tested = await call("POST", "/api/test-alerts", { contactIds: items.map(({ id }) => id) });
    expect(tested.ok).toBe(true);
    await settle(world);
    expect(await tallies(ground)).toEqual(before);
  });

  test("count a code that could not be sent in time as a failure", async () => {
    const ground = memoryGround();
    const { world, before } = await watching(ground);
    const outage = { kind: "retry", scope: "channel", reason: "no connection", afterMs: HOUR } as const;
    ground.sender.answer(outage);
    const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
    const body = JSON.stringify({ email: ALICE, password: "Tranquil-Harbour-42" });
    await world.app.request("/api/login", { method: "POST", headers, body });
    await settle(world);
    ground.clock.pass(2 * HOUR);
    await settle(world);
    expect(await tallies(ground)).toEqual({ ...before, failed: before.failed + 1 });
  });

  test("are published for past days, and are kept when the account and its messages are deleted", async () => {
    const ground = memoryGround();
    const { world, call } = await watching(ground);
    for (let number = 0; number < 12; number += 1) {
      publish(ground, `Shop${number}`, 10 * MINUTE);
      await settle(await detect(ground));
    }
    expect((await world.notifications.deliveryFigures()).medianSeconds).toBeNull();
    const gone = await call("POST", "/api/profile/delete", { password: "Tranquil-Harbour-42" });
    expect(gone.status).toBe(200);
    await settle(world);
    ground.clock.pass(DAY + HOUR);
    const figures = await world.notifications.deliveryFigures();
    expect(figures.channels).toMatchObject([
      { channel: "email", successPercent: 100, days: [{ successPercent: 100 }] },
    ]);
    expect(figures.days).toEqual([{ day: expect.any(String), medianSeconds: 1, p95Seconds: 1 }]);
    ground.clock.pass(92 * DAY);
    expect(await world.notifications.forgetOldFigures()).toBeGreaterThan(0);
    expect((await world.notifications.deliveryFigures()).channels).toEqual([
      { channel: "email", successPercent: null, days: [] },
    ]);
  });
});

describe("A crash between any two steps", () => {
  test("leaves every message counted exactly once", async () => {
    const deliver = async (ground: Ground, step?: Step) => settle(await detect(ground, step));
    const ground = memoryGround();
    const { before } = await watching(ground);
    publish(ground);
    const [restore, start] = [ground.snapshot(), ground.clock.now()];
    const counter = mortal(Number.POSITIVE_INFINITY, "before");
    await deliver(ground, counter.step);
    const [steps, wanted] = [counter.steps(), { accepted: before.accepted + 1, failed: 0, timed: 1 }];
    expect(steps).toBeGreaterThan(15);
    for (const when of ["before", "after"] as const) {
      for (let at = 0; at < steps; at += 1) {
        restore();
        ground.clock.set(start);
        await deliver(ground, mortal(at, when).step).catch((error) => {
          if (!(error instanceof Death)) throw error;
        });
        for (let life = 0; life < 2; life += 1) {
          await deliver(ground);
          ground.clock.pass(10 * MINUTE);
        }
        const { accepted, failed, inDoubt, timed } = await tallies(ground);
        const where = `step ${at}, ${when}`;
        expect({ accepted, failed, timed: timed.length }, where).toEqual(wanted);
        expect(inDoubt, where).toBe((await worldOn(ground).notifications.backlog()).inDoubt);
      }
    }
  }, 60_000);
});
