import { afterEach, expect, test } from "bun:test";
import {
  type WebhookOptions,
  webhookSender,
  webhookSignature,
} from "../../src/notifications/adapters/channels/webhook/webhook.ts";
import { newWebhookSecret } from "../../src/notifications/contacts/webhook_secret.ts";
import type { Message } from "../../src/notifications/ports.ts";
import { newToken } from "../../src/runtime/crypto.ts";
import type { AlertFacts } from "../../src/shared/breach.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";
import { startWebhookPeer, WEBHOOK_SECRET } from "../support/webhook_peer.ts";
import { adobe } from "./post_office.ts";
import { content, ID, messageTo } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const START = new Date("2026-03-02T08:00:00.000Z").getTime();

async function open(more: Partial<WebhookOptions> & { theirSecret?: string } = {}) {
  const { theirSecret = WEBHOOK_SECRET, ...options } = more;
  let time = START;
  const now = () => new Date(time);
  const peer = await startWebhookPeer({ now, secret: theirSecret });
  cleanUps.push(peer.stop);
  const sender = webhookSender({
    userAgent: "Breachbell/0.1.0",
    allowPrivate: true,
    timeoutMs: 15_000,
    resolveMs: 20,
    now,
    ca: LOOPBACK_AUTHORITY,
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  const advance = (ms: number) => {
    time += ms;
  };
  const message = (changes: Partial<Message> = {}, value = peer.hook) =>
    messageTo(value, { to: { channel: "webhook", value, secret: WEBHOOK_SECRET }, ...changes });
  return { peer, sender, advance, message };
}

test("send() sends text and data, with a signature that the customer can verify", async () => {
  const { peer, sender, message } = await open();
  const button = { kind: "button", label: "Ansehen", url: "https://breachbell.example/de/alerts?alert=1" } as const;
  const facts: AlertFacts[] = [
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
      foundUnder: [{ address: "alice+shop@home.example", namesService: false }],
    },
  ];
  const sent = message({
    content: { ...content, blocks: [...content.blocks, button] },
    facts,
    kind: "alert",
    urgency: "critical",
    raisedAt: new Date("2026-03-02T07:59:30.000Z"),
    oneClickUrl: "https://breachbell.example/u/v1.x",
  });
  expect(await sender.send(sent)).toEqual({ kind: "delivered" });
  expect(peer.refusals).toEqual([]);
  expect(peer.received).toEqual([
    {
      type: "alert",
      timestamp: "2026-03-02T07:59:30.000Z",
      data: {
        id: ID,
        language: "de",
        urgency: "critical",
        title: "Datenleck: Müller & Söhne",
        text: "Grüße aus Zürich, 1 < 2",
        link: { label: "Ansehen", url: "https://breachbell.example/de/alerts?alert=1" },
        alerts: [
          {
            id: "1",
            address: "alice@home.example",
            raisedAt: "2026-03-02T07:59:00.000Z",
            breach: { ...adobe },
            foundUnder: ["alice+shop@home.example"],
          },
        ],
        stopUrl: "https://breachbell.example/u/v1.x",
        attribution: null,
      },
    },
  ]);
  const [request] = peer.requests;
  expect(request?.path).toBe("/breaches?from=breachbell");
  expect(request?.headers).toMatchObject({
    host: `hooks.example:${peer.port}`,
    "content-type": "application/json",
    "webhook-id": ID,
    "webhook-timestamp": String(START / 1000),
  });
});

test("a signature equals the example of Standard Webhooks", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const parts = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: "1614265330", body: '{"test": 2432232314}' };
  expect(webhookSignature(secret, parts)).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("a customer can detect a repetition by its id, a replay by its time, and a forgery by its signature", async () => {
  const { peer, sender, message, advance } = await open();
  await sender.send(message());
  advance(10 * 60_000);
  expect(await sender.send(message())).toEqual({ kind: "delivered" });
  expect(peer.received).toHaveLength(1);
  expect(peer.repeated()).toBe(1);
  const [first, second] = peer.requests;
  if (!first || !second) throw new Error("Expected two requests");
  expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"] ?? "");
  expect(peer.replay(first)).toBe(401);
  expect(peer.replay({ ...second, body: second.body.replace("Grüße", "Gruß") })).toBe(401);
  expect(peer.replay({ ...second, headers: { ...second.headers, "webhook-id": "other" } })).toBe(401);
  expect(peer.replay(second)).toBe(200);
});

test("send() to a customer with another secret is rejected, and one without a secret is never attempted", async () => {
  const { peer, sender, message } = await open({ theirSecret: newWebhookSecret(newToken) });
  expect(await sender.send(message())).toMatchObject({ kind: "dead", cause: "recipient" });
  expect(peer.refusals).toEqual(["wrong signature"]);
  const { secret: _, ...to } = message().to;
  expect(await sender.send(message({ to }))).toMatchObject({ kind: "misconfigured" });
  expect(peer.requests).toHaveLength(1);
});

test("newWebhookSecret() generates usable secrets of 32 bytes", async () => {
  const secret = newWebhookSecret(newToken);
  expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32);
  const { peer, sender, message } = await open({ theirSecret: secret });
  expect(await sender.send(message({ to: { ...message().to, secret } }))).toEqual({ kind: "delivered" });
  expect(peer.received).toHaveLength(1);
});

