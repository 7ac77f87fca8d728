import { describe, expect, test } from "bun:test";
import { ALICE, accepted, BOB, CHARLIE } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { invitationWorld } from "./invitation_world.ts";

const NEW_ID = "5ca1ab1e-0000-4000-8000-000000000001";
const ALIASES = Array.from({ length: 8 }, (_, index) => BOB.address.replace("@", `+${index + 1}@`));

/** Bob declines Alice's request; she deletes her account and registers again. */
async function returned(block: boolean) {
  const world = invitationWorld();
  const { token } = await world.invited();
  accepted(await world.invitations.declineLink(token, block));
  const account = world.accounts.get(ALICE.accountId);
  if (!account) throw new Error("Cannot find Alice");
  world.accounts.delete(ALICE.accountId);
  await world.invitations.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId, email: ALICE.address });
  world.accounts.set(NEW_ID, account);
  await world.published();
  return world;
}

describe("An inviter who returns with another account", () => {
  test("must wait the 30 days after a decline, for every spelling of the mailbox", async () => {
    const { invitations, clock } = await returned(false);
    const until = new Date("2026-12-20T12:00:00.000Z");
    const addresses = [BOB.address, ...ALIASES];
    clock.pass(29 * DAY);
    expect(await invitations.askAgainFrom(NEW_ID, [...addresses, CHARLIE.address])).toEqual(
      new Map(addresses.map((address) => [address, until])),
    );
    expect(await invitations.askAgainFrom(CHARLIE.accountId, addresses)).toEqual(new Map());
    clock.pass(DAY);
    await invitations.cleanUp();
    expect(await invitations.askAgainFrom(NEW_ID, addresses)).toEqual(new Map());
  });

  test("stays blocked for every spelling of the mailbox, and sees the same as any other inviter", async () => {
    const { invitations, ask, clock, mails } = await returned(true);
    clock.pass(60 * DAY);
    await invitations.cleanUp();
    for (const address of ALIASES) await ask({ accountId: NEW_ID, address });
    await ask({ accountId: NEW_ID, address: CHARLIE.address });
    for (let day = 0; day < 30; day++) {
      await invitations.mailDue();
      clock.pass(DAY);
    }
    expect((await mails()).map(({ to }) => to)).toEqual([CHARLIE.address, CHARLIE.address, CHARLIE.address]);
    const { items } = accepted(await invitations.sentInvitations(NEW_ID, 1));
    expect(items.filter(({ sentAt }) => sentAt !== null).length).toBeGreaterThan(1);
  });

  test("stays blocked after a change of email, under both the new and the former mailbox", async () => {
    const world = invitationWorld();
    const { token } = await world.invited();
    accepted(await world.invitations.declineLink(token, true));
    await world.published();
    const to = "alice@new.example";
    await world.invitations.onEmailChanged({
      type: "identity.emailChanged",
      accountId: ALICE.accountId,
      from: ALICE.address,
      to,
      formerAddress: "end",
    });
    const account = { language: "en", firstName: "Alice", lastName: "Meyer", verified: true } as const;
    world.accounts.set(NEW_ID, { ...account, email: to });
    world.accounts.set(CHARLIE.accountId, { ...account, email: ALICE.address });
    world.clock.pass(40 * DAY);
    await world.ask({ accountId: NEW_ID });
    await world.ask({ accountId: CHARLIE.accountId, address: ALIASES[0] ?? "" });
    await world.invitations.mailDue();
    expect(await world.mails()).toEqual([]);
  });
});

test("A block from an older release, stored by account and address only, applies to every spelling and outlives the account", async () => {
  const { transaction, deps, ask, invitations, mails, accounts } = invitationWorld();
  const mark = deps.mac("address", BOB.address);
  await transaction(({ blocks }) => blocks.add({ addressMark: mark, inviterId: ALICE.accountId, at: deps.now() }));
  for (const address of ALIASES) await ask({ address });
  await invitations.mailDue();
  expect(await mails()).toEqual([]);
  const account = accounts.get(ALICE.accountId);
  await invitations.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId, email: ALICE.address });
  if (account) accounts.set(NEW_ID, account);
  await ask({ accountId: NEW_ID });
  await invitations.mailDue();
  expect(await mails()).toEqual([]);
});
