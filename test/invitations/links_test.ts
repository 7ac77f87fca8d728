import { describe, expect, test } from "bun:test";
import { FULL_SCOPE, WORDING_VERSION } from "../../src/shared/consent.ts";
import { maskedEmail } from "../../src/shared/masked_email.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { DETAILS, invitationWorld, LITTLE, outcomes, tokenOf } from "./invitation_world.ts";

const INVALID = { ok: false, code: "INVITATION_INVALID" } as const;

describe("inspectLink()", () => {
  test("returns who asks, for which address, in which language and until when, and changes nothing", async () => {
    const { invitations, invited, published, stored } = invitationWorld();
    const { token, id } = await invited();
    const before = await stored(id);
    const facts = accepted(await invitations.inspectLink(token));
    expect(facts).toEqual({
      purpose: "answer",
      kind: "invitation",
      state: "pending",
      inviter: { name: "Alice Meyer", email: maskedEmail(ALICE.address) },
      address: BOB.address,
      scope: null,
      language: "de",
      expiresAt: "2026-11-27T12:00:00.000Z",
      wording: WORDING_VERSION,
      record: [
        {
          at: "2026-11-20T12:00:00.000Z",
          act: "asked",
          by: "inviter",
          scope: null,
          language: "de",
          wording: WORDING_VERSION,
        },
      ],
      told: [],
    });
    expect(await invitations.inspectLink(token)).toEqual({ ok: true, value: facts });
    expect(await stored(id)).toEqual(before);
    expect(await published()).toEqual([]);
  });

  test("shows the owner what the sources were told, once the address may be checked", async () => {
    const { invitations, invited, told } = invitationWorld();
    const once = { source: "hibp", form: "address" as const, firstAt: "2026-11-20", lastAt: "2026-11-20", times: 1 };
    told.set(BOB.address, [once]);
    const { token } = await invited();
    expect(accepted(await invitations.inspectLink(token)).told).toEqual([]);
    const { manageToken } = accepted(await invitations.acceptLink(token, DETAILS));
    expect(accepted(await invitations.inspectLink(manageToken)).told).toEqual([once]);
  });

  test("gives the same response for every invalid link", async () => {
    const { invitations, invited, deps, clock } = invitationWorld();
    const { token, id } = await invited();
    const forged = [
      ...[
        "",
        ".",
        "v1..",
        "token",
        token.slice(1),
        `${token}x`,
        `v1.${id}.`,
        `v1.${id}.${deps.mac("unsubscribe", id)}`,
      ],
      ...[`v1.${id.toUpperCase()}.${deps.mac("consent", id)}`, `v1.not-an-id.${deps.mac("consent", id)}`, "\0"],
    ];
    for (const bad of forged) expect(await invitations.inspectLink(bad)).toEqual(INVALID);
    clock.pass(7 * DAY);
    expect(await invitations.inspectLink(token)).toEqual(INVALID);
  });

  test("is invalid once the inviter's account was deleted", async () => {
    const { invitations, invited, accounts } = invitationWorld();
    const { token } = await invited();
    accounts.delete(ALICE.accountId);
    expect(await invitations.inspectLink(token)).toEqual(INVALID);
  });
});

describe("isAwaited()", () => {
  test("is true for the newest mail's link only, until the answer or the end", async () => {
    const { invitations, invited, mails, clock } = invitationWorld();
    const [first, other] = [await invited(), await invited({ address: "late@example.com" })];
    expect(await invitations.isAwaited(first.token)).toBe(true);
    clock.pass(2 * DAY);
    await invitations.mailDue();
    const newest = tokenOf((await mails()).find(({ to }) => to === BOB.address));
    expect(await invitations.isAwaited(first.token)).toBe(false);
    expect(await invitations.isAwaited(newest)).toBe(true);
    const { manageToken } = accepted(await invitations.acceptLink(newest, DETAILS));
    for (const over of [newest, manageToken, "", "unknown"]) expect(await invitations.isAwaited(over)).toBe(false);
    accepted(await invitations.cancelInvitation(ALICE.accountId, other.id));
    expect(await invitations.isAwaited(other.token)).toBe(false);
  });
});