test.each(["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "::1", "fd00::1", "::ffff:127.0.0.1"])(
  "send() does not connect to a name that resolves to %s",
  async (address) => {
    const { peer, sender, message } = await open({ allowPrivate: false, resolve: async () => [address] });
    expect(await sender.send(message())).toEqual({
      kind: "retry",
      scope: "contact",
      reason: "Cannot reach the webhook: the name leads to no public address",
    });
    expect(await sender.check?.(peer.hook)).toEqual({ kind: "invalid" });
    expect(peer.requests).toEqual([]);
  },
);

test("a name that resolves into a private network gets the same response as an unknown one", async () => {
  const { sender: inside, message } = await open({ allowPrivate: false, resolve: async () => ["10.0.0.1"] });
  const { sender: nowhere } = await open({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
  expect(await inside.send(message())).toEqual(await nowhere.send(message()));
  expect(await inside.check?.("https://db.internal/in")).toEqual(await nowhere.check?.("https://db.internal/in"));
});

test("send() gives up for good if the address itself is private", async () => {
  const { peer, sender, message } = await open({ allowPrivate: false });
  expect(await sender.send(message({}, "https://10.0.0.1/in"))).toEqual({
    kind: "dead",
    cause: "recipient",
    forGood: true,
    reason: "the address lies in a private network",
  });
  expect(peer.requests).toEqual([]);
});

test("send() connects to the address that was checked, even if the name resolves elsewhere a moment later", async () => {
  const answers = [["127.0.0.1"], ["203.0.113.1"]];
  let asked = 0;
  const { peer, sender, message } = await open({ resolve: async () => answers[asked++] ?? [] });
  expect(await sender.send(message())).toEqual({ kind: "delivered" });
  expect(asked).toBe(1);
  expect(peer.received).toHaveLength(1);
});

test("send() requires a certificate for the name, not just one of a trusted authority", async () => {
  const { peer, sender, message } = await open();
  const wrong = message({}, `https://wrong.example:${peer.port}/in`);
  expect(await sender.send(wrong)).toEqual({
    kind: "retry",
    scope: "contact",
    reason: expect.stringContaining("CERT_ALTNAME"),
  });
  expect(peer.requests).toEqual([]);
});

test("send() requires https, even if an operator has allowed the private network", async () => {
  const { peer, sender, message } = await open();
  const outcome = await sender.send(message({}, peer.hook.replace("https:", "http:")));
  expect(outcome).toMatchObject({ kind: "dead", cause: "recipient", forGood: true });
  expect(peer.requests).toEqual([]);
});

test("send() reveals nothing of the response, nor of a redirect's target", async () => {
  const { peer, sender, message } = await open();
  const page = { "content-type": "text/plain", location: "https://169.254.169.254/latest/meta-data" };
  for (const status of [301, 302, 307, 308, 404, 500]) {
    peer.failNext({
      taken: false,
      fail: (response) => void response.writeHead(status, page).end("secret of the house"),
    });
    expect(JSON.stringify(await sender.send(message()))).not.toMatch(/secret of the house|169\.254/);
  }
  expect(peer.requests).toHaveLength(6);
});
