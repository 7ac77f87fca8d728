import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { freeAt } from "../../src/shared/stranger_mail.ts";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { IS_NIGHTLY } from "../support/tier.ts";
import { invitationWorld } from "./invitation_world.ts";

const addresses = (count: number, domain = "example.com") =>
  Array.from({ length: count }, (_, index) => `someone${index}@${domain}`);

/** Enough that the last mail is sent days after the first. */
const MANY = IS_NIGHTLY ? 1000 : 200;

describe("The limits", () => {
  test(`send ${MANY} bulk requests at 20 a day, with none lost, duplicated, or expired before its mail`, async () => {
    const { ask, invitations, mails, clock, deps } = invitationWorld();
    const all = addresses(MANY);
    for (const address of all) await ask({ address, kind: "ownership" });
    const left: { to: string; at: number }[] = [];
    // Hourly at first, then twice a day.
    for (let step = 0; left.length < all.length && step < 300; step++) {
      await invitations.mailDue();
      for (const { to } of await mails("address_confirmation")) left.push({ to, at: deps.now().getTime() });
      await invitations.expireDue();
      clock.pass(step < 48 ? HOUR : 12 * HOUR);
    }
    expect(left.map(({ to }) => to)).toEqual(all);
    for (const [index, { at }] of left.entries()) {
      const next = left[index + 20];
      if (next) expect(next.at - at).toBeGreaterThanOrEqual(DAY);
    }
    expect((left.at(-1)?.at ?? 0) - (left[0]?.at ?? 0)).toBe((MANY / 20 - 1) * DAY);
  }, 180_000);

  test("of one inviter do not delay others, as every inviter is served in each round", async () => {
    const { ask, invitations, mails } = invitationWorld();
    for (const address of addresses(100)) await ask({ address });
    await ask({ accountId: CHARLIE.accountId });
    await ask({ accountId: BOB.accountId, address: CHARLIE.address });
    await invitations.mailDue();
    const left = await mails("invitation");
    expect(left).toHaveLength(22);
    const names = left.slice(0, 3).map(({ params }) => params.inviterName);
    expect(names.toSorted()).toEqual(["Alice Meyer", "Bob Meyer", "Charlie Meyer"]);
  });

  test("count requests that were cancelled after their mail, and not those cancelled before", async () => {
    const { ask, invitations, transaction, mails, clock } = invitationWorld();
    for (const address of addresses(30)) await ask({ address });
    await invitations.mailDue();
    const all = { offset: 0, limit: 30 };
    const asked = await transaction((store) => store.invitations.page({ inviterId: ALICE.accountId }, "pending", all));
    for (const { id } of asked.invitations) accepted(await invitations.cancelInvitation(ALICE.accountId, id));
    expect(await mails("invitation")).toHaveLength(20);
    for (const address of addresses(30, "example.net")) await ask({ address });
    clock.pass(DAY - 1);
    expect(await invitations.mailDue()).toBe(0);
    clock.pass(1);
    expect(await invitations.mailDue()).toBe(20);
    clock.pass(HOUR);
    expect(await invitations.mailDue()).toBe(0);
  });

  test("allow 100 first mails a day for the accounts of one network, and delay no other network", async () => {
    const { ask, accounts, invitations, mails, clock } = invitationWorld();
    const known = accounts.get(CHARLIE.accountId);
    if (!known) throw new Error("Charlie has no account");
    const crowd = Array.from({ length: 7 }, (_, index) => ({
      accountId: crypto.randomUUID(),
      email: `crowd${index}@example.org`,
      network: index < 6 ? "one" : "another",
    }));
    for (const { accountId, ...account } of crowd) accounts.set(accountId, { ...known, ...account });
    for (const { accountId, email } of crowd)
      for (const address of addresses(20, `of-${email.replace("@", ".")}`)) await ask({ accountId, address });
    await invitations.mailDue();
    const left = await mails("invitation");
    expect(left.filter(({ to }) => to.includes("crowd6"))).toHaveLength(20);
    expect(left).toHaveLength(100 + 20);
    clock.pass(DAY);
    await invitations.mailDue();
    expect(await mails("invitation")).toHaveLength(20);
  });

  test("delay the fourth mail to one address within seven days, whoever sends it", async () => {
    const { ask, invitations, mails, clock, deps } = invitationWorld();
    await ask();
    await invitations.mailDue();
    expect(await mails()).toHaveLength(1);
    clock.pass(DAY);
    await ask({ accountId: CHARLIE.accountId });
    const left: string[] = [];
    for (let hour = 24; hour < 16 * 24; hour++) {
      await invitations.mailDue();
      for (const { to, template, params } of await mails())
        if (to === BOB.address) left.push(`${hour} ${template} ${params.inviterName}`);
      clock.pass(HOUR);
    }
    expect(deps.now()).toEqual(new Date("2026-12-06T12:00:00.000Z"));
    expect(left).toEqual([
      "24 invitation Charlie Meyer",
      "48 invitation_reminder Alice Meyer",
      // Charlie's reminder of day 2 (hour 72) is delayed until Alice's first mail is seven days old.
      "168 invitation_reminder Charlie Meyer",
    ]);
  });

  test("are never exceeded, at any pace of requests", () => {
    const limit = { count: 3, withinMs: 10 };
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 12 }), { maxLength: 60 }), (gaps) => {
        const times: Date[] = [];
        let now = 1_000_000;
        for (const gap of gaps) {
          now = freeAt(times, limit, new Date(now + gap)).getTime();
          times.unshift(new Date(now));
        }
        for (let index = 0; index + 3 < times.length; index++)
          expect((times[index]?.getTime() ?? 0) - (times[index + 3]?.getTime() ?? 0)).toBeGreaterThanOrEqual(10);
      }),
    );
    expect(freeAt([], { count: 3, withinMs: 10 }, new Date(5))).toEqual(new Date(5));
  });
});
