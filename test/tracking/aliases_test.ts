import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/events/catalogue.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type { AliasList } from "../../src/tracking/alias_ports.ts";
import { memoryAliasDirectory } from "../memory/tracking/alias_directory.ts";
import { ALICE, accepted, anAssociation, aTrackInput, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { trackAsOwner, trackingWorld } from "../support/tracking.ts";

const { accountId } = ALICE;
const GMAIL = "ada@gmail.com";
const SHOP = "shop@alias.example";

/** Ada tracks her own address at Gmail. */
async function adaWorld(answer?: AliasList) {
  const directory = memoryAliasDirectory(answer);
  const world = trackingWorld({ ownAddress: { of: async () => GMAIL }, aliasDirectory: directory });
  const { id } = accepted(await world.tracking.track(accountId, aTrackInput({ address: GMAIL })));
  await world.published();
  const add = (...addresses: string[]) => world.tracking.addAliases(accountId, id, { addresses });
  const list = async () => accepted(await world.tracking.listAliases(accountId, id)).items;
  return { ...world, id, add, list, directory };
}

/** The tokens of the mails that were asked for, by recipient. */
function tokensIn(world: Awaited<ReturnType<typeof adaWorld>>, events: Event[]) {
  const mails = events.filter((event) => event.type === "mail.requested");
  const read = (sealed = "") => (JSON.parse(world.deps.cipher.decrypt(sealed)) as { token: string }).token;
  return new Map(mails.map(({ to, sealed }) => [to, read(sealed)]));
}

async function mailed(world: Awaited<ReturnType<typeof adaWorld>>) {
  await world.tracking.mailAliasesDue();
  return tokensIn(world, await world.published());
}

describe("addAliases()", () => {
  test("activates what the provider delivers to the same person, and asks at any other", async () => {
    const { add, list, published, id } = await adaWorld();
    expect(accepted(await add("a.da+shop@googlemail.com", SHOP))).toEqual({ active: 1, pending: 1, known: 0, bad: 0 });
    expect(await list()).toMatchObject([
      { address: "a.da+shop@googlemail.com", origin: "rule", state: "active" },
      { address: SHOP, origin: "list", state: "pending", expiresAt: null },
    ]);
    expect(await published()).toMatchObject([
      { type: "tracking.aliasStarted", associationId: id, accountId, address: "a.da+shop@googlemail.com" },
    ]);
  });

  test("a tag proves nothing where it is not known to be one", async () => {
    const world = trackingWorld();
    const { id } = accepted(await world.tracking.track(accountId, aTrackInput({ address: ALICE.address })));
    const added = await world.tracking.addAliases(accountId, id, { addresses: ["alice+shop@example.com"] });
    expect(accepted(added)).toMatchObject({ active: 0, pending: 1 });
  });

  test("skips what is tracked or an alias already, and does not count against the plan", async () => {
    const { add, plan, tracking, id } = await adaWorld();
    plan.cap = 1;
    await add(SHOP, "ada+1@gmail.com");
    expect(accepted(await add(SHOP, "ada+1@gmail.com", "ada+2@gmail.com", GMAIL))).toEqual({
      active: 1,
      pending: 0,
      known: 3,
      bad: 0,
    });
    expect(await tracking.countOf(accountId)).toBe(1);
    const again = await tracking.track(accountId, aTrackInput({ address: SHOP }));
    expect(again).toMatchObject({ ok: false, code: "ADDRESS_ALREADY_TRACKED" });
    expect(id).toBeDefined();
  });

  test("takes up to 200, and none of a list that has more", async () => {
    const { add, list } = await adaWorld();
    const many = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `a${from + at}@alias.example`);
    accepted(await add(...many(199)));
    expect(await add(...many(2, 199))).toMatchObject({ ok: false, code: "TOO_MANY_ALIASES" });
    accepted(await add(...many(1, 199)));
    expect(await list()).toHaveLength(200);
  });

  test("is only for an account's own, verified address", async () => {
    const { tracking, store } = trackingWorld();
    const granted = anAssociation({ address: BOB.address, consent: "granted", scope: FULL_SCOPE });
    const pending = anAssociation({ address: "c@example.org", consent: "pending" });
    const former = anAssociation({ address: "former@example.org", consent: "own" });
    const foreign = anAssociation({ accountId: BOB.accountId, address: BOB.address });
    await store(granted, pending, former, foreign);
    for (const { id } of [granted, pending, former, foreign]) {
      const added = await tracking.addAliases(accountId, id, { addresses: [SHOP] });
      expect(added).toMatchObject({ ok: false, code: "NOT_FOUND" });
    }
    expect(await tracking.listAliases(accountId, granted.id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await tracking.listAliases(accountId, foreign.id)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("importAliases()", () => {
  const listOf = (...addresses: string[]): AliasList => ({ kind: "list", addresses, proven: addresses });
  const KEY = { from: "simplelogin", key: "k" } as const;

  test("activates what the service itself lists, also what was pending", async () => {
    const { add, list, tracking, id, directory, published } = await adaWorld(listOf(SHOP, "New@alias.example", "bad"));
    await add(SHOP);
    await published();
    const added = accepted(await tracking.importAliases(accountId, id, { ...KEY, base: undefined }));
    expect(added).toEqual({ active: 2, pending: 0, known: 0, bad: 1 });
    expect(await list()).toMatchObject([
      { address: "new@alias.example", origin: "simplelogin", state: "active" },
      { address: SHOP, origin: "simplelogin", state: "active" },
    ]);
    expect((await published()).map(({ type }) => type)).toEqual(["tracking.aliasStarted", "tracking.aliasStarted"]);
    expect(directory.asked).toEqual([{ service: "simplelogin", key: "k", base: undefined }]);
  });

  test("asks at what a service lists that the person names, as it could be made up", async () => {
    const { list, tracking, id, published } = await adaWorld(listOf(SHOP, BOB.address));
    const base = new URL("https://mine.example");
    const added = accepted(await tracking.importAliases(accountId, id, { ...KEY, base }));
    expect(added).toMatchObject({ active: 0, pending: 2 });
    expect((await list()).map(({ state }) => state)).toEqual(["pending", "pending"]);
    expect(await published()).toEqual([]);
  });

  test("asks at what a service lists without receiving its mail alone", async () => {
    const { list, tracking, id } = await adaWorld({
      kind: "list",
      addresses: [SHOP, "a@acme.example"],
      proven: [SHOP],
    });
    await tracking.importAliases(accountId, id, { ...KEY, base: undefined });
    expect((await list()).map(({ address, state }) => [address, state])).toEqual([
      ["a@acme.example", "pending"],
      [SHOP, "active"],
    ]);
  });

  test("stores the key nowhere", async () => {
    const { tracking, id, transaction } = await adaWorld(listOf(SHOP));
    await tracking.importAliases(accountId, id, { from: "addy", key: "zq-secret-key", base: undefined });
    const all = await transaction(({ aliases }) => aliases.listByAccount(accountId));
    expect(JSON.stringify(all)).not.toContain("zq-secret-key");
  });

  test.each([
    [{ kind: "refused" }, "ALIAS_KEY_REFUSED"],
    [{ kind: "tooMany" }, "TOO_MANY_ALIASES"],
    [{ kind: "unavailable", reason: "no answer in time" }, "ALIAS_SERVICE_UNAVAILABLE"],
  ] satisfies [AliasList, string][])("tells that the answer is %p", async (answer, code) => {
    const { tracking, id, list } = await adaWorld(answer);
    expect(await tracking.importAliases(accountId, id, { ...KEY, base: undefined })).toMatchObject({ code });
    expect(await list()).toEqual([]);
  });

  test("asks no service for an association that has no aliases", async () => {
    const { tracking, directory } = await adaWorld(listOf(SHOP));
    const asked = await tracking.importAliases(accountId, crypto.randomUUID(), { ...KEY, base: undefined });
    expect(asked).toMatchObject({ code: "NOT_FOUND" });
    expect(directory.asked).toEqual([]);
  });

  test("reads the text of an export", async () => {
    const { tracking, id } = await adaWorld();
    const read = (text: string) => tracking.importAliases(accountId, id, { from: "text", text });
    expect(accepted(await read("alias,note\nshop@alias.example,x\n,\n"))).toMatchObject({ pending: 1, bad: 1 });
    expect(await read("nothing")).toMatchObject({ code: "ADDRESS_REQUIRED" });
  });
});

describe("a mailed link", () => {
  test("shows who asks, and activates the alias once", async () => {
    const world = await adaWorld();
    const { tracking, add, list, published } = world;
    await add(SHOP);
    const token = (await mailed(world)).get(SHOP) ?? "";
    expect(accepted(await tracking.inspectAlias(token))).toEqual({
      address: SHOP,
      account: { name: "Alice Keller", email: "a…@example.com" },
    });
    expect(await tracking.isAliasAwaited(token)).toBe(true);
    expect((await list())[0]).toMatchObject({ state: "pending", expiresAt: "2026-11-27T12:00:00.000Z" });
    accepted(await tracking.confirmAlias(token));
    expect((await list())[0]).toMatchObject({ state: "active", expiresAt: null });
    expect(await published()).toMatchObject([{ type: "tracking.aliasStarted", address: SHOP }]);
    expect(await tracking.confirmAlias(token)).toMatchObject({ code: "LINK_INVALID" });
    expect(await tracking.isAliasAwaited(token)).toBe(false);
    expect(await tracking.inspectAlias("none")).toMatchObject({ code: "LINK_INVALID" });
  });

  test("expires after seven days, and the alias with it", async () => {
    const world = await adaWorld();
    const { tracking, add, list, clock } = world;
    await add(SHOP);
    const token = (await mailed(world)).get(SHOP) ?? "";
    clock.pass(7 * DAY - 1);
    expect(await tracking.expireAliases()).toBe(0);
    clock.pass(1);
    expect(await tracking.confirmAlias(token)).toMatchObject({ code: "LINK_INVALID" });
    expect(await tracking.expireAliases()).toBe(1);
    expect(await list()).toEqual([]);
  });

  test("is never sent to an address of another account, which looks like any other", async () => {
    const world = await adaWorld();
    const { add, list, store, clock } = world;
    await store(anAssociation({ accountId: BOB.accountId, address: "watched@example.org", consent: "granted" }));
    await add(SHOP, BOB.address, "watched@example.org");
    expect([...(await mailed(world)).keys()]).toEqual([SHOP]);
    const [one, ...others] = (await list()).map(({ id: _, address: __, ...rest }) => rest);
    expect(others).toEqual([one, one] as typeof others);
    clock.pass(7 * DAY);
    expect(await world.tracking.expireAliases()).toBe(3);
  });

  test("confirms nothing that another account has verified in the meantime", async () => {
    const world = await adaWorld();
    await world.add(SHOP);
    const token = (await mailed(world)).get(SHOP) ?? "";
    await world.store(anAssociation({ accountId: BOB.accountId, address: SHOP, consent: "own" }));
    expect(await world.tracking.confirmAlias(token)).toMatchObject({ code: "LINK_INVALID" });
  });

  test("mails are limited like any to strangers: 20 a day of one account, 3 a week to one mailbox", async () => {
    const world = await adaWorld();
    await world.add(...Array.from({ length: 30 }, (_, at) => `a${at}@alias.example`));
    expect((await mailed(world)).size).toBe(20);
    world.clock.pass(DAY + 1);
    expect((await mailed(world)).size).toBe(10);
    world.clock.pass(2 * DAY);
    await world.add("a0+1@alias.example", "a0+2@alias.example", "a0+3@alias.example");
    expect((await mailed(world)).size).toBe(2);
    world.clock.pass(5 * DAY);
    expect((await mailed(world)).size).toBe(1);
  });
});

test("removing an alias, its address or its account ends it", async () => {
  const { add, list, tracking, id, published } = await adaWorld();
  await add("ada+1@gmail.com", SHOP);
  await published();
  const [active, pending] = await list();
  expect(await tracking.removeAlias(BOB.accountId, id, active?.id ?? "")).toMatchObject({ code: "NOT_FOUND" });
  accepted(await tracking.removeAlias(accountId, id, active?.id ?? ""));
  accepted(await tracking.removeAlias(accountId, id, pending?.id ?? ""));
  expect(await published()).toMatchObject([{ type: "tracking.aliasStopped", address: "ada+1@gmail.com" }]);
  await add("ada+1@gmail.com");
  accepted(await tracking.removeAssociation(accountId, id));
  expect((await tracking.recordsOf(accountId)).aliases).toEqual([]);
});

test("an address that another account proves and tracks ends as an alias", async () => {
  const world = await adaWorld();
  await world.add(SHOP);
  const token = (await mailed(world)).get(SHOP) ?? "";
  accepted(await world.tracking.confirmAlias(token));
  await world.published();
  await trackAsOwner(world.deps, BOB.accountId, SHOP);
  expect(await world.list()).toEqual([]);
  expect((await world.published())[0]).toMatchObject({ type: "tracking.aliasStopped", accountId, address: SHOP });
});

test("a changed email takes the aliases of the former one along", async () => {
  let own = GMAIL;
  const world = trackingWorld({ ownAddress: { of: async () => own } });
  const { id } = accepted(await world.tracking.track(accountId, aTrackInput({ address: GMAIL })));
  await world.tracking.addAliases(accountId, id, { addresses: ["ada+1@gmail.com"] });
  own = "new@example.org";
  const type = "identity.emailChanged";
  await world.tracking.onEmailChanged({ type, accountId, from: GMAIL, to: own, formerAddress: "ask" });
  expect((await world.tracking.recordsOf(accountId)).aliases).toEqual([]);
});

test("the export has the aliases, without the hash of their links", async () => {
  const world = await adaWorld();
  await world.add(SHOP);
  await mailed(world);
  const [alias] = (await world.tracking.recordsOf(accountId)).aliases;
  expect(alias).toMatchObject({ address: SHOP, state: "pending", origin: "list" });
  expect(Object.keys(alias ?? {})).not.toContain("tokenHash");
});
