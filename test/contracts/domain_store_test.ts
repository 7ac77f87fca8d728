import { beforeEach, describe, expect, test } from "bun:test";
import { postgresDomains } from "../../src/domains/adapters/postgres/store.ts";
import { type Domain, newDomain } from "../../src/domains/domain.ts";
import type { DomainStore, Look, SourceState } from "../../src/domains/ports.ts";
import type { Due } from "../../src/shared/due.ts";
import { memoryDomains } from "../memory/domains/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 27, 12) + minutes * 60_000);

function aDomain(more: Partial<Domain> = {}): Domain {
  const first = { id: Bun.randomUUIDv7(), accountId: ALICE.accountId, name: "example.org", token: "t0ken" };
  return { ...newDomain({ ...first, proof: "dns", mailbox: undefined, language: "de" }, at(0)), ...more };
}

const FULL = aDomain({
  proof: "mail",
  mailbox: "hostmaster",
  codeHash: "c0de",
  codeExpiresAt: at(1),
  codeTries: 2,
  state: "failing",
  catchAll: true,
  roleSensitive: true,
  digest: "at_once",
  tellPeople: true,
  lookedAt: at(2),
  seenAt: at(3),
  provenAt: at(4),
  effectiveAt: at(5),
  failingSince: at(6),
  dueAt: at(7),
  toldAt: at(8),
  version: 3,
});

