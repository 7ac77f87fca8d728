import { describe, expect, test } from "bun:test";
import { retryDelay } from "../../src/notifications/delivery/delivery.ts";
import type { Outcome } from "../../src/notifications/ports.ts";
import { codeMail, DAY, email, HOUR, MINUTE, postOffice } from "./post_office.ts";

const ALICE = "alice@breachbell.example";
const CAROL = "carol@else.example";
const temporary: Outcome = { kind: "retry", scope: "contact", reason: "451 greylisted" };
const refusal: Outcome = { kind: "dead", cause: "recipient", reason: "550 no such user" };
const wrongKey: Outcome = { kind: "misconfigured", scope: "channel", reason: "535 wrong password" };

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
  await post.onContactsChanged({
    type: "tracking.contactsChanged",
    associationId: "home",
    accountId: "alice",
    language: "en",
    contacts: [email(CAROL)],
  });
  await post.deliverDue();
  await post.confirm(post.linkToken(CAROL));
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  return post;
}

describe("deliverDue()", () => {
  test("retries on schedule and visibly gives up after 72 hours", async () => {
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
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
  });

  test("respects the provider's Retry-After", async () => {
    const post = await withAlert();
    post.sender.answer({ ...temporary, kind: "retry", scope: "contact", reason: "429", afterMs: 5 * MINUTE });
    await post.deliverDue();
    expect((await post.deliveryOf("alert:a1")).runAt).toEqual(new Date(post.deps.now().getTime() + 5 * MINUTE));
  });

  test("limits retries to between five seconds and the schedule, and Retry-After to between a second and an hour", () => {
    expect(retryDelay(0, undefined, 0)).toBe(5000);
    expect(retryDelay(1, undefined, 0.5)).toBe(MINUTE);
    expect(retryDelay(99, undefined, 1)).toBe(6 * HOUR);
    expect([-5, 0, 10, 1e12].map((afterMs) => retryDelay(0, afterMs, 1))).toEqual([1000, 1000, 1000, HOUR]);
    // Even a provider that says "soon" for days is retried with increasing delays.
    expect([4, 5].map((attempts) => retryDelay(attempts, 30_000, 1))).toEqual([30_000, 6 * HOUR]);
  });

  test("retries a rejecting contact the next day before marking it as failed, and notifies the account meanwhile", async () => {
    const post = await toCarol();
    post.sender.answer(refusal);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([CAROL, ALICE]);
    const [first] = await post.deliveriesOf("alert:a1");
    expect(first).toMatchObject({ state: "due", reason: "refused" });

    post.advance(DAY);
    post.sender.answer(refusal);
    await post.deliverDue();
    expect(
      (await post.deliveriesOf("alert:a1")).map(({ recipient, state, reason }) => [recipient.value, state, reason]),
    ).toEqual([
      [CAROL, "dead", "refused"],
      [ALICE, "sent", undefined],
    ]);
    expect(await post.statesOf("alice")).toContainEqual({ channel: "email", value: CAROL, state: "broken" });

    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a2", "home")] });
    await post.deliverDue();
    expect(
      (await post.deliveriesOf("alert:a2")).map(({ recipient, state, reason }) => [recipient.value, state, reason]),
    ).toEqual([
      [CAROL, "cancelled", "contact_broken"],
      [ALICE, "sent", undefined],
    ]);
  });

  test("does not mark a contact as failed when only this message is rejected", async () => {
    const post = await toCarol();
    post.sender.answer({ kind: "dead", cause: "message", reason: "552 too big" });
    await post.deliverDue();
    expect((await post.deliveriesOf("alert:a1")).map(({ state, reason }) => [state, reason])).toEqual([
      ["dead", "rejected"],
      ["sent", undefined],
    ]);
    expect(await post.statesOf("alice")).toContainEqual({ channel: "email", value: CAROL, state: "active" });
  });

  test("holds messages that our own settings block, blames no contact, and tells the operator", async () => {
    const post = await withAlert();
    post.sender.answer(wrongKey);
    await post.deliverDue();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "held", reason: "misconfigured", attempts: 0 });
    expect(post.reports.map(String)).toEqual([
      "Error: Cannot send: 535 wrong password",
      "Error: Sending is paused after repeated failures: 535 wrong password",
    ]);
    expect(await post.releaseHeld("misconfigured")).toBe(1);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
  });

  test("holds a message that the provider refuses for its form until the operator releases it", async () => {
    const post = await withAlert();
    post.sender.answer({ kind: "misconfigured", scope: "message", reason: "400 message invalid" });
    await post.deliverDue();
    post.advance(30 * DAY);
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.releaseHeld("misconfigured")).toBe(1);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
  });

  test("lets alerts yield to users' requests, but not codes, as users wait for those", async () => {
    const gate = Promise.withResolvers<void>();
    const post = await withAlert({ yieldToRequests: () => gate.promise });
    await post.onMailRequested(codeMail("123456"));
    const sent = Promise.withResolvers<void>();
    const { send } = post.sender;
    post.sender.send = async (message) => {
      const outcome = await send(message);
      sent.resolve();
      return outcome;
    };
    const delivering = post.deliverDue();
    await sent.promise;
    expect(post.sender.sent.map(({ content }) => content.subject)).toEqual(["Your Breachbell code"]);
    gate.resolve();
    await delivering;
    expect(post.sender.sent).toHaveLength(2);
  });

  test("never sends an expired code and erases it", async () => {
    const post = postOffice();
    await post.onMailRequested(codeMail("123456", { notAfter: "2026-03-02T08:10:00.000Z" }));
    post.advance(10 * MINUTE);
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.ledger()).toMatchObject([{ state: "cancelled", reason: "expired", sealed: undefined }]);
  });

  test("also erases an expired code that was held", async () => {
    const post = postOffice();
    post.sender.answer(wrongKey);
    await post.onMailRequested(codeMail("123456", { notAfter: "2026-03-02T08:10:00.000Z" }));
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "held", sealed: expect.any(String) }]);
    post.advance(10 * MINUTE);
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "cancelled", reason: "expired", sealed: undefined }]);
  });

  test("drops alerts and contacts that no longer exist", async () => {
    const gone = await withAlert();
    gone.facts.delete("a1");
    await gone.deliverDue();
    expect(await gone.deliveryOf("alert:a1")).toMatchObject({ state: "cancelled", reason: "alert_gone" });

    const removed = await toCarol();
    removed.watch("home", "alice@home.example", []);
    await removed.deliverDue();
    expect(
      (await removed.deliveriesOf("alert:a1")).map(({ recipient, state, reason }) => [recipient.value, state, reason]),
    ).toEqual([
      [CAROL, "cancelled", "contact_removed"],
      [ALICE, "sent", undefined],
    ]);
  });

  test("treats an exception of a sender as a lost response", async () => {
    const send = () => Promise.reject(new Error("a bug"));
    const post = await withAlert({ senders: { email: { channel: "email", send } } });
    await post.deliverDue();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "due", inDoubt: true });
    expect(post.reports).toHaveLength(1);
  });

  test("holds messages that cannot be rendered, and sends the rest", async () => {
    const post = await withAlert();
    await post.onMailRequested({ ...codeMail("123456"), sealed: "not ours" });
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
    expect(await post.ledger()).toContainEqual(expect.objectContaining({ state: "held", reason: "unrenderable" }));
    expect(post.reports).toHaveLength(1);
  });

  test("postpones a message when its facts are temporarily unavailable", async () => {
    let broken = true;
    const post = await withAlert();
    const worker = post.anotherWorker({
      alertFacts: {
        of: (ids) => (broken ? Promise.reject(new Error("database lost")) : post.deps.alertFacts.of(ids)),
      },
    });
    await worker.deliverDue();
    expect(await post.deliveryOf("alert:a1")).toMatchObject({
      state: "due",
      reason: "interrupted",
      attempts: 0,
      inDoubt: false,
    });
    broken = false;
    post.advance(MINUTE);
    await worker.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
  });
});
