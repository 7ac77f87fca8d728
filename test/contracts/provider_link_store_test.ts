import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { ProviderLink } from "../../src/identity/factors/factor_ports.ts";
import { freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("ProviderLinkRepository on %s", (_, open) => {
  const { within, alice } = freshStore(open);
  const bob = () => alice({ email: "bob@example.com" });
  const aLink = (accountId: string, changed: Partial<ProviderLink> = {}): ProviderLink => ({
    provider: "google",
    subject: "alice-at-google",
    email: "alice@example.com",
    accountId,
    linkedAt: NOW,
    ...changed,
  });
  const add = (link: ProviderLink) => within(({ providerLinks }) => providerLinks.add(link));
  const find = (link: ProviderLink) => within(({ providerLinks }) => providerLinks.find(link.provider, link.subject));
  const list = (accountId: string) => within(({ providerLinks }) => providerLinks.list(accountId));

  test("find() returns what add() stored, by provider and subject together", async () => {
    const { id } = await alice();
    const [google, github] = [aLink(id), aLink(id, { provider: "github", subject: "1", email: "" })];
    expect([await add(google), await add(github)]).toEqual([true, true]);
    expect(await find(google)).toEqual(google);
    expect(await find(github)).toEqual(github);
    expect(await find(aLink(id, { provider: "github" }))).toBeUndefined();
    expect(await find(aLink(id, { subject: "ALICE-at-google" }))).toBeUndefined();
  });

  test("add() links an identity to one account, and an account to one identity per provider", async () => {
    const [{ id }, other] = [await alice(), await bob()];
    expect(await add(aLink(id))).toBe(true);
    expect(await add(aLink(id))).toBe(false);
    expect(await add(aLink(other.id))).toBe(false);
    expect(await add(aLink(id, { subject: "another" }))).toBe(false);
    expect(await list(id)).toEqual([aLink(id)]);
    expect(await list(other.id)).toEqual([]);
  });

  test("add() lets one of ten concurrent accounts have an identity", async () => {
    const accounts = await Promise.all(
      Array.from({ length: 10 }, (_, index) => alice({ email: `user${index}@example.com` })),
    );
    const added = await Promise.all(accounts.map(({ id }) => add(aLink(id))));
    expect(added.filter(Boolean)).toHaveLength(1);
    const winner = accounts[added.indexOf(true)]?.id ?? "";
    expect(await find(aLink(winner))).toEqual(aLink(winner));
  });

  test("list() returns the account's own, sorted by provider", async () => {
    const [{ id }, other] = [await alice(), await bob()];
    const own = (["microsoft", "github", "google"] as const).map((provider) => aLink(id, { provider }));
    for (const link of [...own, aLink(other.id, { subject: "bob" })]) await add(link);
    expect((await list(id)).map(({ provider }) => provider)).toEqual(["github", "google", "microsoft"]);
  });

  test("remove() removes the link of one account to one provider, once", async () => {
    const [{ id }, other] = [await alice(), await bob()];
    const kept = [aLink(id, { provider: "github" }), aLink(other.id, { subject: "bob" })];
    for (const link of [aLink(id), ...kept]) await add(link);
    const remove = (accountId: string) => within(({ providerLinks }) => providerLinks.remove(accountId, "google"));
    expect((await Promise.all([1, 2, 3].map(() => remove(id)))).filter(Boolean)).toHaveLength(1);
    expect(await find(aLink(id))).toBeUndefined();
    expect([...(await list(id)), ...(await list(other.id))]).toEqual(kept);
    // The identity can be linked again.
    await remove(other.id);
    expect(await add(aLink(other.id))).toBe(true);
  });

  test("an account's links are deleted with it", async () => {
    const { id } = await alice();
    await add(aLink(id));
    await within(({ users }) => users.remove(id));
    expect(await find(aLink(id))).toBeUndefined();
  });
});
