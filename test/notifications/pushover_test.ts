import { afterEach, expect, test } from "bun:test";
import { pushoverSender } from "../../src/notifications/adapters/channels/pushover/pushover.ts";
import type { Message } from "../../src/notifications/ports.ts";
import { HTTP_FAILURES } from "../support/channel_peer.ts";
import {
  APP_TOKEN,
  PUSHOVER_FAILURES,
  RECEIPT,
  RESET_AT,
  startPushoverPeer,
  USER_KEY,
} from "../support/pushover_peer.ts";
import { content, messageTo } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const NOW = new Date("2026-03-02T08:00:00.000Z");
const to = { channel: "pushover", value: USER_KEY } as const;
const message = (more: Partial<Message> = {}) => messageTo(USER_KEY, { to, ...more });

/** Long enough for a machine that stalls for a moment. */
const TIMEOUT_MS = 15_000;

async function open({ appToken = APP_TOKEN, timeoutMs = TIMEOUT_MS } = {}) {
  const peer = await startPushoverPeer();
  cleanUps.push(peer.stop);
  const reports: { error: unknown; context: Record<string, unknown> }[] = [];
  const sender = pushoverSender({
    baseUrl: peer.url,
    appToken,
    timeoutMs,
    userAgent: "Breachbell/0.1.0",
    now: () => NOW,
    report: (error, context) => void reports.push({ error, context }),
  });
  return { peer, sender, reports };
}

test("send() sends plain text with the link, its title and the alert's own time", async () => {
  const { peer, sender } = await open();
  const button = {
    kind: "button",
    label: "Meldung ansehen",
    url: "https://breachbell.example/de/alerts?alert=1",
  } as const;
  const blocks = [...content.blocks, button];
  const raisedAt = new Date("2026-03-02T07:59:00.500Z");
  expect(await sender.send(message({ content: { ...content, blocks }, raisedAt }))).toMatchObject({
    kind: "delivered",
    providerId: "647d2300-702c-4b38-8b2f-d56326ae460b",
  });
  expect(peer.received).toEqual([
    {
      token: APP_TOKEN,
      user: USER_KEY,
      title: "Datenleck: Müller & Söhne",
      message: "Grüße aus Zürich, 1 < 2\n\nAbbestellen:\nhttps://breachbell.example/de/manage-contact#t=v1.x",
      priority: "0",
      url: "https://breachbell.example/de/alerts?alert=1",
      url_title: "Meldung ansehen",
      timestamp: "1772438340",
    },
  ]);
  // The token must not be in the URL, which is logged.
  expect(peer.requests.map(({ path }) => path)).toEqual(["/1/messages.json"]);
});

test.each([
  ["low", undefined, { priority: "-1" }],
  ["normal", undefined, { priority: "0" }],
  ["high", undefined, { priority: "0" }],
  ["critical", undefined, { priority: "1" }],
  ["high", true, { priority: "0" }],
  ["critical", true, { priority: "2", retry: "120", expire: "3600" }],
] as const)("send() gives urgency %s with emergency %p its priority", async (urgency, emergency, fields) => {
  const { peer, sender } = await open();
  const outcome = await sender.send(message({ urgency, ...(emergency && { emergency }) }));
  expect(peer.received).toMatchObject([fields]);
  expect(Object.keys(peer.received[0] ?? {}).includes("retry")).toBe("retry" in fields);
  // The receipt of an emergency is polled to find out whether it was seen.
  const providerId = "647d2300-702c-4b38-8b2f-d56326ae460b";
  expect(outcome).toEqual({ kind: "delivered", providerId, ...(fields.priority === "2" && { receipt: RECEIPT }) });
});

test("send() makes expired messages disappear from the phone, but never an emergency early", async () => {
  const { peer, sender } = await open();
  const notAfter = new Date(NOW.getTime() + 90_500);
  await sender.send(message({ notAfter }));
  await sender.send(message({ notAfter, urgency: "critical", emergency: true }));
  expect(peer.received.map(({ ttl }) => ttl)).toEqual(["91", undefined]);
});

