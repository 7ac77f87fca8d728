import { describe, expect, test } from "bun:test";
import { type MemoryFeed, memoryFeed } from "../memory/breaches/feed.ts";
import { adobe, breachWorld, canva } from "../support/breaches.ts";
import { ALICE } from "../support/builders.ts";

const [SHOP, NEWS] = ["alice+shop@example.com", "alice+news@example.com"];
const HOUR = 3_600_000;

type Feed = (plain: MemoryFeed) => MemoryFeed;

/** The alias SHOP is in a breach. */
async function aliceWorld(options: { feed?: Feed; others?: MemoryFeed[] } = {}) {
  const world = breachWorld({ breaches: [adobe, canva], exposures: { [SHOP]: ["Adobe"] }, ...options });
  await world.breaches.syncCatalogue();
  const associationId = await world.watch(ALICE);
  const idOf = new Map([SHOP, NEWS].map((address) => [address, crypto.randomUUID()]));
  const about = (address: string) => {
    const aliasId = idOf.get(address) ?? "";
    return { aliasId, associationId, accountId: ALICE.accountId, address };
  };
  return {
    ...world,
    async start(...addresses: string[]) {
      for (const address of addresses)
        await world.breaches.onAliasStarted({ type: "tracking.aliasStarted", ...about(address) });
    },
    stop: (address: string) => world.breaches.onAliasStopped({ type: "tracking.aliasStopped", ...about(address) }),
    told: async () =>
      (await world.published()).flatMap((event) =>
        event.type === "breaches.alertsRaised" || event.type === "breaches.baselineReady" ? [event.type] : [],
      ),
  };
}

/** The source answers for the address in an hour only. */
const lateFor =
  (address: string): Feed =>
  (plain) => ({
    ...plain,
    lookUp: async (asked, catalogue) =>
      asked === address
        ? { kind: "later", afterMs: HOUR, reason: "it is busy", isOfAddress: true }
        : plain.lookUp(asked, catalogue),
  });

describe("what the first check of an alias finds", () => {
  test("is told once when its address has not been checked either: in the first report", async () => {
    const world = await aliceWorld();
    await world.start(SHOP);
    await world.breaches.scanDue();
    expect(await world.told()).toEqual(["breaches.baselineReady"]);
  });

  test("is told when the alias that it waited for is removed, also with one source", async () => {
    const world = await aliceWorld({ feed: lateFor(NEWS) });
    await world.breaches.scanDue();
    await world.told();
    await world.start(SHOP, NEWS);
    await world.breaches.scanDue();
    expect(await world.told()).toEqual([]);
    await world.stop(NEWS);
    world.clock.pass(HOUR);
    await world.breaches.scanDue();
    expect(await world.told()).toEqual(["breaches.alertsRaised"]);
  });

  test("is not looked for again and again while another alias is awaited", async () => {
    const other = memoryFeed({ source: "other" });
    const world = await aliceWorld({ feed: lateFor(NEWS), others: [other] });
    await world.breaches.scanDue();
    await world.start(SHOP, NEWS);
    await world.breaches.scanDue();
    const sources = [world.feed.source, other.source];
    const waiting = await world.transaction(({ watches }) => watches.listUnreported(sources, world.clock.now(), 9));
    expect(waiting).toEqual([]);
  });
});