describe.each(eachDatabase(memoryDomains, postgresDomains))("DomainStore on %s", (_, open) => {
  let store: TestStore<DomainStore>;
  beforeEach(async () => {
    store = await open();
  });
  const within = <T>(work: (store: DomainStore) => Promise<T>) => store.transaction(work);
  async function given(...list: Domain[]): Promise<void> {
    for (const domain of list) expect(await within(({ domains }) => domains.add(domain))).toBe(true);
  }

  test("find() returns what add() stored, only to its own account", async () => {
    const bare = aDomain({ name: "example.net" });
    await given(FULL, bare);
    expect(await within(({ domains }) => domains.find(ALICE.accountId, FULL.id))).toEqual(FULL);
    expect(await within(({ domains }) => domains.find(ALICE.accountId, bare.id))).toEqual(bare);
    expect(await within(({ domains }) => domains.find(BOB.accountId, FULL.id))).toBeUndefined();
    expect(await within(({ domains }) => domains.findById(FULL.id))).toEqual(FULL);
  });

  test("add() refuses a domain that the account has, but not one of another account", async () => {
    const [first, other] = [aDomain(), aDomain({ accountId: BOB.accountId, createdAt: at(1) })];
    await given(first, other);
    expect(await within(({ domains }) => domains.add(aDomain()))).toBe(false);
    expect(await within(({ domains }) => domains.listByName("example.org"))).toEqual([first, other]);
    expect(await within(({ domains }) => domains.count(ALICE.accountId))).toBe(1);
  });

  test("save() writes only what follows the stored version", async () => {
    const domain = aDomain();
    await given(domain);
    const next = { ...domain, state: "proven" as const, dueAt: undefined, version: 1 };
    expect(await within(({ domains }) => domains.save(next))).toBe(true);
    expect(await within(({ domains }) => domains.save({ ...next, state: "ended" }))).toBe(false);
    expect(await within(({ domains }) => domains.findById(domain.id))).toEqual(next);
  });

  test("remove() and removeByAccount() return what is gone, and leave the others", async () => {
    const [one, two, other] = [aDomain(), aDomain({ name: "example.net" }), aDomain({ accountId: BOB.accountId })];
    await given(one, two, other);
    expect(await within(({ domains }) => domains.remove(BOB.accountId, one.id))).toBeUndefined();
    expect(await within(({ domains }) => domains.remove(ALICE.accountId, one.id))).toEqual(one);
    expect(await within(({ domains }) => domains.removeByAccount(ALICE.accountId))).toEqual([two]);
    expect(await within(({ domains }) => domains.listByName("example.org"))).toEqual([other]);
  });

  test("listDue() returns the longest overdue first, one claim to each domain", async () => {
    const [late, later, future, never] = [3, 2, 9, undefined].map((minutes, index) =>
      aDomain({ name: `d${index}.example`, dueAt: minutes === undefined ? undefined : at(minutes) }),
    );
    if (!late || !later || !future || !never) throw new Error("unreachable");
    const second = aDomain({ name: late.name, accountId: BOB.accountId, dueAt: at(1) });
    await given(late, later, future, never, second);
    const due = (limit: number, ...except: string[]) =>
      within(({ domains }) => domains.listDue(at(3), { limit, except }));
    expect(await due(10)).toEqual([second, later]);
    expect(await due(1)).toEqual([second]);
    expect(await due(10, late.name)).toEqual([later]);
  });

  test("held domains are those whose proof took effect", async () => {
    await given(
      aDomain({ name: "pending.example" }),
      aDomain({ name: "proven.example", state: "proven", digest: "off" }),
      aDomain({ name: "failing.example", state: "failing" }),
      aDomain({ name: "failing.example", state: "proven", accountId: BOB.accountId }),
      aDomain({ name: "waiting.example", state: "waiting" }),
      aDomain({ name: "ended.example", state: "ended" }),
    );
    expect(await within(({ domains }) => domains.listHeldNames())).toEqual(["failing.example", "proven.example"]);
  });

  test("a domain that was woken is due until it is put off, whatever is saved meanwhile", async () => {
    const [one, other] = [aDomain({ state: "proven" }), aDomain({ state: "failing", accountId: BOB.accountId })];
    const pending = aDomain({ name: "pending.example" });
    await given(one, other, pending);
    const people = (now: Date) => within(({ domains }) => domains.listPeopleDue(now, 10));
    const telling = async (now: Date, after?: Due, limit = 10) =>
      (await within(({ domains }) => domains.listTellingDue(now, after, limit))).map(({ id }) => id);
    expect([await people(at(9)), await telling(at(9))]).toEqual([[], []]);
    await within(({ domains }) => domains.wake("example.org", at(1)));
    await within(({ domains }) => domains.wake("pending.example", at(1)));
    await within(({ domains }) => domains.save({ ...one, digest: "off", version: 1 }));
    expect([await people(at(0)), await telling(at(0))]).toEqual([[], []]);
    expect(await people(at(1))).toEqual(["example.org"]);
    const [first = "", second = ""] = [one.id, other.id].toSorted();
    expect(await telling(at(1))).toEqual([first, second]);
    expect([await telling(at(1), undefined, 1), await telling(at(1), { id: first, at: at(1) })]).toEqual([
      [first],
      [second],
    ]);
    await within(({ domains }) => domains.setPeopleDue("example.org", at(5)));
    await within(({ domains }) => domains.setTellingDue(one.id, undefined));
    await within(({ domains }) => domains.setTellingDue(other.id, at(4)));
    await within(({ domains }) => domains.endTelling(other.id, at(4)));
    expect([await people(at(4)), await telling(at(4))]).toEqual([[], [other.id]]);
    expect(await people(at(5))).toEqual(["example.org"]);
    await within(({ domains }) => domains.endTelling(other.id, at(5)));
    expect(await telling(at(9))).toEqual([]);
    const found = await within(({ domains }) => domains.listByIds([one.id, crypto.randomUUID(), pending.id]));
    expect(found.map(({ id }) => id).toSorted()).toEqual([one.id, pending.id].toSorted());
  });

  test("looks of the same hour are one, and each person reads those that concern them", async () => {
    const look = (more: Partial<Look>): Look => ({
      domain: "example.org",
      accountId: ALICE.accountId,
      what: "list",
      alias: undefined,
      at: at(1),
      ...more,
    });
    await within(async ({ looks }) => {
      await looks.add(look({}));
      await looks.add(look({ at: at(2) }));
      await looks.add(look({ at: at(61) }));
      await looks.add(look({ what: "address", alias: "ada", at: at(3) }));
      await looks.add(look({ what: "address", alias: "bob", at: at(4), accountId: BOB.accountId }));
      await looks.add(look({ domain: "example.net" }));
    });
    const read = (alias: string) => within(({ looks }) => looks.list("example.org", alias, 10));
    expect((await read("ada")).map((one) => [one.what, one.alias, one.at])).toEqual([
      ["list", undefined, at(61)],
      ["address", "ada", at(3)],
      ["list", undefined, at(1)],
    ]);
    expect(await within(({ looks }) => looks.listByAccount(BOB.accountId, 10))).toHaveLength(1);
    await within(({ looks }) => looks.removeBefore(at(60)));
    expect(await read("bob")).toHaveLength(1);
    await within(({ looks }) => looks.removeByAccount(ALICE.accountId));
    expect(await read("ada")).toEqual([]);
  });

  test("the state of a source is kept by domain", async () => {
    const bare: SourceState = {
      domain: "example.org",
      source: "hibp",
      state: "unverified",
      generation: undefined,
      askedAt: undefined,
      dueAt: at(1),
      reason: undefined,
      record: undefined,
    };
    const full = { ...bare, generation: 3, askedAt: at(0), reason: "The source is down", record: "hibp-verify=1" };
    await within(({ sources }) => sources.save(full));
    expect(await within(({ sources }) => sources.find("example.org", "hibp"))).toEqual(full);
    await within(({ sources }) => sources.save(bare));
    expect(await within(({ sources }) => sources.list("example.org"))).toEqual([bare]);
    await within(({ sources }) => sources.addMissing("example.org", ["hibp", "xposedornot"], at(0)));
    const due = (source: string, now: Date) => within(({ sources }) => sources.listDue(source, now, 10));
    expect(await due("hibp", at(0))).toEqual([]);
    expect(await due("hibp", at(1))).toEqual([bare]);
    expect(await due("xposedornot", at(0))).toEqual([
      { ...bare, source: "xposedornot", state: "unasked", dueAt: at(0) },
    ]);
    await within(({ sources }) => sources.remove("example.org"));
    expect(await within(({ sources }) => sources.find("example.org", "hibp"))).toBeUndefined();
  });

  test("countTroubles() counts the domains about which a source gave no answer, by reason", async () => {
    const troubled = (domain: string, source: string, reason: string | undefined, more: Partial<SourceState> = {}) => ({
      ...{ domain, source, reason, state: "trouble" as const, dueAt: at(1) },
      ...{ generation: undefined, askedAt: undefined, record: undefined, ...more },
    });
    for (const state of [
      troubled("a.example", "xposedornot", "The key is refused"),
      troubled("b.example", "xposedornot", "The key is refused"),
      troubled("c.example", "xposedornot", "It is down"),
      troubled("a.example", "hibp", undefined),
      troubled("b.example", "hibp", "It was down", { state: "answered" }),
    ])
      await within(({ sources }) => sources.save(state));
    expect(await within(({ sources }) => sources.countTroubles())).toEqual([
      { source: "hibp", reason: "", domains: 1 },
      { source: "xposedornot", reason: "It is down", domains: 1 },
      { source: "xposedornot", reason: "The key is refused", domains: 2 },
    ]);
  });
});
