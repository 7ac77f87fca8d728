import { describe, expect, test } from "bun:test";
import { memorySender } from "../../src/notifications/adapters/memory.ts";
import { retryDelay } from "../../src/notifications/delivery.ts";
import type { Message, MessageSender, Outcome } from "../../src/notifications/ports.ts";
import { codeMail, DAY, email, HOUR, MINUTE, postOffice } from "./post_office.ts";

const ALICE = "alice@breachbell.example";
const CAROL = "carol@else.example";
const temporary: Outcome = { kind: "retry", scope: "contact", reason: "451 greylisted" };
const down: Outcome = { kind: "retry", scope: "channel", reason: "connection refused" };
const refusal: Outcome = { kind: "dead", cause: "recipient", reason: "550 no such user" };
const wrongKey: Outcome = { kind: "misconfigured", reason: "535 wrong password" };

async function withAlert(overrides: Parameters<typeof postOffice>[0] = {}, contacts = [email(ALICE)]) {
  const post = postOffice(overrides);
  post.watch("home", "alice@home.example", contacts);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  return post;
}

/** Alice's alert goes to Carol, who has confirmed. */
async function toCarol() {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email(CAROL)]);
  await post.onContactsChanged({ type: "tracking.contactsChanged", associationId: "home", accountId: "alice", language: "en", contacts: [email(CAROL)] });
  await post.deliverDue();
  await post.confirm(post.linkToken(CAROL));
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  return post;
}

