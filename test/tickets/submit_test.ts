import { describe, expect, test } from "bun:test";
import { ALICE, BOB } from "../support/builders.ts";
import { HOUR, MINUTE } from "../support/clock.ts";
import { aFeedbackInput, aTicketInput, DESK, SENDER, supportWorld } from "./support_world.ts";

describe("sendTicket()", () => {
  test("stores it under a reference, notifies the staff with its contents and the sender of its receipt", async () => {
    const { support, mails, secretOf } = supportWorld();
    const sent = await support.sendTicket(aTicketInput(), SENDER);
    if (!sent.ok) throw new Error(sent.code);
    const { reference } = sent.value;
    expect(sent.value).toEqual({
      reference,
      kind: "ticket",
      type: "technical",
      priority: "high",
      state: "open",
      title: "No mails",
      subject: "No mails",
      firstName: "Alice",
      lastName: "Meyer",
      email: "alice@work.example",
      company: "Meyer AG",
      closedAt: null,
      createdAt: "2026-11-20T12:00:00.000Z",
      changedAt: "2026-11-20T12:00:00.000Z",
      messages: [{ by: "sender", text: "Since Monday.\nNothing arrives.", at: "2026-11-20T12:00:00.000Z" }],
    });
    const [staff, confirmation, ...more] = await mails();
    expect(more).toEqual([]);
    const facts = { reference, kind: "ticket", type: "technical", priority: "high" };
    expect(staff).toMatchObject({
      template: "ticket_filed",
      to: DESK,
      language: "en",
      params: { ...facts, language: "fr" },
    });
    expect(secretOf(staff)).toEqual({
      firstName: "Alice",
      lastName: "Meyer",
      email: "alice@work.example",
      company: "Meyer AG",
      proven: ALICE.address,
      subject: "No mails",
      text: "Since Monday.\nNothing arrives.",
    });
    expect(confirmation).toMatchObject({
      template: "ticket_received",
      to: ALICE.address,
      language: "fr",
      params: facts,
      accountId: SENDER.accountId,
    });
    expect(confirmation?.sealed).toBeUndefined();
  });

  test("leaves nothing of its contents in the events", async () => {
    const { support, published } = supportWorld();
    await support.sendTicket(aTicketInput(), SENDER);
    const stored = JSON.stringify(await published());
    for (const word of ["Since Monday", "No mails", "Meyer"]) expect(stored).not.toContain(word);
  });

  test("creates one ticket when it is sent again, even beyond the limit, and mails once", async () => {
    const { support, mails } = supportWorld();
    const input = aTicketInput();
    const first = await support.sendTicket(input, SENDER);
    for (let time = 0; time < 12; time++) expect(await support.sendTicket(input, SENDER)).toEqual(first);
    expect(await mails()).toHaveLength(2);
    // The same key of another account is independent.
    const other = await support.sendTicket(input, { ...SENDER, accountId: BOB.accountId });
    expect(other).not.toEqual(first);
  });

  test("generates another reference if one is taken, and gives up if all are", async () => {
    const { support } = supportWorld(undefined, ["same", "same", "other"]);
    const first = await support.sendTicket(aTicketInput(), SENDER);
    const second = await support.sendTicket(aTicketInput(), SENDER);
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(first).not.toEqual(second);
    const stuck = supportWorld(undefined, Array<string>(9).fill("same"));
    await stuck.support.sendTicket(aTicketInput(), SENDER);
    expect(stuck.support.sendTicket(aTicketInput(), SENDER)).rejects.toThrow("Cannot store a ticket");
  });
});

describe("The limit of ten an hour", () => {
  test("applies per account, across tickets, feedback and messages, from any address", async () => {
    const { support, clock, sent } = supportWorld();
    const reference = await sent();
    for (let time = 0; time < 8; time++) await sent({}, { ...SENDER, ip: `198.51.100.${time}` });
    expect((await support.sendFeedback(aFeedbackInput(), SENDER)).ok).toBe(true);
    clock.pass(10 * MINUTE);
    const refused = { ok: false, code: "RATE_LIMITED", retryAfter: 3000 } as const;
    expect(await support.sendTicket(aTicketInput(), SENDER)).toEqual(refused);
    expect(await support.sendFeedback(aFeedbackInput(), SENDER)).toEqual(refused);
    const post = { text: "And?", key: crypto.randomUUID() };
    expect(await support.followUp(reference, post, SENDER)).toEqual(refused);
    clock.pass(50 * MINUTE);
    expect((await support.followUp(reference, post, SENDER)).ok).toBe(true);
  });

  test("applies per network address across all accounts, with a household's IPv6 as one", async () => {
    const { support, clock } = supportWorld();
    const from = (ip: string) => support.sendTicket(aTicketInput(), { ...SENDER, accountId: crypto.randomUUID(), ip });
    for (let time = 0; time < 10; time++) expect((await from(`2001:db8:1:2::${time}`)).ok).toBe(true);
    expect(await from("2001:db8:1:2:ffff::1")).toMatchObject({ code: "RATE_LIMITED", retryAfter: 3600 });
    expect((await from("2001:db8:1:3::1")).ok).toBe(true);
    clock.pass(HOUR);
    expect((await from("2001:db8:1:2::1")).ok).toBe(true);
  });
});

test("sendFeedback() has neither subject nor priority; a list shows its beginning", async () => {
  const { support } = supportWorld();
  const description = "🐝 ".repeat(80);
  const sent = await support.sendFeedback(aFeedbackInput({ description }), SENDER);
  expect(sent).toMatchObject({ value: { kind: "feedback", type: "suggestion", priority: null, subject: null } });
  const listed = await support.ownTickets(SENDER.accountId, "feedback", 1);
  const title = listed.ok ? (listed.value.items[0]?.title ?? "") : "";
  expect([...title]).toHaveLength(100);
  expect(title.endsWith("…")).toBe(true);
});
