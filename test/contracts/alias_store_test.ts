import { describe, expect, test } from "bun:test";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import type { Alias } from "../../src/tracking/alias_ports.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-11-27T12:00:00.000Z");
const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000);
const ASSOCIATION = crypto.randomUUID();

function anAlias(address: string, more: Partial<Alias> = {}): Alias {
  return {
    id: crypto.randomUUID(),
    associationId: ASSOCIATION,
    accountId: ALICE.accountId,
    address,
    origin: "list",
    state: "pending",
    tokenHash: undefined,
    mailAt: undefined,
    expiresAt: undefined,
    createdAt: NOW,
    ...more,
  };
}
const A = "a@alias.example";
const B = "b@alias.example";
const C = "c@alias.example";

describe.each(eachDatabase(memoryTracking, postgresTracking))("AliasRepository on %s", (_, open) => {
  async function opened(...stored: Alias[]) {
    const { transaction } = await open();
    await transaction(({ aliases }) => aliases.addAll(stored));
    return <T>(work: (aliases: Parameters<Parameters<typeof transaction>[0]>[0]["aliases"]) => Promise<T>) =>
      transaction(({ aliases }) => work(aliases));
  }

  test("list() and listByAccount() return aliases as they were added, ordered by address", async () => {
    const [second, first] = [anAlias(B, { tokenHash: "hash", mailAt: at(1), expiresAt: at(2) }), anAlias(A)];
    const elsewhere = anAlias(A, { associationId: crypto.randomUUID(), accountId: BOB.accountId });
    const on = await opened(second, first, elsewhere);
    expect(await on((aliases) => aliases.list(ASSOCIATION))).toEqual([first, second]);
    expect(await on((aliases) => aliases.listByAccount(BOB.accountId))).toEqual([elsewhere]);
    expect(await on((aliases) => aliases.listByAccount(crypto.randomUUID()))).toEqual([]);
    expect(await on((aliases) => aliases.listTracked(ALICE.accountId, [A, B, C]))).toHaveLength(2);
    expect(await on((aliases) => aliases.listTracked(BOB.accountId, [B, C]))).toEqual([]);
    expect(await on((aliases) => aliases.listTracked(BOB.accountId, []))).toEqual([]);
    const many = Array.from({ length: 70_000 }, (_, at) => `a${at}@alias.example`);
    expect(await on((aliases) => aliases.listTracked(ALICE.accountId, [...many, A]))).toEqual([A]);
  });

  test("addAll() refuses an address that the association has already, and then adds none", async () => {
    const stored = anAlias(A);
    const on = await opened(stored);
    await expect(on((aliases) => aliases.addAll([anAlias(B), anAlias(A)]))).rejects.toThrow();
    expect(await on((aliases) => aliases.list(ASSOCIATION))).toEqual([stored]);
    await on((aliases) => aliases.addAll([]));
  });

  test("save() stores what is proven and what is asked, and is false once it is removed", async () => {
    const alias = anAlias(A, { mailAt: NOW });
    const on = await opened(alias);
    const asked: Alias = { ...alias, tokenHash: "hash", mailAt: undefined, expiresAt: at(5) };
    expect(await on((aliases) => aliases.save(asked))).toBe(true);
    expect(await on((aliases) => aliases.findByToken("hash"))).toEqual(asked);
    const active: Alias = { ...alias, origin: "addy", state: "active", mailAt: undefined };
    expect(await on((aliases) => aliases.save(active))).toBe(true);
    expect(await on((aliases) => aliases.findByToken("hash"))).toBeUndefined();
    expect(await on((aliases) => aliases.list(ASSOCIATION))).toEqual([active]);
    expect(await on((aliases) => aliases.remove(ALICE.accountId, ASSOCIATION, alias.id))).toEqual(active);
    expect(await on((aliases) => aliases.save(active))).toBe(false);
  });

  test("findWaiting() returns the mail that is longest overdue, and listWaitingAccounts() those with one", async () => {
    const [later, earlier] = [anAlias(A, { mailAt: at(-1) }), anAlias(B, { mailAt: at(-5) })];
    const future = anAlias(C, { mailAt: at(1) });
    const foreign = anAlias(A, { accountId: BOB.accountId, associationId: crypto.randomUUID(), mailAt: at(1) });
    const on = await opened(later, earlier, future, foreign);
    expect(await on((aliases) => aliases.listWaitingAccounts(NOW))).toEqual([ALICE.accountId]);
    expect(await on((aliases) => aliases.listWaitingAccounts(at(1)))).toEqual(
      [ALICE.accountId, BOB.accountId].toSorted(),
    );
    expect(await on((aliases) => aliases.findWaiting(ALICE.accountId, NOW))).toEqual(earlier);
    expect(await on((aliases) => aliases.findWaiting(BOB.accountId, NOW))).toBeUndefined();
  });

  test("only its account removes an alias, and removeByAssociation() leaves those of others", async () => {
    const [one, other] = [anAlias(A), anAlias(B)];
    const foreign = anAlias(A, { associationId: crypto.randomUUID() });
    const on = await opened(one, other, foreign);
    expect(await on((aliases) => aliases.remove(BOB.accountId, ASSOCIATION, one.id))).toBeUndefined();
    expect(await on((aliases) => aliases.remove(ALICE.accountId, foreign.associationId, one.id))).toBeUndefined();
    expect(await on((aliases) => aliases.remove(ALICE.accountId, ASSOCIATION, one.id))).toEqual(one);
    await on((aliases) => aliases.removeByAssociation(ASSOCIATION));
    expect(await on((aliases) => aliases.listByAccount(ALICE.accountId))).toEqual([foreign]);
  });

  test("removeOfOthers() removes an address from other accounts, unless a provider's rule proves it", async () => {
    const own = anAlias(A, { accountId: BOB.accountId, associationId: crypto.randomUUID() });
    const [listed, other] = [anAlias(A, { state: "active" }), anAlias(B)];
    const byRule = anAlias(A, { origin: "rule", associationId: crypto.randomUUID() });
    const on = await opened(own, listed, other, byRule);
    expect(await on((aliases) => aliases.removeOfOthers(A, BOB.accountId))).toEqual([listed]);
    expect(await on((aliases) => aliases.list(ASSOCIATION))).toEqual([other]);
    expect(await on((aliases) => aliases.list(byRule.associationId))).toEqual([byRule]);
    expect(await on((aliases) => aliases.list(own.associationId))).toEqual([own]);
  });

  test("removeExpired() removes pending ones whose link has expired", async () => {
    const [expired, open_] = [anAlias(A, { expiresAt: NOW }), anAlias(B, { expiresAt: at(1) })];
    const [unasked, active] = [anAlias(C), anAlias("d@alias.example", { state: "active" })];
    const on = await opened(expired, open_, unasked, active);
    expect(await on((aliases) => aliases.removeExpired(NOW))).toBe(1);
    expect(await on((aliases) => aliases.list(ASSOCIATION))).toEqual([open_, unasked, active]);
  });
});
