// R8: a catalogue that repeats, renames, retires, loses and restores entries, is truncated or half unreadable, and
// responses that omit a breach for a while. Each exposure is announced once, whatever the source does.
//   SEEDS=200 SEED=7 bun test/faults/mutated_catalogue.ts

import type { SourceTrouble } from "../../src/breaches/ports.ts";
import type { MemoryFeed } from "../memory/breaches/feed.ts";
import { breachWorld } from "../support/breaches.ts";
import { aBreach } from "../support/builders.ts";
import { HOUR, MINUTE } from "../support/clock.ts";
import { atLeast, atMost, type Finding, tell } from "./bench.ts";
import { randomOf } from "./scan_kills.ts";

const ROUNDS = 40;
/** Enough entries that 5 % of them are two. */
const ENTRIES = 40;
const CUT = 2;
const PEOPLE = ["ada", "bob", "cleo", "dora", "ada"].map((name, number) => ({
  address: `${name}@example.org`,
  accountId: `00000000-0000-4000-8000-00000000000${number}`,
}));
/** Some addresses are added in between. */
const LATE = 2;
const DOWN: SourceTrouble = { kind: "later", afterMs: 5 * MINUTE, reason: "The source is down" };

type Random = () => number;
const pick = <Item>(list: Item[], random: Random): Item | undefined => list[Math.floor(random() * list.length)];
const entryOf = (number: number) => aBreach({ name: `Shop${number}`, title: `Shop ${number}` });

/** The source's responses: occasionally with repeated entries, in any order, or without some. */
function mangling(random: Random) {
  const state = { isCalm: false, cut: 0, hidden: new Set<string>(), answered: new Map<string, Set<string>>() };
  function mangled<Item>(list: Item[]): Item[] {
    if (state.isCalm) return list;
    const repeated = [...list, ...list.filter(() => random() < 0.2)];
    return repeated
      .map((item) => ({ item, place: random() }))
      .toSorted((one, other) => one.place - other.place)
      .map(({ item }) => item);
  }
  const feed = (plain: MemoryFeed): MemoryFeed => ({
    ...plain,
    async catalogue() {
      const answer = await plain.catalogue();
      if (answer.kind !== "catalogue") return answer;
      const breaches = answer.breaches.slice(0, answer.breaches.length - (state.isCalm ? 0 : state.cut));
      return { ...answer, breaches: mangled(breaches) };
    },
    async lookUp(address) {
      const answer = await plain.lookUp(address);
      if (answer.kind !== "found") return answer;
      const shown = answer.breaches.filter((name) => state.isCalm || !state.hidden.has(`${address} ${name}`));
      const known = state.answered.get(address) ?? new Set();
      for (const name of shown) known.add(name);
      state.answered.set(address, known);
      return { ...answer, breaches: mangled(shown) };
    },
  });
  return { state, feed };
}

type Mangling = ReturnType<typeof mangling>["state"];
type Story = { feed: MemoryFeed; mangling: Mangling; random: Random; names: string[] };

/** One change at the source. */
const CHANGES: ((story: Story) => void)[] = [
  function publishes({ feed, random, names }) {
    const entry = { ...entryOf(names.length), addedDate: new Date(Date.UTC(2026, 8, 1, names.length)).toISOString() };
    names.push(entry.name);
    feed.publish(entry);
    for (const { address } of PEOPLE) if (random() < 0.5) feed.expose(address, entry.name);
  },
  /** An exposure in an older breach that is only found now. */
  function finds({ feed, random, names }) {
    const [person, name] = [pick(PEOPLE, random), pick(names, random)];
    if (person && name) feed.expose(person.address, name);
  },
  function renames({ feed, random, names }) {
    const number = Math.floor(random() * names.length);
    feed.publish({ ...entryOf(number), title: `Shop ${number}, formerly ${Math.floor(random() * 1e6)}` });
  },
  function retires({ feed, random, names }) {
    const number = Math.floor(random() * names.length);
    feed.publish({ ...entryOf(number), flags: random() < 0.5 ? ["retired"] : [] });
  },
  function loses({ feed, random, names }) {
    feed.withdraw(pick(names, random) ?? "");
  },
  function takesBack({ feed, random, names }) {
    for (const _ of "some") feed.publish(entryOf(Math.floor(random() * names.length)));
  },
  function hides({ mangling, random, names }) {
    for (const { address } of PEOPLE) mangling.hidden.add(`${address} ${pick(names, random)}`);
  },
  function shows({ mangling }) {
    mangling.hidden.clear();
  },
  function cuts({ mangling, random }) {
    mangling.cut = random() < 0.5 ? CUT : 0;
  },
  function blurs({ feed, random }) {
    feed.breakEntries(random() < 0.5 ? 1 : 0);
  },
  function fails({ feed, random }) {
    feed.failNext(pick(["latest", "catalogue", "lookUp"] as const satisfies string[], random) ?? "latest", DOWN);
  },
];

