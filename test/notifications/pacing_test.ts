import { afterEach, describe, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { pacing } from "../../src/notifications/delivery/pacing.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";
import { content, messageTo, SERVER } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Processes on one database; a sleep lasts as long as asked, or longer by `late`. */
function processes(perSecond: number, late: () => number = () => 0) {
  const transaction = memoryDatabase().transactionOf(memoryNotifications);
  let time = Date.parse("2026-03-02T08:00:00Z");
  const sleepers: { until: number; wake: () => void }[] = [];
  const used: number[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => void sleepers.push({ until: time + ms + late(), wake }));
  const open = () => pacing({ transaction, now: () => new Date(time), sleep }, "email", perSecond);
  const send = async (pace: () => Promise<void>) => {
    await pace();
    used.push(time);
  };
  async function settle(): Promise<void> {
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
  /** Lets the clock run until all have been sent. */
  async function run(count: number): Promise<number[]> {
    for (await settle(); used.length < count; await settle()) {
      const next = sleepers.toSorted((one, other) => one.until - other.until)[0];
      if (!next) throw new Error("Nobody waits");
      sleepers.splice(sleepers.indexOf(next), 1);
      time = Math.max(time, next.until);
      next.wake();
    }
    return used;
  }
  return { open, send, run };
}

const mostInASecond = (times: number[]) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));

describe("pacing()", () => {
  test.each([1, 2, 4, 14, 100])("lets %i through in any second, over three processes", async (perSecond) => {
    const { open, send, run } = processes(perSecond);
    const paces = [open(), open(), open()];
    const count = Math.max(12, perSecond * 3);
    for (let number = 0; number < count; number++) void send(paces[number % 3] as () => Promise<void>);
    const times = await run(count);
    expect(mostInASecond(times)).toBeLessThanOrEqual(perSecond);
    // Hardly slower than allowed.
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
    expect(seconds).toBeLessThan(((count - 1) / perSecond) * 1.06 + 0.01);
  });

  test("lets no more through when processes wake late, by little or by much", async () => {
    let number = 0;
    const delays = [0, 49, 7, 800, 0, 50, 31, 0, 400, 12];
    const { open, send, run } = processes(4, () => delays[number++ % delays.length] ?? 0);
    const paces = [open(), open()];
    for (let mails = 0; mails < 40; mails++) void send(paces[mails % 2] as () => Promise<void>);
    expect(mostInASecond(await run(40))).toBeLessThanOrEqual(4);
  });
});

test("a mail waits for its slot on a connection that is ready, and codes go first", async () => {
  const peer = await startSmtpPeer();
  const slots: (() => void)[] = [];
  let asked = Promise.withResolvers<void>();
  const pace = () =>
    new Promise<void>((go) => {
      slots.push(go);
      asked.resolve();
    });
  const sender = smtpSender({ ...SERVER, url: peer.url, connections: 2, rate: { perSecond: 1, pace } });
  cleanUps.push(() => peer.close(), sender.close);
  expect(sender.limit?.current()).toEqual({ per: "second", most: 1 });
  const nextSlot = async () => {
    while (slots.length === 0) await asked.promise;
    asked = Promise.withResolvers();
    slots.shift()?.();
  };
  const to = (name: string) => messageTo(`${name}@home.example`, { deliveryId: crypto.randomUUID() });
  const alerts = ["a", "b"].map((name) => sender.send(to(name)));
  const code = { value: "012345", line: "012345" };
  const codes = ["c", "d"].map((name) => sender.send({ ...to(name), content: { ...content, code } }));
  while (slots.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect([peer.connections, peer.introductions]).toEqual([2, []]);
  for (let mails = 0; mails < 4; mails++) await nextSlot();
  expect((await Promise.all([...alerts, ...codes])).map(({ kind }) => kind)).toEqual(Array(4).fill("delivered"));
  expect(peer.received.map(({ to: [address = ""] }) => address[0]).at(-1)).toBe("b");
});
