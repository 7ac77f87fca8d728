import { afterEach, describe, expect, test } from "bun:test";
import { pushKeys } from "../src/notifications/adapters/channels/webpush/push_keys.ts";
import { webPushSender } from "../src/notifications/adapters/channels/webpush/webpush.ts";
import { memoryNotifications } from "./memory/notifications/store.ts";
import { aBreach } from "./support/builders.ts";
import { PUSH_OPTIONS } from "./support/channel_providers.ts";
import { HOUR } from "./support/clock.ts";
import { startPushPeer } from "./support/push_peer.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle, signedUp } from "./support/world.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const ALICE = "alice@example.com";

type Contact = {
  id: string;
  channel: string;
  value: string;
  label: string | null;
  state: string;
  uses: number;
  failure: { detail: string } | null;
  settings: { hasSecret: boolean };
};

/** The whole product, with a push service. */
async function open() {
  const ground = memoryGround();
  const peer = await startPushPeer();
  cleanUps.push(peer.stop);
  const adapters = adaptersOn(ground);
  const { mac, cipher } = adapters.system;
  const keys = pushKeys({ transaction: ground.transactionOf(memoryNotifications), cipher });
  adapters.gateways.senders.webpush = webPushSender({ ...PUSH_OPTIONS, keys, mac, now: ground.clock.now });
  const world = composed(adapters);
  const call = await signedUp(world, ALICE);
  const answer = async <T>(method: "GET" | "POST" | "DELETE", path: string, body?: object) =>
    (await (await call(method, path, body)).json()) as T;

  /** A browser subscribes with the installation's key, and its page connects it. */
  async function connect(more: object = {}, subscription?: ReturnType<typeof peer.subscribe>) {
    const { key } = await answer<{ key: string }>("GET", "/api/push/key");
    const { endpoint, p256dh, auth } = subscription ?? peer.subscribe({ key });
    const subscribed = { endpoint, p256dh, auth };
    const body = { name: "Firefox · Linux", ...subscribed, language: "en", everywhere: true, ...more };
    const response = await call("POST", "/api/push/devices", body);
    return { ...subscribed, response, contact: (await response.clone().json()) as Contact };
  }
  const contacts = async () => (await answer<{ items: Contact[] }>("GET", "/api/contacts")).items;
  const devices = async () => (await contacts()).filter(({ channel }) => channel === "webpush");

  async function alertAbout(name: string) {
    await world.breaches.pollCatalogue();
    ground.feed.publish(aBreach({ name, title: `${name} Shop`, addedDate: ground.clock.now().toISOString() }));
    ground.feed.expose(ALICE, name);
    ground.clock.pass(HOUR);
    await world.breaches.pollCatalogue();
    await settle(world);
  }
  return { ground, world, peer, call, answer, connect, contacts, devices, alertAbout };
}

async function tracked() {
  const opened = await open();
  const form = { address: ALICE, owner: true, language: "en", contacts: { email: [ALICE] } };
  expect((await opened.call("POST", "/api/associations", form)).status).toBe(201);
  await settle(opened.world);
  return opened;
}

/** All contacts as they are stored. */
const contactsOf = (ground: Ground) =>
  ground.transactionOf((tables) => tables)(async (tables) => tables<object>("notifications.contact").filter());

const shown = ({ peer }: Awaited<ReturnType<typeof open>>) =>
  peer.received.map(({ payload }) => payload.notification.title);

