import { afterEach, describe, expect, test } from "bun:test";
import { webPushSender } from "../../src/notifications/adapters/channels/webpush/webpush.ts";
import { connectedValue } from "../../src/notifications/contacts/connecting.ts";
import { discreetly } from "../../src/notifications/messages/private_preview.ts";
import type { Message } from "../../src/notifications/ports.ts";
import { contactValue } from "../../src/shared/contacts.ts";
import { PUSH_OPTIONS } from "../support/channel_providers.ts";
import { startPushPeer } from "../support/push_peer.ts";
import { adobe } from "./post_office.ts";
import { content, ID, messageTo } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const START = new Date("2026-03-02T08:00:00.000Z");
const BUTTON = { kind: "button", label: "Ansehen", url: "https://breachbell.example/de/alerts?alert=1" } as const;
const FACTS: Message["facts"] = [
  {
    alertId: "1",
    associationId: "2",
    accountId: "3",
    address: "alice@home.example",
    state: "pending",
    raisedAt: "2026-03-02T07:59:00.000Z",
    breach: adobe,
    version: 1,
    sources: ["hibp"],
    foundUnder: [],
  },
];

async function open(more: Partial<Parameters<typeof webPushSender>[0]> = {}) {
  const peer = await startPushPeer();
  cleanUps.push(peer.stop);
  const sender = webPushSender({ ...PUSH_OPTIONS, now: () => START, timeoutMs: 15_000, resolveMs: 20, ...more });
  const to = (subscription: unknown) => ({
    channel: "webpush" as const,
    value: "phone",
    secret: JSON.stringify(subscription),
  });
  const message = (changes: Partial<Message> = {}, subscription: unknown = peer.subscribe()) =>
    messageTo("phone", { to: to(subscription), ...changes });
  return { peer, sender, message };
}

