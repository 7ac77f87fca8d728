import { afterEach, describe, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { TIME_LIMITS, type TimeLimits } from "../../src/notifications/adapters/channels/email/email_connections.ts";
import type { ContactState, Delivery } from "../../src/notifications/ports.ts";
import { type SmtpFault, startSmtpPeer } from "../support/smtp_peer.ts";
import { email, HOUR, MINUTE, postOffice } from "./post_office.ts";
import { SERVER } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const SHORT = 600;
const BOB = "bob@home.example";
const says = (at: SmtpFault["at"], reply: number, text: string): SmtpFault => ({ at, does: { reply, text } });
const takes = (at: SmtpFault["at"], does: "hang" | "drop" | { lateMs: number }): SmtpFault => ({ at, does });

type Row = {
  fault: SmtpFault;
  limits?: Partial<TimeLimits>;
  /** The message and its contact while the fault lasts. */
  becomes: Pick<Delivery, "state" | "reason" | "inDoubt">;
  contact?: ContactState;
  /** What the log and the health of the channel say; undefined: nothing. */
  log?: string;
  health?: string;
  /** How often the mail has arrived in the end. */
  copies?: number;
};

const SENT = { state: "sent", reason: undefined, inDoubt: false } as const;
const WAITS = { state: "due", reason: "retry", inDoubt: false } as const;
const HELD = { state: "held", reason: "misconfigured", inDoubt: false } as const;

/** Replies about policy, authentication or limits, for which no recipient's mailbox is to blame. */
const POLICIES: [SmtpFault["at"], number, string][] = [
  ["rcpt", 553, "5.7.1 Sender address rejected: not owned by user breachbell"],
  ["rcpt", 504, "5.5.2 Helo command rejected: need fully-qualified hostname"],
  ["rcpt", 554, "5.7.1 Service unavailable; client host blocked using a list"],
  ["rcpt", 554, "5.7.1 Relay access denied"],
  ["data", 550, "5.4.5 Daily user sending limit exceeded"],
  ["data", 554, "5.2.252 SendAsDenied"],
  ["data", 554, "Message rejected: Email address is not verified"],
  ["rcpt", 571, "something that nobody has seen before"],
];

const ROWS: Record<string, Row> = {
  "greets late": { fault: takes("connect", { lateMs: SHORT }), becomes: SENT },
  "accepts late": { fault: takes("accepted", { lateMs: SHORT }), becomes: SENT },
  "never greets": { fault: takes("connect", "hang"), limits: { greetingMs: SHORT }, becomes: WAITS },
  "never answers RCPT": { fault: takes("rcpt", "hang"), limits: { answerMs: SHORT }, becomes: WAITS },
  "never answers the mail": {
    fault: takes("accepted", "hang"),
    limits: { answerMs: SHORT },
    becomes: { ...WAITS, inDoubt: true },
    copies: 2,
  },
  "cuts the connection": { fault: takes("rcpt", "drop"), becomes: WAITS },
  "is overloaded": { fault: says("connect", 421, "4.3.2 try later"), becomes: WAITS },
  greylists: { fault: says("rcpt", 451, "4.7.1 greylisted"), becomes: WAITS },
  "refuses the password": {
    fault: says("auth", 535, "5.7.8 authentication failed"),
    becomes: HELD,
    log: "535",
    health: "535",
  },
  "refuses the sender": {
    fault: says("mail", 550, "5.7.1 not authorised"),
    becomes: HELD,
    log: "not authorised",
    health: "not authorised",
  },
  "does not know the mailbox": {
    fault: says("rcpt", 550, "5.1.1 no such user"),
    becomes: { ...WAITS, reason: "refused" },
  },
  ...Object.fromEntries(
    POLICIES.map(([at, reply, text]) => [
      `says ${reply} ${text}`,
      { fault: says(at, reply, text), becomes: WAITS, log: text },
    ]),
  ),
};

/** Bob's alert over this server. */
async function officeOver({ fault, limits }: Row) {
  const peer = await startSmtpPeer({ password: "right" });
  const sender = smtpSender({ ...SERVER, url: peer.url, limits: { ...TIME_LIMITS, ...limits } });
  cleanUps.push(() => peer.close(), sender.close);
  const post = postOffice({ senders: { email: sender } });
  post.accounts.set("alice", { email: BOB, language: "en", firstName: "Bob", verified: true });
  post.watch("home", BOB, [email(BOB)]);
  peer.break(fault);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a0", "home")] });
  await post.deliverDue();
  return { post, peer };
}

describe.each(Object.entries(ROWS))("A mail server that %s", (_, row) => {
  const { becomes, contact = "active", log, health, copies = 1 } = row;

  test("blames nobody wrongly, is told to the operator by its cause, and gets the alert once it is mended", async () => {
    const { post, peer } = await officeOver(row);
    expect(await post.deliveryOf("alert:a0")).toMatchObject(becomes);
    expect(await post.statesOf("alice")).toMatchObject([{ state: contact }]);

    const told = post.reports.map(String).join("\n");
    if (log === undefined) expect(told).toBe("");
    else expect(told).toContain(log);
    const [mail] = await post.channelsHealth();
    if (health === undefined) expect(mail).toMatchObject({ state: "well", trouble: null });
    else expect(mail).toMatchObject({ state: "resting", trouble: expect.stringContaining(health) });

    peer.repair();
    for (let tries = 0; tries < 30 && (await post.deliveryOf("alert:a0")).state !== "sent"; tries++) {
      post.advance(becomes.reason === "refused" ? HOUR : MINUTE);
      await post.deliverDue();
    }
    expect(await post.deliveryOf("alert:a0")).toMatchObject({ state: "sent", inDoubt: becomes.inDoubt });
    expect(peer.received.map(({ to }) => to.join())).toEqual(Array(copies).fill(BOB));
    expect(new Set(peer.received.map(({ mail: { messageId } }) => messageId)).size).toBe(1);
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
    expect(await post.channelsHealth()).toMatchObject([{ state: "well", trouble: null }]);
  });
});

describe("A mail server that is down for long", () => {
  test("is told to the operator with the true cause, and that it is up again", async () => {
    const peer = await startSmtpPeer();
    const sender = smtpSender({ ...SERVER, url: peer.url });
    await peer.close();
    const mended = await startSmtpPeer();
    const second = smtpSender({ ...SERVER, url: mended.url });
    cleanUps.push(() => mended.close(), sender.close, second.close);
    const post = postOffice();
    post.deps.senders.email = sender;
    post.watch("home", BOB, [email("alice@breachbell.example")]);
    await post.raiseEach(["a0", "a1", "a2", "a3", "a4"].map((id) => post.found(id, "home")));
    await post.deliverDue();
    await post.verifyChannels();
    expect(post.reports.map(String)).toEqual([
      expect.stringContaining("Sending is paused after repeated failures: ECONNREFUSED"),
      expect.stringContaining("Cannot send by email: ECONNREFUSED"),
    ]);
    expect(await post.channelsHealth()).toMatchObject([
      { state: "resting", trouble: expect.stringContaining("ECONNREFUSED") },
    ]);
    post.deps.senders.email = second;
    post.advance(HOUR);
    await post.deliverDue();
    await post.verifyChannels();
    expect(mended.received).toHaveLength(5);
    const ofChannels = post.notes.flatMap(({ says, channel }) =>
      /channel/.test(`${says}`) ? `${channel}: ${says}` : [],
    );
    expect(ofChannels).toEqual([
      "email: The channel has recovered",
      "email: The channel's server accepts connections again",
    ]);
    expect(await post.channelsHealth()).toMatchObject([{ state: "well", trouble: null }]);
  });
});
