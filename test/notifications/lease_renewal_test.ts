import { describe, expect, test } from "bun:test";
import type { NotificationStore } from "../../src/notifications/ports.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { codeMail, email, MINUTE, postOffice } from "./post_office.ts";
import { slowSender } from "./slow_sender.ts";

const SECOND = 1000;

/** Alice has alerts under way over a slow server. */
async function withSlowAlerts(count: number) {
  const slow = slowSender();
  const post = postOffice({ senders: { email: slow.sender } });
  post.watch("home", "alice@home.example", [email("alice@breachbell.example")]);
  await post.raiseEach(Array.from({ length: count }, (_, n) => post.found(`a${n}`, "home")));
  const done = post.deliverDue();
  await slow.until(count);
  return { post, slow, done };
}

/** Lets the loop notice that time has passed. */
async function tick({ post }: { post: ReturnType<typeof postOffice> }): Promise<void> {
  post.lookAgain();
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
}

describe("A message over a slow server", () => {
  test("is sent once, as its lease is renewed for as long as it takes", async () => {
    const { post, slow, done } = await withSlowAlerts(1);
    const second = memorySender();
    const other = post.anotherWorker({ senders: { email: second } });
    for (let minutes = 0; minutes < 10; minutes += 0.5) {
      post.advance(30 * SECOND);
      await tick({ post });
      expect(await other.deliverDue()).toBe(0);
    }
    slow.waiting[0]?.answer({ kind: "delivered" });
    await done;
    expect(await post.deliveryOf("alert:a0")).toMatchObject({ state: "sent", inDoubt: false });
    expect(second.sent).toEqual([]);
  });

  test("goes to another process soon after its own has died", async () => {
    const { post, slow } = await withSlowAlerts(1);
    post.advance(5 * MINUTE);
    await tick({ post });
    const second = memorySender();
    const other = post.anotherWorker({ senders: { email: second } });
    post.advance(50 * SECOND);
    expect(await other.deliverDue()).toBe(0);
    post.advance(SECOND);
    // The first one does nothing more.
    expect(await other.deliverDue()).toBe(1);
    expect(await post.deliveryOf("alert:a0")).toMatchObject({ state: "sent", inDoubt: true });
    slow.waiting[0]?.answer({ kind: "delivered" });
  });

  test("holds up no code, even while all places for other mails are taken", async () => {
    const { post, slow, done } = await withSlowAlerts(5);
    await post.onMailRequested(codeMail("123456"));
    await tick({ post });
    await slow.until(6);
    expect(slow.waiting[5]?.message.content.code?.value).toBe("123456");
    for (const { answer } of slow.waiting) answer({ kind: "delivered" });
    expect(await done).toBe(6);
  });

  test("takes none of the few places of a process that has not delivered anything yet", async () => {
    const { post, slow, done } = await withSlowAlerts(5);
    await post.raiseEach(Array.from({ length: 7 }, (_, n) => post.found(`b${n}`, "home")));
    await tick({ post });
    expect(slow.waiting).toHaveLength(5);
    post.advance(30 * SECOND);
    await tick({ post });
    await tick({ post });
    expect(slow.waiting).toHaveLength(10);
    for (const { answer } of slow.waiting) answer({ kind: "delivered" });
    await slow.until(12);
    for (const { answer } of slow.waiting) answer({ kind: "delivered" });
    expect(await done).toBe(12);
  });

  test("keeps its lease while the database fails, and holds up nothing thereafter", async () => {
    const { post, slow, done } = await withSlowAlerts(1);
    const { transaction } = post.deps;
    let isDown = true;
    post.deps.transaction = transaction;
    const failing = <T>(work: (store: NotificationStore) => Promise<T>) => {
      if (isDown) return Promise.reject(new Error("the database is down"));
      return transaction(work);
    };
    const worker = post.anotherWorker({ transaction: failing, senders: { email: slow.sender } });
    expect(worker.deliverDue()).rejects.toThrow("down");
    isDown = false;
    await post.onMailRequested(codeMail("123456"));
    void worker.deliverDue();
    await slow.until(2);
    for (const { answer } of slow.waiting) answer({ kind: "delivered" });
    await done;
  });
});
