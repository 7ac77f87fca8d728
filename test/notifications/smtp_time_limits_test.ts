import { afterEach, describe, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { longestSend, TIME_LIMITS } from "../../src/notifications/adapters/channels/email/email_connections.ts";
import type { MessageSender } from "../../src/notifications/ports.ts";
import type { SmtpFault } from "../support/smtp_peer.ts";
import { codeMail, email, HOUR, postOffice } from "./post_office.ts";
import { content, messageTo, peerAndSender, SERVER } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const ALICE = "alice@home.example";
const send = ({ sender }: { sender: MessageSender }) => sender.send(messageTo(ALICE));
const code = messageTo("carol@home.example", { content: { ...content, code: { value: "012345", line: "012345" } } });

describe("The time limits", () => {
  /** The least that RFC 5321 asks a client to wait (4.5.3.2), and what else the product promises. */
  test.each([
    ["connectMs", 10 * SECOND],
    ["greetingMs", 5 * MINUTE],
    ["answerMs", 10 * MINUTE],
    ["mailMs", 30 * MINUTE],
    ["spareMs", 30 * SECOND],
    ["placeMs", 5 * MINUTE],
    ["verifyMs", 30 * SECOND],
  ] as const)("%s is %i", (name, ms) => {
    expect(TIME_LIMITS[name]).toBe(ms);
  });

  test("end a send before the delivery loop does, after an hour", () => {
    const sender = smtpSender({ ...SERVER, url: "smtp://127.0.0.1:1" });
    expect(sender.deadlineMs).toBe(HOUR + 15 * SECOND);
    expect(longestSend(TIME_LIMITS)).toBe(HOUR + 10 * SECOND);
  });
});

describe("smtpSender() with a slow server", () => {
  const SHORT = 500;
  const steps: [SmtpFault["at"], keyof typeof TIME_LIMITS, boolean][] = [
    ["connect", "greetingMs", false],
    ["mail", "answerMs", false],
    ["rcpt", "answerMs", false],
    ["accepted", "answerMs", true],
    ["rcpt", "mailMs", false],
    ["accepted", "mailMs", true],
  ];

  test.each(steps)("that is silent at %s gives up after %s; in doubt: %p", async (at, limit, inDoubt) => {
    const { peer, sender } = await peerAndSender(cleanUps, { limits: { [limit]: SHORT } });
    peer.break({ at, does: "hang" });
    const from = performance.now();
    const outcome = await send({ sender });
    expect(performance.now() - from).toBeGreaterThan(SHORT - 10);
    expect(outcome).toMatchObject({ kind: "retry", scope: "channel", reason: expect.stringContaining("ETIMEDOUT") });
    expect("inDoubt" in outcome).toBe(inDoubt);
  });

  const late: SmtpFault["at"][] = ["connect", "mail", "rcpt", "accepted"];
  test.each(late)("that is late at %s delivers once, however short the limit for connecting is", async (at) => {
    const { peer, sender } = await peerAndSender(cleanUps, { limits: { connectMs: 2 * SHORT } });
    peer.break({ at, does: { lateMs: 2 * SHORT + 1 } });
    expect(await send({ sender })).toMatchObject({ kind: "delivered" });
    expect(peer.received).toHaveLength(1);
  });

  test("keeps a connection for codes, which also go first", async () => {
    const { peer, sender } = await peerAndSender(cleanUps, { connections: 3 });
    peer.break({ at: "accepted", does: "hang", when: (to) => to.includes(ALICE) });
    const slow = Array.from({ length: 6 }, () => send({ sender }));
    expect(await sender.send(code)).toMatchObject({ kind: "delivered" });
    expect(peer.received.map(({ to }) => to.join())).not.toHaveLength(6);
    await sender.close();
    expect((await Promise.all(slow)).every(({ kind }) => kind === "retry")).toBe(true);
    expect(peer.connections).toBe(3);
  });

  test("sends no mail that waits too long for a connection, without any doubt or blame", async () => {
    const { peer, sender } = await peerAndSender(cleanUps, { connections: 1, limits: { placeMs: 100 } });
    const arrived = Promise.withResolvers<boolean>();
    peer.break({
      at: "accepted",
      does: "hang",
      when: () => {
        arrived.resolve(true);
        return true;
      },
    });
    const first = send({ sender });
    await arrived.promise;
    expect(await send({ sender })).toEqual({
      kind: "retry",
      scope: "contact",
      reason: expect.stringContaining("free"),
    });
    await sender.close();
    expect(await first).toMatchObject({ inDoubt: true });
  });

  test("opens a spare connection for each that waits for an answer, up to as many again", async () => {
    const { peer, sender } = await peerAndSender(cleanUps, { connections: 2, limits: { spareMs: 50 } });
    const isAlice = (to: string[]) => to.includes(ALICE);
    peer.break({ at: "accepted", does: "hang", when: isAlice });
    const slow = [send({ sender }), send({ sender })];
    expect(await sender.send(messageTo("bob@home.example"))).toMatchObject({ kind: "delivered" });
    slow.push(send({ sender }), send({ sender }));
    expect(await sender.send(code)).toMatchObject({ kind: "delivered" });
    expect(peer.connections).toBe(4);
    await sender.close();
    expect((await Promise.all(slow)).every(({ kind }) => kind === "retry")).toBe(true);
  });

  test("opens no spare connection for mails that wait for their own slot", async () => {
    const pace = () => new Promise<void>((resolve) => setTimeout(resolve, 100));
    const { peer, sender } = await peerAndSender(cleanUps, { connections: 2, limits: { spareMs: 20 }, pace });
    const all = await Promise.all(Array.from({ length: 6 }, () => send({ sender })));
    expect(all.every(({ kind }) => kind === "delivered")).toBe(true);
    expect(peer.connections).toBe(1);
  });

  test("verify() tells of a server that does not greet in time, and leaves no connection", async () => {
    const { peer, sender } = await peerAndSender(cleanUps, { limits: { verifyMs: 50 } });
    peer.break({ at: "connect", does: "hang" });
    await expect(sender.verify()).rejects.toMatchObject({ code: "ETIMEDOUT" });
  });
});

describe("a stop", () => {
  test("leaves nothing to a slow server: what is under way is released, in doubt, and its connection ends", async () => {
    const { peer, sender } = await peerAndSender(cleanUps);
    const post = postOffice({ senders: { email: sender } });
    post.watch("home", ALICE, [email("alice@breachbell.example")]);
    const arrived = Promise.withResolvers<void>();
    peer.break({
      at: "rcpt",
      does: "hang",
      when: () => {
        arrived.resolve();
        return true;
      },
    });
    await post.onMailRequested(codeMail("123456"));
    const done = post.deliverDue();
    await arrived.promise;
    await post.stopDelivering(1);
    await done;
    const [row] = await post.ledger();
    expect(row).toMatchObject({ state: "due", reason: "interrupted", inDoubt: true, leaseToken: undefined });
    // Another process takes it over.
    peer.repair();
    const { sender: another } = await peerAndSender(cleanUps);
    expect(await post.anotherWorker({ senders: { email: another } }).deliverDue()).toBe(1);
    expect(peer.received).toEqual([]);
  });
});
