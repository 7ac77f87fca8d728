import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../src/notifications/ports.ts";
import { codeMail, email, HOUR, MINUTE, postOffice } from "./post_office.ts";

const wrongKey: Outcome = { kind: "misconfigured", scope: "channel", reason: "535 wrong password" };
const policy: Outcome = { kind: "misconfigured", scope: "recipient", reason: "554 5.7.1 blocked" };

/** Alerts `a0`, `a1` and so on, of one address, each to this contact. */
async function withAlerts(count: number, to = "alice@breachbell.example") {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email(to)]);
  for (let index = 0; index < count; index++)
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(`a${index}`, "home")] });
  return post;
}

type Post = Awaited<ReturnType<typeof withAlerts>>;
const statesOf = async (post: Post) =>
  Object.groupBy(await post.ledger(), ({ state, reason }) => `${state} ${reason ?? ""}`.trim());
const count = async (post: Post) =>
  Object.fromEntries(Object.entries(await statesOf(post)).map(([state, list]) => [state, list?.length]));

describe("A channel whose settings are wrong", () => {
  test("rests after the first refusal, and sends everything that was held once it accepts again", async () => {
    const post = await withAlerts(30);
    post.sender.answer(...Array<Outcome>(30).fill(wrongKey));
    await post.deliverDue();
    expect(Object.keys(await count(post))).toContain("held misconfigured");
    // The answers that are left are used up by probes, one at each end of a longer and longer rest.
    for (let probes = 0; probes < 60; probes++) {
      post.advance(10 * MINUTE);
      await post.deliverDue();
    }
    expect(await count(post)).toEqual({ sent: 30 });
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
  });

  test("is probed with a message that it holds itself when nothing else is due", async () => {
    const post = await withAlerts(1);
    post.sender.answer(wrongKey);
    await post.deliverDue();
    expect(await count(post)).toEqual({ "held misconfigured": 1 });
    post.advance(MINUTE);
    await post.deliverDue();
    expect(await count(post)).toEqual({ sent: 1 });
  });

  test("loses no alert in an outage of 48 hours", async () => {
    const post = await withAlerts(5);
    const { send } = post.sender;
    post.sender.send = async () => wrongKey;
    for (let hour = 0; hour < 48; hour++) {
      await post.deliverDue();
      post.advance(HOUR);
    }
    expect(post.sender.sent).toEqual([]);
    post.sender.send = send;
    post.advance(10 * MINUTE);
    await post.deliverDue();
    await post.deliverDue();
    expect(await count(post)).toEqual({ sent: 5 });
  });

  test("sends no held message again that the provider refused for its own form", async () => {
    const post = await withAlerts(1);
    post.sender.answer({ kind: "misconfigured", scope: "message", reason: "400 message invalid" });
    await post.deliverDue();
    post.sender.answer(wrongKey);
    await post.onMailRequested(codeMail("123456"));
    await post.deliverDue();
    post.advance(MINUTE);
    await post.deliverDue();
    expect(await count(post)).toEqual({ "held misconfigured": 1, sent: 1 });
  });
});

describe("A server that refuses ours by policy", () => {
  test("does not blame the contact, is tried again later, and makes no other recipient wait", async () => {
    const post = await withAlerts(1);
    post.sender.answer(...Array<Outcome>(4).fill(policy));
    await post.deliverDue();
    expect(await count(post)).toEqual({ "due retry": 1 });
    for (let tries = 0; tries < 3; tries++) {
      post.advance(HOUR);
      await post.deliverDue();
    }
    await post.onMailRequested(codeMail("123456"));
    await post.deliverDue();
    expect(post.sentTo()).toHaveLength(1);
    post.advance(3 * HOUR);
    await post.deliverDue();
    expect(await count(post)).toEqual({ sent: 2 });
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
  });

  test("holds the message for the operator after 72 hours", async () => {
    const post = await withAlerts(1);
    post.sender.answer(...Array<Outcome>(40).fill(policy));
    for (let step = 0; step < 30; step++) {
      await post.deliverDue();
      post.advance(6 * HOUR);
    }
    expect(await count(post)).toEqual({ "held misconfigured": 1 });
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
  });

  test("counts as our own fault once servers of five domains have refused without a success between", async () => {
    const resting = async (domains: string[]) => {
      const post = postOffice();
      post.sender.answer(...Array<Outcome>(domains.length).fill(policy));
      for (const [index, domain] of domains.entries()) {
        await post.onMailRequested({ ...codeMail(`${index}23456`), to: `someone${index}@${domain}` });
        await post.deliverDue();
      }
      return post.reports.some((report) => String(report).includes("Sending is paused"));
    };
    expect(await resting(["one.example", "two.example", "three.example", "four.example"])).toBe(false);
    expect(await resting(Array(12).fill("one.example"))).toBe(false);
    expect(await resting(["one", "two", "three", "four", "five"].map((name) => `${name}.example`))).toBe(true);
  });
});