describe("send()", () => {
  test("encrypts a declarative notification that only the browser can read, and signs it for its push service", async () => {
    const { peer, sender, message } = await open();
    const { publicKey } = await PUSH_OPTIONS.keys.pair();
    const sent = message(
      { content: { ...content, blocks: [...content.blocks, BUTTON] }, facts: FACTS, urgency: "critical" },
      peer.subscribe({ key: publicKey }),
    );
    expect(await sender.send(sent)).toEqual({ kind: "delivered" });
    const [{ claims, payload, urgency, ttl, topic } = expect.unreachable()] = peer.received;
    expect(payload).toEqual({
      web_push: 8030,
      notification: {
        title: "Datenleck: Müller & Söhne",
        body: "Grüße aus Zürich, 1 < 2",
        navigate: BUTTON.url,
        lang: "de",
        dir: "ltr",
        tag: ID,
        app_badge: "1",
        actions: [
          { action: "open", title: "Öffnen", navigate: BUTTON.url },
          { action: "seen", title: "Gesehen", navigate: BUTTON.url },
        ],
        data: { delivery: ID, seen: PUSH_OPTIONS.mac("push_seen", ID) },
      },
    });
    expect(claims).toMatchObject({ aud: peer.origin, sub: "mailto:support@breachbell.example" });
    expect({ urgency, ttl, topic }).toEqual({ urgency: "high", ttl: 28 * 86_400, topic: ID.replaceAll("-", "") });
    const [request] = peer.requests;
    expect(request?.bytes?.length).toBe(4096);
    expect(request?.bytes?.toString("latin1")).not.toContain("Datenleck");
  });

  test("hides service, address and kind of data from the lock screen of a discreet contact", async () => {
    const { peer, sender, message } = await open();
    const blocks = [{ kind: "paragraph", text: "alice@home.example war betroffen" } as const, BUTTON];
    const whole = message({ content: { ...content, blocks }, facts: FACTS, kind: "alert" });
    await sender.send(discreetly(whole, PUSH_OPTIONS.translate));
    const [{ text, payload } = expect.unreachable()] = peer.received;
    expect(payload.notification).toMatchObject({ title: "Neues von Breachbell", navigate: BUTTON.url });
    expect(text).not.toMatch(/alice|Adobe|Müller|betroffen/);
  });

  test("repeats a message under the same topic and tag, so that it replaces the first", async () => {
    const { peer, sender, message } = await open();
    const sent = message();
    for (const _ of [1, 2]) await sender.send(sent);
    expect(new Set(peer.received.map(({ topic }) => topic)).size).toBe(1);
    expect(new Set(peer.received.map(({ payload }) => payload.notification.tag)).size).toBe(1);
  });

  test("asks the push service to keep a message no longer than it is worth sending", async () => {
    const { peer, sender, message } = await open();
    await sender.send(message({ notAfter: new Date(START.getTime() + 90_000) }));
    await sender.send(message({ notAfter: START }));
    expect(peer.received.map(({ ttl }) => ttl)).toEqual([90, 1]);
  });

  test("fits a long message into the 4,096 bytes that every push service takes", async () => {
    const { peer, sender, message } = await open();
    const blocks = Array.from({ length: 50 }, () => ({ kind: "paragraph", text: '"Ä\\'.repeat(200) }) as const);
    expect(await sender.send(message({ content: { ...content, subject: "ß".repeat(500), blocks } }))).toEqual({
      kind: "delivered",
    });
    expect(peer.received).toHaveLength(1);
  });

  test("serves UnifiedPush, whose servers take the same request at a URL with a query", async () => {
    const { peer, sender, message } = await open();
    expect(await sender.send(message({}, peer.subscribe({ path: "/upDHJK?up=1" })))).toEqual({ kind: "delivered" });
    expect(peer.requests[0]?.path).toBe("/upDHJK?up=1");
  });

  test("ends the contact for good when the browser is gone", async () => {
    const { peer, sender, message } = await open();
    const subscription = peer.subscribe();
    peer.forget(subscription.endpoint);
    expect(await sender.send(message({}, subscription))).toEqual({
      kind: "dead",
      cause: "recipient",
      reason: "The push service answered 410: the subscription has ended",
      forGood: true,
    });
  });

  test("refuses a subscription with the key of another installation, without ending it at once", async () => {
    const { peer, sender, message } = await open();
    const outcome = await sender.send(message({}, peer.subscribe({ key: "B".repeat(87) })));
    expect(outcome).toEqual({ kind: "dead", cause: "recipient", reason: "The push service answered 403" });
  });

  test.each(["http://other.example/push", "https://127.0.0.1/push", "https://[::1]/push", "https://10.0.0.1/"])(
    "connects to nothing at %s",
    async (endpoint) => {
      const { peer, sender, message } = await open({ allowPrivate: false });
      const outcome = await sender.send(message({}, { ...peer.subscribe(), endpoint }));
      expect(outcome).toMatchObject({ kind: "dead", cause: "recipient", forGood: true });
      expect(peer.requests).toEqual([]);
    },
  );

  test("ends a contact without a usable subscription, and sends no sign-in code", async () => {
    const { peer, sender, message } = await open();
    const gone = { kind: "dead", cause: "recipient", forGood: true };
    const { endpoint, auth } = peer.subscribe();
    expect(await sender.send(messageTo("phone", { to: { channel: "webpush", value: "phone" } }))).toMatchObject(gone);
    for (const broken of [null, {}, { endpoint: "x" }, { endpoint, p256dh: "B".repeat(87), auth }])
      expect(await sender.send(message({}, broken))).toMatchObject(gone);
    const code = { value: "123456", line: "123456" };
    expect(await sender.send(message({ content: { ...content, code } }))).toMatchObject({
      kind: "dead",
      cause: "message",
    });
    expect(peer.requests).toEqual([]);
  });
});

test.each([
  ["Firefox · Linux", "firefox-linux-abcdef01"],
  ["Mamás iPhone", "mamas-iphone-abcdef01"],
  ["电话", "device-abcdef01"],
  ["x".repeat(60), `${"x".repeat(40)}-abcdef01`],
])("connectedValue() names a device for people: %s", (name, value) => {
  const mac = Buffer.from("abcdef0123456789", "hex").toString("base64url");
  expect(connectedValue(name, mac)).toBe(value);
  expect(contactValue("webpush", value)).toBe(value);
});
