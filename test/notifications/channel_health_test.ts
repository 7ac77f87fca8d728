import { afterEach, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";
import { postOffice } from "./post_office.ts";
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
  expect(post.reports).toHaveLength(1);
  expect(JSON.stringify([...post.reports.map(String), await post.channelsHealth()])).not.toContain("wrong");
  const mended = smtpSender({ ...SERVER, url: peer.url });
  cleanUps.push(mended.close);
  post.deps.senders.email = mended;
  await post.verifyChannels();
  expect(await post.channelsHealth()).toMatchObject([{ state: "well", trouble: null }]);
  expect(peer.received).toEqual([]);
});

test("a channel paused after failures shows the end of its pause", async () => {
  const post = postOffice();
  await post.deps.transaction(async ({ channels }) => {
    for (let count = 0; count < 5; count += 1) await channels.countFailure("email");
    await channels.pause("email", new Date("2026-03-02T08:00:30Z"));
  });
  expect(await post.channelsHealth()).toMatchObject([{ state: "resting", pausedUntil: "2026-03-02T08:00:30.000Z" }]);
});
