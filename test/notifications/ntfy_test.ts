import { afterEach, expect, test } from "bun:test";
import { type NtfyOptions, ntfySender } from "../../src/notifications/adapters/channels/ntfy/ntfy.ts";
import type { Message } from "../../src/notifications/ports.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";
import { NTFY_TOKEN, startNtfyPeer, TOPIC } from "../support/ntfy_peer.ts";
import { content, messageTo } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const URL_OF_ALERT = "https://breachbell.example/de/alerts?alert=1";
const message = (value: string, more: Partial<Message> = {}) =>
  messageTo(value, { to: { channel: "ntfy", value }, ...more });

async function open({ secure = false, ...more }: Partial<NtfyOptions> & { secure?: boolean } = {}) {
  const peer = await startNtfyPeer({ secure });
  cleanUps.push(peer.stop);
  const sender = ntfySender({
    baseUrl: peer.url,
    token: NTFY_TOKEN,
    userAgent: "Breachbell/0.1.0",
    allowPrivate: false,
    timeoutMs: 15_000,
    resolveMs: 20,
    now: () => new Date("2026-03-02T08:00:00.000Z"),
    ...more,
  });
  return { peer, sender };
}

test("send() sends title, text and a link opened on tap, without secret links", async () => {
  const { peer, sender } = await open();
  const blocks = [...content.blocks, { kind: "button", label: "Ansehen", url: URL_OF_ALERT } as const];
  const oneClickUrl = "https://breachbell.example/u/v1.secret";
  const outcome = await sender.send(message(TOPIC, { content: { ...content, blocks }, oneClickUrl }));
  expect(outcome).toEqual({ kind: "delivered", providerId: "hwQ2YpKdmg" });
  expect(peer.received).toEqual([
    {
      topic: TOPIC,
      title: "Datenleck: Müller & Söhne",
      message: "Grüße aus Zürich, 1 < 2",
      priority: 3,
      tags: ["bell"],
      click: URL_OF_ALERT,
    },
  ]);
  // Anybody who knows the topic can read it.
  expect(peer.requests[0]?.body).not.toMatch(/manage-contact|v1\.|tk_/);
});

test.each([
  ["low", 2, "bell"],
  ["normal", 3, "bell"],
  ["high", 4, "warning"],
  ["critical", 5, "rotating_light"],
] as const)("send() gives urgency %s priority %i", async (urgency, priority, tag) => {
  const { peer, sender } = await open();
  await sender.send(message(TOPIC, { urgency }));
  expect(peer.received).toMatchObject([{ priority, tags: [tag] }]);
});

test("send() keeps any length of text a message instead of an attachment", async () => {
  const { peer, sender } = await open();
  const blocks = [{ kind: "paragraph", text: "Ein 😀 sehr langer Text. ".repeat(1000) } as const];
  expect(await sender.send(message(TOPIC, { content: { ...content, blocks } }))).toMatchObject({ kind: "delivered" });
  expect(Buffer.byteLength(peer.received[0]?.message ?? "")).toBeLessThanOrEqual(4096);
});

test("send() sends the installation's token only to its own server, also by its address", async () => {
  const own = await open();
  await own.sender.send(message(TOPIC));
  expect(own.peer.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${NTFY_TOKEN}`]);

  const secure = await open({ secure: true, ca: LOOPBACK_AUTHORITY });
  const { sender, peer } = secure;
  expect(await sender.send(message(`${peer.url}/${TOPIC}`))).toMatchObject({ kind: "delivered" });
  expect(peer.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${NTFY_TOKEN}`]);

  const other = ntfySender({
    baseUrl: "https://ntfy.breachbell.example",
    token: NTFY_TOKEN,
    userAgent: "Breachbell/0.1.0",
    allowPrivate: true,
    ca: LOOPBACK_AUTHORITY,
    resolve: async () => ["127.0.0.1"],
    now: () => new Date(0),
  });
  const there = message(`https://other.example:${peer.port}/${TOPIC}`);
  expect(await other.send(there)).toMatchObject({ kind: "delivered" });
  expect(peer.requests.at(-1)?.headers).not.toHaveProperty("authorization");
});

test("send() reaches no server in a private network except the installation's own", async () => {
  const { peer, sender } = await open({
    secure: true,
    ca: LOOPBACK_AUTHORITY,
    baseUrl: "https://ntfy.breachbell.example",
  });
  const there = `https://localhost:${peer.port}/${TOPIC}`;
  expect(await sender.send(message(there))).toMatchObject({ kind: "retry", scope: "contact" });
  expect(await sender.check?.(there)).toEqual({ kind: "invalid" });
  const byNumber = `https://127.0.0.1:${peer.port}/${TOPIC}`;
  expect(await sender.send(message(byNumber))).toMatchObject({ kind: "dead", cause: "recipient", forGood: true });
  expect(peer.requests).toEqual([]);
});

test("send() blames the token if it is invalid, and the topic if it is reserved by somebody else", async () => {
  const { peer, sender } = await open({ token: "tk_wrong" });
  expect(await sender.send(message(TOPIC))).toMatchObject({ kind: "misconfigured" });
  const { peer: right, sender: good } = await open();
  right.reserve("taken");
  expect(await good.send(message("taken"))).toMatchObject({ kind: "dead", cause: "recipient" });
  expect([...peer.received, ...right.received]).toEqual([]);
});
