import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../src/notifications/ports.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { codeMail, email, HOUR, postOffice } from "./post_office.ts";
import { slowSender } from "./slow_sender.ts";

const ALICE = "alice@breachbell.example";
const CAROL = "carol@else.example";
const down: Outcome = { kind: "retry", scope: "channel", reason: "connection refused" };

async function withAlert(overrides: Parameters<typeof postOffice>[0] = {}) {
  const post = postOffice(overrides);
  post.watch("home", "alice@home.example", [email(ALICE)]);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  return post;
}

describe("deliverDue()", () => {
  test("sends codes before confirmations, alerts and reports", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE), email(CAROL)]);
    await post.onBaselineReady({
      type: "breaches.baselineReady",
      associationId: "home",
      accountId: "alice",
      alertIds: [],
    });
    for (let n = 0; n < 20; n++)
      await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(`a${n}`, "home")] });
    post.advance(1);
    await post.onMailRequested(codeMail("123456"));
    await post.deliverDue();
    const kinds = post.sender.sent.map(({ content }) => content.subject);
    expect(kinds.slice(0, 3)).toEqual([
      "Your Breachbell code",
      "Would you like alerts about data breaches?",
      "Data breach: Adobe",
    ]);
    expect(kinds).toHaveLength(23);
    expect(kinds.slice(0, 5)).not.toContain("First check: nothing found");
  });

  test("sends a code that arrives while slow alerts are in progress", async () => {
    const slow = slowSender();
    const post = postOffice({ senders: { email: slow.sender } });
    post.watch("home", "alice@home.example", [email(ALICE)]);
    await post.raiseEach(["a1", "a2"].map((id) => post.found(id, "home")));
    const done = post.deliverDue();
    await slow.until(2);
    await post.onMailRequested(codeMail("123456"));
    post.lookAgain();
    await slow.until(3);
    expect(slow.waiting[2]?.message.content.code?.value).toBe("123456");
    for (const { answer } of slow.waiting) answer({ kind: "delivered" });
    expect(await done).toBe(3);
  });

  test("sends five at first, and many once one was delivered", async () => {
    const slow = slowSender();
    const post = postOffice({ senders: { email: slow.sender } });
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const ids = Array.from({ length: 40 }, (_, n) => `a${n}`);
    await post.raiseEach(ids.map((id) => post.found(id, "home")));
    const done = post.deliverDue();
    await slow.until(5);
    expect(slow.waiting).toHaveLength(5);
    slow.waiting[0]?.answer({ kind: "delivered" });
    await slow.until(40);
    for (const { answer } of slow.waiting) answer({ kind: "delivered" });
    expect(await done).toBe(40);
  });

  test("gives up a sender that does not end its send by itself, as in doubt", async () => {
    const post = await withAlert({ senders: { email: { ...slowSender().sender, deadlineMs: 5 } } });
    await post.deliverDue();
    const row = await post.deliveryOf("alert:a1");
    expect(row).toMatchObject({ state: "due", reason: "retry", inDoubt: true });
    expect(await post.attemptsOf(row.id)).toMatchObject([{ outcome: "retry", detail: "no answer in time" }]);
  });

  test("pauses a channel that keeps failing, probes it with one message, and recovers", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const ids = Array.from({ length: 12 }, (_, n) => `a${n}`);
    await post.raiseEach(ids.map((id) => post.found(id, "home")));
    post.sender.answer(...Array<Outcome>(6).fill(down));
    expect(await post.deliverDue()).toBe(5);
    expect(await post.deliverDue()).toBe(0);
    expect(post.reports.map(String)).toEqual([expect.stringContaining("Sending is paused")]);
    post.advance(30_000);
    expect(await post.deliverDue()).toBe(1);
    post.advance(60_000);
    expect(await post.deliverDue()).toBe(12);
    post.advance(HOUR);
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(12);
  });

  test("claims nothing new after stopDelivering(), which waits for what is in progress", async () => {
    const slow = slowSender();
    const post = await withAlert({ senders: { email: slow.sender } });
    void post.deliverDue();
    await slow.until(1);
    const stopped = post.stopDelivering();
    await post.onMailRequested(codeMail("123456"));
    slow.waiting[0]?.answer({ kind: "delivered" });
    await stopped;
    expect(await post.deliverDue()).toBe(0);
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "sent" });
    expect((await post.backlog()).due).toBe(1);
  });

  test("releases unfinished messages as in doubt for another process when stopDelivering() times out", async () => {
    const slow = slowSender();
    const post = await withAlert({ senders: { email: slow.sender } });
    void post.deliverDue();
    await slow.until(1);
    await post.stopDelivering(1);
    const left = { state: "due", inDoubt: true, leaseToken: undefined };
    expect(await post.deliveryOf("alert:a1")).toMatchObject(left);
    const other = post.anotherWorker();
    void other.deliverDue();
    await slow.until(2);
    slow.waiting[0]?.answer({ kind: "delivered" });
    slow.waiting[1]?.answer({ kind: "delivered" });
    await other.stopDelivering();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "sent", inDoubt: true });
  });
});

