import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/events/catalogue.ts";
import { SECOND } from "../support/clock.ts";
import { deletion, eventWorld, subscriber } from "./event_world.ts";

const mail = (to: string): Event => ({
  type: "mail.requested",
  to,
  language: "en",
  template: "account_deleted",
  params: {},
});

describe("drain()", () => {
  test("reports an event once it is handled", async () => {
    const seen: [Event["type"], string[]][] = [];
    const tracking = subscriber();
    const { publish, dispatcher } = eventWorld(() => ({ "identity.deleted": { tracking: tracking.handle } }));
    dispatcher.onHandled((type) => void seen.push([type, [...tracking.got]]));
    await publish(deletion("alice"), deletion("bob"));
    await dispatcher.drain();
    expect(seen).toEqual([
      ["identity.deleted", ["alice"]],
      ["identity.deleted", ["alice", "bob"]],
    ]);
  });

  test("delivers mails in parallel and before everything else, and a failing one delays no other", async () => {
    const order: string[] = [];
    const { clock, publish, dispatcher, waiting } = eventWorld(() => ({
      "identity.deleted": { tracking: async ({ accountId }) => order.push(accountId) },
      "mail.requested": {
        notifications: async ({ to }) => {
          order.push(to);
          // The first one does not finish until the second has arrived.
          for (let turn = 0; turn < 20; turn++) await Promise.resolve();
          if (to === "bob@example.com" && order.filter((one) => one === to).length === 1) throw new Error("Not now");
          order.push(`${to} done`);
        },
      },
    }));
    await publish(deletion("alice"), mail("bob@example.com"), mail("charlie@example.com"));
    await dispatcher.drain();
    expect(order).toEqual(["bob@example.com", "charlie@example.com", "charlie@example.com done", "alice"]);
    expect(await waiting()).toBe(1);
    clock.pass(2 * SECOND);
    await dispatcher.drain();
    expect(order.slice(4)).toEqual(["bob@example.com", "bob@example.com done"]);
    expect(await waiting()).toBe(0);
  });
});
