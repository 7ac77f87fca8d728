import { describe, expect, test } from "bun:test";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { DETAILS, invitationWorld } from "./invitation_world.ts";

describe("A blocked inviter", () => {
  async function blocked() {
    const world = invitationWorld();
    const { token } = await world.invited();
    accepted(await world.invitations.declineLink(token, true));
    await world.published();
    world.clock.pass(30 * DAY);
    return world;
  }

  type World = ReturnType<typeof invitationWorld>;

  /**
   * What the inviter sees and receives in nine days, hour by hour, when it sends a new request every `patience` hours.
   */
  async function storyOf({ ask, invitations, clock, published }: World, patience: number) {
    const story: unknown[] = [];
    for (let hour = 0; hour < 9 * 24; hour++) {
      const waiting = accepted(await invitations.sentInvitations(ALICE.accountId, 1)).items;
      if (hour % patience === 0) {
        for (const { id } of waiting) accepted(await invitations.cancelInvitation(ALICE.accountId, id));
        await ask({ associationId: `5ca1ab1e-0000-4000-8000-${String(hour).padStart(12, "0")}` });
      }
      await invitations.mailDue();
      await invitations.expireDue();
      const { items, total } = accepted(await invitations.sentInvitations(ALICE.accountId, 1));
      const events = (await published()).map((event) => ({ invitationId: "", to: "", ...event }));
      const told = events.filter(({ to }) => to !== BOB.address).map((event) => ({ ...event, invitationId: "" }));
      story.push({ told, total, items: items.map((item) => ({ ...item, id: "" })) });
      clock.pass(HOUR);
    }
    return story;
  }

  test.each([
    ["waits for the expiry", 1000],
    ["asks again every day", 24],
    ["asks again at odd hours", 37],
  ])("who %s sees and receives the same as any other inviter", async (_, patience) => {
    const other = invitationWorld();
    other.clock.pass(30 * DAY);
    const expected = await storyOf(other, patience);
    expect(await storyOf(await blocked(), patience)).toEqual(expected);
    const end = JSON.stringify(expected);
    expect(end).toContain(patience === 1000 ? '"answer":"expired"' : '"how":"cancelled"');
    // The fourth mail within a week is delayed.
    expect(end.includes('"sentAt":null')).toBe(patience !== 1000);
  });

  test("causes no mail to the owner, first or reminder, and does not use up anyone's limits", async () => {
    const { ask, invitations, mails, transaction, deps, clock } = await blocked();
    const { associationId } = await ask();
    for (let hour = 0; hour < 7 * 24; hour++) {
      await invitations.mailDue();
      clock.pass(HOUR);
    }
    expect(await mails()).toEqual([]);
    const found = await transaction((store) => store.invitations.find({ associationId }));
    expect(found).toMatchObject({ state: "pending", reminders: 2, tokenHash: undefined });
    const mark = deps.mac("address", BOB.address);
    const counted = { mailboxes: [mark], asker: undefined, network: undefined };
    expect(await transaction(({ strangerMail }) => strangerMail.list(counted, new Date("2026-12-19Z")))).toEqual([]);
    await ask({ accountId: CHARLIE.accountId });
    await invitations.mailDue();
    expect(await mails("invitation")).toMatchObject([{ to: BOB.address, params: { inviterName: "Charlie Meyer" } }]);
  });

  test("is not among the owner's Access Requests, and its hidden request cannot be answered", async () => {
    const { ask, invitations, transaction } = await blocked();
    const { associationId } = await ask();
    const found = await transaction((store) => store.invitations.find({ associationId }));
    expect(accepted(await invitations.accessRequests(BOB.accountId, 1)).items).toEqual([]);
    expect(await invitations.acceptRequest(BOB.accountId, found?.id ?? "", DETAILS)).toEqual({
      ok: false,
      code: "NOT_FOUND",
    });
  });
});
