import { describe, expect, test } from "bun:test";
import type { MailRequested } from "../../src/events/catalogue.ts";
import { ADDRESS, PARAMS } from "./consent_mails.ts";
import { codeMail, DAY, keys, postOffice } from "./post_office.ts";

const NOW = Date.parse("2026-03-02T08:00:00.000Z");
const names = Object.keys(PARAMS);
const questions = ["invitation", "reminder", "addressConfirmation"];

/** An event as published: for somebody without an account, except the news to the inviter. */
function requested(name: string, token = "abc"): MailRequested {
  const [template, params] = PARAMS[name] ?? ["invitation", {}];
  const mail = { type: "mail.requested", to: ADDRESS, language: "de", template, params } as const;
  if (template === "consent_answered") return { ...mail, accountId: "alice" };
  const sealed = keys.cipher.encrypt(JSON.stringify({ token }));
  return questions.includes(name)
    ? { ...mail, sealed, notAfter: new Date(NOW + 7 * DAY).toISOString() }
    : { ...mail, sealed };
}

describe("a mail of consent", () => {
  test.each(names)("%s is sent; a mail to a person without an account leaves nothing behind", async (name) => {
    const post = postOffice();
    await post.onMailRequested(requested(name, "secret-token"));
    expect(JSON.stringify(await post.ledger())).not.toContain("secret-token");
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ADDRESS]);
    expect(post.reports).toEqual([]);
    expect(await post.ledger()).toHaveLength(requested(name).accountId === undefined ? 0 : 1);
  });

  test("needs no secret once the inviter has cancelled", async () => {
    const post = postOffice();
    const { sealed: _, ...mail } = requested("stopped");
    await post.onMailRequested(mail);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ADDRESS]);
  });

  test.each(questions)("%s is held when its secret is missing, and this is reported to the operator", async (name) => {
    const post = postOffice();
    const { sealed: _, ...mail } = requested(name);
    await post.onMailRequested(mail);
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "held", reason: "unrenderable" }]);
    expect(post.reports).toHaveLength(1);
  });

  test.each(questions)("%s is not sent once the request was answered or cancelled", async (name) => {
    const post = postOffice();
    await post.onMailRequested(requested(name, "first"));
    post.settled.add("first");
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.everything()).toEqual([]);
  });

  test.each(questions)("%s is not sent after its link has expired, even if it is held", async (name) => {
    const post = postOffice();
    post.sender.answer({ kind: "misconfigured", scope: "message", reason: "400" });
    await post.onMailRequested(requested(name));
    await post.deliverDue();
    post.advance(7 * DAY - 1);
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "held" }]);
    post.advance(1);
    await post.deliverDue();
    expect(await post.everything()).toEqual([]);
    expect(post.sender.sent).toEqual([]);
  });

  test("delays no code, no security mail and no alert", async () => {
    const post = postOffice();
    post.watch("home", ADDRESS, [{ channel: "email", value: "alice@breachbell.example" }]);
    await post.onMailRequested(requested("invitation"));
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    await post.onMailRequested(codeMail("123456"));
    const lanes = (await post.ledger()).map(({ about, lane }) => [about.kind, lane]);
    expect(lanes).toEqual([
      ["invitation", 3],
      ["alert", 2],
      ["login_code", 0],
    ]);
  });
});
