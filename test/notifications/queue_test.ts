import { describe, expect, test } from "bun:test";
import type { EventOf } from "../../src/events/catalogue.ts";
import { codeMail, email, keys, postOffice } from "./post_office.ts";

const ALICE = "alice@breachbell.example";
const raised = (...alerts: EventOf<"breaches.alertsRaised">["alerts"]) =>
  ({ type: "breaches.alertsRaised", alerts }) as const;

describe("onAlertsRaised()", () => {
  test("notifies each contact of the association once, even if the event is repeated", async () => {
    const post = postOffice();
    post.accounts.set("bob", { email: "bob@breachbell.example", language: "en", firstName: "Bob", verified: true });
    post.watch("home", "alice@old.example", [email(ALICE)]);
    const event = raised(post.found("a1", "home"));
    await post.onAlertsRaised(event);
    await post.onAlertsRaised(event);
    await post.deliverDue();
    await post.onAlertsRaised(event);
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
    expect(post.sender.sent[0]?.content.subject).toBe("Data breach: Adobe");
    expect(await post.deliveryOf("alert:a1")).toMatchObject({
      state: "sent",
      attempts: 1,
      inDoubt: false,
      sealed: undefined,
    });
  });

  test("includes both addresses of an account if one breach affects both", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    post.watch("work", "alice@work.example", [email(ALICE)]);
    await post.onAlertsRaised(raised(post.found("a1", "home"), post.found("a2", "work")));
    await post.deliverDue();
    const texts = post.sender.sent.map(({ content }) => JSON.stringify(content));
    expect(texts).toHaveLength(1);
    for (const address of ["alice@home.example", "alice@work.example"]) expect(texts[0]).toContain(address);
    for (const subject of ["alert:a1", "alert:a2"])
      expect(await post.deliveryOf(subject)).toMatchObject({ state: "cancelled", reason: "gathered" });
  });

  test("tells an alert again each time it is found under another alias, and each time once", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const alert = post.found("a1", "home");
    for (const event of [raised(alert), raised({ ...alert, again: 2 }), raised({ ...alert, again: 2 })]) {
      await post.onAlertsRaised(event);
      await post.deliverDue();
    }
    expect(post.sentTo()).toEqual([ALICE, ALICE]);
    await post.onAlertsRaised(raised({ ...alert, again: 4 }));
    await post.deliverDue();
    expect(post.sentTo()).toHaveLength(3);
  });

  test("treats two spellings of a contact as one", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE), email("Alice@Breachbell.EXAMPLE ")]);
    await post.onAlertsRaised(raised(post.found("a1", "home")));
    await post.deliverDue();
    expect(post.sentTo()).toEqual([ALICE]);
  });

  test("notifies nobody about a removed association", async () => {
    const post = postOffice();
    await post.onAlertsRaised(raised(post.found("a1", "nowhere")));
    expect(await post.deliveriesOf("alert:a1")).toEqual([]);
  });

  test("holds alerts for an unconfirmed contact, and sends them once it is confirmed", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE), email("carol@else.example")]);
    await post.onAlertsRaised(raised(post.found("a1", "home")));
    await post.onAlertsRaised(raised(post.found("a2", "home")));
    await post.deliverDue();
    expect(post.sentTo().filter((to) => to === "carol@else.example")).toHaveLength(1);
    expect(post.sender.sent.find(({ to }) => to.value === "carol@else.example")?.content.heading).toBe(
      "May we send alerts to this address?",
    );
    const waiting = (await post.deliveriesOf("alert:a1")).find(
      ({ recipient }) => recipient.value === "carol@else.example",
    );
    expect(waiting).toMatchObject({ state: "held", reason: "unconfirmed" });

    expect(await post.confirm(post.linkToken("carol@else.example"))).toEqual({ ok: true, value: { state: "active" } });
    await post.deliverDue();
    expect(post.sentTo().filter((to) => to === "carol@else.example")).toHaveLength(3);
  });

  test("falls back to the account's own address when no contact is left", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email("carol@else.example")]);
    await post.onAlertsRaised(raised(post.found("a1", "home")));
    await post.deliverDue();
    await post.confirm(post.linkToken("carol@else.example"));
    await post.deliverDue();
    await post.unsubscribe(post.linkToken("carol@else.example"));

    await post.onAlertsRaised(raised(post.found("a2", "home")));
    await post.deliverDue();
    const told = (await post.deliveriesOf("alert:a2")).map(({ recipient, state, reason }) => [
      recipient.value,
      state,
      reason,
    ]);
    expect(told).toEqual([
      ["carol@else.example", "cancelled", "unsubscribed"],
      [ALICE, "sent", undefined],
    ]);
  });

  test("holds what cannot be sent yet, without blocking the other contacts", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [{ channel: "telegram", value: "@Alice_tg" }]);
    await post.onAlertsRaised(raised(post.found("a1", "home")));
    await post.deliverDue();
    expect(await post.statesOf("alice")).toContainEqual({
      channel: "telegram",
      value: "alice_tg",
      state: "unconfirmed",
    });
    expect(post.sentTo()).toEqual([ALICE]);
  });
});

