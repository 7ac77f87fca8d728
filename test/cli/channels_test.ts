import { afterEach, describe, expect, test } from "bun:test";
import type { Database } from "../../src/database/postgres.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Outcome } from "../../src/notifications/ports.ts";
import { adobe, canva } from "../support/breaches.ts";
import { emptyPglite } from "../support/postgres.ts";
import { settle, signedUp } from "../support/world.ts";
import { bench, closeAll, findings } from "./doctor_bench.ts";
import { openedOffice } from "./office.ts";

afterEach(closeAll);

const ADA = "ada@breachbell.example";
const wrongKey: Outcome = { kind: "misconfigured", scope: "channel", reason: "EAUTH AUTH PLAIN 535 <x@y.example> no" };
const policy: Outcome = {
  kind: "misconfigured",
  scope: "recipient",
  reason: `554 5.7.1 <${ADA}>: Relay access denied`,
};

/** Ada is in a breach while the mail server answers so. */
async function withAnswer(answer: Outcome) {
  const opened = openedOffice();
  const { product, ground, type } = opened;
  ground.feed.publish(adobe);
  await product.breaches.syncCatalogue();
  const call = await signedUp(product, ADA);
  const tracking = { address: ADA, owner: true, language: "en", contacts: { email: [ADA] } };
  expect((await call("POST", "/api/associations", tracking)).ok).toBe(true);
  await settle(product);
  ground.sender.answer(answer);
  ground.feed.publish(adobe, canva);
  ground.feed.expose(ADA, "Canva");
  await type("catalogue", "sync");
  await settle(product);
  const sent = () => ground.sender.sent.filter(({ content }) => content.subject.includes("Canva")).length;
  return { ...opened, sent };
}

describe("channels", () => {
  test("tells what keeps a channel from sending, without addresses; resume sends what it holds at once", async () => {
    const { type, product, sent, acts } = await withAnswer(wrongKey);
    const { channels } = (await type("channels")).data as { channels: unknown[] };
    expect(channels[0]).toEqual({
      channel: "email",
      state: "resting",
      pausedUntil: expect.any(String),
      held: 1,
      trouble: "EAUTH AUTH PLAIN 535 … no",
    });
    await product.notifications.deliverDue();
    expect(sent()).toBe(0);
    expect((await type("channels", "resume")).data).toMatchObject({ count: 1 });
    await product.notifications.deliverDue();
    expect(sent()).toBe(1);
    expect((await type("channels")).data).toMatchObject({ channels: [{ state: "well", held: 0, trouble: null }] });
    expect(await acts()).toContain("command_line: message_released");
  });

  test("resume also tries at once what a refusal has put off, of the named channel only", async () => {
    const { type, product, sent } = await withAnswer(policy);
    expect((await type("channels", "resume", "telegram")).data).toEqual({ channels: ["telegram"], count: 0 });
    await product.notifications.deliverDue();
    expect(sent()).toBe(0);
    expect((await type("channels", "resume", "email")).data).toMatchObject({ channels: ["email"], count: 1 });
    await product.notifications.deliverDue();
    expect(sent()).toBe(1);
  });
});

describe("doctor's look at channels", () => {
  test("names each that rests, with the cause and how to go on", async () => {
    const database = await emptyPglite();
    const plain = database.transactionOf((tx: Database) => tx);
    const room = bench({}, { database: async () => plain });
    expect((await findings("channels", room)).list).toEqual(["ok: None is paused after failures"]);
    await database.transactionOf(postgresNotifications)(async ({ channels }) => {
      await channels.countFailure("telegram", "a single one");
      await channels.countFailure("email", "535 wrong password", 5);
      await channels.pause("email", new Date());
    });
    const { code, list, all } = await findings("channels", room);
    expect([code, list]).toEqual([
      1,
      ["fail: email is paused after 5 failures: 535 wrong password; 0 messages held back"],
    ]);
    expect(all[0]?.mend).toContain("breachbell channels resume");
  });

  test("is not known without a migrated database", async () => {
    expect((await findings("channels", bench())).list[0]).toStartWith("warn: Unknown");
  });
});
