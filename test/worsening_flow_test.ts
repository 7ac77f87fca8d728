import { describe, expect, test } from "bun:test";
import type { Composition } from "../src/compose.ts";
import type { BreachChange } from "../src/shared/breach_change.ts";
import { aBreach } from "./support/builders.ts";
import { HOUR, MINUTE } from "./support/clock.ts";
import { Death, momentOf, mortal } from "./support/mortal.ts";
import { type Ground, memoryGround, settle, signedUp, worldOn } from "./support/world.ts";

const ALICE = "alice@example.com";
const SHOP = aBreach({ name: "Shop", title: "Old Shop", dataClasses: ["Email addresses"] });
const GRAVER = { ...SHOP, dataClasses: ["Email addresses", "Passwords"] };
const SUBJECT = "Now more serious: Old Shop";

type Call = Awaited<ReturnType<typeof signedUp>>;
type Seen = { id: string; version: number; state: string; worsenedAt: string | null; reason: string | null };
type Detail = Seen & { changes: BreachChange[] };

const worseMails = ({ sender }: Ground) => sender.sent.filter(({ content }) => content.subject === SUBJECT);

async function alertOf(call: Call): Promise<Detail> {
  const { items } = (await (await call("GET", "/api/alerts")).json()) as { items: Seen[] };
  return (await (await call("GET", `/api/alerts/${items[0]?.id}`)).json()) as Detail;
}

async function statusOf(call: Call) {
  const { items } = (await (await call("GET", "/api/associations")).json()) as { items: unknown[] };
  return items[0];
}

/**
 * Alice tracks her address, found in the shop's breach, and has handled that; then the shop's breach turns out worse.
 */
async function handledThenWorse(ground: Ground) {
  ground.feed.publish(SHOP);
  ground.feed.expose(ALICE, "Shop");
  const world = worldOn(ground);
  await world.breaches.pollCatalogue();
  const call = await signedUp(world, ALICE);
  const about = { address: ALICE, owner: true, language: "en", contacts: { email: [ALICE] } };
  expect((await call("POST", "/api/associations", about)).status).toBe(201);
  await settle(world);
  const { id, version } = await alertOf(call);
  const handled = await call("POST", `/api/alerts/${id}/handle`, { version, reason: "steps_done", note: "Done" });
  expect(handled.status).toBe(200);
  await settle(world);
  expect(await statusOf(call)).toMatchObject({ status: "safe", pendingAlerts: 0 });
  ground.feed.publish(GRAVER, aBreach({ name: "New", addedDate: "2026-11-20T11:00:00Z" }));
  ground.clock.pass(HOUR);
  return { world, call };
}

/** From the catalogue to the message, in one run of a process. */
async function live(world: Composition): Promise<void> {
  await world.breaches.pollCatalogue();
  await settle(world);
}

describe("The flow from a breach that became worse to a message", () => {
  test("reopens what was handled, announces it once, and shows what changed and when", async () => {
    const ground = memoryGround();
    const { world, call } = await handledThenWorse(ground);
    const seen = ground.clock.now().toISOString();
    await world.breaches.pollCatalogue();
    await settle(world);
    expect(worseMails(ground).map(({ to }) => to.value)).toEqual([ALICE]);
    expect(JSON.stringify(worseMails(ground)[0]?.content)).toContain("Passwords");
    expect(await statusOf(call)).toMatchObject({ status: "breached", pendingAlerts: 1 });
    expect(await alertOf(call)).toMatchObject({
      state: "pending",
      reason: null,
      note: null,
      worsenedAt: seen,
      version: 3,
      changes: [{ at: seen, addedClasses: ["Passwords"], removedClasses: [], retired: null, worse: true }],
    });
    const [change] = (await alertOf(call)).changes;
    expect(Object.keys(change ?? {})).not.toContain("breachName");
    ground.clock.pass(HOUR);
    await live(worldOn(ground));
    expect(worseMails(ground)).toHaveLength(1);
    expect(ground.errors).toEqual([]);
  });

  test("loses nothing in two tabs: handling an outdated version is refused", async () => {
    const ground = memoryGround();
    const { world, call } = await handledThenWorse(ground);
    const { id, version } = await alertOf(call);
    await world.breaches.pollCatalogue();
    await settle(world);
    expect((await call("POST", `/api/alerts/${id}/handle`, { version })).status).toBe(409);
    expect((await call("POST", `/api/alerts/${id}/handle`, { version: version + 1 })).status).toBe(200);
  });

  test("announces once when several processes detect it concurrently", async () => {
    const ground = memoryGround();
    await handledThenWorse(ground);
    const worlds = [worldOn(ground), worldOn(ground), worldOn(ground)];
    await Promise.all(worlds.map((one) => one.breaches.syncCatalogue()));
    await Promise.all(worlds.map((one) => one.breaches.tellChanges()));
    await Promise.all(worlds.map(settle));
    expect(worseMails(ground)).toHaveLength(1);
  });
});

describe("A crash between any two steps", () => {
  test("loses no worsened breach, and duplicates only what is in doubt", async () => {
    const ground = memoryGround();
    const { call } = await handledThenWorse(ground);
    // The same state each time: the shop's breach is known to be worse, and not yet processed.
    const again = momentOf(ground);
    const counter = mortal(Number.POSITIVE_INFINITY, "before");
    await live(worldOn(ground, counter.step));
    expect(worseMails(ground)).toHaveLength(1);
    expect(counter.steps()).toBeGreaterThan(15);

    let doubles = 0;
    for (const when of ["before", "after"] as const) {
      for (let at = 0; at < counter.steps(); at++) {
        again();
        await live(worldOn(ground, mortal(at, when).step)).catch((error) => {
          if (!(error instanceof Death)) throw error;
        });
        const next = worldOn(ground);
        for (let round = 0; round < 3; round++) {
          await live(next);
          ground.clock.pass(10 * MINUTE);
        }
        const where = `step ${at}, ${when}`;
        const mails = worseMails(ground);
        expect(mails.length, where).toBeGreaterThanOrEqual(1);
        expect(new Set(mails.map(({ messageId }) => messageId)).size, where).toBe(1);
        if (mails.length > 1) {
          doubles += 1;
          expect((await next.notifications.backlog()).inDoubt, where).toBe(1);
        }
        const alert = await alertOf(call);
        expect(alert, where).toMatchObject({ state: "pending", version: 3, reason: null });
        expect(alert.changes, where).toHaveLength(1);
        expect(await statusOf(call), where).toMatchObject({ status: "breached", pendingAlerts: 1 });
      }
    }
    // Only a crash between acceptance and its record can duplicate a message.
    expect(doubles).toBeGreaterThan(0);
    expect(doubles).toBeLessThanOrEqual(2);
  });
});
