import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { mailboxSender } from "../../src/notifications/adapters/channels/inbox/mailbox.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import type { MessageSender, Recipient } from "../../src/notifications/ports.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { content, FROM, ID, messageTo, peerAndSender, SERVER } from "../notifications/sample_mail.ts";
import { PROVIDER_OPENERS, type ProviderName } from "../support/channel_providers.ts";
import { CHAT_PEERS, type ChatPeerName } from "../support/chats/peers.ts";
import { STAND_IN_OPENERS } from "../support/stand_ins.ts";

const CHATS = Object.keys(CHAT_PEERS) as ChatPeerName[];

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Opened = {
  sender: MessageSender;
  recipients: Recipient[];
  received: () => { to: string; title: string; messageId?: string }[];
};
const MAILBOXES = ["a@home.example", "b@home.example", "c@home.example"].map(
  (value): Recipient => ({ channel: "email", value }),
);
const now = () => new Date("2026-03-02T08:00:00.000Z");

/** The same one three times, as a provider's peer has only one recipient. */
const over =
  (name: ProviderName): (() => Promise<Opened>) =>
  async () => {
    const { recipient, ...opened } = await PROVIDER_OPENERS[name]({ now, cleanUps });
    return { ...opened, recipients: [recipient, recipient, recipient] };
  };

const MAIL: Record<string, () => Promise<Opened>> = {
  async memory() {
    const sender = memorySender();
    const received = () =>
      sender.sent.map(({ to, content, messageId }) => ({ to: to.value, title: content.subject, messageId }));
    return { sender, received, recipients: MAILBOXES };
  },
  async mailbox() {
    const directory = mkdtempSync(join(tmpdir(), "mailbox-"));
    cleanUps.push(() => rmSync(directory, { recursive: true }));
    const sender = mailboxSender({ directory, from: FROM });
    const files = () => [...new Bun.Glob("*.json").scanSync({ cwd: directory, absolute: true })].sort();
    const received = () =>
      files().map((file) => {
        const { to, subject, messageId } = JSON.parse(readFileSync(file, "utf8"));
        return { to, title: subject, messageId };
      });
    return { sender, received, recipients: MAILBOXES };
  },
  async smtp() {
    const { peer, sender } = await peerAndSender(cleanUps);
    const received = () =>
      peer.received.map(({ to, mail }) => ({
        to: to.join(),
        title: mail.subject ?? "",
        messageId: mail.messageId ?? "",
      }));
    return { sender, received, recipients: MAILBOXES };
  },
};
const PUSH: Record<string, () => Promise<Opened>> = {
  pushover: over("pushover"),
  ntfy: over("ntfy"),
  "ntfy elsewhere": over("ntfy elsewhere"),
  webhook: over("webhook"),
  "pushover in the local inbox": () => STAND_IN_OPENERS.pushover(cleanUps),
};

/** Whether a recipient exists is unknown: until its owner writes to the bot, or until the first message is sent. */
const UNCHECKED: Record<string, () => Promise<Opened>> = {
  telegram: over("telegram"),
  webpush: over("webpush"),
  ...Object.fromEntries(CHATS.map((name) => [name, over(name)])),
  "telegram in the local inbox": () => STAND_IN_OPENERS.telegram(cleanUps),
};

/** A chat has no subject: its first line is the heading. */
const to = (recipient: Recipient, subject = content.subject) =>
  messageTo(recipient.value, {
    to: recipient,
    deliveryId: crypto.randomUUID(),
    content: { ...content, subject, heading: subject },
  });

describe.each(Object.entries({ ...MAIL, ...PUSH, ...UNCHECKED }))("MessageSender on %s", (_, open) => {
  test("send() delivers to the one recipient, once", async () => {
    const { sender, received, recipients } = await open();
    const [first] = recipients as [Recipient];
    expect(sender.channel).toBe(first.channel);
    expect(await sender.send(to(first))).toMatchObject({ kind: "delivered" });
    expect(received()).toMatchObject([{ to: first.value, title: content.subject }]);
  });

  test("send() keeps the order of sequential calls", async () => {
    const { sender, received, recipients } = await open();
    for (const [index, recipient] of recipients.entries()) await sender.send(to(recipient, `Subject ${index}`));
    expect(received().map(({ title }) => title)).toEqual(["Subject 0", "Subject 1", "Subject 2"]);
    expect(received().map((one) => one.to)).toEqual(recipients.map(({ value }) => value));
  });

  test("send() sends a log-in code by mail and no other channel", async () => {
    const { sender, received, recipients } = await open();
    const [first] = recipients as [Recipient];
    const code = { value: "012345", line: "012345 is your code" };
    const outcome = await sender.send({ ...to(first), content: { ...content, code } });
    if (first.channel === "email") expect(outcome).toMatchObject({ kind: "delivered" });
    else expect(outcome).toMatchObject({ kind: "dead", cause: "message" });
    expect(received()).toHaveLength(first.channel === "email" ? 1 : 0);
  });
});

