import { describe, expect, test } from "bun:test";
import { POSTS_MAX } from "../../src/support/ticket.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { aFeedbackInput, SENDER, supportWorld } from "./support_world.ts";

const STAFF = { by: "staff", accountId: BOB.accountId } as const;
const { accountId } = SENDER;
const post = (text: string) => ({ text, key: crypto.randomUUID() });
const shownOf = (result: { ok: boolean; value?: { state: string; messages: { by: string; text: string }[] } }) => ({
  state: result.value?.state,
  said: result.value?.messages.map(({ by, text }) => `${by}: ${text}`),
});

describe("answerTicket()", () => {
  test("adds the reply, mails it to the sender in their language, and is logged", async () => {
    const { support, sent, published, secretOf } = supportWorld();
    const reference = await sent();
    await published();
    const answered = await support.answerTicket(STAFF, reference, post("Please try again."));
    expect(shownOf(answered)).toEqual({
      state: "answered",
      said: ["sender: Since Monday.\nNothing arrives.", "staff: Please try again."],
    });
    const [mail, act, ...more] = await published();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ template: "ticket_answered", to: ALICE.address, language: "fr", accountId });
    expect(secretOf(mail as Parameters<typeof secretOf>[0])).toEqual({ text: "Please try again." });
    expect(act).toMatchObject({
      type: "staff.acted",
      actor: STAFF,
      act: "ticket_answered",
      object: { kind: "ticket" },
      detail: { reference, from: "open" },
    });
  });

  test("does nothing the second time, and fails if there is no conversation to continue", async () => {
    const { support, sent, published } = supportWorld();
    const reference = await sent();
    await published();
    const same = post("Once");
    for (let time = 0; time < 3; time++) await support.answerTicket(STAFF, reference, same);
    expect(await published()).toHaveLength(2);
    for (let time = 1; time < POSTS_MAX; time++) await support.answerTicket(STAFF, reference, post(`${time}`));
    expect(await support.answerTicket(STAFF, reference, post("too many"))).toMatchObject({ code: "CONVERSATION_FULL" });
    expect(await support.followUp(reference, post("too many"), SENDER)).toMatchObject({ code: "CONVERSATION_FULL" });
    expect(await support.answerTicket(STAFF, "BB-2222-2222", post("?"))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("An account's own tickets", () => {
  test("can be followed up, closed and reopened; the staff are notified of messages only", async () => {
    const { support, sent, published, secretOf } = supportWorld();
    const reference = await sent();
    await support.answerTicket(STAFF, reference, post("Better?"));
    await published();
    const more = post("No.");
    expect(shownOf(await support.followUp(reference, more, SENDER))).toMatchObject({ state: "open" });
    expect(shownOf(await support.followUp(reference, more, SENDER)).said).toHaveLength(3);
    const [mail, ...others] = await published();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ template: "ticket_followed_up", language: "en" });
    expect(secretOf(mail as Parameters<typeof secretOf>[0])).toMatchObject({ text: "No.", subject: "No mails" });

    const closed = await support.closeTicket(accountId, reference);
    expect(closed).toMatchObject({ value: { state: "closed", closedAt: "2026-11-20T12:00:00.000Z" } });
    expect(await support.closeTicket(accountId, reference)).toEqual(closed);
    expect(await support.reopenTicket(accountId, reference)).toMatchObject({
      value: { state: "open", closedAt: null },
    });
    expect(await published()).toEqual([]);
  });

  test("reopening keeps an answered one as it is, and writing opens a closed one", async () => {
    const { support, sent } = supportWorld();
    const reference = await sent();
    await support.answerTicket(STAFF, reference, post("So."));
    expect(await support.reopenTicket(accountId, reference)).toMatchObject({ value: { state: "answered" } });
    await support.closeTicket(accountId, reference);
    const reopened = await support.followUp(reference, post("One more thing"), SENDER);
    expect(reopened).toMatchObject({ value: { state: "open", closedAt: null } });
  });

  test("cannot be found by anybody else, with any call", async () => {
    const { support, sent } = supportWorld();
    const reference = await sent();
    const stranger = { ...SENDER, accountId: BOB.accountId };
    const missing = { ok: false, code: "NOT_FOUND" } as const;
    expect(await support.ownTicket(BOB.accountId, reference)).toEqual(missing);
    expect(await support.followUp(reference, post("Mine?"), stranger)).toEqual(missing);
    expect(await support.closeTicket(BOB.accountId, reference)).toEqual(missing);
    expect(await support.reopenTicket(BOB.accountId, reference)).toEqual(missing);
    expect(await support.ownTickets(BOB.accountId, "ticket", 1)).toMatchObject({ value: { items: [], total: 0 } });
    expect(shownOf(await support.ownTicket(accountId, reference))).toMatchObject({ state: "open" });
  });

  test("are listed by last change, newest first, tickets and feedback separately", async () => {
    const { support, sent, clock } = supportWorld();
    const first = await sent({ subject: "First" });
    clock.pass(HOUR);
    await sent({ subject: "Second" });
    await support.sendFeedback(aFeedbackInput(), SENDER);
    clock.pass(HOUR);
    await support.answerTicket(STAFF, first, post("Yes"));
    const list = await support.ownTickets(accountId, "ticket", 1);
    expect(list.ok && list.value.items.map(({ title, state }) => `${title} ${state}`)).toEqual([
      "First answered",
      "Second open",
    ]);
    expect(await support.ownTickets(accountId, "feedback", 1)).toMatchObject({ value: { total: 1 } });
    expect(await support.ownTickets(accountId, "ticket", 2)).toMatchObject({ value: { items: [], total: 2, page: 2 } });
  });
});

describe("The staff's tickets", () => {
  test("are found by state, kind, type, priority and prefix of the reference; the most urgent open ones first", async () => {
    const { support, sent, clock } = supportWorld();
    const low = await sent({ priority: "low", type: "other" });
    clock.pass(HOUR);
    const late = await sent({ priority: "critical" });
    clock.pass(-DAY);
    const early = await sent({ priority: "critical" });
    await support.sendFeedback(aFeedbackInput(), SENDER);
    const found = async (query: Omit<Parameters<typeof support.staffTickets>[0], "page">) => {
      const page = await support.staffTickets({ ...query, page: 1 });
      return page.ok ? page.value.items.map(({ reference }) => reference) : [];
    };
    expect((await found({ state: "open" })).slice(0, 3)).toEqual([early, late, low]);
    expect(await found({ kind: "feedback", state: "open" })).toHaveLength(1);
    expect(await found({ type: "other" })).toEqual([low]);
    expect(await found({ priority: "critical" })).toEqual([late, early]);
    expect(await found({ search: low.slice(3).replace("-", "").toLowerCase() })).toEqual([low]);
    expect(await found({ search: "bb" })).toHaveLength(4);
    expect(await found({ search: "%" })).toEqual([]);
    await support.closeTicket(accountId, late);
    expect(await found({ state: "closed" })).toEqual([late]);
  });

  test("change their state once each, and the change is logged", async () => {
    const { support, sent, published } = supportWorld();
    const reference = await sent();
    await published();
    const closed = await support.setTicketState(STAFF, reference, "closed");
    expect(closed).toMatchObject({ value: { state: "closed", language: "fr", accountId } });
    expect(await support.setTicketState(STAFF, reference, "closed")).toEqual(closed);
    expect(await published()).toMatchObject([
      { type: "staff.acted", act: "ticket_changed", detail: { reference, from: "open", to: "closed" } },
    ]);
    expect(await support.setTicketState(STAFF, "BB-2222-2222", "open")).toMatchObject({ code: "NOT_FOUND" });
    expect(await support.staffTicket("BB-2222-2222")).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("Keeping", () => {
  test("cleanUp() removes what was closed twelve months ago with its conversation, and nothing else", async () => {
    const { support, sent, clock, transaction } = supportWorld();
    const open = await sent();
    const closed = await sent();
    await support.answerTicket(STAFF, closed, post("Done"));
    await support.closeTicket(accountId, closed);
    clock.set("2027-11-20T11:59:59.999Z");
    await support.cleanUp();
    expect((await support.ownTicket(accountId, closed)).ok).toBe(true);
    const posts = await transaction(async (store) => store.posts.list((await store.tickets.find(closed))?.id ?? ""));
    expect(posts).toHaveLength(1);
    clock.set("2027-11-20T12:00:00.000Z");
    await support.cleanUp();
    expect((await support.ownTicket(accountId, closed)).ok).toBe(false);
    expect((await support.ownTicket(accountId, open)).ok).toBe(true);
    expect(await transaction((store) => store.posts.list(posts[0]?.ticketId ?? ""))).toEqual([]);
  });

  test("cleanUp() continues until all of many are removed", async () => {
    const { support, clock } = supportWorld();
    for (let time = 0; time < 101; time++) {
      const owner = crypto.randomUUID();
      const sent = await support.sendFeedback(aFeedbackInput(), { ...SENDER, accountId: owner, ip: owner });
      if (sent.ok) await support.closeTicket(owner, sent.value.reference);
    }
    clock.pass(366 * DAY);
    await support.cleanUp();
    expect(await support.staffTickets({ page: 1 })).toMatchObject({ value: { total: 0 } });
  });

  test("recordsOf() returns everything of one account, and onDeleted() leaves nothing of it", async () => {
    const { support, sent } = supportWorld();
    const reference = await sent();
    await support.answerTicket(STAFF, reference, post("Done"));
    await support.sendFeedback(aFeedbackInput(), SENDER);
    const other = await sent({}, { ...SENDER, accountId: BOB.accountId });
    expect(await support.recordsOf(accountId)).toMatchObject({
      tickets: [
        { reference, posts: [{ by: "staff", text: "Done" }] },
        { kind: "feedback", posts: [] },
      ],
    });
    await support.onDeleted({ type: "identity.deleted", accountId });
    expect(await support.recordsOf(accountId)).toEqual({ tickets: [] });
    expect((await support.ownTicket(BOB.accountId, other)).ok).toBe(true);
  });
});