describe("acceptLink()", () => {
  test("grants the chosen scope, notifies the inviter, and returns a link for managing the consent", async () => {
    const { invitations, invited, published, actsOf, clock } = invitationWorld();
    const { token, id, associationId } = await invited();
    clock.pass(HOUR);
    const { manageToken, scope } = accepted(await invitations.acceptLink(token, { ...LITTLE, language: "it" }));
    expect(scope).toEqual(LITTLE);
    const [granted, answer, mail, ...others] = await published();
    expect([granted, answer]).toEqual([
      {
        type: "invitations.granted",
        invitationId: id,
        associationId,
        accountId: ALICE.accountId,
        address: BOB.address,
        scope: LITTLE,
        version: 3,
      },
      {
        type: "mail.requested",
        to: ALICE.address,
        language: "fr",
        template: "consent_answered",
        params: { answer: "accepted", address: BOB.address, details: "no", at: "2026-11-20T13:00:00.000Z" },
        accountId: ALICE.accountId,
      },
    ]);
    // The mail to the owner, who has no account to manage the consent in.
    expect(mail).toMatchObject({
      type: "mail.requested",
      to: BOB.address,
      language: "it",
      template: "consent_given",
      params: { inviterName: "Alice Meyer", address: BOB.address, details: "no" },
    });
    expect(tokenOf(mail?.type === "mail.requested" ? mail : undefined)).toBe(manageToken);
    expect(others).toEqual([]);
    expect(await actsOf(id)).toEqual(["inviter asked", "owner accepted"]);
    for (const way of [token, manageToken]) {
      const facts = accepted(await invitations.inspectLink(way));
      expect(facts).toMatchObject({ purpose: "manage", state: "accepted", scope: LITTLE, expiresAt: null });
      expect(facts.record.at(-1)).toMatchObject({ act: "accepted", by: "owner", scope: LITTLE, language: "it" });
    }
  });

  test("is refused a second time, as is every other answer, with either token", async () => {
    const { invitations, invited, published, actsOf } = invitationWorld();
    const { token, id } = await invited();
    const { manageToken } = accepted(await invitations.acceptLink(token, DETAILS));
    await published();
    for (const reused of [token, manageToken]) {
      expect(await invitations.acceptLink(reused, FULL_SCOPE)).toEqual(INVALID);
      expect(await invitations.declineLink(reused, true)).toEqual(INVALID);
    }
    expect(await published()).toEqual([]);
    expect(await actsOf(id)).toEqual(["inviter asked", "owner accepted"]);
  });

  test("grants the chosen scope even if the inviter marked the address as its own, and the owner can narrow it", async () => {
    const { invitations, invited, published } = invitationWorld();
    const { token } = await invited({ kind: "ownership" });
    const { manageToken, scope } = accepted(await invitations.acceptLink(token, LITTLE));
    expect(scope).toEqual(LITTLE);
    expect(outcomes(await published())).toMatchObject([{ type: "invitations.granted", scope: LITTLE }]);
    expect(await invitations.rescopeLink(manageToken, DETAILS)).toEqual({ ok: true, value: { scope: DETAILS } });
    expect(await invitations.withdrawLink(manageToken, false)).toEqual({ ok: true, value: undefined });
  });

  test("is refused from the moment the invitation expires, even before the job has marked it", async () => {
    const { invitations, invited, clock } = invitationWorld();
    const { token } = await invited();
    clock.pass(7 * DAY - 1);
    expect((await invitations.inspectLink(token)).ok).toBe(true);
    clock.pass(1);
    expect(await invitations.acceptLink(token, DETAILS)).toEqual(INVALID);
    expect(await invitations.declineLink(token, false)).toEqual(INVALID);
    expect(await invitations.expireDue()).toBe(1);
    expect(await invitations.acceptLink(token, DETAILS)).toEqual(INVALID);
  });

  test("is refused once the inviter has cancelled the request", async () => {
    const { invitations, invited } = invitationWorld();
    const { token, id } = await invited();
    accepted(await invitations.cancelInvitation(ALICE.accountId, id));
    expect(await invitations.acceptLink(token, DETAILS)).toEqual(INVALID);
    expect(await invitations.inspectLink(token)).toEqual(INVALID);
  });

  test("works with the link of the newest mail only", async () => {
    const { invitations, invited, mails, clock } = invitationWorld();
    const { token } = await invited();
    clock.pass(2 * DAY);
    await invitations.mailDue();
    const newest = tokenOf((await mails("invitation_reminder"))[0]);
    expect(await invitations.acceptLink(token, DETAILS)).toEqual(INVALID);
    expect((await invitations.acceptLink(newest, DETAILS)).ok).toBe(true);
  });
});

