import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../src/notifications/ports.ts";
import { codeMail, email, HOUR, postOffice } from "./post_office.ts";

const ALICE = "alice@breachbell.example";

/** One alert for Alice, whose provider answers this. */
async function alertWith(...answers: Outcome[]) {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email(ALICE)]);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  post.sender.answer(...answers);
  await post.deliverDue();
  return post;
}

describe("The log of messages", () => {
  test("has one line for each that was sent, with ids alone", async () => {
    const post = await alertWith();
    const [row] = await post.ledger();
    const about = { delivery: row?.id, account: "alice", channel: "email", kind: "alert" };
    expect(post.notes).toEqual([
      { says: "A message was sent", ...about, state: "sent", attempts: 1, reason: undefined, cause: undefined },
    ]);
    expect(JSON.stringify(post.notes)).not.toContain("@");
  });

  test("says why one was refused, and when it is tried again", async () => {
    const post = await alertWith({ kind: "retry", scope: "contact", reason: `450 <${ALICE}>: mailbox busy` });
    expect(post.notes).toMatchObject([
      { says: "A message will be tried again", state: "due", reason: "retry", cause: "450 …: mailbox busy" },
    ]);
    const [row] = await post.ledger();
    expect(post.notes[0]).toMatchObject({ nextTry: row?.runAt.toISOString() });
  });

  test("says that one could not be delivered, is held back, is no longer wanted, or has expired", async () => {
    const unknown: Outcome = { kind: "dead", cause: "recipient", forGood: true, reason: "550 5.1.1 no such user" };
    expect((await alertWith(unknown)).notes[0]).toMatchObject({
      says: "A message could not be delivered",
      reason: "refused",
    });
    const wrongKey: Outcome = { kind: "misconfigured", scope: "channel", reason: "535 wrong password" };
    expect((await alertWith(wrongKey)).notes[0]).toMatchObject({
      says: "A message is held back",
      cause: "535 wrong password",
    });

    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    post.facts.clear();
    await post.onMailRequested(codeMail("123456", { notAfter: "2026-03-02T08:10:00.000Z" }));
    post.sender.answer({ kind: "retry", scope: "contact", reason: "busy" });
    await post.deliverDue();
    post.advance(HOUR);
    await post.deliverDue();
    expect(post.notes.map(({ says }) => says)).toContain("A message was not sent");
    expect(post.notes.map(({ says }) => says)).toContain("A message expired before it could be sent");
  });
});
