import { expect } from "bun:test";
import type { World } from "./histories_world.ts";
import type { Kept } from "./history_people.ts";

/** Everything stored for one association, by module. */
async function storedOf({ stores }: World, id: string) {
  const [[association], found, invitation] = await Promise.all([
    stores.tracking(({ associations }) => associations.listByIds([id])),
    stores.breaches(async ({ watches, alerts }) => ({
      watch: await watches.find(id),
      alerts: (await alerts.listByAssociation(id, new Date(0), 100)).length,
    })),
    stores.invitations(({ invitations }) => invitations.find({ associationId: id })),
  ]);
  return { association, invitation, ...found };
}

/** Every association that Alice has ever had, so that leftovers are found after it was removed. */
async function remember({ self, stores }: World, kept: Kept): Promise<void> {
  for (const { id } of await stores.tracking(({ associations }) => associations.listByAccount(self.accountId)))
    kept.associations.add(id);
}

/**
 * Every stored right without a basis, as a sentence: monitoring, alerts, contacts, grants and open requests of every
 * account so far.
 */
async function withoutReason(world: World, kept: Kept): Promise<string[]> {
  const people = [world.self, world.other].filter(({ address }) => address !== undefined);
  const wrong: string[] = [];
  for (const id of kept.associations) {
    const { association, invitation, watch, alerts } = await storedOf(world, id);
    const say = (is: boolean, what: string) => is && wrong.push(`${id} ${association?.address}: ${what}`);
    const holder = people.find(({ accountId }) => accountId === association?.accountId);
    const isOpen = invitation?.state === "pending" || invitation?.state === "accepted";
    say(association !== undefined && holder === undefined, "watched by an account that is gone");
    say(association?.consent === "own" && holder?.address !== association.address, "own, and not proven");
    say(association?.consent === "granted" && invitation?.state !== "accepted", "granted, and not agreed to");
    const { details, sensitive } = invitation?.scope ?? { details: false, sensitive: false };
    say(association?.consent === "granted" && association.scope.details && !details, "details beyond the consent");
    say(
      association?.consent === "granted" && association.scope.sensitive && !sensitive,
      "sensitive beyond the consent",
    );
    say(association?.consent === "pending" && invitation?.state !== "pending", "waiting, and nobody is asked");
    say(isOpen && association === undefined, "a question or a grant of nobody's watch");
    const isAsker = people.some(({ accountId }) => accountId === invitation?.inviterId);
    say(invitation !== undefined && !isAsker, "what an account that is gone has asked");
    say(isOpen && association?.consent === "own", "a question about an own address");
    const isAllowed = association !== undefined && association.consent !== "pending";
    say(watch !== undefined && !isAllowed, "a watch without consent");
    say(alerts > 0 && watch === undefined, "alerts of nothing watched");
    const isElsewhere = association?.contacts.some(({ value }) => value !== holder?.address) ?? false;
    say(holder !== undefined && isElsewhere, "alerts to a mailbox that is no longer the account's");
  }
  return [...wrong, ...(await againstTheOwner(world, kept))];
}

/** Grants that the last departed owner ended but that still exist, or kept but that were revoked. */
async function againstTheOwner({ stores }: World, { left }: Kept): Promise<string[]> {
  const { invitationIds, keepGrants } = left ?? { invitationIds: [], keepGrants: false };
  const found = await stores.invitations(({ invitations }) =>
    Promise.all(invitationIds.map((id) => invitations.find({ id }))),
  );
  const wrong = found.filter((one) => one?.state === (keepGrants ? "withdrawn" : "accepted"));
  return wrong.map((one) => `${one?.address}: ${one?.state}, although its owner chose otherwise`);
}

/**
 * Invariant at every step: stored rights without a basis are about to be removed, by a pending event or by the job that
 * checks older data and backups.
 */
export async function endsWithItsReason(world: World, kept: Kept): Promise<number> {
  await remember(world, kept);
  const { waiting } = await world.outbox.backlog();
  if (waiting > 0 || kept.isUnseen) return 0;
  expect(await withoutReason(world, kept)).toEqual([]);
  return 1;
}
