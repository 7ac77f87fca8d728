import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledCatalogue, bundledFeed } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import type { BreachFeed } from "../../src/breaches/ports.ts";
import { normaliseEmail } from "../../src/shared/email_address.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { feedOn, freeBudget } from "../support/hibp_feed.ts";
import { startHibpPeer } from "../support/hibp_peer.ts";
import { startXposedOrNotPeer, XPOSEDORNOT_KEY, xposedOrNotOn } from "../support/xposedornot_peer.ts";

const DOMAIN = "example.net";
/** What every source finds there. */
const FOUND = {
  katherine: ["MyFitnessPal", "Wattpad", "Deezer", "UnderArmour", "CanadianTire", "Crunchyroll"],
  margaret: ["OperationEndgame", "Paytm", "OperationEndgame4", "Suno"],
  wattpad: ["Wattpad"],
};
type Source = { feed: BreachFeed; fail(): void; close(): Promise<void> };
const entries = Object.entries(FOUND).map(([alias, names]) => [`${alias}@${DOMAIN}`, names] as const);

async function hibpSource(): Promise<Source> {
  const peer = await startHibpPeer();
  for (const [address, names] of entries) peer.addAccount(address, [...names]);
  peer.verifyDomain(DOMAIN);
  return { feed: feedOn(peer), fail: () => peer.failNext("500", 9), close: () => peer.stop() };
}

async function xposedOrNotSource(): Promise<Source> {
  const peer = await startXposedOrNotPeer();
  for (const [address, names] of entries) peer.addAccount(address, [...names]);
  peer.verifyDomain(DOMAIN);
  let time = Date.parse("2026-11-20T12:00:00Z");
  const now = () => {
    time += 31 * 60_000;
    return new Date(time);
  };
  const feed = xposedOrNotOn(peer, { apiKey: XPOSEDORNOT_KEY, now, budget: freeBudget });
  return { feed, fail: () => peer.failNext("500", 9), close: () => peer.stop() };
}

async function bundledSource(): Promise<Source> {
  const directory = mkdtempSync(join(tmpdir(), "breachbell-domains-"));
  const stateFile = join(directory, "state.json");
  writeFileSync(stateFile, JSON.stringify({ published: "2026-07-20T19:49:51Z" }));
  return {
    feed: bundledFeed({ stateFile }),
    fail: () => writeFileSync(stateFile, "{"),
    close: async () => rmSync(directory, { recursive: true }),
  };
}

async function memorySource(): Promise<Source> {
  const feed = memoryFeed();
  feed.domains.verified.add(DOMAIN);
  for (const [address, names] of entries) feed.domains.breaches.set(address, [...names]);
  const trouble = { kind: "later" as const, afterMs: 1000, reason: "It is away" };
  return { feed, fail: () => feed.domains.answerNext("breachesOf", trouble), close: async () => {} };
}

const sources: Record<string, () => Promise<Source>> = {
  memory: memorySource,
  bundled: bundledSource,
  hibp: hibpSource,
  xposedornot: xposedOrNotSource,
};

describe.each(Object.keys(sources))("DomainLookups on %s", (name) => {
  const opened: Source[] = [];
  async function open() {
    const source = await sources[name]?.();
    if (!source?.feed.domains) throw new Error(`Cannot find the source "${name}"`);
    opened.push(source);
    return { ...source, domains: source.feed.domains };
  }
  afterEach(async () => {
    for (const source of opened.splice(0)) await source.close();
  });

  test("breachesOf() finds the breaches of each address at the domain, by alias", async () => {
    const { domains } = await open();
    const byAlias = new Map(Object.entries(FOUND));
    expect(await domains.breachesOf(DOMAIN)).toEqual({ kind: "found", byAlias, leftOut: 0 });
  });

  test("breachesOf() finds nothing at other domains", async () => {
    const { domains } = await open();
    const none = { kind: "found" as const, byAlias: new Map(), leftOut: 0 };
    for (const other of ["other.example", "xample.net", "sub.example.net", "constructor"])
      expect(await domains.breachesOf(other)).toEqual(name === "bundled" ? none : { kind: "unverified" });
  });

  test("breachesOf() tells a failure from an answer", async () => {
    const { domains, fail } = await open();
    fail();
    const later = { kind: "later" as const, afterMs: expect.any(Number), reason: expect.any(String) };
    expect(await domains.breachesOf(DOMAIN)).toEqual(later);
  });

  test("results are copies: changing one does not change later ones", async () => {
    const { domains } = await open();
    const first = await domains.breachesOf(DOMAIN);
    if (first.kind !== "found") throw new Error(first.kind);
    for (const names of first.byAlias.values()) names.length = 0;
    first.byAlias.clear();
    expect(await domains.breachesOf(DOMAIN)).toMatchObject({ byAlias: new Map(Object.entries(FOUND)) });
  });
});

describe("The bundled source's domains", () => {
  test("have people, roles, addresses given to one service, a sensitive breach and a stealer log", async () => {
    const { feed, close } = await bundledSource();
    const { breaches } = await bundledCatalogue();
    const names = new Map(breaches.map((breach) => [breach.name, breach]));
    const aliases: string[] = [];
    const found = new Set<string>();
    for (const domain of ["example.com", "example.org", "example.net"]) {
      const answer = await feed.domains?.breachesOf(domain);
      if (answer?.kind !== "found") throw new Error("Not found");
      for (const [alias, list] of answer.byAlias) {
        expect(normaliseEmail(`${alias}@${domain}`)).toBe(`${alias}@${domain}`);
        aliases.push(alias);
        for (const one of list) found.add(one);
        // A single address is told of everything but sensitive breaches.
        const open = list.filter((one) => !names.get(one)?.flags.includes("sensitive"));
        expect(await feed.lookUp(`${alias}@${domain}`)).toEqual({ kind: "found", breaches: open });
      }
    }
    expect(aliases).toEqual(expect.arrayContaining(["ada", "info", "canva", "ada+trello"]));
    expect([...found].filter((one) => names.get(one) === undefined)).toEqual([]);
    expect([...found].some((one) => names.get(one)?.flags.includes("sensitive"))).toBe(true);
    expect(await feed.domains?.sitesOf?.("example.org")).toMatchObject({ kind: "found", leftOut: 0 });
    expect(await feed.domains?.sitesOf?.("example.com")).toEqual({ kind: "found", byAlias: new Map(), leftOut: 0 });
    await close();
  });

  test("list no breach that is not published", async () => {
    const answer = await bundledFeed({ stateFile: "none" }).domains?.breachesOf("example.com");
    if (answer?.kind !== "found") throw new Error("Not found");
    expect(answer.byAlias.has("alan")).toBe(false);
    expect(answer.byAlias.get("info")).toEqual(["Apollo", "VerificationsIO"]);
  });
});
