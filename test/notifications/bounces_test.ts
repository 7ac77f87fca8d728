import { describe, expect, test } from "bun:test";
import { bounceToken } from "../../src/notifications/contacts/bounces.ts";
import { keysOf } from "../../src/runtime/crypto.ts";
import { DAY, email, HOUR, keys, postOffice } from "./post_office.ts";

const OWN = "alice@breachbell.example";
const CAROL = "carol@else.example";
const UNKNOWN = { status: "5.1.1", diagnostic: "550 5.1.1 user unknown" };
const ALERT = "alert:a1";

/** One alert of Alice's, sent to these confirmed contacts. */
async function sent(...contacts: string[]) {
  const post = postOffice();
  post.watch("home", "alice@home.example", contacts.map(email));
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  await post.deliverDue();
  for (const contact of contacts.filter((each) => each !== OWN)) await post.confirm(post.linkToken(contact));
  await post.deliverDue();
  const rowTo = async (value: string, subject = ALERT) => {
    const row = (await post.deliveriesOf(subject)).find(({ recipient }) => recipient.value === value);
    if (!row) throw new Error(`Cannot find the delivery to "${value}"`);
    return row;
  };
  const tokenOf = async (value: string) => bounceToken(keys.mac, (await rowTo(value)).id);
  const alertsTo = (value: string) =>
    post.sender.sent.filter(({ to, kind }) => to.value === value && kind === "alert").length;
  const stateOf = async (value: string) => (await post.statesOf("alice")).find((each) => each.value === value)?.state;
  return { ...post, rowTo, tokenOf, alertsTo, stateOf };
}

