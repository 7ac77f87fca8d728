import { afterEach, describe, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import type { Outcome } from "../../src/notifications/ports.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";
import { codeMail, email, MINUTE, postOffice } from "./post_office.ts";
import { SERVER } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

test("a mail server that would reject us is detected before the first mail, reported once, and recovers", async () => {
  const peer = await startSmtpPeer({ password: "right" });
  const sender = smtpSender({ ...SERVER, url: peer.url.replace("right", "wrong") });
  cleanUps.push(() => peer.close(), sender.close);
  const post = postOffice();
  post.deps.senders.email = sender;
  expect(await post.channelsHealth()).toMatchObject([{ channel: "email", state: "well", trouble: null }]);
  for (let round = 0; round < 2; round += 1) await post.verifyChannels();
  expect(await post.channelsHealth()).toMatchObject([{ state: "troubled", trouble: "EAUTH" }]);
  expect(await post.areCodesDelayed("alice")).toBe(true);
  expect(post.reports).toHaveLength(1);
  expect(JSON.stringify([...post.reports.map(String), await post.channelsHealth()])).not.toContain("wrong");
  const mended = smtpSender({ ...SERVER, url: peer.url });
  cleanUps.push(mended.close);
  post.deps.senders.email = mended;
  await post.verifyChannels();
  expect(await post.channelsHealth()).toMatchObject([{ state: "well", trouble: null }]);
  expect(peer.received).toEqual([]);
});

describe("areCodesDelayed()", () => {
  const down: Outcome = { kind: "retry", scope: "channel", reason: "ECONNREFUSED" };

  test("is true from the first failure of this account's code until it has been sent", async () => {
    const post = postOffice();
    await post.onMailRequested(codeMail("123456"));
    expect(await post.areCodesDelayed("alice")).toBe(false);
    post.sender.answer(down);
    await post.deliverDue();
    expect([await post.areCodesDelayed("alice"), await post.areCodesDelayed("bob")]).toEqual([true, false]);
    post.advance(MINUTE);
    await post.deliverDue();
    expect(await post.areCodesDelayed("alice")).toBe(false);
  });

  test("is true for everybody while mail rests, also between its rests, until something has been sent", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email("alice@breachbell.example")]);
    const ids = ["a0", "a1", "a2", "a3", "a4"];
    await post.raiseEach(ids.map((id) => post.found(id, "home")));
    post.sender.answer(...ids.map(() => down));
    await post.deliverDue();
    expect(await post.areCodesDelayed("bob")).toBe(true);
    post.advance(10 * MINUTE);
    expect(await post.areCodesDelayed("bob")).toBe(true);
    await post.deliverDue();
    expect(await post.areCodesDelayed("bob")).toBe(false);
  });
});

test("a channel paused after failures shows the end of its pause", async () => {
  const post = postOffice();
  await post.deps.transaction(async ({ channels }) => {
    for (let count = 0; count < 5; count += 1) await channels.countFailure("email", "535");
    await channels.pause("email", new Date("2026-03-02T08:00:30Z"));
  });
  expect(await post.channelsHealth()).toMatchObject([{ state: "resting", pausedUntil: "2026-03-02T08:00:30.000Z" }]);
});