describe("onBaselineReady()", () => {
  test("sends one report with everything per contact", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    post.found("a1", "home");
    post.found("a2", "home");
    const event: EventOf<"breaches.baselineReady"> = {
      type: "breaches.baselineReady",
      associationId: "home",
      accountId: "alice",
      alertIds: ["a1", "a2"],
    };
    await post.onBaselineReady(event);
    await post.onBaselineReady(event);
    await post.deliverDue();
    expect(post.sender.sent.map(({ content }) => content.subject)).toEqual(["First check: 2 past breaches found"]);
  });

  test("reports that nothing was found too", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    await post.onBaselineReady({
      type: "breaches.baselineReady",
      associationId: "home",
      accountId: "alice",
      alertIds: [],
    });
    await post.deliverDue();
    expect(post.sender.sent.map(({ content }) => content.subject)).toEqual(["First check: nothing found"]);
  });

  test("never reports that nothing was found because the alerts were deleted", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    await post.onBaselineReady({
      type: "breaches.baselineReady",
      associationId: "home",
      accountId: "alice",
      alertIds: ["gone"],
    });
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.deliveryOf("report:home")).toMatchObject({ state: "cancelled", reason: "alert_gone" });
  });
});

describe("onMailRequested()", () => {
  test("sends each mail once however often its event is delivered, in any order of its keys", async () => {
    const post = postOffice();
    const mail = codeMail("123456");
    await post.onMailRequested(mail);
    await post.onMailRequested({ ...mail, params: { minutes: "10", firstName: "Alice" } });
    await post.onMailRequested(codeMail("654321"));
    await post.deliverDue();
    expect(post.sender.sent.map(({ content }) => content.code?.value).sort()).toEqual(["123456", "654321"]);
  });

  test("stores the code only sealed, and erases it once it is sent", async () => {
    const post = postOffice();
    await post.onMailRequested(codeMail("123456"));
    const stored = await post.ledger();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain("123456");
    await post.deliverDue();
    expect(await post.ledger()).toMatchObject([{ state: "sent", sealed: undefined }]);
  });

  test("sets the message id immediately, from the configured host", async () => {
    const post = postOffice();
    await post.onMailRequested(codeMail("123456"));
    await post.deliverDue();
    const [message] = post.sender.sent;
    expect(message?.messageId).toBe(`<${message?.deliveryId}@breachbell.example>`);
  });

  test("rejects anything but a single email address", async () => {
    const post = postOffice();
    await post.onMailRequested(codeMail("123456", { to: "a@x.example, b@x.example" }));
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(post.reports).toHaveLength(1);
  });

  test("sends a password reset link with its token behind the #, and nothing once it has expired", async () => {
    const post = postOffice();
    const sealed = keys.cipher.encrypt(JSON.stringify({ token: "secret-token" }));
    const mail = { ...codeMail(""), language: "fr", template: "password_reset", params: { minutes: "60" } } as const;
    await post.onMailRequested({ ...mail, sealed, notAfter: "2026-03-02T09:00:00.000Z" });
    expect(JSON.stringify(await post.ledger())).not.toContain("secret-token");
    await post.deliverDue();
    const url = "https://breachbell.example/fr/reset-password#t=secret-token";
    expect(post.sender.sent[0]?.content.blocks).toContainEqual(expect.objectContaining({ kind: "button", url }));
    expect(await post.ledger()).toMatchObject([{ lane: 1, state: "sent", sealed: undefined }]);
    await post.onMailRequested({ ...mail, sealed, notAfter: "2026-03-02T08:00:00.000Z" });
    await post.deliverDue();
    expect(post.sender.sent).toHaveLength(1);
  });

  test("sends the notification of a changed password, which contains no secret", async () => {
    const post = postOffice();
    const params = { changedAt: "2026-03-02T07:59:00.000Z" };
    const { to, language } = codeMail("");
    await post.onMailRequested({ type: "mail.requested", to, language, template: "password_changed", params });
    await post.deliverDue();
    const [message] = post.sender.sent;
    expect(JSON.stringify(message)).toMatch(/March 2, 2026 at 7:59.AM/);
    const url = "https://breachbell.example/en/forgot-password";
    expect(message?.content.blocks).toContainEqual(expect.objectContaining({ kind: "button", url }));
  });
});