describe("declineLink()", () => {
  test("ends the invitation, notifies the inviter, and is kept in the record", async () => {
    const { invitations, invited, published, actsOf, stored } = invitationWorld();
    const { token, id, associationId } = await invited();
    expect(await invitations.declineLink(token, false)).toEqual({ ok: true, value: undefined });
    expect(await published()).toMatchObject([
      { type: "invitations.ended", invitationId: id, associationId, address: BOB.address, how: "declined" },
      { template: "consent_answered", to: ALICE.address, params: { answer: "declined", details: "no" } },
    ]);
    expect(await actsOf(id)).toEqual(["inviter asked", "owner declined"]);
    expect(await stored(id)).toMatchObject({ state: "declined", tokenHash: undefined, nextMailAt: undefined });
    for (const _ of [1, 2]) expect(await invitations.declineLink(token, true)).toEqual(INVALID);
  });
});

describe("rescopeLink() and withdrawLink()", () => {
  async function agreed() {
    const world = invitationWorld();
    const { token, id, associationId } = await world.invited();
    const { manageToken } = accepted(await world.invitations.acceptLink(token, DETAILS));
    await world.published();
    return { ...world, token, manageToken, id, associationId };
  }

  test("change the scope with an increasing version, and do nothing when it is the same", async () => {
    const { invitations, manageToken, token, published, actsOf, id } = await agreed();
    expect(await invitations.rescopeLink(manageToken, LITTLE)).toEqual({ ok: true, value: { scope: LITTLE } });
    expect(await invitations.rescopeLink(manageToken, LITTLE)).toEqual({ ok: true, value: { scope: LITTLE } });
    expect(await invitations.rescopeLink(token, FULL_SCOPE)).toEqual({ ok: true, value: { scope: FULL_SCOPE } });
    expect(await published()).toMatchObject([
      { type: "invitations.granted", scope: LITTLE, version: 4 },
      { type: "invitations.granted", scope: FULL_SCOPE, version: 5 },
    ]);
    expect(await actsOf(id)).toEqual([
      ...["inviter asked", "owner accepted", "owner scope_changed", "owner scope_changed"],
    ]);
  });

  test("end the consent, after which none of its tokens is valid", async () => {
    const { invitations, manageToken, token, published, id } = await agreed();
    expect(await invitations.withdrawLink(manageToken, false)).toEqual({ ok: true, value: undefined });
    expect(await published()).toMatchObject([
      { type: "invitations.ended", invitationId: id, how: "withdrawn" },
      { template: "consent_answered", params: { answer: "withdrawn" } },
    ]);
    for (const over of [manageToken, token]) {
      expect(await invitations.inspectLink(over)).toEqual(INVALID);
      expect(await invitations.rescopeLink(over, LITTLE)).toEqual(INVALID);
      expect(await invitations.withdrawLink(over, true)).toEqual(INVALID);
    }
  });

  test("are refused before the answer", async () => {
    const { invitations, invited } = invitationWorld();
    const { token } = await invited();
    expect(await invitations.withdrawLink(token, true)).toEqual(INVALID);
    expect(await invitations.rescopeLink(token, LITTLE)).toEqual(INVALID);
    expect((await invitations.inspectLink(token)).ok).toBe(true);
  });
});