describe.each(Object.entries(MAIL))("MessageSender of mail on %s", (_, open) => {
  test("send() gives a mail the message id it was given", async () => {
    const { sender, received, recipients } = await open();
    const [first] = recipients as [Recipient];
    await sender.send(to(first));
    expect(received()).toMatchObject([{ messageId: `<${ID}@breachbell.example>` }]);
  });
});

/** The in-memory sender accepts anything. */
const OUTWARD = Object.entries({ ...MAIL, ...PUSH, ...UNCHECKED }).filter(([name]) => name !== "memory");
describe.each(OUTWARD)("MessageSender to the outside on %s", (_, open) => {
  test("send() rejects invalid recipients of its channel, without any request", async () => {
    const { sender, received, recipients } = await open();
    const [first] = recipients as [Recipient];
    const wrong: Recipient = { channel: first.channel, value: "no recipient anywhere" };
    expect(await sender.send(to(wrong))).toMatchObject({ kind: "dead", cause: "recipient" });
    expect(received()).toEqual([]);
  });
});

/** Everything that somebody could have typed to inject another header. */
const EVIL = "Adobe\r\nX-Evil: yes\r\nBcc: eve@evil.example\r\n\r\nGET /evil HTTP/1.1\u0000\u2028<script>\u202e\ud800";
const hostile: Content = {
  ...content,
  subject: EVIL,
  preview: EVIL,
  heading: EVIL,
  footer: [EVIL],
  links: [{ label: EVIL, url: "https://x.example" }],
  blocks: [
    { kind: "paragraph", text: EVIL },
    { kind: "facts", facts: [{ label: EVIL, value: EVIL }] },
    { kind: "tags", label: EVIL, tags: [EVIL] },
    { kind: "breaches", label: EVIL, breaches: [{ title: EVIL, facts: [], badges: [EVIL] }] },
    { kind: "button", label: EVIL, url: "https://breachbell.example/en/alerts" },
  ],
};
const HTTP = ["pushover", "ntfy", "ntfy elsewhere", "webhook", "webpush", "telegram", ...CHATS] as const;
describe.each(HTTP)("MessageSender over HTTP on %s", (name) => {
  test("send() lets no text become a header, or another request", async () => {
    const { sender, recipient, requests, received } = await PROVIDER_OPENERS[name]({ now, cleanUps });
    await sender.send(to(recipient));
    const before = Object.keys(requests.at(-1)?.headers ?? {}).toSorted();
    expect(before).toContain("content-type");
    expect(await sender.send({ ...to(recipient), content: hostile })).toMatchObject({ kind: "delivered" });
    expect(requests).toHaveLength(2);
    expect(Object.keys(requests.at(-1)?.headers ?? {}).toSorted()).toEqual(before);
    expect(JSON.stringify(requests.at(-1)?.headers).toLowerCase()).not.toContain("evil");
    expect(received()).toHaveLength(2);
  });
});

describe.each(Object.entries(PUSH))("MessageSender that can check on %s", (_, open) => {
  test("check() recognises valid recipients, and sends nothing", async () => {
    const { sender, received, recipients } = await open();
    const [first] = recipients as [Recipient];
    expect(await sender.check?.(first.value)).toMatchObject({ kind: "valid" });
    expect(await sender.check?.("no recipient anywhere")).toEqual({ kind: "invalid" });
    expect(received()).toEqual([]);
  });
});

