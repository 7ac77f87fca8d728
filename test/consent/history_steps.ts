import { expect } from "bun:test";
import fc from "fast-check";
import { coveredBy, isWatched, statusOf } from "../../src/tracking/association.ts";
import { ALICE, aBreach, accepted, aTrackInput } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import type { Mishap, World } from "./histories_world.ts";
import {
  arrival,
  farewell,
  type Kept,
  keepBackup,
  leave,
  plantOlder,
  refuseAll,
  restoreBackup,
} from "./history_people.ts";
import { endsWithItsReason } from "./history_reasons.ts";

const ADDRESSES = [ALICE.address, "bob@example.org", "carla@example.org", "dario@example.org"];
const BREACHES = ["Adobe", "Canva", "Affairs"];

const who = fc.nat({ max: ADDRESSES.length - 1 });
const which = fc.nat({ max: BREACHES.length - 1 });
const scope = fc.record({ details: fc.boolean(), sensitive: fc.boolean() });
const does = <Name extends string, Arguments extends unknown[]>(
  name: Name,
  ...rest: { [Index in keyof Arguments]: fc.Arbitrary<Arguments[Index]> }
) => fc.tuple(fc.constant(name), ...rest);

/** Actions of Alice, the owners, the plan, the source and time; background jobs run when they are named. */
const step = fc.oneof(
  { weight: 4, arbitrary: does("track", who) },
  { weight: 5, arbitrary: does("accept", who, scope) },
  does("decline", who),
  { weight: 2, arbitrary: does("withdraw", who) },
  { weight: 3, arbitrary: does("rescope", who, scope) },
  does("remove", who),
  does("disown", who),
  { weight: 3, arbitrary: does("pause", who, fc.boolean()) },
  { weight: 3, arbitrary: does("plan", fc.record({ active: fc.boolean(), cap: fc.option(fc.nat({ max: 4 })) })) },
  does("keep", fc.array(who, { maxLength: 2 })),
  { weight: 3, arbitrary: does("expose", who, which) },
  { weight: 3, arbitrary: does("sensitive", which, fc.boolean()) },
  { weight: 3, arbitrary: does("turn", fc.nat({ max: 9 }), fc.boolean()) },
  does("wait", fc.constantFrom(HOUR, DAY, 8 * DAY)),
  does("block", who),
  does("delete"),
  { weight: 5, arbitrary: does("return") },
  { weight: 2, arbitrary: does("arrive", who) },
  does("refuse", fc.boolean()),
  { weight: 2, arbitrary: does("leave", fc.boolean()) },
  { weight: 2, arbitrary: does("older") },
  { weight: 3, arbitrary: does("backup") },
  { weight: 2, arbitrary: does("restore") },
  { weight: 2, arbitrary: does("move", who, fc.constantFrom<"ask" | "end">("ask", "end")) },
  { weight: 10, arbitrary: does("work") },
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const mishap = fc.constantFrom<Mishap>("none", "none", "none", "before", "after");

/**
 * Alice has requested consent from everybody, and two have agreed; her address and one of theirs is in every breach.
 */
const BEGINNING: Step[] = [
  ...ADDRESSES.map((_, index): Step => ["track", index]),
  ["work"],
  ...BREACHES.flatMap((_, index): Step[] => [
    ["expose", 0, index],
    ["expose", 1, index],
  ]),
  ["accept", 1, { details: true, sensitive: false }],
  ["accept", 2, { details: false, sensitive: true }],
  ["work"],
];

export const associationsOf = (world: World) =>
  world.stores.tracking(({ associations }) => associations.listByAccount(world.self.accountId));
const listed = (name: string, isSensitive: boolean) =>
  aBreach({
    name,
    flags: isSensitive ? ["sensitive"] : [],
    addedDate: `2020-01-0${BREACHES.indexOf(name) + 1}T00:00:00Z`,
  });

/** A step with all its arguments, ready to run. */
async function ready(world: World, kept: Kept, [name, ...rest]: Step): Promise<() => Promise<unknown>> {
  const { tracking, invitations, breaches, feed, clock, plan, self, other, publish, tokenOf } = world;
  const { accountId } = self;
  const address = ADDRESSES[typeof rest[0] === "number" ? rest[0] % ADDRESSES.length : 0] ?? "";
  const association = (await associationsOf(world)).find((one) => one.address === address);
  const id = association?.id ?? crypto.randomUUID();
  const invitation = await world.stores.invitations((store) => store.invitations.find({ associationId: id }));
  const token = tokenOf(invitation?.id ?? crypto.randomUUID());
  const [, second] = rest as [unknown, never];
  const changedAt = clock.now().toISOString();
  // Alerts go to her own mailbox, whatever its address is.
  const { contacts } = aTrackInput({ address: self.address ?? "" });
  const settings = { ...aTrackInput({ address, owner: false, contacts }), owner: false };
  const acts: Record<Step[0], () => Promise<unknown> | unknown> = {
    track: () => self.address && tracking.track(accountId, settings),
    accept: () => invitations.acceptLink(token, second),
    decline: () => invitations.declineLink(token, false),
    withdraw: () => invitations.withdrawLink(token, false),
    rescope: () => invitations.rescopeLink(token, second),
    remove: () => tracking.removeAssociation(accountId, id),
    disown: () => {
      const { address: _address, ...more } = settings;
      return tracking.updateAssociation(accountId, id, {
        ...more,
        owner: association?.owner === false,
        paused: false,
      });
    },
    pause: () => tracking.pauseAssociation(accountId, id, second),
    plan: () => {
      clock.pass(1);
      Object.assign(plan, rest[0]);
      return publish({ ...plan, type: "billing.subscriptionChanged", accountId: accountId, changedAt });
    },
    keep: async () => {
      const chosen = (rest[0] as number[]).map((index) => ADDRESSES[index]);
      const all = await associationsOf(world);
      return tracking.keepAssociations(
        accountId,
        all.filter((one) => chosen.includes(one.address)).map((one) => one.id),
      );
    },
    expose: () => feed.expose(address, BREACHES[second] ?? ""),
    sensitive: () => {
      feed.publish(listed(BREACHES[rest[0] as number] ?? "", second));
      clock.pass(DAY);
      return breaches.pollCatalogue();
    },
    turn: async () => {
      const all = accepted(await breaches.listAlerts(accountId, { state: "all", search: "", page: 1 })).items;
      const alert = all[(rest[0] as number) % Math.max(1, all.length)];
      if (alert === undefined) return;
      await (second ? breaches.handleAlert : breaches.reopenAlert)(accountId, alert.id, alert.version);
    },
    move: () => {
      const from = self.address;
      if (from === undefined || from === address || other.address === address) return;
      self.address = address;
      kept.lastAddress = address;
      const about = { accountId: accountId, from, to: address, formerAddress: second };
      return publish({ type: "identity.emailChanged", ...about });
    },
    block: async () => {
      const declined = await invitations.declineLink(token, true);
      return declined.ok || invitations.withdrawLink(token, true);
    },
    delete: () => farewell(world, self, false),
    // The same person, or the next user of the mailbox, registers again.
    return: () => arrival(world, self, kept.lastAddress),
    arrive: () => arrival(world, other, address),
    leave: () => leave(world, kept, rest[0] as boolean),
    older: () => plantOlder(world, kept),
    refuse: () => refuseAll(world, rest[0] as boolean),
    backup: () => keepBackup(world, kept),
    restore: () => restoreBackup(world, kept),
    wait: () => clock.pass(rest[0] as number),
    work: () => world.work(),
  };
  return async () => acts[name]();
}

async function agrees(world: World, sensitive: Set<string>, exposed: Map<string, Set<string>>): Promise<void> {
  const all = await associationsOf(world);
  const covered = coveredBy(all, world.plan);
  for (const association of all) {
    const { id, address, consent, scope: agreed, paused } = association;
    const { watch, alerts } = await world.stores.breaches(async (store) => ({
      watch: await store.watches.find(id),
      alerts: await store.alerts.listByAssociation(id, new Date(0), 100),
    }));
    const invitation = await world.stores.invitations((store) => store.invitations.find({ associationId: id }));
    expect(association.suspended).toBe(!covered.has(id));
    // Every right needs a basis: a current verification, or an active consent.
    if (consent === "own") expect(world.self.address).toBe(address);
    else expect(invitation?.state).toBe(({ pending: "pending", granted: "accepted" } as const)[consent]);
    if (address === world.self.address) expect(consent).toBe("own");
    if (consent === "granted") expect(invitation?.scope).toEqual(agreed);
    if (consent === "pending") {
      expect([watch, alerts]).toEqual([undefined, []]);
      continue;
    }
    expect(watch).toMatchObject({ ...agreed, suspended: !isWatched(association) });
    if (!isWatched(association)) {
      expect(statusOf(association)).toBe("inactive");
      continue;
    }
    const seen = [...(exposed.get(address) ?? [])].filter((name) => agreed.sensitive || !sensitive.has(name));
    expect(alerts.map(({ breachName }) => breachName).toSorted()).toEqual(seen.toSorted());
    const open = alerts.filter(({ state }) => state === "pending").length;
    expect(paused).toBe(false);
    expect([association.openAlerts, statusOf(association)]).toEqual([open, open > 0 ? "breached" : "safe"]);
  }
}

/** What happens, and the failures of the background jobs meanwhile. */
export const history = fc.record({
  steps: fc.array(step, { minLength: 10, maxLength: 60 }),
  mishaps: fc.array(mishap, { maxLength: 60 }),
});

type Seen = { watched: number; granted: number; breached: number; suspended: number; quiet: number; restored: number };
export const nothingSeen = (): Seen => ({
  watched: 0,
  granted: 0,
  breached: 0,
  suspended: 0,
  quiet: 0,
  restored: 0,
});

/**
 * Plays a history in rounds of concurrent steps, each step in its own process' world; at the end all state must agree.
 * Counts what was covered into `seen`.
 */
export async function playOut(worlds: [World, ...World[]], turns: Step[][], seen: Seen): Promise<void> {
  const [world] = worlds;
  world.feed.publish(...BREACHES.map((name) => listed(name, name === "Affairs")));
  await world.breaches.pollCatalogue();
  const sensitive = new Set(["Affairs"]);
  const exposed = new Map(ADDRESSES.map((address) => [address, new Set<string>()]));
  const kept: Kept = { lastAddress: ALICE.address, isUnseen: false, associations: new Set() };
  for (const turn of [...BEGINNING.map((one) => [one]), ...turns]) {
    const acts = await Promise.all(turn.map((one, index) => ready(worlds[index % worlds.length] ?? world, kept, one)));
    // All of them end before one that failed is reported: it would otherwise disturb the next history.
    for (const end of await Promise.allSettled(acts.map((act) => act())))
      if (end.status === "rejected") throw end.reason;
    if (turn.some(([name]) => name === "work")) kept.isUnseen = false;
    // Other steps may revoke what was kept.
    if (kept.left?.keepGrants && turn.some(([name]) => name !== "leave")) kept.left = undefined;
    seen.quiet += await endsWithItsReason(world, kept);
    for (const one of turn) {
      if (one[0] === "expose") exposed.get(ADDRESSES[one[1]] ?? "")?.add(BREACHES[one[2]] ?? "");
      seen.restored += Number(one[0] === "restore" && kept.restore !== undefined);
      if (one[0] === "sensitive") sensitive[one[2] ? "add" : "delete"](BREACHES[one[1]] ?? "");
    }
  }
  await world.settle();
  // Everything has been checked again since the source's last change.
  world.clock.pass(8 * DAY);
  await world.settle();
  kept.isUnseen = false;
  await endsWithItsReason(world, kept);
  await agrees(world, sensitive, exposed);
  for (const association of await associationsOf(world)) {
    seen.watched += Number(isWatched(association));
    seen.granted += Number(association.consent === "granted");
    seen.breached += Number(statusOf(association) === "breached");
    seen.suspended += Number(association.suspended);
  }
}
