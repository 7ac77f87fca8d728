import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { announceStart } from "../../src/tracking/announce.ts";
import { accepted } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import type { Person, World } from "./histories_world.ts";

/** What a history tracks besides the stored state: its newest backup, and all people and associations so far. */
export type Kept = {
  /** Alice's most recent address. */
  lastAddress: string;
  restore?: () => Promise<void>;
  /** No job has processed restored data, or data from an older release, yet. */
  isUnseen: boolean;
  associations: Set<string>;
  /** The grants of the owner who left most recently, and whether they were to be kept. */
  left?: { invitationIds: string[]; keepGrants: boolean } | undefined;
};

/** Somebody registers and verifies an address that nobody else currently has. */
export function arrival({ self, other }: World, person: Person, address: string): void {
  if (person.address !== undefined || [self, other].some((one) => one.address === address)) return;
  Object.assign(person, { accountId: Bun.randomUUIDv7(), address });
}

export async function farewell({ publish }: World, person: Person, keepGrants: boolean): Promise<void> {
  const { accountId, address: email } = person;
  if (email === undefined) return;
  person.address = undefined;
  await publish({ type: "identity.deleted", accountId, email, keepGrants });
}

/** An owner with a verified address deletes the account and chooses whether grants are kept. */
export async function leave(world: World, kept: Kept, keepGrants: boolean): Promise<void> {
  const { other, stores, outbox } = world;
  await world.work();
  const { waiting } = await outbox.backlog();
  const agreed = await stores.invitations(async ({ invitations }) => {
    const found = await Promise.all([...kept.associations].map((associationId) => invitations.find({ associationId })));
    return found.filter((one) => one?.state === "accepted" && one.address === other.address);
  });
  // Pending events may end grants that were to be kept.
  const isTold = other.address !== undefined && (waiting === 0 || !keepGrants);
  kept.left = isTold ? { invitationIds: agreed.flatMap((one) => one?.id ?? []), keepGrants } : undefined;
  await farewell(world, other, keepGrants);
  // Before anything else can revoke what is kept.
  if (keepGrants) await world.work();
}

/** The verified owner of an address declines all requests and withdraws all grants. */
export async function refuseAll({ other: { accountId }, invitations }: World, block: boolean): Promise<void> {
  for (const { id } of accepted(await invitations.accessRequests(accountId, 1)).items)
    await invitations.declineRequest(accountId, id, block);
  for (const { id } of accepted(await invitations.listWatchedBy(accountId, 1)).items)
    await invitations.withdrawGrant(accountId, id, block);
}

/** As an older release left it when a verification was lost: Alice tracks an address as her own that is not hers. */
export async function plantOlder({ self, stores }: World, kept: Kept): Promise<void> {
  const { accountId, address: own } = self;
  const address = "elsa@example.org";
  if (own === undefined) return;
  await stores.tracking(async (store) => {
    const all = await store.associations.listByAccount(accountId);
    const like = all[0];
    if (like === undefined || all.some((one) => one.address === address)) return;
    const planted = {
      ...like,
      id: Bun.randomUUIDv7(),
      address,
      consent: "own",
      owner: true,
      scope: FULL_SCOPE,
    } as const;
    const fresh = { ...planted, contacts: like.contacts, paused: false, suspended: false, openAlerts: 0 };
    await store.associations.add({ ...fresh, scopeVersion: 0, openVersion: 0 });
    await announceStart(store, fresh);
  });
  kept.isUnseen = true;
}

export async function keepBackup({ stores, self, other, plan }: World, kept: Kept): Promise<void> {
  const putBack = await stores.backup();
  // Accounts and plans are restored too, although their modules are not part of these histories.
  const people = structuredClone({ self, other, plan });
  kept.restore = async () => {
    await putBack();
    Object.assign(self, people.self);
    Object.assign(other, people.other);
    Object.assign(plan, people.plan);
  };
}

/**
 * As the product restores a backup: to its former state, then accounts and consents that were deleted for good are
 * deleted again.
 */
export async function restoreBackup(world: World, kept: Kept): Promise<void> {
  if (kept.restore === undefined) return;
  const { self, other, erased, stores, invitations, tokenOf } = world;
  await kept.restore();
  kept.isUnseen = true;
  kept.left = undefined;
  kept.lastAddress = self.address ?? kept.lastAddress;
  for (const person of [self, other]) if (erased.has(person.accountId)) await farewell(world, person, false);
  const ended = await stores.invitations(async (store) => {
    const found = await Promise.all([...kept.associations].map((id) => store.invitations.find({ associationId: id })));
    return found.flatMap((one) => (one?.state === "accepted" && erased.has(one.id) ? [one.id] : []));
  });
  for (const id of ended) await invitations.withdrawLink(tokenOf(id), false);
  world.clock.pass(DAY);
  await world.breaches.pollCatalogue();
}