describe("onBounce()", () => {
  test("disables the contact, records the reason, and sends the alert to the account itself", async () => {
    const post = await sent(CAROL);
    const { id } = await post.rowTo(CAROL);
    expect(await post.onBounce({ token: await post.tokenOf(CAROL), ...UNKNOWN })).toBe(true);
    expect(await post.stateOf(CAROL)).toBe("broken");
    expect((await post.attemptsOf(id)).at(-1)).toMatchObject({
      outcome: "dead",
      detail: "5.1.1 550 5.1.1 user unknown",
      endedAt: expect.any(Date),
    });
    await post.deliverDue();
    expect(await post.rowTo(CAROL)).toMatchObject({ state: "cancelled", reason: "contact_broken" });
    expect(await post.rowTo(OWN)).toMatchObject({ state: "sent" });
    expect([post.alertsTo(CAROL), post.alertsTo(OWN)]).toEqual([1, 1]);
    expect(post.reports).toEqual([]);
  });

  test("sends nothing else if another contact already has the alert", async () => {
    const post = await sent(CAROL, "dave@else.example");
    expect(await post.onBounce({ token: await post.tokenOf(CAROL), ...UNKNOWN })).toBe(true);
    await post.deliverDue();
    expect([post.alertsTo(CAROL), post.alertsTo("dave@else.example"), post.alertsTo(OWN)]).toEqual([1, 1, 0]);
    expect(await post.stateOf("dave@else.example")).toBe("active");
  });

  test("never disables the account's own address, and does not retry there automatically", async () => {
    const post = await sent(OWN);
    const { id } = await post.rowTo(OWN);
    expect(await post.onBounce({ token: await post.tokenOf(OWN), ...UNKNOWN })).toBe(true);
    await post.deliverDue();
    expect(await post.stateOf(OWN)).toBe("active");
    expect(await post.rowTo(OWN)).toMatchObject({ state: "dead", reason: "refused" });
    expect((await post.attemptsOf(id)).at(-1)).toMatchObject({ outcome: "dead" });
    expect(post.alertsTo(OWN)).toBe(1);
    expect((await post.backlog()).dead).toBe(1);
  });

  test("counts a mail once, however often and by however many processes its bounce is reported", async () => {
    const post = await sent(CAROL);
    const bounce = { token: await post.tokenOf(CAROL), ...UNKNOWN };
    const { id } = await post.rowTo(CAROL);
    const told = await Promise.all(
      [1, 2, 3].flatMap(() => [post, post.anotherWorker()].map((one) => one.onBounce(bounce))),
    );
    expect(told.filter((taken) => taken)).toHaveLength(1);
    await post.deliverDue();
    expect(await post.onBounce(bounce)).toBe(false);
    expect(await post.attemptsOf(id)).toHaveLength(2);
    expect(post.alertsTo(OWN)).toBe(1);
  });

  test.each(["4.2.2", "4.4.1", "5.4.4", "2.0.0", "", "5", "5.1", "550 5.1.1", "5.1.1.1", "5.1.12345"])(
    "ignores the status %p",
    async (status) => {
      const post = await sent(CAROL);
      expect(await post.onBounce({ token: await post.tokenOf(CAROL), status, diagnostic: "x" })).toBe(false);
      expect(await post.stateOf(CAROL)).toBe("active");
      expect(await post.rowTo(CAROL)).toMatchObject({ state: "sent" });
    },
  );

  test.each(["5.0.0", "5.1.1", "5.1.10", "5.2.1", "5.7.1"])("treats the status %s as permanent", async (status) => {
    const post = await sent(CAROL);
    expect(await post.onBounce({ token: await post.tokenOf(CAROL), status, diagnostic: "" })).toBe(true);
    expect(await post.stateOf(CAROL)).toBe("broken");
  });

  test("accepts its token in any case", async () => {
    const post = await sent(CAROL);
    const token = (await post.tokenOf(CAROL)).toUpperCase();
    expect(await post.onBounce({ token, ...UNKNOWN })).toBe(true);
  });

  test("rejects a token that it did not issue", async () => {
    const post = await sent(CAROL, "dave@else.example");
    const { id } = await post.rowTo(CAROL);
    const token = await post.tokenOf(CAROL);
    const [hex = "", tag = ""] = token.split(".");
    const [otherHex = ""] = (await post.tokenOf("dave@else.example")).split(".");
    const flipped = `${tag.slice(0, -1)}${tag.endsWith("0") ? "1" : "0"}`;
    const forged = [
      bounceToken(keysOf("the secret of another installation").mac, id),
      ...[
        `${hex}.${flipped}`,
        `${otherHex}.${tag}`,
        hex,
        `${hex}.`,
        `.${tag}`,
        "",
        ".",
        id,
        `${token}0`,
        `${token}.${tag}`,
      ],
    ];
    for (const each of forged)
      expect({ each, taken: await post.onBounce({ token: each, ...UNKNOWN }) }).toEqual({ each, taken: false });
    // A valid token of a mail that does not exist.
    const gone = bounceToken(keys.mac, crypto.randomUUID());
    expect(await post.onBounce({ token: gone, ...UNKNOWN })).toBe(false);
    expect(await post.stateOf(CAROL)).toBe("active");
    expect(await post.stateOf("dave@else.example")).toBe("active");
  });

  test("accepts a bounce for seven days after the mail was accepted", async () => {
    const late = await sent(CAROL);
    late.advance(7 * DAY + 1);
    expect(await late.onBounce({ token: await late.tokenOf(CAROL), ...UNKNOWN })).toBe(false);
    expect(await late.stateOf(CAROL)).toBe("active");
    const intime = await sent(CAROL);
    intime.advance(7 * DAY);
    expect(await intime.onBounce({ token: await intime.tokenOf(CAROL), ...UNKNOWN })).toBe(true);
  });

  test("ignores a contact that has unsubscribed", async () => {
    const post = await sent(CAROL);
    const stop = post.sender.sent.at(-1)?.oneClickUrl?.split("/u/")[1] ?? "";
    expect(await post.unsubscribe(stop)).toMatchObject({ ok: true });
    await post.onBounce({ token: await post.tokenOf(CAROL), ...UNKNOWN });
    await post.deliverDue();
    expect(await post.stateOf(CAROL)).toBe("unsubscribed");
    expect(post.alertsTo(CAROL)).toBe(1);
  });

  test("ends a pending confirmation and voids its link", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(CAROL)]);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    await post.deliverDue();
    const [question] = (await post.ledger()).filter(({ about }) => about.kind === "confirmation");
    const token = bounceToken(keys.mac, question?.id ?? "");
    expect(await post.onBounce({ token, ...UNKNOWN })).toBe(true);
    await post.deliverDue();
    expect(await post.deliveryOf(question?.subject ?? "")).toMatchObject({ state: "dead", reason: "refused" });
    expect(await post.statesOf("alice")).toContainEqual({ channel: "email", value: CAROL, state: "broken" });
    expect(post.reports).toEqual([]);
  });

  test("ends a mail about the account, and never sends it again", async () => {
    const post = postOffice();
    const params = { firstName: "Alice", at: "2026-03-02T08:00:00.000Z" };
    const mail = { type: "mail.requested", template: "password_changed", language: "en", params } as const;
    await post.onMailRequested({ ...mail, to: "new@home.example", accountId: "alice" });
    await post.deliverDue();
    const [row] = await post.ledger();
    expect(await post.onBounce({ token: bounceToken(keys.mac, row?.id ?? ""), ...UNKNOWN })).toBe(true);
    post.advance(HOUR);
    await post.deliverDue();
    expect(await post.deliveryOf(row?.subject ?? "")).toMatchObject({ state: "dead", reason: "refused" });
    expect(post.sentTo()).toEqual(["new@home.example"]);
  });

  test("truncates a long diagnosis", async () => {
    const post = await sent(CAROL);
    const { id } = await post.rowTo(CAROL);
    await post.onBounce({ token: await post.tokenOf(CAROL), status: "5.1.1", diagnostic: "x".repeat(5000) });
    expect((await post.attemptsOf(id)).at(-1)?.detail).toHaveLength(300);
  });
});
