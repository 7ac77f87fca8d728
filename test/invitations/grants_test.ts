import { describe, expect, test } from "bun:test";
import { FULL_SCOPE, WORDING_VERSION } from "../../src/shared/consent.ts";
import { maskedEmail } from "../../src/shared/masked_email.ts";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { DETAILS, invitationWorld, LITTLE, outcomes } from "./invitation_world.ts";

const NOT_FOUND = { ok: false, code: "NOT_FOUND" } as const;
const INVALID = { ok: false, code: "INVITATION_INVALID" } as const;

/** Bob has agreed that Alice may track his address. */
async function granted() {
  const world = invitationWorld();
  const asked = await world.invited();
  world.clock.pass(HOUR);
  accepted(await world.invitations.acceptLink(asked.token, DETAILS));
  await world.published();
  return { ...world, ...asked };
}

describe("accessRequests()", () => {
  test("shows the owner who is asking, even before the mail is sent", async () => {
    const { invitations, ask, invited } = invitationWorld();
    const { id } = await invited();
    await ask({ accountId: CHARLIE.accountId, kind: "ownership" });
    const { items } = accepted(await invitations.accessRequests(BOB.accountId, 1));
    expect(items.toSorted((one, other) => (one.inviter.name < other.inviter.name ? -1 : 1))).toMatchObject([
      {
        id,
        inviter: { name: "Alice Meyer" },
        kind: "invitation",
        createdAt: "2026-11-20T12:00:00.000Z",
        expiresAt: "2026-11-27T12:00:00.000Z",
      },
      { inviter: { name: "Charlie Meyer" }, kind: "ownership" },
    ]);
    for (const stranger of [ALICE.accountId, CHARLIE.accountId, crypto.randomUUID()])
      expect(accepted(await invitations.accessRequests(stranger, 1)).items).toEqual([]);
  });

  test("shows nothing to an account that has not verified its address, and nothing that has ended", async () => {
    const { invitations, invited, change, clock } = invitationWorld();
    await invited();
    change(BOB.accountId, { verified: false });
    expect(accepted(await invitations.accessRequests(BOB.accountId, 1)).items).toEqual([]);
    change(BOB.accountId, { verified: true });
    expect(accepted(await invitations.accessRequests(BOB.accountId, 1)).items).toHaveLength(1);
    clock.pass(7 * DAY);
    expect(accepted(await invitations.accessRequests(BOB.accountId, 1)).items).toEqual([]);
  });
});

describe("acceptRequest() and declineRequest()", () => {
  test("answer through the owner's account, without any mail", async () => {
    const { invitations, ask, published, actsOf } = invitationWorld();
    await ask();
    const [request] = accepted(await invitations.accessRequests(BOB.accountId, 1)).items;
    const id = request?.id ?? "";
    expect(await invitations.acceptRequest(BOB.accountId, id, LITTLE)).toEqual({ ok: true, value: { scope: LITTLE } });
    expect(await published()).toMatchObject([
      { type: "invitations.granted", scope: LITTLE },
      { template: "consent_answered", params: { answer: "accepted" } },
    ]);
    expect(await invitations.acceptRequest(BOB.accountId, id, DETAILS)).toEqual(INVALID);
    expect(await invitations.declineRequest(BOB.accountId, id, true)).toEqual(INVALID);
    expect(await actsOf(id)).toEqual(["inviter asked", "owner accepted"]);
    expect(await invitations.mailDue()).toBe(0);
  });

  test("return not found for the inviter, other accounts, and unknown ids", async () => {
    const { invitations, invited, published } = invitationWorld();
    const { id, token } = await invited();
    for (const [accountId, asked] of [
      [ALICE.accountId, id],
      [CHARLIE.accountId, id],
      [BOB.accountId, crypto.randomUUID()],
      [crypto.randomUUID(), id],
    ] as const) {
      expect(await invitations.acceptRequest(accountId, asked, DETAILS)).toEqual(NOT_FOUND);
      expect(await invitations.declineRequest(accountId, asked, true)).toEqual(NOT_FOUND);
      expect(await invitations.withdrawGrant(accountId, asked, true)).toEqual(NOT_FOUND);
      expect(await invitations.rescopeGrant(accountId, asked, LITTLE)).toEqual(NOT_FOUND);
    }
    expect(await published()).toEqual([]);
    expect((await invitations.acceptLink(token, DETAILS)).ok).toBe(true);
  });

  test("declining with a block ends it for good: the next request stays hidden", async () => {
    const { invitations, invited, ask, clock } = invitationWorld();
    const { id } = await invited();
    expect(await invitations.declineRequest(BOB.accountId, id, true)).toEqual({ ok: true, value: undefined });
    clock.pass(30 * DAY);
    await ask();
    await ask({ accountId: CHARLIE.accountId });
    const { items } = accepted(await invitations.accessRequests(BOB.accountId, 1));
    expect(items.map(({ inviter }) => inviter.name)).toEqual(["Charlie Meyer"]);
  });
});