describe("A device", () => {
  test("is connected, tested, alerted, and replaced by email when it is gone, until it is turned on again", async () => {
    const opened = await tracked();
    const { world, peer, call, connect, devices, alertAbout } = opened;
    const { contact, endpoint } = await connect();
    expect(contact).toMatchObject({ channel: "webpush", state: "active", label: "Firefox · Linux", uses: 1 });
    expect(contact.value).toMatch(/^firefox-linux-[0-9a-f]{8}$/);

    expect((await call("POST", "/api/test-alerts", { contactIds: [contact.id] })).status).toBe(200);
    await settle(world);
    expect(shown(opened)).toEqual(["Test: your alerts arrive here"]);

    await alertAbout("First");
    expect(shown(opened).at(-1)).toContain("First Shop");
    const { notification } = peer.received.at(-1)?.payload ?? {};
    expect(notification?.navigate).toStartWith("https://breachbell.example/en/alerts?alert=");

    peer.forget(endpoint);
    const mails = opened.ground.sender.sent.length;
    await alertAbout("Second");
    expect(shown(opened)).toHaveLength(2);
    expect(await devices()).toMatchObject([{ state: "broken", failure: { detail: expect.stringContaining("410") } }]);
    const later = opened.ground.sender.sent.slice(mails).map(({ content }) => content.subject);
    expect(later.some((subject) => subject.includes("Second Shop"))).toBe(true);

    const again = await connect({ contactId: contact.id });
    expect(again.contact).toMatchObject({ id: contact.id, value: contact.value, state: "active", uses: 1 });
    await alertAbout("Third");
    expect(shown(opened).at(-1)).toContain("Third Shop");
  });

  test("that is an address's only contact is replaced by the account's own address", async () => {
    const opened = await open();
    const { call, peer, connect, alertAbout, world, ground } = opened;
    const { contact, endpoint } = await connect({ everywhere: false });
    const form = { address: ALICE, owner: true, language: "en", contacts: { webpush: [contact.value] } };
    expect((await call("POST", "/api/associations", form)).status).toBe(201);
    await settle(world);
    peer.forget(endpoint);
    await alertAbout("Lost");
    expect(ground.sender.sent.at(-1)).toMatchObject({ to: { value: ALICE } });
    expect(ground.sender.sent.at(-1)?.content.subject).toContain("Lost Shop");
  });

  test("is one contact however often it is connected, and several devices are several contacts", async () => {
    const { connect, devices } = await tracked();
    const phone = await connect({ name: "Alice’s phone" });
    const renamed = await connect({ name: "Old phone" }, phone);
    expect(renamed.contact).toMatchObject({ id: phone.contact.id, value: phone.contact.value, label: "Old phone" });
    await connect();
    expect((await devices()).map(({ label }) => label)).toEqual(["Old phone", "Firefox · Linux"]);
  });

  test("has to subscribe again when its push service has ended the subscription", async () => {
    const { peer, connect, devices, alertAbout } = await tracked();
    const gone = await connect();
    peer.forget(gone.endpoint);
    await alertAbout("Gone");
    const { response } = await connect({ contactId: gone.contact.id }, gone);
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 410,
      body: { code: "PUSH_SUBSCRIPTION_ENDED" },
    });
    expect(await devices()).toMatchObject([{ state: "broken" }]);
  });

  test("keeps its keys to itself: no answer and no row shows them", async () => {
    const { connect, answer, ground } = await tracked();
    const { endpoint, p256dh, auth } = await connect();
    const said = JSON.stringify(await answer("GET", "/api/contacts"));
    const stored = await contactsOf(ground);
    expect(stored).toHaveLength(2);
    for (const secret of [endpoint, p256dh, auth]) {
      expect(said).not.toContain(secret);
      expect(JSON.stringify(stored)).not.toContain(secret);
    }
  });

  test("is marked as seen by its notification's button, which needs no session, and by nothing else", async () => {
    const { world, peer, call, answer, connect } = await tracked();
    const { contact } = await connect();
    const { items } = await answer<{ items: { id: string }[] }>("POST", "/api/test-alerts", {
      contactIds: [contact.id],
    });
    await settle(world);
    const seenAt = async () =>
      (await answer<{ items: { acknowledgedAt: string | null }[] }>("GET", `/api/test-alerts?ids=${items[0]?.id}`))
        .items[0]?.acknowledgedAt;
    const { delivery, seen } = peer.received.at(-1)?.payload.notification.data ?? expect.unreachable();
    await call("POST", "/api/push/seen", { delivery, mark: `${seen}x` });
    expect(await seenAt()).toBeNull();
    expect((await call("POST", "/api/push/seen", { delivery, mark: seen })).status).toBe(200);
    expect(await seenAt()).toBeString();
  });

  test("typed as a name that no device has gets nothing, and asks no one", async () => {
    const { world, call, peer, devices } = await open();
    const contacts = { email: [ALICE], webpush: ["someone-elses-phone-3fa94c1e"] };
    expect(
      (await call("POST", "/api/associations", { address: ALICE, owner: true, language: "en", contacts })).status,
    ).toBe(201);
    await settle(world);
    expect(await devices()).toMatchObject([{ state: "unconfirmed", settings: { hasSecret: false } }]);
    expect(peer.requests).toEqual([]);
  });

  test.each([
    ["no https", { endpoint: "http://other.example/push" }],
    ["credentials", { endpoint: "https://user:pass@other.example/push" }],
    ["a short key", { p256dh: "BAAA" }],
    ["no base64url", { auth: "////////////////////////" }],
    ["no name", { name: "  " }],
  ])("with %s is refused", async (_, more) => {
    const { connect, devices } = await open();
    expect((await connect(more)).response.status).toBe(422);
    expect(await devices()).toEqual([]);
  });
});

test("a subscription ends with its account", async () => {
  const { ground, world, call, connect } = await tracked();
  await connect();
  expect(await contactsOf(ground)).toHaveLength(2);
  expect((await call("POST", "/api/profile/delete", { password: "Tranquil-Harbour-42" })).status).toBe(200);
  await settle(world);
  expect(await contactsOf(ground)).toEqual([]);
});
