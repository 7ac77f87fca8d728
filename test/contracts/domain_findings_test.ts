import { beforeEach, describe, expect, test } from "bun:test";
import { postgresDomains } from "../../src/domains/adapters/postgres/store.ts";
import type { Finding, MailboxKind } from "../../src/domains/finding.ts";
import type { DomainStore, FindingRepository, MailboxFilter } from "../../src/domains/ports.ts";
import { memoryDomains } from "../memory/domains/store.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 27, 12) + minutes * 60_000);
const DOMAIN = "example.org";
const [PLAIN, OPEN] = [{ roleSensitive: false }, { roleSensitive: true }];
const ALL: MailboxFilter = { kind: undefined, breach: undefined, search: "" };

const breach = (alias: string, name: string): Finding => ({ alias, kind: "breach", name });
const site = (alias: string, name: string): Finding => ({ alias, kind: "site", name });

describe.each(eachDatabase(memoryDomains, postgresDomains))("FindingRepository on %s", (_, open) => {
  let store: TestStore<DomainStore>;
  beforeEach(async () => {
    store = await open();
  });
  const within = <T>(work: (findings: FindingRepository) => Promise<T>) =>
    store.transaction(({ findings }) => work(findings));
  const NEWS = { sensitive: ["Dating"], kinds: { info: "role" } as Record<string, MailboxKind>, at: at(0) };
  const add = (findings: Finding[], more: { at?: Date; otherwise?: MailboxKind } = {}) =>
    within(async (repository) => {
      const added = await repository.add(DOMAIN, findings, { ...NEWS, otherwise: "person", ...more });
      await repository.summarise(DOMAIN);
      return added;
    });
  const tell = (alias: string, time = at(1)) =>
    within(async (repository) => {
      const told = await repository.markTold(DOMAIN, alias, { at: time, language: "fr" });
      await repository.summarise(DOMAIN);
      return told;
    });
  const aliases = async (sight = PLAIN, filter: Partial<MailboxFilter> = {}) => {
    const view = { ...sight, filter: { ...ALL, ...filter }, after: undefined, limit: 10 };
    return (await within((repository) => repository.page(DOMAIN, view))).map(({ alias, shown }) => [alias, shown]);
  };

  test("add() stores what is new, once, and counts each address", async () => {
    const found = [
      breach("ada", "Adobe"),
      breach("ada", "Dating"),
      site("ada", "shop.example"),
      breach("info", "Adobe"),
    ];
    expect(await add(found)).toBe(4);
    expect(await add([...found, breach("info", "Canva")], { at: at(5) })).toBe(1);
    expect(await within((repository) => repository.findMailbox(DOMAIN, "ada"))).toEqual({
      domain: DOMAIN,
      alias: "ada",
      kind: "person",
      plain: 1,
      sensitive: 2,
      latestAt: at(0),
      toldAt: undefined,
      newsAt: undefined,
      putOffAt: undefined,
      language: undefined,
      say: "standard",
      takenAt: undefined,
    });
    const info = await within((repository) => repository.findMailbox(DOMAIN, "info"));
    expect(info).toMatchObject({ kind: "role", plain: 2, sensitive: 0, latestAt: at(5) });
    expect(await within((repository) => repository.listOf(DOMAIN, ["info"]))).toEqual([
      { ...breach("info", "Canva"), sensitive: false, foundAt: at(5) },
      { ...breach("info", "Adobe"), sensitive: false, foundAt: at(0) },
    ]);
  });

  test("a person is shown once told, and sensitive findings only where they are allowed", async () => {
    await add([breach("ada", "Adobe"), breach("ada", "Dating"), breach("bob", "Dating"), breach("info", "Dating")]);
    expect(await aliases()).toEqual([]);
    expect(await aliases(OPEN)).toEqual([["info", 1]]);
    expect(await tell("ada")).toBe(true);
    expect(await tell("ada")).toBe(false);
    await tell("bob");
    expect(await aliases()).toEqual([["ada", 1]]);
    await within((repository) => repository.setSay(DOMAIN, "bob", "all", at(2)));
    expect(await aliases()).toEqual([
      ["ada", 1],
      ["bob", 1],
    ]);
    await within((repository) => repository.setSay(DOMAIN, "ada", "nothing", at(2)));
    expect(await aliases(OPEN)).toEqual([
      ["bob", 1],
      ["info", 1],
    ]);
    expect(await within((repository) => repository.counts(DOMAIN, OPEN))).toEqual({
      person: 1,
      role: 1,
      alias: 0,
      untold: 0,
      withheld: 1,
    });
  });

  test("breaches() counts the addresses that are shown", async () => {
    await add([breach("ada", "Adobe"), breach("bob", "Adobe"), breach("info", "Canva"), breach("info", "Dating")]);
    const read = (sight = PLAIN) => within((repository) => repository.breaches(DOMAIN, sight));
    expect(await read()).toEqual([{ name: "Canva", addresses: 1, latestAt: at(0) }]);
    await tell("ada");
    await tell("bob");
    expect((await read(OPEN)).map(({ name, addresses }) => [name, addresses])).toEqual([
      ["Adobe", 2],
      ["Canva", 1],
      ["Dating", 1],
    ]);
  });

  test("page() filters by kind, breach and part of the address, and goes on after the last one", async () => {
    const names = ["ada", "anna.a", "Zoe".toLowerCase(), "mia-b"];
    await add([...names.map((alias) => breach(alias, "Adobe")), breach("info", "Canva"), breach("mia-b", "Canva")]);
    for (const alias of names) await tell(alias);
    expect((await aliases()).map(([alias]) => alias)).toEqual(["ada", "anna.a", "info", "mia-b", "zoe"]);
    expect(await aliases(PLAIN, { kind: "role" })).toEqual([["info", 1]]);
    expect(await aliases(PLAIN, { breach: "Canva" })).toEqual([
      ["info", 1],
      ["mia-b", 2],
    ]);
    expect(await aliases(PLAIN, { search: "a." })).toEqual([["anna.a", 1]]);
    expect(await aliases(PLAIN, { search: "%" })).toEqual([]);
    const view = { ...PLAIN, filter: ALL, after: "anna.a", limit: 2 };
    const next = await within((repository) => repository.page(DOMAIN, view));
    expect(next.map(({ alias }) => alias)).toEqual(["info", "mia-b"]);
    const last = (most: number) => within((repository) => repository.lastCovered(DOMAIN, PLAIN, most));
    expect([await last(2), await last(5), await last(0)]).toEqual(["anna.a", undefined, ""]);
  });

  test("markSensitive() adopts what the catalogue says now", async () => {
    await add([breach("ada", "Adobe"), breach("ada", "Dating")]);
    await tell("ada");
    await within((repository) => repository.markSensitive(DOMAIN, ["Adobe"]));
    const found = await within((repository) => repository.findMailbox(DOMAIN, "ada"));
    expect(found).toMatchObject({ plain: 1, sensitive: 1, kind: "person", toldAt: at(1) });
    const rows = await within((repository) => repository.listOf(DOMAIN, ["ada"]));
    expect(rows.map(({ name, sensitive }) => [name, sensitive])).toEqual([
      ["Adobe", true],
      ["Dating", false],
    ]);
  });

  test("countNews() counts what was found, or became visible, within a time", async () => {
    await add([breach("ada", "Adobe"), breach("bob", "Adobe"), breach("info", "Dating")]);
    const news = (from: number, until: number, sight = PLAIN) =>
      within((repository) => repository.countNews(DOMAIN, sight, { from: at(from), until: at(until) }));
    expect(await news(0, 99)).toEqual({ findings: 0, addresses: 0 });
    expect(await news(0, 99, OPEN)).toEqual({ findings: 1, addresses: 1 });
    expect(await news(-9, 0, OPEN)).toEqual({ findings: 0, addresses: 0 });
    await tell("ada", at(10));
    await add([breach("ada", "Canva")], { at: at(11) });
    expect(await news(10, 12)).toEqual({ findings: 2, addresses: 1 });
    expect(await news(11, 12)).toEqual({ findings: 1, addresses: 1 });
    expect(await news(12, 99)).toEqual({ findings: 0, addresses: 0 });
  });

  test("people are told once, those with most findings first, and again when there is news", async () => {
    await add([breach("ada", "Adobe"), breach("bob", "Adobe"), breach("bob", "Dating"), breach("info", "Adobe")]);
    const untold = async () =>
      (await within((repository) => repository.listUntold(DOMAIN, 9))).map(({ alias }) => alias);
    const behind = async () =>
      (await within((repository) => repository.listBehind(DOMAIN, 9))).map(({ alias }) => alias);
    expect(await untold()).toEqual(["bob", "ada"]);
    await tell("bob", at(1));
    expect([await untold(), await behind()]).toEqual([["ada"], []]);
    await add([breach("bob", "Canva")], { at: at(2) });
    expect(await behind()).toEqual(["bob"]);
    await within((repository) => repository.setSay(DOMAIN, "bob", "all", at(2)));
    expect(await behind()).toEqual([]);
    await within((repository) => repository.setSay(DOMAIN, "bob", "standard", undefined));
    await within((repository) => repository.markNews(DOMAIN, "bob", at(3)));
    expect(await behind()).toEqual([]);
  });

  test("setUntoldKind() makes unknown people aliases and back, but nobody who was told", async () => {
    await add([breach("ada", "Adobe"), breach("bob", "Adobe"), breach("info", "Adobe")]);
    await tell("bob");
    const kinds = async () =>
      Promise.all(
        ["ada", "bob", "info"].map(async (alias) =>
          within(async (repository) => (await repository.findMailbox(DOMAIN, alias))?.kind),
        ),
      );
    await within((repository) => repository.setUntoldKind(DOMAIN, "alias"));
    expect(await kinds()).toEqual(["alias", "person", "role"]);
    await within((repository) => repository.setUntoldKind(DOMAIN, "person"));
    expect(await kinds()).toEqual(["person", "person", "role"]);
    expect(await within((repository) => repository.setKind(DOMAIN, "ada", "alias"))).toBe(true);
    expect(await within((repository) => repository.setKind(DOMAIN, "eve", "alias"))).toBe(false);
  });

  test("removeFindings() keeps what people have said, and forget() does not", async () => {
    await add([breach("ada", "Adobe"), breach("bob", "Adobe")]);
    await tell("ada");
    await within((repository) => repository.setSay(DOMAIN, "ada", "nothing", at(2)));
    await within((repository) => repository.removeFindings(DOMAIN));
    const find = (alias: string) => within((repository) => repository.findMailbox(DOMAIN, alias));
    expect(await find("ada")).toMatchObject({ plain: 0, sensitive: 0, say: "nothing", takenAt: at(2) });
    expect(await find("bob")).toBeUndefined();
    expect(await within((repository) => repository.listOf(DOMAIN, ["ada", "bob"]))).toEqual([]);
    await add([breach("ada", "Adobe")], { at: at(9) });
    expect(await find("ada")).toMatchObject({ plain: 1, say: "nothing" });
    await within((repository) => repository.forget(DOMAIN));
    expect(await find("ada")).toBeUndefined();
  });
});
