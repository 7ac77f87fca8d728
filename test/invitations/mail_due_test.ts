import { describe, expect, test } from "bun:test";
import { maskedEmail } from "../../src/shared/masked_email.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { DETAILS, invitationWorld, tokenOf } from "./invitation_world.ts";

describe("mailDue()", () => {
  test("asks in the owner's language, names the inviter, and keeps the token sealed", async () => {
    const { ask, invitations, mails, transaction, deps } = invitationWorld();
    const { associationId } = await ask();
    await invitations.mailDue();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toEqual({
      type: "mail.requested",
      to: BOB.address,
      language: "de",
      template: "invitation",
      params: { inviterName: "Alice Meyer", address: BOB.address, days: "7" },
      sealed: mail?.sealed ?? "",
      notAfter: "2026-11-27T12:00:00.000Z",
    });
    const token = tokenOf(mail);
    expect(token).toHaveLength(43);
    const stored = await transaction((store) => store.invitations.find({ associationId }));
    expect(stored).toMatchObject({ tokenHash: deps.hashToken(token), sentAt: deps.now(), reminders: 0 });
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await invitations.mailDue()).toBe(0);
  });

  test("reminds on day 2 and on day 6, each time with a new link, and then never again", async () => {
    const { ask, invitations, mails, clock } = invitationWorld();
    await ask();
    const told: string[][] = [];
    const tokens = new Set<string>();
    for (let hour = 0; hour < 8 * 24; hour++) {
      await invitations.mailDue();
      for (const mail of await mails()) {
        told.push([mail.template, String(hour), mail.params.days ?? "", mail.params.reminder ?? ""]);
        tokens.add(tokenOf(mail));
      }
      clock.pass(HOUR);
    }
    expect(told).toEqual([
      ["invitation", "0", "7", ""],
      ["invitation_reminder", "48", "5", "1"],
      ["invitation_reminder", "144", "1", "2"],
    ]);
    expect(tokens.size).toBe(3);
  });

  test("sends one reminder after an outage, not two, and none once the invitation has expired", async () => {
    const { ask, invitations, mails, clock } = invitationWorld();
    await ask();
    await invitations.mailDue();
    clock.pass(6 * DAY + HOUR);
    await invitations.mailDue();
    await invitations.mailDue();
    expect(await mails("invitation_reminder")).toMatchObject([{ params: { reminder: "1", days: "1" } }]);

    const late = invitationWorld();
    await late.ask();
    await late.invitations.mailDue();
    late.clock.pass(7 * DAY);
    expect(await late.invitations.mailDue()).toBe(0);
    expect(await late.mails("invitation_reminder")).toEqual([]);
  });

  test("sends another mail for the inviter's own address, without reminders", async () => {
    const { ask, invitations, mails, clock } = invitationWorld();
    await ask({ kind: "ownership" });
    for (let day = 0; day < 7; day++) {
      await invitations.mailDue();
      clock.pass(DAY);
    }
    expect(await mails()).toMatchObject([
      {
        template: "address_confirmation",
        to: BOB.address,
        params: { address: BOB.address, accountName: "Alice Meyer", accountEmail: maskedEmail(ALICE.address) },
      },
    ]);
  });

  test("sends nothing after any answer or end", async () => {
    const { invited, invitations, mails, clock } = invitationWorld();
    const [yes, no, cancelled, dropped] = [
      await invited({ address: "yes@example.com" }),
      await invited({ address: "no@example.com" }),
      await invited({ address: "cancelled@example.com" }),
      await invited({ address: "dropped@example.com" }),
    ];
    await invitations.acceptLink(yes.token, DETAILS);
    await invitations.declineLink(no.token, false);
    await invitations.cancelInvitation(ALICE.accountId, cancelled.id);
    await invitations.onConsentDropped({ ...dropped, type: "tracking.consentDropped" });
    await mails();
    for (let day = 0; day < 8; day++) {
      clock.pass(DAY);
      expect(await invitations.mailDue()).toBe(0);
    }
    expect(await mails()).toEqual([]);
  });

  test("skips invitations of deleted accounts", async () => {
    const { ask, invitations, mails, accounts, clock } = invitationWorld();
    await ask();
    await invitations.mailDue();
    await ask({ address: CHARLIE.address });
    await mails();
    accounts.delete(ALICE.accountId);
    clock.pass(2 * DAY);
    expect(await invitations.mailDue()).toBe(0);
    expect(await mails()).toEqual([]);
  });
});
