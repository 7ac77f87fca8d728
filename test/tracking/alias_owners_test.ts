import { describe, expect, test } from "bun:test";
import type { AliasList } from "../../src/tracking/alias_ports.ts";
import { memoryAliasDirectory } from "../memory/tracking/alias_directory.ts";
import { ALICE, accepted, anAssociation, aTrackInput, BOB } from "../support/builders.ts";
import { trackAsOwner, trackingWorld } from "../support/tracking.ts";

const SHOP = "shop@alias.example";

/** Alice and Bob track their own addresses; other accounts have verified those in `taken`. */
async function twoPeople(answer?: AliasList, ...taken: string[]) {
  const world = trackingWorld({
    aliasDirectory: memoryAliasDirectory(answer),
    mailboxOwners: { of: async (email) => (taken.includes(email) ? crypto.randomUUID() : undefined) },
  });
  const ids = new Map<string, string>();
  for (const { accountId, address } of [ALICE, BOB])
    ids.set(accountId, accepted(await world.tracking.track(accountId, aTrackInput({ address }))).id);
  const of = (accountId: string) => ids.get(accountId) ?? "";
  return {
    ...world,
    add: (accountId: string, address: string) =>
      world.tracking.addAliases(accountId, of(accountId), { addresses: [address] }),
    importFrom: (accountId: string) =>
      world.tracking.importAliases(accountId, of(accountId), { from: "simplelogin", key: "k", base: undefined }),
    remove: (accountId: string, id: string) => world.tracking.removeAlias(accountId, of(accountId), id),
    list: async (accountId: string) => accepted(await world.tracking.listAliases(accountId, of(accountId))).items,
  };
}

describe("an alias of another account", () => {
  test("that is pending does not tell that its owner begins to track it", async () => {
    const world = await twoPeople();
    await world.add(ALICE.accountId, SHOP);
    await world.tracking.mailAliasesDue();
    const before = await world.list(ALICE.accountId);
    const [mail] = (await world.published()).filter((event) => event.type === "mail.requested");
    const { token } = JSON.parse(world.deps.cipher.decrypt(mail?.sealed ?? "")) as { token: string };
    await trackAsOwner(world.deps, crypto.randomUUID(), SHOP);
    expect(await world.list(ALICE.accountId)).toEqual(before);
    expect(await world.tracking.isAliasAwaited(token)).toBe(false);
  });

  test("is not proven by a service's list", async () => {
    const listed = ["verified@alias.example", "tracked@alias.example", SHOP];
    const world = await twoPeople({ kind: "list", addresses: listed, proven: listed }, "verified@alias.example");
    await world.store(anAssociation({ accountId: BOB.accountId, address: "tracked@alias.example", consent: "own" }));
    expect(accepted(await world.importFrom(ALICE.accountId))).toMatchObject({ active: 1, pending: 2 });
    expect(accepted(await world.importFrom(ALICE.accountId))).toMatchObject({ active: 0, known: 3 });
  });

  test("uses up the limit of its mailbox like any other, whoever asks", async () => {
    async function lastAsked(address: string) {
      const world = await twoPeople(undefined, "taken@alias.example");
      for (let asked = 0; asked < 3; asked++) {
        await world.add(ALICE.accountId, address);
        await world.tracking.mailAliasesDue();
        const [alias] = await world.list(ALICE.accountId);
        accepted(await world.remove(ALICE.accountId, alias?.id ?? ""));
      }
      await world.add(BOB.accountId, address);
      await world.tracking.mailAliasesDue();
      return (await world.list(BOB.accountId)).map(({ state, expiresAt }) => ({ state, expiresAt }));
    }
    expect(await lastAsked("taken@alias.example")).toEqual(await lastAsked("free@alias.example"));
  });
});
