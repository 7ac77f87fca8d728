import { expect, test } from "bun:test";
import { memoryTracking } from "../memory/tracking/store.ts";
import { aBreach } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { settle } from "../support/world.ts";
import {
  ALICE,
  ALL,
  ask,
  BOB,
  byLink,
  type Call,
  type ConsentWorld,
  consentWorld,
  mailedToken,
  PASSWORD,
  register,
  settingsFor,
  signIn,
} from "./consent_world.ts";

const NEW = "alice@new.example";
const page = async (call: Call, path: string) =>
  ((await (await call("GET", path)).json()) as { items: Record<string, unknown>[] }).items;

/** Alice tracks her own address, changes her email, and somebody else verifies the former address. */
async function movedAway(one: ConsentWorld, formerAddress: "ask" | "end") {
  const { ground, world } = one;
  const alice = await signIn(world, ALICE);
  await alice("POST", "/api/associations", { ...settingsFor(ALICE), address: ALICE, owner: true });
  await settle(world);
  expect((await alice("POST", "/api/profile/email", { email: NEW, formerAddress })).status).toBe(200);
  await settle(world);
  const mails = ground.sender.sent.filter(({ to }) => to.value === NEW).map(({ content }) => JSON.stringify(content));
  const token = mails.at(-1)?.match(/#t=([\w.-]+)/)?.[1] ?? "";
  const inspected = await (await alice("POST", "/api/email-change/inspect", { token })).json();
  expect(inspected).toEqual({ email: NEW, account: { name: "Alice Keller", email: "a…@example.org" } });
  expect((await alice("POST", "/api/email-change/confirm", { token })).status).toBe(200);
  return alice;
}

/** A sensitive breach of Alice's former address is published, and everything is checked again. */
async function sensitiveBreach({ ground, world }: ConsentWorld) {
  ground.feed.publish(aBreach({ name: "Later", flags: ["sensitive"], addedDate: "2026-11-21T00:00:00Z" }));
  ground.feed.expose(ALICE, "Later");
  ground.clock.pass(DAY);
  await world.breaches.pollCatalogue();
  await settle(world);
  ground.clock.pass(8 * DAY);
  await settle(world);
}

test("a former own address shows and sends nothing until its new owner consents, and then only within the granted scope", async () => {
  const one = await consentWorld();
  const { ground, world } = one;
  const alice = await movedAway(one, "ask");
  expect(await page(alice, "/api/associations")).toEqual([]);
  await settle(world);
  await register(world, ALICE);
  const owner = await signIn(world, ALICE);
  expect(await page(owner, "/api/invitations/requests")).toMatchObject([
    { kind: "ownership", inviter: { name: "Alice Keller", email: "a…@new.example" } },
  ]);
  await sensitiveBreach(one);
  expect(JSON.stringify(ground.sender.sent)).not.toContain("Later");
  const again = await signIn(world, NEW);
  expect(await page(again, "/api/alerts")).toEqual([]);
  expect(ground.errors).toEqual([]);
});

test("consent for a former own address is listed for its owner, who can narrow and withdraw it", async () => {
  const one = await consentWorld();
  const { ground, world } = one;
  await movedAway(one, "ask");
  await settle(world);
  const token = mailedToken(ground, ALICE);
  await byLink(world, "accept", { token, details: true, sensitive: false });
  await register(world, ALICE);
  const owner = await signIn(world, ALICE);
  const [grant] = await page(owner, "/api/grants/watched-by");
  expect(grant).toMatchObject({ kind: "ownership", scope: { details: true, sensitive: false } });
  await sensitiveBreach(one);
  expect(JSON.stringify(ground.sender.sent)).not.toContain("Later");
  const little = { details: false, sensitive: false };
  const owner2 = await signIn(world, ALICE);
  expect(await (await owner2("PUT", `/api/grants/${grant?.id}/scope`, little)).json()).toEqual({ scope: little });
  expect((await owner2("POST", `/api/grants/${grant?.id}/withdraw`, { block: false })).status).toBe(200);
  expect(await page(owner2, "/api/grants/watched-by")).toEqual([]);
  expect(await page(await signIn(world, NEW), "/api/associations")).toEqual([]);
});

test("an association that is removed with the change of email ends immediately, without a request for consent", async () => {
  const one = await consentWorld();
  const { ground, world } = one;
  const alice = await movedAway(one, "end");
  expect(await page(alice, "/api/associations")).toEqual([]);
  await settle(world);
  expect(mailedToken(ground, ALICE)).toBe("");
  expect(await page(alice, "/api/invitations/sent")).toEqual([]);
});

test("an address with a pending request becomes the account's own once the account has verified it", async () => {
  const one = await consentWorld();
  const { world } = one;
  const alice = await signIn(world, ALICE);
  await alice("POST", "/api/associations", { ...settingsFor(ALICE), address: NEW });
  await settle(world);
  await movedAway(one, "end");
  await settle(world);
  expect(await page(alice, "/api/associations")).toMatchObject([{ address: NEW, consent: "own", scope: ALL }]);
  expect(await page(alice, "/api/invitations/sent")).toEqual([]);
});

test("contacts for the account's own mailbox follow the change of email, including the default for new addresses, and others stay", async () => {
  const one = await consentWorld();
  const { world } = one;
  const alice = await signIn(world, ALICE);
  const team = "team@else.example";
  const { token } = await ask(one, ALICE);
  await byLink(world, "accept", { token, ...ALL });
  const [asked] = await page(alice, "/api/associations");
  const contacts = { email: [team, ALICE] };
  await alice("PUT", `/api/associations/${asked?.id}`, { ...settingsFor(ALICE), contacts, paused: false });
  const details = { firstName: "Alice", lastName: "Keller", language: "en", companyName: "" };
  const none = { telegram: [], pushover: [], ntfy: [], webhook: [] };
  const saved = await alice("PUT", "/api/profile", { ...details, defaultContacts: { ...none, email: [team, ALICE] } });
  expect(saved.status).toBe(200);
  await movedAway(one, "end");
  await settle(world);
  const now = await signIn(world, NEW);
  expect(await page(now, "/api/associations")).toMatchObject([
    { address: BOB, contacts: [{ value: NEW }, { value: team }] },
  ]);
  expect(await (await now("GET", "/api/profile")).json()).toMatchObject({ defaultContacts: { email: [NEW, team] } });
});

/** As in older data and restored backups: Alice tracks Bob's address as her own. */
async function leftOver({ ground, world }: ConsentWorld) {
  const alice = await signIn(world, ALICE);
  await alice("POST", "/api/associations", { ...settingsFor(ALICE), address: ALICE, owner: true });
  await settle(world);
  await ground.transactionOf(memoryTracking)(async ({ associations }) => {
    const [accountId = ""] = (await associations.listWatching(ALICE)).map((one) => one.accountId);
    for (const one of await associations.listByAccount(accountId)) {
      await associations.remove(accountId, one.id);
      await associations.add({ ...one, address: BOB });
    }
  });
  return alice;
}

test("a left-over own association is listed for the verified owner, who can end it", async () => {
  const one = await consentWorld();
  const alice = await leftOver(one);
  const bob = await signIn(one.world, BOB);
  const [watcher] = await page(bob, "/api/grants/watched-by");
  expect(watcher).toMatchObject({ kind: "own", inviter: { name: "Alice Keller", email: "a…@example.org" } });
  expect((await bob("POST", `/api/grants/${watcher?.id}/withdraw`, { block: false })).status).toBe(200);
  expect(await page(bob, "/api/grants/watched-by")).toEqual([]);
  expect(await page(alice, "/api/associations")).toEqual([]);
});

test("a left-over own association is found by the job exactly once, and its owner is asked for consent", async () => {
  const one = await consentWorld();
  const alice = await leftOver(one);
  expect([await one.world.tracking.askUnproven(), await one.world.tracking.askUnproven()]).toEqual([1, 0]);
  await settle(one.world);
  expect(await page(alice, "/api/associations")).toEqual([]);
  const bob = await signIn(one.world, BOB);
  expect(await page(bob, "/api/invitations/requests")).toMatchObject([{ kind: "ownership" }]);
});

test("a left-over own association can be narrowed by the verified owner, and counts as a grant from then on", async () => {
  const one = await consentWorld();
  const alice = await leftOver(one);
  const bob = await signIn(one.world, BOB);
  const [watcher] = await page(bob, "/api/grants/watched-by");
  const little = { details: false, sensitive: false };
  expect(await (await bob("PUT", `/api/grants/${watcher?.id}/scope`, little)).json()).toEqual({ scope: little });
  await settle(one.world);
  expect(await page(bob, "/api/grants/watched-by")).toMatchObject([{ kind: "ownership", scope: little }]);
  expect(await page(alice, "/api/associations")).toMatchObject([{ address: BOB, consent: "granted", scope: little }]);
  expect(await page(bob, "/api/invitations/requests")).toEqual([]);
  expect(mailedToken(one.ground, BOB)).toBe("");
});

test.each([false, true])(
  "a left-over own association is included when the account is deleted, and treated as chosen (kept: %p)",
  async (keepGrants) => {
    const one = await consentWorld();
    const { ground, world } = one;
    const alice = await leftOver(one);
    const bob = await signIn(world, BOB);
    expect(await (await bob("GET", "/api/profile/deletion")).json()).toMatchObject({
      watchedBy: { total: 1, items: [{ name: "Alice Keller", email: "a…@example.org" }] },
    });
    expect((await bob("POST", "/api/profile/delete", { password: PASSWORD, keepGrants })).status).toBe(200);
    expect(await page(alice, "/api/associations")).toHaveLength(keepGrants ? 1 : 0);
    await world.dispatcher.drain();
    await world.notifications.deliverDue();
    const told = ground.sender.sent.filter(({ to }) => to.value === BOB).map(({ content }) => JSON.stringify(content));
    expect(told.at(-1)).toContain("This is about Alice Keller (a…@example.org).");
  },
);

test("deleting an account ends the consent that its owner gave, unless it is to be kept", async () => {
  for (const keepGrants of [false, true]) {
    const one = await consentWorld();
    const { world } = one;
    const { token } = await ask(one, ALICE);
    await byLink(world, "accept", { token, ...ALL });
    const bob = await signIn(world, BOB);
    expect(await (await bob("GET", "/api/profile/deletion")).json()).toMatchObject({
      watchedBy: { total: 1, items: [{ name: "Alice Keller", email: "a…@example.org" }] },
    });
    expect((await bob("POST", "/api/profile/delete", { password: PASSWORD, keepGrants })).status).toBe(200);
    const alice = await signIn(world, ALICE);
    expect(await page(alice, "/api/associations")).toHaveLength(keepGrants ? 1 : 0);
  }
});
