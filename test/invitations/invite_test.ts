import { describe, expect, test } from "bun:test";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { aRequest, DETAILS, invitationWorld, outcomes, tokenOf } from "./invitation_world.ts";

const dropped = (request: { associationId: string }) => ({
  type: "tracking.consentDropped" as const,
  accountId: ALICE.accountId,
  address: BOB.address,
  associationId: request.associationId,
});
const suspended = (associationId: string, reason: "plan" | "paused") => ({
  type: "tracking.monitoringSuspended" as const,
  accountId: ALICE.accountId,
  address: BOB.address,
  associationId,
  reason,
});

describe("onConsentRequested()", () => {
  test("creates one request, however often the event is delivered", async () => {
    const { invitations, mails, transaction } = invitationWorld();
    const request = aRequest();
    await Promise.all(Array.from({ length: 5 }, () => invitations.onConsentRequested(request)));
    await invitations.mailDue();
    await invitations.onConsentRequested(request);
    await invitations.mailDue();
    expect(await mails()).toHaveLength(1);
    const sent = accepted(await invitations.sentInvitations(ALICE.accountId, 1));
    expect(sent).toMatchObject({ total: 1, page: 1, pageSize: 25, items: [{ associationId: request.associationId }] });
    const lines = await transaction(({ records }) => records.list(sent.items[0]?.id ?? ""));
    expect(lines).toMatchObject([{ act: "asked", by: "inviter", language: "de", scope: undefined }]);
  });
});

describe("sentInvitations()", () => {
  test("lists pending requests, newest first, in pages, and for the inviter only", async () => {
    const { invitations, ask, clock } = invitationWorld();
    for (let index = 0; index < 27; index++) {
      await ask({ address: `someone${index}@example.com` });
      clock.pass(1);
    }
    const first = accepted(await invitations.sentInvitations(ALICE.accountId, 1));
    expect(first.items[0]).toMatchObject({
      address: "someone26@example.com",
      kind: "invitation",
      createdAt: "2026-11-20T12:00:00.026Z",
      sentAt: null,
      expiresAt: "2026-11-27T12:00:00.027Z",
    });
    expect(first.items).toHaveLength(25);
    const second = accepted(await invitations.sentInvitations(ALICE.accountId, 2));
    expect(second.items.map(({ address }) => address)).toEqual(["someone1@example.com", "someone0@example.com"]);
    expect(second.total).toBe(27);
    expect(accepted(await invitations.sentInvitations(BOB.accountId, 1))).toMatchObject({ items: [], total: 0 });
  });

  test("shows when the mail was sent, and until when it can be answered", async () => {
    const { invitations, invited, clock } = invitationWorld();
    await invited();
    clock.pass(DAY);
    expect(accepted(await invitations.sentInvitations(ALICE.accountId, 1)).items).toMatchObject([
      { sentAt: "2026-11-20T12:00:00.000Z", expiresAt: "2026-11-27T12:00:00.000Z" },
    ]);
  });
});

describe("cancelInvitation()", () => {
  test("cancels a pending request once, and notifies only tracking", async () => {
    const { invitations, invited, published, actsOf } = invitationWorld();
    const { id, associationId } = await invited();
    expect(await invitations.cancelInvitation(ALICE.accountId, id)).toEqual({ ok: true, value: undefined });
    expect(await published()).toEqual([
      {
        type: "invitations.ended",
        invitationId: id,
        associationId,
        accountId: ALICE.accountId,
        address: BOB.address,
        how: "cancelled",
      },
    ]);
    expect(await actsOf(id)).toEqual(["inviter asked", "inviter cancelled"]);
    expect(await invitations.cancelInvitation(ALICE.accountId, id)).toMatchObject({ code: "INVITATION_INVALID" });
  });

  test("does not end a grant, and does not find other accounts' invitations", async () => {
    const { invitations, invited, published } = invitationWorld();
    const { id, token } = await invited();
    const notFound = { ok: false, code: "NOT_FOUND" } as const;
    for (const stranger of [BOB.accountId, CHARLIE.accountId])
      expect(await invitations.cancelInvitation(stranger, id)).toEqual(notFound);
    expect(await invitations.cancelInvitation(ALICE.accountId, crypto.randomUUID())).toEqual(notFound);
    accepted(await invitations.acceptLink(token, DETAILS));
    await published();
    expect(await invitations.cancelInvitation(ALICE.accountId, id)).toMatchObject({ code: "INVITATION_INVALID" });
    expect(await published()).toEqual([]);
  });
});

