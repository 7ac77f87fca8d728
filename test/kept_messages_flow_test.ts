import { describe, expect, test } from "bun:test";
import type { EventOf } from "../src/events/catalogue.ts";
import type { NotificationStore } from "../src/notifications/ports.ts";
import { memoryNotifications } from "./memory/notifications/store.ts";
import { aBreach } from "./support/builders.ts";
import { DAY, HOUR } from "./support/clock.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "./support/world.ts";

const ALICE = "alice@example.com";
const KEPT_DAYS = 90;

type Alerts = EventOf<"breaches.alertsRaised">;

/** Alice was told of a breach; `raised` is the event that announced it. */
async function toldOfABreach(messagesKeptDays?: number) {
  const ground = memoryGround();
  const world = composed(adaptersOn(ground), messagesKeptDays === undefined ? {} : { messagesKeptDays });
  await world.breaches.pollCatalogue();
  const call = await signedUp(world, ALICE);
  const contacts = { email: [ALICE] };
  await call("POST", "/api/associations", { address: ALICE, owner: true, language: "en", contacts });
  await settle(world);
  async function publish(name: string): Promise<Alerts> {
    ground.feed.publish(aBreach({ name, addedDate: ground.clock.now().toISOString() }));
    ground.feed.expose(ALICE, name);
    ground.clock.pass(HOUR);
    await world.breaches.pollCatalogue();
    await world.breaches.scanDue();
    const seen = await ground.outbox.claim(100, ground.clock.now(), 0);
    ground.clock.pass(HOUR);
    await settle(world);
    return seen.map(({ event }) => event).find((event) => event.type === "breaches.alertsRaised") as Alerts;
  }
  const raised = await publish("New");
  const store = ground.transactionOf<NotificationStore>(memoryNotifications);
  return {
    ...ground,
    world,
    raised,
    publishAgain: () => store(({ events }) => events.publish(raised)),
    subjects: () => ground.sender.sent.map(({ content }) => content.subject),
    publish,
    /** What the page of an alert shows about its messages. */
    async shown({ alerts: [alert] }: Alerts) {
      const listed = await world.notifications.listAlertDeliveries(alert?.accountId ?? "", alert?.alertId ?? "");
      if (!listed.ok) throw new Error("Cannot happen");
      return { ...listed.value, items: listed.value.items.map(({ state }) => state) };
    },
    figures: () => store((found) => found.stats.list("2020-01-01", "2030-01-01")),
  };
}

describe("Records of messages", () => {
  test("are kept as long as the account, unless it is set otherwise", async () => {
    const told = await toldOfABreach();
    told.clock.pass(1000 * DAY);
    expect(await told.world.notifications.forgetOldDeliveries()).toBe(0);
  });

  test("are removed after the days that are set; figures stay, and the page of the alert says so", async () => {
    const told = await toldOfABreach(KEPT_DAYS);
    const figures = await told.figures();
    told.clock.pass((KEPT_DAYS - 1) * DAY);
    expect(await told.world.notifications.forgetOldDeliveries()).toBe(0);
    const second = await told.publish("Later");
    told.clock.pass(2 * DAY);
    expect(await told.world.notifications.forgetOldDeliveries()).toBeGreaterThan(0);
    expect(await told.shown(told.raised)).toEqual({ items: [], removedAfterDays: KEPT_DAYS });
    expect(await told.shown(second)).toEqual({ items: ["accepted"] });
    expect(await told.figures()).toEqual(expect.arrayContaining(figures));
  });

  test("of the last message to a contact stay, however old it is", async () => {
    const told = await toldOfABreach(KEPT_DAYS);
    told.clock.pass(1000 * DAY);
    await told.world.notifications.forgetOldDeliveries();
    expect(await told.shown(told.raised)).toEqual({ items: ["accepted"] });
  });

  test("stay while an event of their time is unfinished, so that its repetition sends nothing again", async () => {
    const told = await toldOfABreach(KEPT_DAYS);
    await told.publish("Later");
    const sent = told.subjects();
    expect(sent).toContain("Data breach: New");
    // A process died between handling the event and removing it, and nothing ran since.
    await told.publishAgain();
    told.clock.pass((KEPT_DAYS + 10) * DAY);
    expect(await told.world.notifications.forgetOldDeliveries()).toBe(0);
    await told.world.dispatcher.drain();
    await told.world.notifications.deliverDue();
    expect(told.subjects()).toEqual(sent);
    expect(await told.world.notifications.forgetOldDeliveries()).toBeGreaterThan(0);
    await settle(told.world);
    expect(told.subjects()).toEqual(sent);
  });
});
