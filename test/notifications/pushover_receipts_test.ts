import { afterEach, expect, test } from "bun:test";
import { pushoverSender } from "../../src/notifications/adapters/channels/pushover/pushover.ts";
import { HTTP_FAILURES } from "../support/channel_peer.ts";
import { APP_TOKEN, PUSHOVER_FAILURES, RECEIPT, startPushoverPeer, USER_KEY } from "../support/pushover_peer.ts";
import { messageTo } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const SEEN_AT = new Date("2026-03-02T08:03:07.000Z");
const NOT_YET = { acknowledgedAt: null, expired: false };
const UNUSABLE = [
  "200 with nonsense",
  "200 with other JSON",
  "200 without a body",
  "redirect",
  "404",
  "429",
  "500",
  "502",
  "hang",
  "reset",
  "truncated",
  "slow body",
] as const;

/** Sends an emergency message. */
async function open({ timeoutMs = 10_000, appToken = APP_TOKEN } = {}) {
  const peer = await startPushoverPeer();
  cleanUps.push(peer.stop);
  const senderWith = (token: string, patience = 10_000) =>
    pushoverSender({
      baseUrl: peer.url,
      appToken: token,
      timeoutMs: patience,
      userAgent: "Breachbell/0.1.0",
      now: () => SEEN_AT,
      report: () => {},
    });
  const to = { channel: "pushover", value: USER_KEY } as const;
  const emergency = messageTo(USER_KEY, { to, urgency: "critical", emergency: true });
  expect(await senderWith(APP_TOKEN).send(emergency)).toMatchObject({ kind: "delivered", receipt: RECEIPT });
  const { receipts } = senderWith(appToken, timeoutMs);
  const { receipts: patient } = senderWith(appToken);
  if (!receipts || !patient) throw new Error("Pushover knows receipts");
  return { peer, receipts, patient };
}

test("look() distinguishes seen messages, with the time, from unseen ones", async () => {
  const { peer, receipts } = await open();
  expect(await receipts.look(RECEIPT)).toEqual(NOT_YET);
  peer.acknowledge(RECEIPT, SEEN_AT.getTime() / 1000);
  expect(await receipts.look(RECEIPT)).toEqual({ acknowledgedAt: SEEN_AT, expired: false });
  const [, look] = peer.requests;
  expect(look).toMatchObject({ method: "GET", path: `/1/receipts/${RECEIPT}.json?token=${APP_TOKEN}`, body: "" });
  expect(look?.headers["content-length"]).toBeUndefined();
});

test("look() returns what has expired, and what was seen afterwards", async () => {
  const { peer, receipts } = await open();
  peer.expire(RECEIPT);
  expect(await receipts.look(RECEIPT)).toEqual({ acknowledgedAt: null, expired: true });
  peer.acknowledge(RECEIPT, SEEN_AT.getTime() / 1000);
  expect(await receipts.look(RECEIPT)).toEqual({ acknowledgedAt: SEEN_AT, expired: true });
});

test("A receipt unknown to Pushover has expired, and is not cancelled", async () => {
  const { peer, receipts } = await open();
  const unknown = "x".repeat(30);
  expect(await receipts.look(unknown)).toEqual({ acknowledgedAt: null, expired: true });
  expect(await receipts.cancel(unknown)).toBe(true);
  expect(peer.cancelled).toEqual([]);
});

test("cancel() ends the repetition, with the token in the body", async () => {
  const { peer, receipts } = await open();
  expect(await receipts.cancel(RECEIPT)).toBe(true);
  expect(peer.cancelled).toEqual([RECEIPT]);
  expect(await receipts.look(RECEIPT)).toEqual({ acknowledgedAt: null, expired: true });
  expect(peer.requests[1]).toMatchObject({ method: "POST", path: `/1/receipts/${RECEIPT}/cancel.json` });
  expect(peer.requests[1]?.body).toBe(`token=${APP_TOKEN}`);
});

test.each(UNUSABLE)("%s is no statement about an emergency, seen or not", async (name) => {
  const { peer, receipts, patient } = await open({ timeoutMs: 100 });
  peer.acknowledge(RECEIPT, SEEN_AT.getTime() / 1000);
  peer.failAlways(HTTP_FAILURES[name]);
  expect(await receipts.look(RECEIPT)).toBe("unknown");
  expect(await receipts.cancel(RECEIPT)).toBe(false);
  peer.failAlways();
  expect(await patient.look(RECEIPT)).toMatchObject({ acknowledgedAt: SEEN_AT });
});

test("A token unknown to Pushover leaves everything open", async () => {
  const { peer, receipts } = await open({ appToken: "b".repeat(30) });
  expect(await receipts.look(RECEIPT)).toBe("unknown");
  expect(await receipts.cancel(RECEIPT)).toBe(false);
  peer.failAlways(PUSHOVER_FAILURES["200 with status 0"]);
  expect(await receipts.look(RECEIPT)).toBe("unknown");
  expect(await receipts.cancel(RECEIPT)).toBe(false);
});