describe("onConsentDropped()", () => {
  test("ends a pending request without telling the owner", async () => {
    const { invitations, invited, published, stored } = invitationWorld();
    const asked = await invited();
    for (const _ of [1, 2]) await invitations.onConsentDropped(dropped(asked));
    expect(await published()).toMatchObject([{ type: "invitations.ended", how: "cancelled" }]);
    expect(await stored(asked.id)).toMatchObject({ state: "cancelled", tokenHash: undefined, nextMailAt: undefined });
    await invitations.onConsentDropped(dropped(aRequest()));
  });

  test("tells an owner who had consented once that monitoring has ended", async () => {
    const { invitations, invited, published, actsOf } = invitationWorld();
    const asked = await invited();
    const { manageToken } = accepted(await invitations.acceptLink(asked.token, DETAILS));
    await published();
    for (const _ of [1, 2]) await invitations.onConsentDropped(dropped(asked));
    const [ended, mail, ...others] = await published();
    expect(others).toEqual([]);
    expect(ended).toMatchObject({ type: "invitations.ended", how: "cancelled" });
    expect(mail).toMatchObject({
      template: "watching_stopped",
      to: BOB.address,
      language: "de",
      params: { inviterName: "Alice Meyer", address: BOB.address, reason: "stopped" },
    });
    expect(mail).not.toHaveProperty("sealed");
    expect(await actsOf(asked.id)).toEqual(["inviter asked", "owner accepted", "inviter cancelled"]);
    expect(await invitations.withdrawLink(manageToken, false)).toMatchObject({ code: "INVITATION_INVALID" });
  });

  test("also notifies where the inviter had marked the address as its own", async () => {
    const { invitations, invited, mails } = invitationWorld();
    const asked = await invited({ kind: "ownership" });
    accepted(await invitations.acceptLink(asked.token, DETAILS));
    await invitations.onConsentDropped(dropped(asked));
    expect((await mails()).map(({ template }) => template)).toEqual(["consent_answered", "watching_stopped"]);
  });

  test("notifies nobody if the account has verified the address meanwhile", async () => {
    const { invitations, invited, mails } = invitationWorld();
    const asked = await invited();
    accepted(await invitations.acceptLink(asked.token, DETAILS));
    await invitations.onConsentDropped({ ...dropped(asked), proven: true });
    expect((await mails()).map(({ template }) => template)).toEqual(["consent_answered", "consent_given"]);
  });
});

describe("A plan that no longer covers a granted address", () => {
  test("notifies the watched person, and again when it is covered; a pause does not", async () => {
    const { invitations, invited, mails } = invitationWorld();
    const { token, associationId } = await invited();
    await invitations.onMonitoringSuspended(suspended(associationId, "plan"));
    const { manageToken } = accepted(await invitations.acceptLink(token, DETAILS));
    await mails();
    await invitations.onMonitoringSuspended(suspended(associationId, "paused"));
    await invitations.onMonitoringSuspended(suspended(associationId, "plan"));
    await invitations.onMonitoringResumed({ ...suspended(associationId, "plan"), type: "tracking.monitoringResumed" });
    await invitations.onMonitoringSuspended(suspended(crypto.randomUUID(), "plan"));
    const told = await mails();
    expect(told).toMatchObject([
      { template: "watching_stopped", to: BOB.address, language: "de", params: { reason: "plan" } },
      { template: "watching_resumed", to: BOB.address, language: "de", params: { inviterName: "Alice Meyer" } },
    ]);
    expect(told.map(tokenOf)).toEqual([manageToken, manageToken]);
    expect((await invitations.inspectLink(manageToken)).ok).toBe(true);
  });
});