describe("listMayWatch() and listWatchedBy()", () => {
  test("show both sides the grants and when they began", async () => {
    const { invitations, id, associationId } = await granted();
    const grant = { id, address: BOB.address, scope: DETAILS, since: "2026-11-20T13:00:00.000Z" };
    const page = <Item>(...items: Item[]) => ({ items, total: items.length, page: 1, pageSize: 25 });
    const mayWatch = async (accountId: string) => accepted(await invitations.listMayWatch(accountId, 1));
    const watchedBy = async (accountId: string) => accepted(await invitations.listWatchedBy(accountId, 1));
    expect(await mayWatch(ALICE.accountId)).toEqual(page({ ...grant, associationId, kind: "invitation" }));
    expect(await watchedBy(BOB.accountId)).toEqual(
      page({ ...grant, kind: "invitation", inviter: { name: "Alice Meyer", email: maskedEmail(ALICE.address) } }),
    );
    for (const accountId of [BOB.accountId, CHARLIE.accountId]) expect(await mayWatch(accountId)).toEqual(page());
    for (const accountId of [ALICE.accountId, CHARLIE.accountId]) expect(await watchedBy(accountId)).toEqual(page());
  });

  test("follows the verified address: the account that verifies it next is the owner", async () => {
    const { invitations, accounts, change, id } = await granted();
    change(CHARLIE.accountId, { email: BOB.address });
    accounts.delete(BOB.accountId);
    expect(accepted(await invitations.listWatchedBy(CHARLIE.accountId, 1)).items).toMatchObject([{ id }]);
  });
});

describe("rescopeGrant() and withdrawGrant()", () => {
  test("are available to the watched person only", async () => {
    const { invitations, id, published, stored } = await granted();
    for (const other of [ALICE.accountId, CHARLIE.accountId]) {
      expect(await invitations.rescopeGrant(other, id, FULL_SCOPE)).toEqual(NOT_FOUND);
      expect(await invitations.withdrawGrant(other, id, false)).toEqual(NOT_FOUND);
    }
    const scope = { ok: true, value: { scope: LITTLE } } as const;
    expect(await invitations.rescopeGrant(BOB.accountId, id, LITTLE)).toEqual(scope);
    expect(await invitations.withdrawGrant(BOB.accountId, id, false)).toEqual({ ok: true, value: undefined });
    expect(await invitations.withdrawGrant(BOB.accountId, id, false)).toEqual(INVALID);
    expect(await invitations.rescopeGrant(BOB.accountId, id, DETAILS)).toEqual(INVALID);
    expect(outcomes(await published())).toMatchObject([
      { type: "invitations.granted", scope: LITTLE },
      { type: "invitations.ended", how: "withdrawn" },
    ]);
    expect(await stored(id)).toMatchObject({ state: "withdrawn" });
    expect(accepted(await invitations.listMayWatch(ALICE.accountId, 1)).items).toEqual([]);
  });

  test("withdrawing with a block silences the inviter immediately", async () => {
    const { invitations, id, ask, mails } = await granted();
    accepted(await invitations.withdrawGrant(BOB.accountId, id, true));
    await mails();
    await ask();
    await invitations.mailDue();
    expect(await mails()).toEqual([]);
    expect(accepted(await invitations.sentInvitations(ALICE.accountId, 1)).items).toMatchObject([
      { sentAt: "2026-11-20T13:00:00.000Z" },
    ]);
  });
});

describe("consentRecord()", () => {
  test("reads the same for both sides, even after the end, and is not found by others", async () => {
    const { invitations, id, clock } = await granted();
    clock.pass(HOUR);
    accepted(await invitations.rescopeGrant(BOB.accountId, id, { ...LITTLE, language: "pt" }));
    accepted(await invitations.withdrawGrant(BOB.accountId, id, false));
    const story = accepted(await invitations.consentRecord(ALICE.accountId, id));
    const wording = WORDING_VERSION;
    expect(story).toEqual({
      address: BOB.address,
      inviter: { name: "Alice Meyer" },
      entries: [
        { at: "2026-11-20T12:00:00.000Z", act: "asked", by: "inviter", scope: null, language: "de", wording },
        { at: "2026-11-20T13:00:00.000Z", act: "accepted", by: "owner", scope: DETAILS, language: "de", wording },
        { at: "2026-11-20T14:00:00.000Z", act: "scope_changed", by: "owner", scope: LITTLE, language: "pt", wording },
        { at: "2026-11-20T14:00:00.000Z", act: "withdrawn", by: "owner", scope: LITTLE, language: "de", wording },
      ],
    });
    expect(accepted(await invitations.consentRecord(BOB.accountId, id))).toEqual(story);
    expect(await invitations.consentRecord(CHARLIE.accountId, id)).toEqual(NOT_FOUND);
    expect(await invitations.consentRecord(ALICE.accountId, crypto.randomUUID())).toEqual(NOT_FOUND);
  });

  test("starts with the answer, as anything earlier would reveal too much to a blocked inviter", async () => {
    const { invitations, invited } = invitationWorld();
    const { id, token } = await invited();
    for (const side of [ALICE.accountId, BOB.accountId])
      expect(await invitations.consentRecord(side, id)).toEqual(NOT_FOUND);
    accepted(await invitations.declineLink(token, false));
    for (const side of [ALICE.accountId, BOB.accountId])
      expect(accepted(await invitations.consentRecord(side, id)).entries).toHaveLength(2);
  });
});