export type Outcome = { alerts: number; lost: string[]; doubled: string[] };

/** Everybody in a breach that the source has ever listed has one alert for it, which is announced once. */
async function story(seed: number, spoil?: (told: string[]) => void): Promise<Outcome> {
  const random = randomOf(seed);
  const { state, feed } = mangling(random);
  const names = Array.from({ length: ENTRIES }, (_, number) => entryOf(number).name);
  const world = breachWorld({ breaches: names.map((_, number) => entryOf(number)), feed });
  for (const { address } of PEOPLE) world.feed.expose(address, ...names.filter(() => random() < 0.1));
  const watchers: { address: string; associationId: string }[] = [];
  const told: string[] = [];
  async function watch(person: (typeof PEOPLE)[number]): Promise<void> {
    watchers.push({ address: person.address, associationId: await world.watch(person) });
  }
  async function live(): Promise<void> {
    await world.breaches.pollCatalogue();
    await world.breaches.scanDue();
    for (const event of await world.published()) {
      if (event.type === "breaches.alertsRaised") told.push(...event.alerts.map(({ alertId }) => alertId));
      if (event.type === "breaches.baselineReady") told.push(...event.alertIds);
    }
  }
  await world.breaches.syncCatalogue();
  for (const person of PEOPLE.slice(LATE)) await watch(person);
  for (let round = 0; round < ROUNDS; round++) {
    if (round === ROUNDS / 2) for (const person of PEOPLE.slice(0, LATE)) await watch(person);
    pick(CHANGES, random)?.({ feed: world.feed, mangling: state, random, names });
    world.clock.pass(random() * 8 * HOUR);
    await live();
  }
  // Finally the source returns everything, and a whole period passes.
  state.isCalm = true;
  world.feed.breakEntries(0);
  world.feed.publish(...names.map((_, number) => entryOf(number)));
  for (let day = 0; day < 9; day++) {
    world.clock.pass(24 * HOUR);
    await live();
  }
  spoil?.(told);
  const [lost, doubled]: [string[], string[]] = [[], []];
  let alerts = 0;
  for (const { address, associationId } of watchers) {
    const stored = await world.transaction((store) =>
      store.alerts.listByAssociation(associationId, new Date(0), 10_000),
    );
    alerts += stored.length;
    for (const name of state.answered.get(address) ?? []) {
      const own = stored.filter(({ breachName }) => breachName === name);
      const times = own.flatMap(({ id }) => told.filter((other) => other === id)).length;
      const what = `seed ${seed}: ${address} ${name}: ${own.length} alerts, told ${times} times`;
      if (own.length === 0 || times === 0) lost.push(what);
      if (own.length > 1 || times > 1) doubled.push(what);
    }
  }
  return { alerts, lost, doubled };
}

export async function mutatedCatalogue(
  { first, seeds }: { first: number; seeds: number },
  spoil?: (told: string[]) => void,
): Promise<Finding[]> {
  const sum: Outcome = { alerts: 0, lost: [], doubled: [] };
  for (let seed = first; seed < first + seeds; seed++) {
    const { alerts, lost, doubled } = await story(seed, spoil);
    sum.alerts += alerts;
    sum.lost.push(...lost);
    sum.doubled.push(...doubled);
  }
  for (const line of [...sum.lost, ...sum.doubled].slice(0, 20)) console.error(line);
  const on = `${seeds} catalogues from seed ${first}`;
  return [
    atLeast("R8", `${on}: alerts in each`, sum.alerts / seeds, PEOPLE.length * 5),
    atMost("R8", `${on}: exposures that were not told`, sum.lost.length, 0),
    atMost("R8", `${on}: second alerts, or alerts told twice`, sum.doubled.length, 0),
  ];
}

if (import.meta.main)
  await tell(mutatedCatalogue({ first: Number(process.env.SEED ?? 1), seeds: Number(process.env.SEEDS ?? 200) }));
