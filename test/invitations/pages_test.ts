import { describe, expect, test } from "bun:test";
import type { Page } from "../../src/invitations/page.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { anInvitation, DETAILS, invitationWorld } from "./invitation_world.ts";

const second = (number: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, number));

/** Of 30 items the newest come first, 25 on a page. */
async function given(more: Parameters<typeof anInvitation>[0]) {
  const world = invitationWorld();
  const stored = Array.from({ length: 30 }, (_, number) => anInvitation({ createdAt: second(number), ...more }));
  await world.transaction(async ({ invitations }) => {
    for (const invitation of stored) await invitations.add(invitation);
  });
  return { ...world, ids: stored.map(({ id }) => id).toReversed() };
}

const AGREED = { state: "accepted", scope: DETAILS, answeredAt: second(0) } as const;

describe.each([
  ["sentInvitations", ALICE.accountId, {}],
  ["accessRequests", BOB.accountId, {}],
  ["listMayWatch", ALICE.accountId, AGREED],
  ["listWatchedBy", BOB.accountId, AGREED],
] as const)("%s()", (list, accountId, more) => {
  test("returns pages of 25, newest first, and the total", async () => {
    const { invitations, ids } = await given(more);
    const page = async (number: number) => {
      const { items, ...rest } = accepted<Page<{ id: string }>>(await invitations[list](accountId, number));
      expect(rest).toEqual({ total: 30, page: number, pageSize: 25 });
      return items.map(({ id }) => id);
    };
    expect(await page(1)).toEqual(ids.slice(0, 25));
    expect(await page(2)).toEqual(ids.slice(25));
    expect(await page(3)).toEqual([]);
  });
});