describe("two workers", () => {
  test("never send a message twice between them", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const ids = Array.from({ length: 60 }, (_, n) => `a${n}`);
    await post.raiseEach(ids.map((id) => post.found(id, "home")));
    const other = post.anotherWorker();
    const taken = await Promise.all([post.deliverDue(), other.deliverDue()]);
    expect(taken[0] + taken[1]).toBe(60);
    expect(new Set(post.sender.sent.map(({ messageId }) => messageId)).size).toBe(60);
    expect(post.sender.sent).toHaveLength(60);
  });

  test("take over after the lease expires, as in doubt; the late worker changes nothing", async () => {
    const slow = slowSender();
    const post = await withAlert({ senders: { email: slow.sender } });
    const late = post.deliverDue();
    await slow.until(1);

    const second = memorySender();
    const other = post.anotherWorker({ senders: { email: second } });
    post.advance(49_000);
    expect(await other.deliverDue()).toBe(0);
    post.advance(2000);
    expect(await other.deliverDue()).toBe(1);
    const row = await post.deliveryOf("alert:a1");
    expect(row).toMatchObject({ state: "sent", inDoubt: true });

    slow.waiting[0]?.answer({ kind: "dead", cause: "recipient", reason: "550" });
    await late;
    expect(await post.deliveryOf("alert:a1")).toEqual(row);
    expect(slow.waiting[0]?.message.messageId).toBe(second.sent[0]?.messageId ?? "");
    expect((await post.attemptsOf(row.id)).map(({ outcome }) => outcome)).toEqual([undefined, "delivered"]);
  });

  test("retry messages that two of them died with one at a time, without a pause", async () => {
    const slow = slowSender();
    const post = postOffice({ senders: { email: slow.sender } });
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const ids = Array.from({ length: 4 }, (_, n) => `a${n}`);
    await post.raiseEach(ids.map((id) => post.found(id, "home")));
    for (let claims = 0; claims < 2; claims++)
      await post.deps.transaction(async ({ deliveries }) => {
        await deliveries.reclaimExpired(post.deps.now());
        await deliveries.claimDue(["email"], 5, post.deps.now(), new Date(post.deps.now().getTime() - 1));
      });
    // Without advancing the clock.
    const done = post.deliverDue();
    for (let n = 0; n < 4; n++) {
      await slow.until(n + 1);
      expect(slow.waiting).toHaveLength(n + 1);
      slow.waiting[n]?.answer({ kind: "delivered" });
    }
    expect(await done).toBe(4);
    expect(await post.backlog()).toMatchObject({ due: 0, held: 0, inDoubt: 4 });
  });

  test("park a row that crashes every worker", async () => {
    const post = await withAlert();
    for (let claims = 0; claims < 5; claims++) {
      await post.deps.transaction(async ({ deliveries }) => {
        await deliveries.reclaimExpired(post.deps.now());
        await deliveries.claimDue(["email"], 1, post.deps.now(), new Date(post.deps.now().getTime() + 1));
      });
      post.advance(1000);
    }
    await post.deliverDue();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "held", reason: "crash_loop" });
    expect(post.reports).toHaveLength(1);
    expect(await post.releaseHeld("crash_loop")).toBe(1);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
  });
});
