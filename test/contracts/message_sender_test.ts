import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smtpSender } from "../../src/notifications/adapters/email.ts";
import { mailboxSender } from "../../src/notifications/adapters/mailbox.ts";
import { memorySender } from "../../src/notifications/adapters/memory.ts";
import type { MessageSender } from "../../src/notifications/ports.ts";
import { content, FROM, ID, messageTo, peerAndSender } from "../notifications/sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type Opened = { sender: MessageSender; received: () => { to: string; subject: string; messageId: string }[] };
const openers: Record<string, () => Promise<Opened>> = {
  async memory() {
    const sender = memorySender();
    return {
      sender,
      received: () =>
        sender.sent.map(({ to, content, messageId }) => ({ to: to.value, subject: content.subject, messageId })),
    };
  },
  async mailbox() {
    const directory = mkdtempSync(join(tmpdir(), "mailbox-"));
    cleanUps.push(() => rmSync(directory, { recursive: true }));
    const sender = mailboxSender({ directory, from: FROM });
    const files = () => [...new Bun.Glob("*.json").scanSync({ cwd: directory, absolute: true })].sort();
    return { sender, received: () => files().map((file) => JSON.parse(readFileSync(file, "utf8"))) };
  },
  async smtp() {
    const { peer, sender } = await peerAndSender(cleanUps);
    return {
      sender,
      received: () =>
        peer.received.map(({ to, mail }) => ({
          to: to.join(),
          subject: mail.subject ?? "",
          messageId: mail.messageId ?? "",
        })),
    };
  },
};

describe.each(Object.entries(openers))("MessageSender on %s", (_, open) => {
  test("send() delivers to the one recipient, with the message id it was given", async () => {
    const { sender, received } = await open();
    expect(sender.channel).toBe("email");
    expect(await sender.send(messageTo("alice@home.example"))).toEqual({
      kind: "delivered",
      providerId: expect.any(String),
    });
    expect(received()).toMatchObject([
      { to: "alice@home.example", subject: content.subject, messageId: `<${ID}@breachbell.example>` },
    ]);
  });

  test("send() keeps the order of calls that wait for each other", async () => {
    const { sender, received } = await open();
    for (const name of ["a", "b", "c"]) await sender.send(messageTo(`${name}@home.example`));
    expect(received().map(({ to }) => to)).toEqual(["a@home.example", "b@home.example", "c@home.example"]);
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
    ["a line cut at RCPT", { at: "rcpt", does: "drop" }, { kind: "retry", scope: "channel" }],
  ] as const;
  test.each(answers)("takes %s for what it is", async (_, fault, outcome) => {
    const { peer, sender } = await peerAndSender(cleanUps);
    peer.break(fault);
    const answer = await send({ sender });
    expect(answer).toMatchObject(outcome);
    expect(answer).not.toHaveProperty("inDoubt");
    expect(peer.received).toEqual([]);
    peer.repair();
    expect(await send({ sender })).toMatchObject({ kind: "delivered" });
  });

  test("takes a refused password for our fault, although the reply is permanent", async () => {
    const { peer, sender } = await peerAndSender(cleanUps, { password: "right" });
    const wrong = smtpSender({ url: peer.url.replace("right", "wrong"), from: FROM });
    cleanUps.push(wrong.close);
    const outcome = await wrong.send(messageTo("alice@home.example"));
    expect(outcome).toMatchObject({ kind: "misconfigured", reason: expect.stringContaining("535") });
    expect(JSON.stringify(outcome)).not.toContain("wrong");
    expect(await sender.send(messageTo("alice@home.example"))).toMatchObject({ kind: "delivered" });
  });

  test("retries when nobody listens", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    await peer.close();
    expect(await send({ sender })).toEqual({
      kind: "retry",
      scope: "channel",
      reason: expect.stringContaining("ECONNREFUSED"),
    });
  });

  test("is in doubt when the line is cut after the mail was taken, and does not send it again by itself", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    peer.break({ at: "accepted", does: "drop" });
    expect(await send({ sender })).toMatchObject({ kind: "retry", scope: "channel", inDoubt: true });
    peer.repair();
    await send({ sender });
    expect(peer.received).toHaveLength(2);
    expect(new Set(peer.received.map(({ mail }) => mail.messageId)).size).toBe(1);
  });

  test("gives up a server that keeps silent: in doubt after the mail was taken, not before", async () => {
    const { peer, sender } = await peerAndSender(cleanUps, { deadlineMs: 150 });
    peer.break({ at: "rcpt", does: "hang" });
    const before = await send({ sender });
    expect(before).toMatchObject({ kind: "retry", scope: "channel" });
    expect(before).not.toHaveProperty("inDoubt");
    peer.break({ at: "accepted", does: "hang" });
    expect(await send({ sender })).toMatchObject({ kind: "retry", scope: "channel", inDoubt: true });
  });
});
