import { describe, expect, test } from "bun:test";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import { createInvitations } from "../../src/invitations/mod.ts";
import { memoryInvitations } from "../memory/invitations/store.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { eachDatabase } from "../support/postgres.ts";
import { aRequest, DETAILS, invitationWorld, LITTLE, outcomes } from "./invitation_world.ts";

describe.each(eachDatabase(memoryInvitations, postgresInvitations))(
  "concurrent changes to invitations on %s",
  (_, open) => {
    test("ten concurrent requests for one association, and a later one, send one invitation", async () => {
      const { invitations, mails } = invitationWorld(await open());
      const request = aRequest();
      await Promise.all(Array.from({ length: 10 }, () => invitations.onConsentRequested(request)));
      await invitations.onConsentRequested(request);
      expect(accepted(await invitations.sentInvitations(ALICE.accountId, 1)).total).toBe(1);
      expect(await invitations.mailDue()).toBe(1);
      expect(await mails()).toHaveLength(1);
    });

    test("of 50 concurrent answers, cancellations and drops exactly one wins, and adds one line to the record", async () => {
      const { invitations, invited, published, actsOf, stored } = invitationWorld(await open());
      const { id, token, associationId } = await invited();
      const drop = { type: "tracking.consentDropped" as const, associationId, accountId: ALICE.accountId };
      const tries = [
        () => invitations.acceptLink(token, DETAILS),
        () => invitations.declineLink(token, true),
        () => invitations.acceptRequest(BOB.accountId, id, LITTLE),
        () => invitations.declineRequest(BOB.accountId, id, false),
        () => invitations.cancelInvitation(ALICE.accountId, id),
      ];
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => tries[index % tries.length]?.()));
      const [winner, ...others] = answers.filter((answer) => answer?.ok);
      expect(winner).toBeDefined();
      expect(others).toEqual([]);
      expect(new Set(answers.map((answer) => (answer?.ok ? "ok" : answer?.code)))).toEqual(
        new Set(["ok", "INVITATION_INVALID"]),
      );
      expect(await actsOf(id)).toHaveLength(2);
      expect(outcomes(await published())).toHaveLength(1);
      expect((await stored(id))?.version).toBe(3);

      const before = await stored(id);
      await Promise.all(
        Array.from({ length: 10 }, () => invitations.onConsentDropped({ ...drop, address: BOB.address })),
      );
      const isOver = before?.state !== "accepted";
      expect(outcomes(await published())).toHaveLength(isOver ? 0 : 1);
      expect(await actsOf(id)).toHaveLength(isOver ? 2 : 3);
    });

    test("of 50 concurrent withdrawals and expiries exactly one wins", async () => {
      const { invitations, invited, published, actsOf, clock } = invitationWorld(await open());
      const agreed = await invited();
      const late = await invited({ address: "late@example.com" });
      const { manageToken } = accepted(await invitations.acceptLink(agreed.token, DETAILS));
      await published();
      const ways = [
        () => invitations.withdrawLink(manageToken, false),
        () => invitations.withdrawLink(agreed.token, true),
        () => invitations.withdrawGrant(BOB.accountId, agreed.id, false),
      ];
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ways[index % ways.length]?.()));
      expect(answers.filter((answer) => answer?.ok)).toHaveLength(1);
      expect(outcomes(await published())).toHaveLength(1);
      expect(await actsOf(agreed.id)).toEqual(["inviter asked", "owner accepted", "owner withdrawn"]);

      clock.pass(7 * DAY);
      await Promise.all(Array.from({ length: 10 }, () => invitations.expireDue()));
      expect(outcomes(await published())).toMatchObject([{ invitationId: late.id, how: "expired" }]);
      expect(await actsOf(late.id)).toEqual(["inviter asked", "system expired"]);
    });

    test("ten processes send each mail once, and keep the limits per inviter and per address together", async () => {
      const { deps, ask, mails, clock } = invitationWorld(await open());
      for (let index = 0; index < 30; index++) await ask({ address: `someone${index}@example.com` });
      const processes = Array.from({ length: 10 }, () => createInvitations(deps));
      await Promise.all(processes.map(({ mailDue }) => mailDue()));
      const left = (await mails("invitation")).map(({ to }) => to);
      expect(left).toHaveLength(20);
      expect(new Set(left).size).toBe(20);
      clock.pass(2 * DAY);
      await Promise.all(processes.map(({ mailDue }) => mailDue()));
      const later = await mails();
      expect(later.filter(({ template }) => template === "invitation")).toHaveLength(10);
      const reminded = later.filter(({ template }) => template === "invitation_reminder").map(({ to }) => to);
      expect(reminded.toSorted()).toEqual(left.toSorted());

      const inviters = Array.from({ length: 6 }, () => crypto.randomUUID());
      const strangers = { ...deps, accounts: { of: async () => deps.accounts.of(ALICE.accountId) } };
      for (const accountId of inviters) await createInvitations(strangers).onConsentRequested(aRequest({ accountId }));
      await Promise.all(Array.from({ length: 6 }, () => createInvitations(strangers).mailDue()));
      expect((await mails("invitation")).filter(({ to }) => to === BOB.address)).toHaveLength(3);
    });
  },
);
