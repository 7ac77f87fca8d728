import { beforeEach, describe, expect, test } from "bun:test";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import type { ConsentRecord, Invitation } from "../../src/invitations/invitation.ts";
import type { InvitationKey, InvitationStore } from "../../src/invitations/ports.ts";
import type { Due } from "../../src/shared/due.ts";
import { anInvitation } from "../invitations/invitation_world.ts";
import { memoryInvitations } from "../memory/invitations/store.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 12) + ms);
const FULL: Invitation = anInvitation({
  state: "accepted",
  scope: { details: true, sensitive: false },
  tokenHash: "a1",
  sentAt: at(1),
  reminders: 2,
  nextMailAt: at(2),
  expiresAt: at(3),
  answeredAt: at(4),
  endedAt: at(5),
  version: 7,
});
const sent = (more: Partial<Invitation> = {}) => anInvitation({ sentAt: at(0), nextMailAt: undefined, ...more });
const aRecord = (invitationId: string, more: Partial<ConsentRecord> = {}): ConsentRecord => ({
  id: Bun.randomUUIDv7(),
  invitationId,
  at: at(0),
  act: "asked",
  by: "inviter",
  scope: undefined,
  language: "it",
  wording: "2026-11",
  ...more,
});

describe.each(eachDatabase(memoryInvitations, postgresInvitations))("InvitationStore on %s", (_, open) => {
  let store: TestStore<InvitationStore>;
  beforeEach(async () => {
    store = await open();
  });
  const within = <T>(work: (store: InvitationStore) => Promise<T>) => store.transaction(work);
  const inStore = <T>(work: (invitations: InvitationStore["invitations"]) => Promise<T>) =>
    within(({ invitations }) => work(invitations));
  const find = (key: InvitationKey) => inStore((invitations) => invitations.find(key));
  async function given<Invitations extends Invitation[]>(...list: Invitations): Promise<Invitations> {
    for (const invitation of list) expect(await inStore((invitations) => invitations.add(invitation))).toBe(true);
    return list;
  }

  test("find() returns what add() stored, to the millisecond, by each key", async () => {
    const [bare] = await given(anInvitation(), FULL, anInvitation({ inviterId: CHARLIE.accountId }));
    expect(await find({ id: FULL.id })).toEqual(FULL);
    expect(await find({ id: bare.id })).toEqual(bare);
    expect(await find({ tokenHash: "a1" })).toEqual(FULL);
    expect(await find({ associationId: bare.associationId })).toEqual(bare);
    expect(await find({ id: bare.id, inviterId: ALICE.accountId })).toEqual(bare);
    expect(await find({ id: bare.id, address: BOB.address })).toEqual(bare);
  });

  test("find() returns nothing for other accounts, and nothing for unknown ids", async () => {
    const [bare] = await given(anInvitation());
    expect(await find({ id: bare.id, inviterId: BOB.accountId })).toBeUndefined();
    expect(await find({ id: bare.id, address: ALICE.address })).toBeUndefined();
    expect(await find({ id: crypto.randomUUID() })).toBeUndefined();
    expect(await find({ tokenHash: "" })).toBeUndefined();
  });

  test("add() accepts one per association, the first of ten concurrent ones", async () => {
    const twins = Array.from({ length: 10 }, () => anInvitation({ associationId: FULL.associationId }));
    const added = await Promise.all(twins.map((twin) => inStore((invitations) => invitations.add(twin))));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect((await find({ associationId: FULL.associationId }))?.id).toBe(twins[added.indexOf(true)]?.id ?? "");
  });

  test("save() succeeds for one of 50 that read the same version, and stores only that state", async () => {
    const [bare, other] = await given(anInvitation(), FULL);
    const states = ["accepted", "declined", "cancelled", "expired", "withdrawn"] as const;
    const next = Array.from({ length: 50 }, (_, index) => ({
      ...bare,
      state: states[index % 5] ?? "expired",
      version: 2,
      endedAt: at(index),
    }));
    const won = await Promise.all(next.map((each) => inStore((invitations) => invitations.save(each))));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await find({ id: bare.id })).toEqual(next[won.indexOf(true)]);
    expect(await find({ id: other.id })).toEqual(FULL);
  });

  test("save() can clear values, and refuses a version that does not follow", async () => {
    await given(FULL);
    const bare = anInvitation({ id: FULL.id, associationId: FULL.associationId, nextMailAt: undefined });
    expect(await inStore((invitations) => invitations.save({ ...bare, version: 9 }))).toBe(false);
    expect(await inStore((invitations) => invitations.save({ ...bare, version: 7 }))).toBe(false);
    expect(await inStore((invitations) => invitations.save({ ...bare, version: 8 }))).toBe(true);
    expect(await find({ id: FULL.id })).toEqual({ ...bare, version: 8 });
  });

  test("listDeclines() returns the last decline of each address to this inviter, after the given time", async () => {
    const no = (more: Partial<Invitation>) => anInvitation({ state: "declined", ...more });
    await given(
      no({ answeredAt: at(5) }),
      no({ answeredAt: at(7) }),
      no({ answeredAt: at(3) }),
      no({ answeredAt: at(1), address: CHARLIE.address }),
      no({ answeredAt: at(9), address: ALICE.address, inviterId: BOB.accountId }),
      no({ answeredAt: at(9), address: ALICE.address, state: "withdrawn" }),
    );
    const declines = (since: number, ...addresses: string[]) =>
      inStore((all) => all.listDeclines(ALICE.accountId, addresses, at(since)));
    const everybody = [ALICE.address, BOB.address, CHARLIE.address];
    expect(await declines(0, ...everybody)).toEqual(
      new Map([
        [BOB.address, at(7)],
        [CHARLIE.address, at(1)],
      ]),
    );
    expect(await declines(1, ...everybody)).toEqual(new Map([[BOB.address, at(7)]]));
    expect(await declines(0, CHARLIE.address)).toEqual(new Map([[CHARLIE.address, at(1)]]));
    expect(await declines(0)).toEqual(new Map());
  });

  test("first mails are listed in the order in which they are due, per inviter", async () => {
    const [late, early, other] = await given(
      anInvitation({ nextMailAt: at(2) }),
      anInvitation({ nextMailAt: at(1) }),
      anInvitation({ nextMailAt: at(0), inviterId: CHARLIE.accountId }),
      anInvitation({ nextMailAt: at(3), inviterId: BOB.accountId }),
      anInvitation({ nextMailAt: undefined, inviterId: BOB.accountId }),
      sent({ nextMailAt: at(0), inviterId: BOB.accountId }),
    );
    expect(await inStore((all) => all.listWaitingInviters(at(2)))).toEqual([CHARLIE.accountId, ALICE.accountId]);
    expect(await inStore((all) => all.findWaiting(ALICE.accountId, at(2)))).toEqual(early);
    expect(await inStore((all) => all.save({ ...early, nextMailAt: undefined, version: 2 }))).toBe(true);
    expect(await inStore((all) => all.findWaiting(ALICE.accountId, at(2)))).toEqual(late);
    expect(await inStore((all) => all.findWaiting(ALICE.accountId, at(1)))).toBeUndefined();
    expect(await inStore((all) => all.findWaiting(CHARLIE.accountId, at(2)))).toEqual(other);
    expect(await inStore((all) => all.findWaiting(BOB.accountId, at(2)))).toBeUndefined();
  });

  test("listRemindable() and listExpired() are separated by the time of expiry, and omit unsent ones", async () => {
    const [late, early] = await given(
      sent({ nextMailAt: at(2), expiresAt: at(10) }),
      sent({ nextMailAt: at(1), expiresAt: at(11) }),
      sent({ state: "accepted", expiresAt: at(1) }),
      anInvitation({ nextMailAt: at(1), expiresAt: at(5) }),
    );
    const remindable = (ms: number, limit = 9) => inStore((all) => all.listRemindable(at(ms), limit));
    const expired = (ms: number, limit = 9, after?: Due) => inStore((all) => all.listExpired(at(ms), after, limit));
    const [first, second] = [
      { id: late.id, at: at(10) },
      { id: early.id, at: at(11) },
    ];
    expect(await remindable(1)).toEqual([early]);
    expect(await remindable(9)).toEqual([early, late]);
    expect(await remindable(9, 1)).toEqual([early]);
    expect(await remindable(10)).toEqual([early]);
    expect(await expired(9)).toEqual([]);
    expect(await expired(10)).toEqual([first]);
    expect(await expired(11)).toEqual([first, second]);
    expect(await expired(11, 1)).toEqual([first]);
    expect(await expired(11, 1, first)).toEqual([second]);
    expect(await expired(11, 1, second)).toEqual([]);
  });

  test("accepted invitations are deleted after their time too, with their records", async () => {
    const scope = { details: true, sensitive: true };
    const [over, later, open] = await given(
      anInvitation({ state: "withdrawn", endedAt: at(1), scope }),
      anInvitation({ state: "withdrawn", endedAt: at(2), scope }),
      anInvitation({ state: "accepted", scope }),
    );
    await within(({ records }) => records.add(aRecord(over.id)));
    await inStore((all) => all.removeEnded(at(2)));
    expect(await find({ id: over.id })).toBeUndefined();
    expect(await within(({ records }) => records.list(over.id))).toEqual([]);
    expect(await find({ id: later.id })).toEqual(later);
    expect(await find({ id: open.id })).toEqual(open);
  });

  test("removals delete the records too, and nothing of others", async () => {
    const [old, agreed, mine, theirs] = await given(
      anInvitation({ state: "declined", endedAt: at(1), inviterId: CHARLIE.accountId }),
      anInvitation({ state: "withdrawn", endedAt: at(1), scope: { details: true, sensitive: true } }),
      anInvitation({ state: "expired", endedAt: at(2) }),
      anInvitation({ inviterId: BOB.accountId }),
    );
    const line = aRecord(old.id);
    await within(({ records }) => records.add(line));
    await inStore((all) => all.removeRefused(at(2)));
    expect(await find({ id: old.id })).toBeUndefined();
    expect(await within(({ records }) => records.list(old.id))).toEqual([]);
    await inStore((all) => all.removeEnded(at(1)));
    expect(await find({ id: agreed.id })).toEqual(agreed);
    const removed = [
      await inStore((all) => all.removeByInviter(ALICE.accountId, 1)),
      await inStore((all) => all.removeByInviter(ALICE.accountId, 5)),
      await inStore((all) => all.removeByInviter(ALICE.accountId, 5)),
    ];
    expect(removed.map(({ length }) => length)).toEqual([1, 1, 0]);
    expect(removed.flat()).toEqual(expect.arrayContaining([agreed, mine]));
    expect(await find({ id: theirs.id })).toEqual(theirs);
  });

  test("records are returned as written, oldest first", async () => {
    const [invitation] = await given(anInvitation());
    const lines = [
      aRecord(invitation.id, { at: at(2), act: "accepted", by: "owner", scope: { details: false, sensitive: true } }),
      aRecord(invitation.id, { at: at(1) }),
    ];
    for (const line of lines) await within(({ records }) => records.add(line));
    expect(await within(({ records }) => records.list(invitation.id))).toEqual(lines.toReversed());
  });

  test("a block applies to one address and one inviter, is stored once, and ends with that inviter", async () => {
    const block = (addressMark: string, inviterId: string) =>
      within(({ blocks }) => blocks.add({ addressMark, inviterId, at: at(0) }));
    for (const _ of [1, 2]) await block("mark", ALICE.accountId);
    await block("mark", BOB.accountId);
    const has = (mark: string, id: string) => within(({ blocks }) => blocks.has(["none", mark], id));
    expect(await has("mark", ALICE.accountId)).toBe(true);
    expect(await has("mark", CHARLIE.accountId)).toBe(false);
    expect(await has("other", ALICE.accountId)).toBe(false);
    expect((await within(({ blocks }) => blocks.listInviters(["mark", "none"]))).toSorted()).toEqual(
      [ALICE.accountId, BOB.accountId].toSorted(),
    );
    await within(({ blocks }) => blocks.removeByInviter(ALICE.accountId));
    expect(await within(({ blocks }) => blocks.listInviters(["mark"]))).toEqual([BOB.accountId]);
  });

  test("refusals keep the first block and the last decline between two mailboxes, and outlive their accounts", async () => {
    const none = { blockedAt: undefined, declinedAt: undefined };
    const add = (more: { ownerMark: string; askerMark: string; blockedAt?: Date; declinedAt?: Date }) =>
      within(({ refusals }) => refusals.add({ ...none, ...more }));
    await add({ ownerMark: "bob", askerMark: "alice", declinedAt: at(5) });
    await add({ ownerMark: "bob", askerMark: "alice", declinedAt: at(2) });
    await add({ ownerMark: "bob", askerMark: "alice", blockedAt: at(7) });
    await add({ ownerMark: "bob", askerMark: "alice", blockedAt: at(9) });
    await add({ ownerMark: "dora", askerMark: "alice", declinedAt: at(3) });
    const both = { ownerMark: "bob", askerMark: "alice", blockedAt: at(7), declinedAt: at(5) };
    expect(await within(({ refusals }) => refusals.list(["bob", "carl"], "alice"))).toEqual([both]);
    expect(await within(({ refusals }) => refusals.list(["bob"], "eve"))).toEqual([]);
    await within(({ refusals }) => refusals.removeDeclined(at(3)));
    expect(await within(({ refusals }) => refusals.listByAsker("alice"))).toHaveLength(2);
    await within(({ refusals }) => refusals.removeDeclined(at(100)));
    expect(await within(({ refusals }) => refusals.listByAsker("alice"))).toEqual([both]);
  });

  test("a rolled back transaction leaves nothing, events included", async () => {
    const failing = within(async ({ invitations, blocks, events }) => {
      await invitations.lockSending();
      await invitations.add(FULL);
      await blocks.add({ addressMark: "m", inviterId: ALICE.accountId, at: at(0) });
      await events.publish({ type: "identity.deleted", accountId: ALICE.accountId });
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await find({ id: FULL.id })).toBeUndefined();
    expect(await within(({ blocks }) => blocks.has(["m"], ALICE.accountId))).toBe(false);
    expect(await takePublished(store.outbox)).toEqual([]);
  });
});