describe("askAgainFrom()", () => {
  test("returns the day 30 days after a decline, and nothing after any other end", async () => {
    const { invitations, invited, clock } = invitationWorld();
    const [no, yes] = [await invited(), await invited({ address: CHARLIE.address })];
    accepted(await invitations.declineLink(no.token, false));
    accepted(await invitations.acceptLink(yes.token, DETAILS));
    accepted(await invitations.withdrawLink(yes.token, false));
    const ask = (accountId: string) => invitations.askAgainFrom(accountId, [BOB.address, CHARLIE.address]);
    expect(await ask(ALICE.accountId)).toEqual(new Map([[BOB.address, new Date("2026-12-20T12:00:00.000Z")]]));
    expect(await ask(CHARLIE.accountId)).toEqual(new Map());
    clock.pass(30 * DAY - 1);
    expect((await ask(ALICE.accountId)).size).toBe(1);
    clock.pass(1);
    expect(await ask(ALICE.accountId)).toEqual(new Map());
  });
});

describe("expireDue() and cleanUp()", () => {
  test("end requests that nobody answered within seven days of the mail, and notify the inviter", async () => {
    const { invitations, invited, ask, published, clock, actsOf } = invitationWorld();
    const { id } = await invited();
    await ask({ address: CHARLIE.address });
    clock.pass(7 * DAY - 1);
    expect(await invitations.expireDue()).toBe(0);
    clock.pass(1);
    expect(await invitations.expireDue()).toBe(1);
    expect(await invitations.expireDue()).toBe(0);
    expect(await published()).toMatchObject([
      { type: "invitations.ended", invitationId: id, how: "expired" },
      { template: "consent_answered", to: ALICE.address, params: { answer: "expired", address: BOB.address } },
    ]);
    expect(await actsOf(id)).toEqual(["inviter asked", "system expired"]);
  });

  test("delete declined requests after 30 days, and keep grants, open requests, and every block", async () => {
    const { invitations, invited, stored, clock, transaction, deps } = invitationWorld();
    const no = await invited();
    const yes = await invited({ address: CHARLIE.address });
    accepted(await invitations.declineLink(no.token, true));
    accepted(await invitations.acceptLink(yes.token, DETAILS));
    accepted(await invitations.withdrawLink(yes.token, false));
    clock.pass(30 * DAY);
    await invitations.cleanUp();
    expect(await stored(no.id)).toBeDefined();
    clock.pass(1);
    await invitations.cleanUp();
    expect(await stored(no.id)).toBeUndefined();
    expect(await stored(yes.id)).toMatchObject({ state: "withdrawn" });
    const mark = deps.mac("address", BOB.address);
    expect(await transaction(({ blocks }) => blocks.has([mark], ALICE.accountId))).toBe(true);
    const counted = { mailboxes: [mark], asker: undefined, network: undefined };
    expect(await transaction(({ strangerMail }) => strangerMail.list(counted, new Date(0)))).toEqual([]);
  });
});

describe("onDeleted()", () => {
  test("removes everything of the inviter, and notifies the owners who were monitored", async () => {
    const { invitations, invited, accounts, ask, published, transaction, deps, clock } = invitationWorld();
    const watched = await invited({ address: CHARLIE.address });
    accepted(await invitations.acceptLink(watched.token, DETAILS));
    const blocked = await invited();
    accepted(await invitations.declineLink(blocked.token, true));
    const theirs = await invited({ accountId: CHARLIE.accountId, address: "dora@example.com" });
    for (let index = 0; index < 45; index++) await ask({ address: `someone${index}@example.com` });
    await published();
    accounts.delete(ALICE.accountId);
    clock.pass(HOUR);
    for (const _ of [1, 2]) await invitations.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    const events = await published();
    expect(events).toMatchObject([
      { template: "watching_stopped", to: CHARLIE.address, params: { reason: "stopped", inviterName: "" } },
    ]);
    expect(outcomes(events)).toEqual([]);
    const left = await transaction(async ({ invitations: rows, records, blocks }) => ({
      rows: await rows.page({ inviterId: ALICE.accountId }, "pending", { offset: 0, limit: 1 }),
      records: [...(await records.list(watched.id)), ...(await records.list(blocked.id))],
      isBlocked: await blocks.has([deps.mac("address", BOB.address)], ALICE.accountId),
      theirs: (await rows.find({ id: theirs.id }))?.state,
    }));
    expect(left).toEqual({ rows: { invitations: [], total: 0 }, records: [], isBlocked: false, theirs: "pending" });
    expect(await invitations.mailDue()).toBe(0);
  });
});
