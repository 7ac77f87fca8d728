import { DAY } from "../support/clock.ts";
import type { Person, World } from "./histories_world.ts";

/** What a history remembers beside what is stored: its newest backup, and whom and what there has ever been. */
export type Kept = {
  /** Where Alice was reached last. */
  lastAddress: string;
  restore?: () => Promise<void>;
  /** No job has looked at what was restored. */
  isRestored: boolean;
  associations: Set<string>;
};

/** Somebody registers and proves an address that nobody else has proven now. */
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

export async function keepBackup({ stores, self, other, plan }: World, kept: Kept): Promise<void> {
  const putBack = await stores.backup();
  // Accounts and plans are stored too, in modules that these histories do without.
  const people = structuredClone({ self, other, plan });
  kept.restore = async () => {
    await putBack();
    Object.assign(self, people.self);
    Object.assign(other, people.other);
    Object.assign(plan, people.plan);
  };
}

/** As the product does: all as it was, but for accounts and consents that have ended for good, which end again. */
export async function restoreBackup(world: World, kept: Kept): Promise<void> {
  if (kept.restore === undefined) return;
  const { self, other, erased, stores, invitations, tokenOf } = world;
  await kept.restore();
  kept.isRestored = true;
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
