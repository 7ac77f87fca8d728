import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { ApiToken } from "../../src/identity/api_tokens/api_token.ts";
import { after, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const DAY = 86_400_000;

function aToken(accountId: string, changed: Partial<ApiToken> = {}): ApiToken {
  return {
    id: crypto.randomUUID(),
    accountId,
    tokenHash: crypto.randomUUID(),
    name: "Backup",
    createdAt: NOW,
    scopes: ["alerts:read", "addresses:write"],
    expiresAt: after(DAY),
    busyUntil: NOW,
    lastUsedAt: undefined,
    lastIpPrefix: undefined,
    ...changed,
  };
}

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the tokens of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);
  const bob = () => alice({ email: "bob@example.com" });
  const add = (token: ApiToken) => within(({ apiTokens }) => apiTokens.add(token));
  const find = (hash: string, now = NOW) => within(({ apiTokens }) => apiTokens.findLiving(hash, now));
  const list = (id: string) => within(({ apiTokens }) => apiTokens.list(id));
  const take = (id: string, now = NOW) => within(({ apiTokens }) => apiTokens.take(id, now));

  test("findLiving() finds what was added, with its account's language, until it expires", async () => {
    const { id } = await alice({ language: "pt" });
    const token = aToken(id);
    const endless = aToken(id, { expiresAt: undefined, lastUsedAt: after(5), lastIpPrefix: "192.0.2.0/24" });
    await add(token);
    await add(endless);
    expect(await find(token.tokenHash)).toEqual({ ...token, language: "pt" });
    expect(await find(token.tokenHash, after(DAY - 1))).toEqual({ ...token, language: "pt" });
    expect(await find(token.tokenHash, after(DAY))).toBeUndefined();
    expect(await find(endless.tokenHash, after(1000 * DAY))).toEqual({ ...endless, language: "pt" });
    expect(await find("unknown")).toBeUndefined();
  });

  test("findLiving() finds nothing for a locked account", async () => {
    const { id } = await alice();
    const token = aToken(id);
    await add(token);
    await within(({ users }) => users.setLocked(id, NOW));
    expect(await find(token.tokenHash)).toBeUndefined();
    await within(({ users }) => users.setLocked(id, undefined));
    expect((await find(token.tokenHash))?.id).toBe(token.id);
  });

  test("add() copies the caller's list", async () => {
    const { id } = await alice();
    const token = aToken(id);
    await add(token);
    token.scopes.pop();
    expect((await find(token.tokenHash))?.scopes).toEqual(["alerts:read", "addresses:write"]);
  });

  test("list() returns the account's own, newest first, including expired ones", async () => {
    const [own, other] = [await alice(), await bob()];
    const old = aToken(own.id, { createdAt: after(-DAY), expiresAt: after(-1) });
    const young = aToken(own.id);
    for (const token of [old, young, aToken(other.id)]) await add(token);
    expect(await list(own.id)).toEqual([young, old]);
    expect(await list(crypto.randomUUID())).toEqual([]);
  });

  test("touch() stores the last use and nothing else", async () => {
    const { id } = await alice();
    const token = aToken(id);
    await add(token);
    await within(({ apiTokens }) => apiTokens.touch(token.id, after(7), "2001:db8::/48"));
    expect(await list(id)).toEqual([{ ...token, lastUsedAt: after(7), lastIpPrefix: "2001:db8::/48" }]);
  });

  test("take() grants no more than is left to 50 concurrent callers", async () => {
    const { id } = await alice();
    const token = aToken(id);
    await add(token);
    const taken = await Promise.all(Array.from({ length: 50 }, () => take(token.id)));
    expect(taken.filter(({ granted }) => granted)).toHaveLength(30);
    expect((await list(id))[0]?.busyUntil).toEqual(after(30_000));
    expect(await take(token.id, after(999))).toEqual({ granted: false, busyUntil: after(30_000) });
    expect(await take(token.id, after(1000))).toEqual({ granted: true, busyUntil: after(31_000) });
    expect(await take(token.id, after(40_000))).toEqual({ granted: true, busyUntil: after(41_000) });
    expect(await take(crypto.randomUUID())).toEqual({ granted: false, busyUntil: NOW });
  });

  test("remove() removes an account's own only, for one of five concurrent callers, and returns it", async () => {
    const [own, other] = [await alice(), await bob()];
    const token = aToken(own.id);
    await add(token);
    const remove = (accountId: string) => within(({ apiTokens }) => apiTokens.remove(accountId, token.id));
    expect(await remove(other.id)).toBeUndefined();
    const removed = await Promise.all(Array.from({ length: 5 }, () => remove(own.id)));
    expect(removed.filter((one) => one !== undefined)).toEqual([token]);
    expect(await find(token.tokenHash)).toBeUndefined();
  });

  test("removeAll() and deleting the account remove its tokens", async () => {
    const [own, other] = [await alice(), await bob()];
    for (const token of [aToken(own.id), aToken(own.id), aToken(other.id)]) await add(token);
    expect(await within(({ apiTokens }) => apiTokens.removeAll(own.id))).toBe(2);
    expect([(await list(own.id)).length, (await list(other.id)).length]).toEqual([0, 1]);
    await within(({ users }) => users.remove(other.id));
    expect(await list(other.id)).toEqual([]);
  });

  test("removeExpired() removes what has expired by then, and nothing that never expires", async () => {
    const { id } = await alice();
    const ended = aToken(id, { expiresAt: after(-1) });
    const ending = aToken(id, { expiresAt: after(1) });
    const endless = aToken(id, { expiresAt: undefined, createdAt: after(-1) });
    for (const token of [ended, ending, endless]) await add(token);
    await within(({ apiTokens }) => apiTokens.removeExpired(NOW));
    expect(await list(id)).toEqual([ending, endless]);
  });

  test("a rolled back transaction leaves nothing", async () => {
    const { id } = await alice();
    const failed = within(async ({ apiTokens }) => {
      await apiTokens.add(aToken(id));
      throw new Error("stop");
    });
    expect(failed).rejects.toThrow("stop");
    await failed.catch(() => undefined);
    expect(await list(id)).toEqual([]);
  });
});
