import { describe, expect, test } from "bun:test";
import type { Composition } from "../src/compose.ts";
import { memoryBreaches } from "./memory/breaches/store.ts";
import { aBreach } from "./support/builders.ts";
import { DAY, HOUR, MINUTE } from "./support/clock.ts";
import { Death, momentOf, mortal } from "./support/mortal.ts";
import { type Ground, memoryGround, type Step, settle, signedUp, worldOn } from "./support/world.ts";

const ALICE = "alice@example.com";
const OLD = aBreach({ name: "Old", title: "Old Shop", addedDate: "2020-01-01T00:00:00Z" });
const NEW = aBreach({ name: "New", title: "New Shop", addedDate: "2026-11-20T11:00:00Z" });

const subjects = ({ sender }: Ground) => sender.sent.map(({ content }) => content.subject);
const about = ({ sender }: Ground, title: string) =>
  sender.sent.filter(({ content }) => JSON.stringify(content).includes(title));

async function tracking(ground: Ground) {
  ground.feed.publish(OLD);
  ground.feed.expose(ALICE, "Old");
  const world = worldOn(ground);
  await world.breaches.pollCatalogue();
  const call = await signedUp(world, ALICE);
  const tracked = await call("POST", "/api/associations", {
    address: ALICE,
    owner: true,
    language: "en",
    contacts: { email: [ALICE] },
  });
  expect(tracked.status).toBe(201);
  await settle(world);
  return { world, call };
}

async function statusOf(call: Awaited<ReturnType<typeof signedUp>>) {
  const { items } = (await (await call("GET", "/api/associations")).json()) as {
    items: { status: string; pendingAlerts: number }[];
  };
  return items[0];
}

describe("The flow from a published breach to a message", () => {
  test("the first check gives one report, a later breach its own alert, and handling all makes the address safe", async () => {
    const ground = memoryGround();
    const { world, call } = await tracking(ground);
    expect(about(ground, "Old Shop")).toHaveLength(1);
    expect(await statusOf(call)).toMatchObject({ status: "breached", pendingAlerts: 1 });

    ground.feed.publish(NEW);
    ground.feed.expose(ALICE, "New");
    ground.clock.pass(HOUR);
    await world.breaches.pollCatalogue();
    await settle(world);
    expect(about(ground, "New Shop")).toHaveLength(1);
    expect(about(ground, "Old Shop")).toHaveLength(1);

    const { items } = (await (await call("GET", "/api/alerts")).json()) as { items: { id: string; version: number }[] };
    expect(items).toHaveLength(2);
    for (const { id, version } of items)
      expect((await call("POST", `/api/alerts/${id}/handle`, { version })).status).toBe(200);
    await settle(world);
    expect(await statusOf(call)).toMatchObject({ status: "safe", pendingAlerts: 0 });
    expect(ground.errors).toEqual([]);
  });

  test("a failing source leaves the status unchanged, and the alert arrives when it recovers", async () => {
    const ground = memoryGround();
    const { world, call } = await tracking(ground);
    ground.feed.publish(NEW);
    ground.feed.expose(ALICE, "New");
    ground.feed.failNext("lookUp", { kind: "later", afterMs: HOUR, reason: "outage" });
    ground.clock.pass(HOUR);
    await world.breaches.pollCatalogue();
    await settle(world);
    expect(about(ground, "New Shop")).toHaveLength(0);
    expect(await statusOf(call)).toMatchObject({ status: "breached" });
    ground.clock.pass(2 * HOUR);
    await settle(world);
    expect(about(ground, "New Shop")).toHaveLength(1);
  });

  test("when the trial ends nothing is checked and the dashboard says so", async () => {
    const ground = memoryGround();
    const { world, call } = await tracking(ground);
    ground.clock.pass(14 * DAY);
    await world.billing.settleDue();
    await settle(world);
    // Two weeks without a visit ended the session, too.
    expect((await call("GET", "/api/associations")).status).toBe(401);
    ground.feed.publish(NEW);
    ground.feed.expose(ALICE, "New");
    await world.breaches.pollCatalogue();
    await settle(world);
    expect(about(ground, "New Shop")).toHaveLength(0);
    expect(subjects(ground)).not.toContain("");
  });
});

describe("Events about one association", () => {
  test("keep their order when a subscriber fails: a resumed association is monitored in the end", async () => {
    const ground = memoryGround();
    const { world } = await tracking(ground);
    const [{ accountId, associationId } = { accountId: "", associationId: "" }] = await ground.transactionOf(
      memoryBreaches,
    )(({ watches }) => watches.listActive([ALICE]));
    const about = { accountId, associationId, address: ALICE };
    await ground.transactionOf(memoryBreaches)(async ({ events }) => {
      await events.publish({ type: "tracking.monitoringSuspended", reason: "plan", ...about });
      await events.publish({ type: "tracking.monitoringResumed", reason: "plan", ...about });
    });
    let failures = 0;
    const failingOnce: Step = (work) => {
      // The first step was the claim, the second is the first subscriber's.
      if (failures++ === 1) return Promise.reject(new Error("The database is away"));
      return work();
    };
    await settle(worldOn(ground, failingOnce));
    ground.clock.pass(MINUTE);
    await settle(world);
    const active = await ground.transactionOf(memoryBreaches)(({ watches }) => watches.listActive([ALICE]));
    expect(active).toHaveLength(1);
  });
});

/** From the published breach to the sent message, in one run of a process. */
async function publishAndDeliver(world: Composition): Promise<void> {
  await world.breaches.pollCatalogue();
  await settle(world);
}

describe("A crash between any two steps", () => {
  test("loses no alert, and duplicates a message only if the provider's response was lost", async () => {
    const ground = memoryGround();
    const { call } = await tracking(ground);
    const calm = momentOf(ground);
    /** The same state each time: the new breach is published, and not yet processed. */
    function again(): void {
      calm();
      ground.clock.pass(HOUR);
    }
    ground.feed.publish(NEW);
    ground.feed.expose(ALICE, "New");
    again();
    const counter = mortal(Number.POSITIVE_INFINITY, "before");
    await publishAndDeliver(worldOn(ground, counter.step));
    expect(about(ground, "New Shop")).toHaveLength(1);
    expect(counter.steps()).toBeGreaterThan(15);

    let doubles = 0;
    for (const when of ["before", "after"] as const) {
      for (let at = 0; at < counter.steps(); at++) {
        again();
        await publishAndDeliver(worldOn(ground, mortal(at, when).step)).catch((error) => {
          if (!(error instanceof Death)) throw error;
        });
        // The next process: once immediately, and again when the dead one's leases have expired.
        const next = worldOn(ground);
        for (let round = 0; round < 3; round++) {
          await publishAndDeliver(next);
          ground.clock.pass(10 * MINUTE);
        }
        const messages = about(ground, "New Shop");
        const where = `step ${at}, ${when}`;
        expect(messages.length, where).toBeGreaterThanOrEqual(1);
        expect(new Set(messages.map(({ messageId }) => messageId)).size, where).toBe(1);
        if (messages.length > 1) {
          doubles += 1;
          const inDoubt = (await next.notifications.backlog()).inDoubt;
          expect(inDoubt, where).toBe(1);
        }
        const { total } = (await (await call("GET", "/api/alerts")).json()) as { total: number };
        expect(total, where).toBe(2);
        expect(await statusOf(call), where).toMatchObject({ status: "breached", pendingAlerts: 2 });
      }
    }
    // Only a crash between acceptance and its record can duplicate a message.
    expect(doubles).toBeLessThanOrEqual(2);
    expect(doubles).toBeGreaterThan(0);
  });
});
