import { describe, expect, test } from "bun:test";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { DETAILS, invitationWorld } from "./invitation_world.ts";

describe("recordsOf()", () => {
  test("contains each side's requests and answers with their record, and no secret", async () => {
    const { invitations, invited, deps } = invitationWorld();
    const { id, token } = await invited();
    const other = await invited({ address: CHARLIE.address });
    accepted(await invitations.acceptLink(token, DETAILS));
    const { asked, answered, blocked } = await invitations.recordsOf(ALICE.accountId);
    expect(asked).toMatchObject([
      { id: other.id, address: CHARLIE.address, state: "pending", entries: [] },
      { id, address: BOB.address, state: "accepted", scope: DETAILS, entries: [{ act: "asked" }, { act: "accepted" }] },
    ]);
    expect({ answered, blocked }).toEqual({ answered: [], blocked: [] });
    const bobs = await invitations.recordsOf(BOB.accountId);
    expect(bobs).toMatchObject({ asked: [], answered: [{ id, entries: [{ act: "asked" }, { act: "accepted" }] }] });
    for (const secret of [token, deps.hashToken(token), other.token, ALICE.accountId])
      expect(JSON.stringify([asked, bobs])).not.toContain(secret);
  });

  test("contains more than one page", async () => {
    const { invitations, ask } = invitationWorld();
    for (let index = 0; index < 401; index++) await ask({ address: `someone${index}@example.com` });
    const { asked } = await invitations.recordsOf(ALICE.accountId);
    expect(new Set(asked.map(({ address }) => address)).size).toBe(401);
  });

  test("shows the owner whom they have blocked, and does not reveal a block to the blocked inviter", async () => {
    const { invitations, invited, ask, clock } = invitationWorld();
    const { token } = await invited();
    accepted(await invitations.declineLink(token, true));
    clock.pass(31 * DAY);
    await invitations.cleanUp();
    await ask();
    await ask({ address: CHARLIE.address });
    for (let day = 0; day < 7; day++) {
      await invitations.mailDue();
      clock.pass(DAY);
    }
    const { asked, blocked } = await invitations.recordsOf(ALICE.accountId);
    const seen = asked.map((invitation) => ({ ...invitation, id: "", associationId: "", address: "" }));
    expect(seen).toHaveLength(2);
    expect(new Set(seen.map((invitation) => JSON.stringify(invitation))).size).toBe(1);
    expect(blocked).toEqual([]);
    expect((await invitations.recordsOf(BOB.accountId)).blocked).toEqual([{ inviterId: ALICE.accountId }]);
  });
});