describe("smtpSender()", () => {
  const send = ({ sender }: { sender: MessageSender }) => sender.send(messageTo("alice@home.example"));

  const answers = [
    ["550 at RCPT", { at: "rcpt", does: { reply: 550, text: "no such user" } }, { kind: "dead", cause: "recipient" }],
    ["451 at RCPT", { at: "rcpt", does: { reply: 451, text: "greylisted" } }, { kind: "retry", scope: "contact" }],
    ["450 at MAIL", { at: "mail", does: { reply: 450 } }, { kind: "retry", scope: "channel" }],
    ["550 at MAIL", { at: "mail", does: { reply: 550 } }, { kind: "misconfigured" }],
    ["530 at MAIL", { at: "mail", does: { reply: 530 } }, { kind: "misconfigured" }],
    ["552 after DATA", { at: "data", does: { reply: 552, text: "too big" } }, { kind: "dead", cause: "message" }],
    ["451 after DATA", { at: "data", does: { reply: 451 } }, { kind: "retry", scope: "contact" }],
    ["421 after DATA", { at: "data", does: { reply: 421 } }, { kind: "retry", scope: "channel" }],
    ["554 as greeting", { at: "connect", does: { reply: 554 } }, { kind: "retry", scope: "channel" }],
    ["a connection cut at RCPT", { at: "rcpt", does: "drop" }, { kind: "retry", scope: "channel" }],
  ] as const;
  test.each(answers)("treats %s correctly", async (_, fault, outcome) => {
    const { peer, sender } = await peerAndSender(cleanUps);
    peer.break(fault);
    const answer = await send({ sender });
    expect(answer).toMatchObject(outcome);
    expect(answer).not.toHaveProperty("inDoubt");
    expect(peer.received).toEqual([]);
    peer.repair();
    expect(await send({ sender })).toMatchObject({ kind: "delivered" });
  });

  const policies = [
    ["rcpt", 553, "5.7.1 Sender address rejected: not owned by user breachbell"],
    ["rcpt", 504, "5.5.2 <[127.0.0.1]>: Helo command rejected: need fully-qualified hostname"],
    ["rcpt", 554, "5.7.1 Service unavailable; client host blocked using a block list"],
    ["rcpt", 554, "5.7.1 <alice@home.example>: Relay access denied"],
    ["rcpt", 550, "rejected"],
    ["data", 550, "5.4.5 Daily user sending limit exceeded"],
    ["data", 554, "5.2.252 SendAsDenied; not allowed to send as alerts@breachbell.example"],
    ["data", 554, "Message rejected: Email address is not verified"],
  ] as const;
  test.each(policies)("at %s, blames no recipient for %i %s", async (at, reply, text) => {
    const { peer, sender } = await peerAndSender(cleanUps);
    peer.break({ at, does: { reply, text } });
    expect(await send({ sender })).toMatchObject({
      kind: "misconfigured",
      scope: "recipient",
      reason: expect.stringContaining(text),
    });
  });

  const mailboxes = [
    ["rcpt", 550, "5.1.1 The email account that you tried to reach does not exist"],
    ["rcpt", 550, "5.1.10 RESOLVER.ADR.RecipientNotFound; not found"],
    ["rcpt", 550, "5.2.1 The email account is disabled"],
    ["rcpt", 551, "5.1.6 The recipient has moved"],
    ["rcpt", 552, "5.2.2 Mailbox full"],
    ["rcpt", 550, "Requested action not taken: mailbox unavailable"],
    ["data", 550, "5.1.1 User unknown"],
  ] as const;
  test.each(mailboxes)("at %s, blames the recipient for %i %s", async (at, reply, text) => {
    const { peer, sender } = await peerAndSender(cleanUps);
    peer.break({ at, does: { reply, text } });
    expect(await send({ sender })).toMatchObject({ kind: "dead", cause: "recipient" });
  });

  test("treats a rejected password as our fault, although the reply is permanent", async () => {
    const { peer, sender } = await peerAndSender(cleanUps, { password: "right" });
    const wrong = smtpSender({ ...SERVER, url: peer.url.replace("right", "wrong") });
    cleanUps.push(wrong.close);
    const outcome = await wrong.send(messageTo("alice@home.example"));
    expect(outcome).toMatchObject({ kind: "misconfigured", reason: expect.stringContaining("535") });
    expect(JSON.stringify(outcome)).not.toContain("wrong");
    expect(await sender.send(messageTo("alice@home.example"))).toMatchObject({ kind: "delivered" });
  });

  test("retries when the connection is refused", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    await peer.close();
    expect(await send({ sender })).toEqual({
      kind: "retry",
      scope: "channel",
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("is in doubt when the connection is cut after the mail was accepted, and does not retry automatically", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    peer.break({ at: "accepted", does: "drop" });
    expect(await send({ sender })).toMatchObject({ kind: "retry", scope: "channel", inDoubt: true });
    peer.repair();
    await send({ sender });
    expect(peer.received).toHaveLength(2);
    expect(new Set(peer.received.map(({ mail }) => mail.messageId)).size).toBe(1);
  });
});