test.each([
  ["phone", "phone"],
  ["phone,my_desk-top", "phone,my_desk-top"],
  ["no device", undefined],
  ["x".repeat(26), undefined],
])("send() to the device %p sends %p", async (device, sent) => {
  const { peer, sender } = await open();
  expect(await sender.send(message({ to: { ...to, device } }))).toMatchObject({ kind: "delivered" });
  expect(peer.received.map((one) => one.device)).toEqual([sent]);
});

test("send() respects all of Pushover's limits", async () => {
  const { peer, sender } = await open();
  const long = "Ein 😀 sehr langer Text mit Umlauten äöü. ".repeat(60);
  const blocks = [
    { kind: "paragraph", text: long },
    { kind: "button", label: long, url: `https://breachbell.example/${"x".repeat(470)}` },
  ] as const;
  const outcome = await sender.send(message({ content: { ...content, subject: long, blocks: [...blocks] } }));
  expect(outcome).toMatchObject({ kind: "delivered" });
  expect(peer.received[0]?.url).toHaveLength(497);
  const tooLong = { ...blocks[1], url: `https://breachbell.example/${"x".repeat(500)}` };
  expect(await sender.send(message({ content: { ...content, blocks: [tooLong] } }))).toMatchObject({
    kind: "delivered",
  });
  expect(peer.received[1]).not.toHaveProperty("url");
});

test("send() never has more than two connections open, however many messages are pending", async () => {
  const { peer, sender } = await open();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => sender.send(message())));
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["delivered"]));
  expect(peer.received).toHaveLength(20);
  expect(peer.mostOpen()).toBeLessThanOrEqual(2);
});

test("send() warns the operator once when the month's messages run low", async () => {
  const { peer, sender, reports } = await open();
  expect(sender.limit?.current()).toBeUndefined();
  peer.leave(1001);
  await sender.send(message());
  expect(reports).toEqual([]);
  const limit = { per: "month", most: 10_000, left: 1000, resetsAt: new Date(RESET_AT * 1000) };
  expect(sender.limit?.current()).toEqual(limit as never);
  await sender.send(message());
  await sender.send(message());
  expect(reports.map(({ context }) => context)).toEqual([
    { channel: "pushover", remaining: 999, limit: 10_000, reset: new Date(RESET_AT * 1000).toISOString() },
  ]);
  peer.leave(0);
  expect(await sender.send(message())).toMatchObject({ kind: "retry", scope: "channel", afterMs: 3_600_000 });
});

test("send() with a token unknown to Pushover reports that without quoting it", async () => {
  const { peer, sender } = await open({ appToken: "b".repeat(30) });
  const outcome = await sender.send(message());
  expect(outcome).toEqual({
    kind: "misconfigured",
    scope: "channel",
    reason: "Pushover answered 400: application token is invalid",
  });
  expect(peer.received).toEqual([]);
});

test("check() distinguishes valid keys, with their devices, from invalid ones, and from unknown results", async () => {
  const { peer, sender } = await open();
  peer.addUser("g".repeat(30), []);
  expect(await sender.check?.(USER_KEY)).toEqual({ kind: "valid", devices: ["phone", "desktop"] });
  expect(await sender.check?.("x".repeat(30))).toEqual({ kind: "invalid" });
  // Nothing would be delivered to an account without a device.
  expect(await sender.check?.("g".repeat(30))).toEqual({ kind: "invalid" });
  for (const failure of [
    HTTP_FAILURES["200 with nonsense"],
    HTTP_FAILURES.reset,
    HTTP_FAILURES["429"],
    HTTP_FAILURES["500"],
    PUSHOVER_FAILURES["400 token invalid"],
  ]) {
    peer.failNext(failure);
    expect(await sender.check?.(USER_KEY)).toEqual({ kind: "unknown", reason: expect.any(String) });
  }
  expect(peer.received).toEqual([]);
});

test("check() of a server that does not answer ends at the time limit, with an unknown result", async () => {
  const { peer, sender } = await open({ timeoutMs: 100 });
  peer.failNext(HTTP_FAILURES.hang);
  expect(await sender.check?.(USER_KEY)).toEqual({ kind: "unknown", reason: expect.any(String) });
});
