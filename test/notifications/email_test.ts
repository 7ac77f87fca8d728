import { afterEach, describe, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { parseSender } from "../../src/notifications/adapters/channels/email/email_from.ts";
import { canonical } from "../../src/notifications/contacts/contact.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import type { MessageSender } from "../../src/notifications/ports.ts";
import { normaliseEmail } from "../../src/shared/email_address.ts";
import { content, FROM, messageTo, peerAndSender, SERVER } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

describe("smtpSender()", () => {
  const send = ({ sender }: { sender: MessageSender }) => sender.send(messageTo("alice@home.example"));

  test("sends a mail that people and programs can read", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    await sender.send(messageTo("alice@home.example", { oneClickUrl: "https://breachbell.example/u/v1.x" }));
    const [received] = peer.received;
    expect(received?.from).toBe("alerts@breachbell.example");
    const { mail } = received ?? {};
    expect(mail?.from).toMatchObject({ name: "Breachbell", address: "alerts@breachbell.example" });
    expect(mail?.subject).toBe("Datenleck: Müller & Söhne");
    expect(mail?.text).toContain("Grüße aus Zürich, 1 < 2");
    expect(mail?.html).toContain("Grüße aus Zürich, 1 &lt; 2");
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value;
    expect(header("auto-submitted")).toBe("auto-generated");
    expect(header("content-language")).toBe("de");
    expect(header("list-unsubscribe")).toBe("<https://breachbell.example/u/v1.x>");
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(header("content-type")).toStartWith("multipart/alternative");
  });

  test("introduces itself by the host of the product, and dates mails by the clock that it is given", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    await send({ sender });
    expect(peer.introductions).toEqual(["breachbell.example"]);
    expect(peer.received[0]?.raw).toContain("Date: Mon, 02 Mar 2026 08:00:00 +0000");
    for (const [hostName, introduction] of [
      ["192.0.2.7", "[192.0.2.7]"],
      // The peer keeps it in small letters.
      ["[2001:db8::7]", "[ipv6:2001:db8::7]"],
    ] as const) {
      const addressed = smtpSender({ ...SERVER, hostName, url: peer.url });
      cleanUps.push(addressed.close);
      await send({ sender: addressed });
      expect(peer.introductions.at(-1)).toBe(introduction);
    }
  });

  test("has no unsubscribe header where unsubscribing is impossible", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    await send({ sender });
    expect(peer.received[0]?.raw).not.toMatch(/^List-Unsubscribe/im);
  });

  test("reuses one connection for consecutive mails", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    for (let mails = 0; mails < 5; mails++) await send({ sender });
    expect(peer.connections).toBe(1);
  });

  test("does not exceed its connection limit, however many mails are concurrent", async () => {
    // One of them is kept for codes.
    const { peer, sender } = await peerAndSender(cleanUps, { connections: 3 });
    await Promise.all(Array.from({ length: 12 }, () => send({ sender })));
    expect([peer.received.length, peer.connections]).toEqual([12, 2]);
  });

  test("authenticates", async () => {
    const house = await peerAndSender(cleanUps, { password: "pässword@:/" });
    expect(await send(house)).toMatchObject({ kind: "delivered" });
    await house.sender.verify();
  });

  test("reconnects immediately when the old connection was dropped while idle", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    await send({ sender });
    peer.cut();
    expect(await send({ sender })).toMatchObject({ kind: "delivered" });
    expect(peer.received).toHaveLength(2);
  });

  const hostile = [
    "a@x.example, b@x.example",
    "a@x.example; b@x.example",
    "friends: a@x.example, b@x.example;",
    "Alice <a@x.example>",
    "<a@x.example>",
    '"a@x.example,"@y.example',
    "a@x.example\r\nRCPT TO:<b@x.example>",
    "a@x.example\nBcc: b@x.example",
    "a@x.example\u0000",
    "a@x.example ",
    " a@x.example",
    "a@ｘ.example",
    "a@[127.0.0.1]",
    "a@x.example>",
    "a@x.example (b@x.example)",
    "a@x.example%00",
    "A@X.example",
    "a\u202e@x.example",
    "@x.example",
    "a@",
    "a+b@x.example",
    "o'hara@x.example",
    "a@x.example,",
    "a@bücher.example",
    "a@xn--bcher-kva.example",
  ];
  test("delivers to exactly the one stored recipient, whatever was typed", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    for (const typed of hostile) {
      const stored = canonical({ channel: "email", value: typed })?.value;
      const asTyped = await sender.send(messageTo(typed));
      if (stored !== typed) expect({ typed, asTyped }).toMatchObject({ asTyped: { kind: "dead", cause: "recipient" } });
      if (stored === undefined) continue;
      peer.recipients.length = 0;
      expect(await sender.send(messageTo(stored))).toMatchObject({ kind: "delivered" });
      // The peer shows international domains in Unicode.
      expect({ typed, recipients: peer.recipients.map(normaliseEmail) }).toEqual({ typed, recipients: [stored] });
      expect(peer.received.at(-1)?.raw).toMatch(new RegExp(`^To: <?${RegExp.escape(stored)}>?\\r$`, "m"));
    }
  });

  test("lets no text become a header", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    const words = "Hi\r\nBcc: evil@x.example\r\nX-Evil: 1\r\n\r\nbody\u0000\u202e";
    const hostile: Content = {
      ...content,
      subject: words,
      preview: words,
      heading: words,
      footer: [words],
      links: [{ label: words, url: "https://x.example" }],
    };
    await sender.send(messageTo("alice@home.example", { content: hostile }));
    const [received] = peer.received;
    expect(received?.to).toEqual(["alice@home.example"]);
    const names = received?.mail.headers.map(({ key }) => key) ?? [];
    expect(names).not.toContain("bcc");
    expect(names).not.toContain("x-evil");
  });
});

describe("parseSender()", () => {
  test("parses a name with its address, and a bare address", () => {
    expect(parseSender(FROM)).toEqual({ name: "Breachbell", address: "alerts@breachbell.example" });
    expect(parseSender('"Breachbell Alerts" <a@b.example>')).toEqual({
      name: "Breachbell Alerts",
      address: "a@b.example",
    });
    expect(parseSender("a@b.example")).toEqual({ name: "", address: "a@b.example" });
    for (const wrong of ["nobody", "a@b.example, c@d.example", "X <a@b.example> y", ""])
      expect(() => parseSender(wrong)).toThrow("Cannot send mail from");
  });
});