/** A sender that answers only when it is told to. */
function slowSender() {
  const waiting: { message: Message; answer: (outcome: Outcome) => void }[] = [];
  let arrived = () => {};
  const sender: MessageSender = {
    channel: "email",
    send: (message) =>
      new Promise((answer) => {
        waiting.push({ message, answer });
        arrived();
      }),
  };
  return {
    sender,
    waiting,
    async until(count: number): Promise<void> {
      while (waiting.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
  };
}

describe("deliverDue()", () => {
  test("tries again by the schedule and gives up visibly after 72 hours", async () => {
    const post = await withAlert();
    post.sender.answer(...Array<Outcome>(40).fill(temporary));
    const delays: number[] = [];
    for (let tries = 0; tries < 40; tries++) {
      await post.deliverDue();
      const row = await post.deliveryOf("alert:a1");
      if (row.state !== "due") break;
      const delay = row.runAt.getTime() - post.deps.now().getTime();
      delays.push(delay / MINUTE);
      post.advance(delay);
    }
    expect(delays.slice(0, 7)).toEqual([0.5, 2, 10, 30, 120, 360, 360]);
    expect(delays).toHaveLength(17);
    const row = await post.deliveryOf("alert:a1");
    expect(row).toMatchObject({ state: "dead", reason: "gave_up", attempts: 18 });
    expect(await post.attemptsOf(row.id)).toHaveLength(18);
    expect(await post.contactStates("alice")).toMatchObject([{ state: "active" }]);
  });

  test("does as the provider says about when to come back", async () => {
    const post = await withAlert();
    post.sender.answer({ ...temporary, kind: "retry", scope: "contact", reason: "429", afterMs: 5 * MINUTE });
    await post.deliverDue();
    expect((await post.deliveryOf("alert:a1")).runAt).toEqual(new Date(post.deps.now().getTime() + 5 * MINUTE));
  });

  test("keeps retries between a second and the schedule, and Retry-After between a second and an hour", () => {
    expect(retryDelay(0, undefined, 0)).toBe(1000);
    expect(retryDelay(1, undefined, 0.5)).toBe(MINUTE);
    expect(retryDelay(99, undefined, 1)).toBe(6 * HOUR);
    expect([-5, 0, 10, 1e12].map((afterMs) => retryDelay(0, afterMs, 1))).toEqual([1000, 1000, 1000, HOUR]);
  });

  test("tries a refusing contact once more the next day before it is broken, and tells the account meanwhile", async () => {
    const post = await toCarol();
    post.sender.answer(refusal);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([CAROL, ALICE]);
    const [first] = await post.deliveriesOf("alert:a1");
    expect(first).toMatchObject({ state: "due", reason: "refused" });

    post.advance(DAY);
    post.sender.answer(refusal);
    await post.deliverDue();
    expect((await post.deliveriesOf("alert:a1")).map(({ recipient, state, reason }) => [recipient.value, state, reason])).toEqual([
      [CAROL, "dead", "refused"],
      [ALICE, "sent", undefined],
    ]);
    expect(await post.contactStates("alice")).toContainEqual({ channel: "email", value: CAROL, state: "broken" });

    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a2", "home")] });
    await post.deliverDue();
    expect((await post.deliveriesOf("alert:a2")).map(({ recipient, state, reason }) => [recipient.value, state, reason])).toEqual([
      [CAROL, "cancelled", "contact_broken"],
      [ALICE, "sent", undefined],
    ]);
  });

  test("does not break a contact when this one message is refused", async () => {
    const post = await toCarol();
    post.sender.answer({ kind: "dead", cause: "message", reason: "552 too big" });
    await post.deliverDue();
    expect((await post.deliveriesOf("alert:a1")).map(({ state, reason }) => [state, reason])).toEqual([
      ["dead", "rejected"],
      ["sent", undefined],
    ]);
    expect(await post.contactStates("alice")).toContainEqual({ channel: "email", value: CAROL, state: "active" });
  });

  test("holds what our own settings stop, blames nobody, and sends it after the repair", async () => {
    const post = await withAlert();
    post.sender.answer(wrongKey);
    await post.deliverDue();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "held", reason: "misconfigured", attempts: 0 });
    expect(post.reports.map(String)).toEqual(["Error: Cannot send: 535 wrong password"]);
    post.advance(30 * DAY);
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.releaseHeld("misconfigured")).toBe(1);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
  });

  test("never sends an expired code and wipes it", async () => {
    const post = postOffice();
    await post.onMailRequested(codeMail("123456", { notAfter: "2026-03-02T08:10:00.000Z" }));
    post.advance(10 * MINUTE);
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.ledger()).toMatchObject([{ state: "cancelled", reason: "expired", sealed: undefined }]);
  });

  test("wipes an expired code that was held, too", async () => {
    const post = postOffice();
    post.sender.answer(wrongKey);
    await post.onMailRequested(codeMail("123456", { notAfter: "2026-03-02T08:10:00.000Z" }));
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "held", sealed: expect.any(String) }]);
    post.advance(10 * MINUTE);
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "cancelled", reason: "expired", sealed: undefined }]);
  });

  test("drops an alert that is no longer there, and a contact that was taken away", async () => {
    const gone = await withAlert();
    gone.facts.delete("a1");
    await gone.deliverDue();
    expect(await gone.deliveryOf("alert:a1")).toMatchObject({ state: "cancelled", reason: "alert_gone" });

    const removed = await toCarol();
    removed.watch("home", "alice@home.example", []);
    await removed.deliverDue();
    expect((await removed.deliveriesOf("alert:a1")).map(({ recipient, state, reason }) => [recipient.value, state, reason])).toEqual([
      [CAROL, "cancelled", "contact_removed"],
      [ALICE, "sent", undefined],
    ]);
  });

  test("sends codes before confirmations, alerts and reports", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE), email(CAROL)]);
    await post.onBaselineReady({ type: "breaches.baselineReady", associationId: "home", accountId: "alice", alertIds: [] });
    for (let n = 0; n < 20; n++) await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(`a${n}`, "home")] });
    post.advance(1);
    await post.onMailRequested(codeMail("123456"));
    await post.deliverDue();
    const kinds = post.sender.sent.map(({ content }) => content.subject);
    expect(kinds.slice(0, 3)).toEqual(["Your Breachbell code", "Would you like to receive Breachbell alerts?", "Data breach: Adobe"]);
    // The last five were under way together.
    expect(kinds.slice(-5)).toContain("First check: nothing found");
    expect(kinds).toHaveLength(23);
  });

  test("sends a code that comes while slow alerts are under way", async () => {
    const slow = slowSender();
    const post = postOffice({ senders: { email: slow.sender } });
    post.watch("home", "alice@home.example", [email(ALICE)]);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: ["a1", "a2"].map((id) => post.found(id, "home")) });
    const done = post.deliverDue();
    await slow.until(2);
    await post.onMailRequested(codeMail("123456"));
    void post.deliverDue();
    await slow.until(3);
    expect(slow.waiting[2]?.message.content.code?.value).toBe("123456");
    for (const { answer } of slow.waiting) answer({ kind: "delivered" });
    expect(await done).toBe(3);
  });

  test("sends five at a time, no more", async () => {
    const slow = slowSender();
    const post = postOffice({ senders: { email: slow.sender } });
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const ids = Array.from({ length: 8 }, (_, n) => `a${n}`);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: ids.map((id) => post.found(id, "home")) });
    const done = post.deliverDue();
    await slow.until(5);
    expect(slow.waiting).toHaveLength(5);
    slow.waiting[0]?.answer({ kind: "delivered" });
    await slow.until(6);
    for (let n = 1; n < 8; n++) {
      await slow.until(n + 1);
      slow.waiting[n]?.answer({ kind: "delivered" });
    }
    expect(await done).toBe(8);
  });

  test("gives a send that hangs up, in doubt", async () => {
    const post = await withAlert({ senders: { email: slowSender().sender }, sendTimeoutMs: 5 });
    await post.deliverDue();
    const row = await post.deliveryOf("alert:a1");
    expect(row).toMatchObject({ state: "due", reason: "retry", inDoubt: true });
    expect(await post.attemptsOf(row.id)).toMatchObject([{ outcome: "retry", detail: "no answer in time" }]);
  });

  test("takes a sender that throws for an answer that was lost", async () => {
    const send = () => Promise.reject(new Error("a bug"));
    const post = await withAlert({ senders: { email: { channel: "email", send } } });
    await post.deliverDue();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "due", inDoubt: true });
    expect(post.reports).toHaveLength(1);
  });

  test("holds what cannot be written, and sends the rest", async () => {
    const post = await withAlert();
    await post.onMailRequested({ ...codeMail("123456"), sealed: "not ours" });
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
    expect(await post.ledger()).toContainEqual(expect.objectContaining({ state: "held", reason: "unrenderable" }));
    expect(post.reports).toHaveLength(1);
  });

  test("waits when the facts cannot be had now", async () => {
    let broken = true;
    const post = await withAlert();
    const worker = post.anotherWorker({
      alertFacts: {
        of: (ids) => (broken ? Promise.reject(new Error("database lost")) : post.deps.alertFacts.of(ids)),
      },
    });
    await worker.deliverDue();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "due", reason: "interrupted", attempts: 0, inDoubt: false });
    broken = false;
    post.advance(MINUTE);
    await worker.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
  });

  test("pauses a channel that keeps failing, tries it with one message, and recovers", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const ids = Array.from({ length: 12 }, (_, n) => `a${n}`);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: ids.map((id) => post.found(id, "home")) });
    post.sender.answer(...Array<Outcome>(6).fill(down));
    expect(await post.deliverDue()).toBe(5);
    expect(await post.deliverDue()).toBe(0);
    expect(post.reports.map(String)).toEqual([expect.stringContaining("the channel rests")]);
    post.advance(30_000);
    expect(await post.deliverDue()).toBe(1);
    post.advance(60_000);
    expect(await post.deliverDue()).toBe(12);
    post.advance(HOUR);
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(12);
  });

  test("takes nothing new after stopDelivering(), which waits for what is under way", async () => {
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
});

describe("two workers", () => {
  test("never send one message twice between them", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const ids = Array.from({ length: 60 }, (_, n) => `a${n}`);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: ids.map((id) => post.found(id, "home")) });
    const other = post.anotherWorker();
    const taken = await Promise.all([post.deliverDue(), other.deliverDue()]);
    expect(taken[0] + taken[1]).toBe(60);
    expect(new Set(post.sender.sent.map(({ messageId }) => messageId)).size).toBe(60);
    expect(post.sender.sent).toHaveLength(60);
  });

  test("take over after the lease, in doubt; the late one changes nothing", async () => {
    const slow = slowSender();
    const post = await withAlert({ senders: { email: slow.sender }, sendTimeoutMs: HOUR });
    const late = post.deliverDue();
    await slow.until(1);

    const second = memorySender();
    const other = post.anotherWorker({ senders: { email: second } });
    post.advance(59_000);
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

  test("park a row that takes each of its workers down", async () => {
    const post = await withAlert();
    for (let claims = 0; claims < 5; claims++) {
      await post.deps.transaction(({ deliveries }) => deliveries.claimDue(["email"], 1, post.deps.now(), new Date(post.deps.now().getTime() + 1)));
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
