import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../src/notifications/ports.ts";
import { codeMail, DAY, email, keys, MINUTE, postOffice } from "./post_office.ts";
import { slowSender } from "./slow_sender.ts";

const ALICE = "alice@breachbell.example";
const CAROL = "carol@else.example";
const DELETED = { type: "identity.deleted", accountId: "alice" } as const;
const at = "2026-03-02T08:00:00.000Z";

/** To an address without an account. */
const farewell = {
  type: "mail.requested",
  to: ALICE,
  language: "en",
  template: "account_deleted",
  params: { at },
} as const;
const moved = { ...farewell, template: "email_changed", params: { at, to: "a…@new.example" } } as const;

function answering(...outcomes: Outcome[]) {
  const post = postOffice();
  post.sender.answer(...outcomes);
  return post;
}

describe.each([farewell, moved])("a mail to a former address ($template)", (mail) => {
  test("is sent even after its account was deleted, and leaves nothing behind", async () => {
    const post = postOffice();
    await post.onMailRequested(mail);
    post.accounts.clear();
    await post.onDeleted(DELETED);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
    expect(await post.everything()).toEqual([]);
  });

  test.each<[string, Outcome]>([
    ["its recipient is rejected", { kind: "dead", cause: "recipient", reason: `550 ${ALICE} unknown` }],
    ["the mail is rejected", { kind: "dead", cause: "message", reason: "554 no" }],
  ])("leaves nothing behind when %s", async (_, outcome) => {
    const post = answering(outcome);
    await post.onMailRequested(mail);
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.everything()).toEqual([]);
  });

  test("is kept while it is retried, and deleted once it is sent", async () => {
    const post = answering({ kind: "retry", scope: "contact", reason: "451 later" });
    await post.onMailRequested(mail);
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "due", reason: "retry" }]);
    post.advance(MINUTE);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
    expect(await post.everything()).toEqual([]);
  });

  test("is given up after three days, even if it is held", async () => {
    const post = answering({ kind: "misconfigured", scope: "message", reason: "400" });
    await post.onMailRequested(mail);
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "held" }]);
    post.advance(3 * DAY - 1);
    await post.deliverDue();
    expect(await post.ledger()).toHaveLength(1);
    post.advance(1);
    await post.deliverDue();
    expect(await post.everything()).toEqual([]);
    expect(post.sender.sent).toEqual([]);
  });
});

describe("a deleted account", () => {
  /** Alice has alerts for Carol and herself, and mails of every kind are pending. */
  async function busy(overrides: Parameters<typeof postOffice>[0] = {}) {
    const post = postOffice(overrides);
    post.watch("home", "alice@home.example", [email(ALICE), email(CAROL)]);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    return post;
  }

  test("leaves nothing of what was sent, retried and pending", async () => {
    const post = await busy();
    post.sender.answer({ kind: "retry", scope: "contact", reason: `451 ${ALICE}` });
    await post.deliverDue();
    expect(await post.everything()).not.toEqual([]);
    await post.onDeleted(DELETED);
    expect(await post.everything()).toEqual([]);
  });

  test.each<Outcome>([
    { kind: "delivered" },
    { kind: "retry", scope: "contact", reason: "451" },
    { kind: "dead", cause: "recipient", reason: "550" },
  ])("leaves nothing if it is deleted while a mail is in progress ($kind)", async (outcome) => {
    const slow = slowSender();
    const post = await busy({ senders: { email: slow.sender } });
    const drained = post.deliverDue();
    await slow.until(2);
    post.accounts.clear();
    post.routes.clear();
    await post.onDeleted(DELETED);
    for (const { answer } of slow.waiting) answer(outcome);
    await drained;
    await post.deliverDue();
    expect(await post.everything()).toEqual([]);
  });

  test("receives no mail whose event arrives late, and leaves nothing of it", async () => {
    const post = await busy();
    post.accounts.clear();
    await post.onDeleted(DELETED);
    await post.onMailRequested(codeMail("123456"));
    await post.onMailRequested({ ...codeMail(""), template: "new_sign_in", params: { at, ipPrefix: "" } });
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.everything()).toEqual([]);
  });

  test("loses contacts that were created during the deletion, too", async () => {
    const post = await busy();
    post.accounts.clear();
    post.routes.clear();
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.everything()).toEqual([]);
  });
});

test("a new address is verified through a link with its token behind the #", async () => {
  const post = postOffice();
  const sealed = keys.cipher.encrypt(JSON.stringify({ token: "secret-token" }));
  const params = { firstName: "Alice", hours: "24" };
  await post.onMailRequested({ ...codeMail(""), to: "new@else.example", template: "email_change", params, sealed });
  expect(JSON.stringify(await post.ledger())).not.toContain("secret-token");
  await post.deliverDue();
  const url = "https://breachbell.example/en/confirm-email#t=secret-token";
  expect(post.sender.sent[0]?.content.blocks).toContainEqual(expect.objectContaining({ kind: "button", url }));
  expect(await post.ledger()).toMatchObject([{ lane: 1, state: "sent", sealed: undefined }]);
});
