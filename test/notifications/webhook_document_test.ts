import { afterEach, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020.js";
import { WEBHOOK_MESSAGE } from "../../src/http/openapi_webhook.ts";
import { webhookSender } from "../../src/notifications/adapters/channels/webhook/webhook.ts";
import type { Message } from "../../src/notifications/ports.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";
import { startWebhookPeer, WEBHOOK_SECRET } from "../support/webhook_peer.ts";
import { adobe } from "./post_office.ts";
import { content, messageTo } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** The schema with additional properties forbidden. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]));
  return "properties" in parts ? { ...parts, additionalProperties: false } : parts;
}

test("a webhook receives what the reference documents, field by field", async () => {
  const now = () => new Date("2026-03-02T08:00:00.000Z");
  const peer = await startWebhookPeer({ now });
  cleanUps.push(peer.stop);
  const sender = webhookSender({
    userAgent: "Breachbell",
    allowPrivate: true,
    timeoutMs: 15_000,
    ca: LOOPBACK_AUTHORITY,
    now,
    resolve: async () => ["127.0.0.1"],
  });
  const send = (changes: Partial<Message>) =>
    sender.send(
      messageTo(peer.hook, { to: { channel: "webhook", value: peer.hook, secret: WEBHOOK_SECRET }, ...changes }),
    );
  const alert = { alertId: "1", associationId: "2", accountId: "3", address: "alice@home.example" } as const;
  const fact = {
    ...alert,
    state: "pending",
    raisedAt: "2026-03-02T07:59:00.000Z",
    version: 1,
    sources: ["hibp"],
    foundUnder: [{ address: "alice+shop@home.example", namesService: false }],
  } as const;
  const button = { kind: "button", label: "Open", url: "https://breachbell.example/en/alerts" } as const;
  const attribution = { text: "Have I Been Pwned", links: [{ label: "HIBP", url: "https://haveibeenpwned.com" }] };
  await send({ kind: "test" });
  await send({
    kind: "alert",
    deliveryId: "another",
    urgency: "critical",
    oneClickUrl: "https://breachbell.example/u/v1.x",
    content: { ...content, blocks: [...content.blocks, button], attribution },
    facts: [
      { ...fact, breach: adobe },
      { ...fact, breach: null },
    ],
  } as unknown as Partial<Message>);
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(closed(WEBHOOK_MESSAGE) as object);
  expect(peer.received.map(({ type }) => type)).toEqual(["test", "alert"]);
  for (const body of peer.received)
    expect({ valid: validate(body), errors: validate.errors }).toEqual({ valid: true, errors: null });
  expect(validate({ ...peer.received[0], more: true })).toBe(false);
});
