import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { type BreachDeps, createBreaches } from "../../src/breaches/mod.ts";
import type { BreachFeed, SourceTrouble } from "../../src/breaches/ports.ts";
import type { Event, EventOf } from "../../src/events/catalogue.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import { type ConsentScope, FULL_SCOPE } from "../../src/shared/consent.ts";
import { type MemoryFeed, type MemoryFeedOptions, memoryFeed } from "../memory/breaches/feed.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { ALICE, aBreach } from "./builders.ts";
import { testClock } from "./clock.ts";
import { takePublished } from "./published.ts";

export const adobe = aBreach({ name: "Adobe", addedDate: "2013-12-04T00:00:00Z" });
export const canva = aBreach({ name: "Canva", addedDate: "2019-08-09T14:24:01Z" });
export const suno = aBreach({ name: "Suno", addedDate: "2026-07-20T19:49:51Z" });

export function later(afterMs: number): SourceTrouble {
  return { kind: "later", afterMs, reason: "Not now" };
}

type Watcher = { accountId: string; address: string; scope?: ConsentScope };

/** The breaches module alone, in memory, with a scripted source and a fixed clock. */
export function breachWorld(
  options: MemoryFeedOptions & {
    feed?: (feed: MemoryFeed) => MemoryFeed;
    /** Additional sources. */
    others?: BreachFeed[];
    asks?: Partial<BreachDeps>;
  } = {},
) {
  const clock = testClock();
  const database = memoryDatabase();
  const feed = (options.feed ?? ((plain) => plain))(memoryFeed(options));
  const transaction = database.transactionOf(memoryBreaches);
  const outbox = memoryOutbox(database);
  const reports: string[] = [];
  /** What was told to the operator. */
  const notes: Record<string, unknown>[] = [];
  const waits: number[] = [];
  const deps: BreachDeps = {
    transaction,
    feeds: [feed, ...(options.others ?? [])],
    now: clock.now,
    async sleep(ms) {
      waits.push(ms);
      clock.pass(ms);
    },
    hash: hashToken,
    newId: () => Bun.randomUUIDv7(),
    translate: intlTranslate(),
    descriptions: sanitizedDescriptions(),
    directories: bundledDirectories(),
    letterDirectories: bundledLetterDirectories(),
    monitoringAccess: { of: async () => ({ ok: false, code: "MONITORING_NOT_AUTHORISED" }) },
    people: { nameOf: async () => undefined },
    accounts: { of: async () => undefined },
    report: (error) => void reports.push(error instanceof Error ? error.message : String(error)),
    note: (says, context) => void notes.push({ says, ...context }),
  };
  const breaches = createBreaches({ ...deps, ...options.asks });
  const published = (): Promise<Event[]> => takePublished(outbox);

  return {
    clock,
    feed,
    transaction,
    deps,
    breaches,
    published,
    reports,
    notes,
    waits,

    /** The events of one type published since the last call; all others are discarded. */
    async publishedOf<Type extends Event["type"]>(type: Type): Promise<EventOf<Type>[]> {
      return (await published()).filter((event): event is EventOf<Type> => event.type === type);
    },

    /** Starts monitoring an address; returns the association's id. */
    async watch({ accountId, address, scope = FULL_SCOPE }: Watcher): Promise<string> {
      const associationId = crypto.randomUUID();
      const about = { associationId, accountId, address, scope };
      await breaches.onMonitoringStarted({ type: "tracking.monitoringStarted", ...about });
      return associationId;
    },

    stateOf: () => transaction(({ sources }) => sources.find(feed.source)),

    /** The health of its first source. */
    health: async () => (await breaches.sourcesHealth())[0],

    checkedAt: async (address: string) => (await breaches.checkTimesOf([address])).get(address)?.checkedAt,

    /** The breach names of an account's alerts with their state, sorted by name. */
    async alertsOf(accountId: string): Promise<string[]> {
      const listed = await breaches.listAlerts(accountId, { state: "all", search: "", page: 1 });
      return listed.ok ? listed.value.items.map(({ breach, state }) => `${breach?.name} ${state}`).toSorted() : [];
    },

    /** The addresses that the source was queried for, in order. */
    lookedUp: () => feed.requests.flatMap(({ call, about }) => (call === "lookUp" && about ? about : [])),
  };
}

/** A world with a loaded catalogue in which Alice's address is in the Adobe and Canva breaches. */
export async function worldOfAlice(feed?: (plain: MemoryFeed) => MemoryFeed) {
  const exposures = { [ALICE.address]: ["Adobe", "Canva"] };
  const world = breachWorld({ breaches: [adobe, canva], exposures, ...(feed && { feed }) });
  await world.breaches.syncCatalogue();
  return world;
}
