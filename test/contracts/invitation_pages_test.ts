import { beforeEach, describe, expect, test } from "bun:test";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import type { Invitation } from "../../src/invitations/invitation.ts";
import type { InvitationPage, InvitationRepository, InvitationStore } from "../../src/invitations/ports.ts";
import { anInvitation } from "../invitations/invitation_world.ts";
import { memoryInvitations } from "../memory/invitations/store.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 20, 12) + ms);
const RANGE = { offset: 0, limit: 25 };

describe.each(eachDatabase(memoryInvitations, postgresInvitations))("InvitationRepository on %s", (_, open) => {
  let store: TestStore<InvitationStore>;
  beforeEach(async () => {
    store = await open();
  });
  const inStore = <T>(work: (invitations: InvitationRepository) => Promise<T>) =>
    store.transaction(({ invitations }) => work(invitations));
  async function given<Invitations extends Invitation[]>(...list: Invitations): Promise<Invitations> {
    for (const invitation of list) expect(await inStore((all) => all.add(invitation))).toBe(true);
    return list;
  }
  /** Reads page by page, with two items each. */
  async function expectPages(
    read: (all: InvitationRepository, range: typeof RANGE) => Promise<InvitationPage>,
    expected: Invitation[],
  ) {
    for (let offset = 0; offset <= expected.length; offset += 2)
      expect(await inStore((all) => read(all, { offset, limit: 2 }))).toEqual({
        invitations: expected.slice(offset, offset + 2),
        total: expected.length,
      });
  }

  test("pages of an inviter and of an address contain each state separately, newest first", async () => {
    const [first, second, third, other, agreed] = await given(
      anInvitation({ createdAt: at(1) }),
      anInvitation({ createdAt: at(3), address: CHARLIE.address }),
      anInvitation({ createdAt: at(2) }),
      anInvitation({ createdAt: at(4), inviterId: CHARLIE.accountId }),
      anInvitation({ createdAt: at(9), state: "accepted" }),
      anInvitation({ inviterId: CHARLIE.accountId, address: ALICE.address }),
    );
    await expectPages(
      (all, range) => all.page({ inviterId: ALICE.accountId }, "pending", range),
      [second, third, first],
    );
    await expectPages((all, range) => all.page({ inviterId: ALICE.accountId }, "accepted", range), [agreed]);
    await expectPages((all, range) => all.page({ inviterId: BOB.accountId }, "pending", range), []);
    await expectPages((all, range) => all.page({ address: BOB.address }, "pending", range), [other, third, first]);
    await expectPages((all, range) => all.page({ address: BOB.address }, "accepted", range), [agreed]);
    await expectPages((all, range) => all.page({ address: "nobody@example.com" }, "accepted", range), []);
  });

  test("pages are stable if many invitations have the same time", async () => {
    const twins = await given(...Array.from({ length: 7 }, () => anInvitation({ createdAt: at(0) })));
    const newestFirst = twins.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    await expectPages((all, range) => all.page({ inviterId: ALICE.accountId }, "pending", range), newestFirst);
    await expectPages((all, range) => all.page({ address: BOB.address }, "pending", range), newestFirst);
    await expectPages((all, range) => all.pageOpen(BOB.address, { inviters: [], now: at(0) }, range), newestFirst);
  });

  test("pageOpen() ends at the time of expiry, includes unsent ones, and omits inviters", async () => {
    const [sent, unsent, charlies] = await given(
      anInvitation({ createdAt: at(1), sentAt: at(1), expiresAt: at(10) }),
      anInvitation({ createdAt: at(2), expiresAt: at(5) }),
      anInvitation({ createdAt: at(3), inviterId: CHARLIE.accountId }),
      anInvitation({ createdAt: at(4), address: CHARLIE.address }),
      anInvitation({ createdAt: at(5), state: "accepted" }),
    );
    const open = (ms: number, ...inviters: string[]) =>
      inStore((all) => all.pageOpen(BOB.address, { inviters, now: at(ms) }, RANGE));
    expect(await open(9)).toEqual({ invitations: [charlies, unsent, sent], total: 3 });
    expect(await open(10)).toEqual({ invitations: [charlies, unsent], total: 2 });
    expect(await open(9, CHARLIE.accountId, BOB.accountId)).toEqual({ invitations: [unsent, sent], total: 2 });
    expect(await open(9, CHARLIE.accountId, ALICE.accountId)).toEqual({ invitations: [], total: 0 });
  });
});
