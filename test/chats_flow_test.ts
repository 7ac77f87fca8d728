import { afterEach, describe, expect, test } from "bun:test";
import { chatSender } from "../src/notifications/adapters/channels/chat_sender.ts";
import { CHAT_KINDS } from "../src/notifications/adapters/channels/chats.ts";
import { CHAT_NAMES, CHATS } from "../src/shared/chats.ts";
import { aBreach } from "./support/builders.ts";
import { CHAT_OPTIONS } from "./support/channel_providers.ts";
import { CHAT_PEERS, type ChatPeerName } from "./support/chats/peers.ts";
import { HOUR } from "./support/clock.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle, signedUp } from "./support/world.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const ALICE = "alice@example.com";
const CAROL = "carol@example.org";

type Contact = {
  id: string;
  channel: string;
  value: string;
  label: string | null;
  state: string;
  uses: number;
  failure: { detail: string } | null;
  settings: { hasSecret: boolean; discreet: boolean };
};

/** The whole product, with a chat's provider; Alice tracks her own address. */
async function open(name: ChatPeerName) {
  const ground = memoryGround();
  const { chat, start } = CHAT_PEERS[name];
  const peer = await start();
  cleanUps.push(peer.stop);
  const adapters = adaptersOn(ground);
  for (const each of CHAT_NAMES)
    adapters.gateways.senders[each] = chatSender(CHAT_KINDS[each], { ...CHAT_OPTIONS, now: ground.clock.now });
  const world = composed(adapters);
  const call = await signedUp(world, ALICE);
  const form = { address: ALICE, owner: true, language: "en", contacts: { email: [ALICE] } };
  expect((await call("POST", "/api/associations", form)).status).toBe(201);
  await settle(world);

  async function connect(more: object = {}) {
    const body = { channel: chat, entered: peer.entered, name: "", language: "en", everywhere: true, ...more };
    const response = await call("POST", "/api/chats", body);
    return { response, contact: (await response.clone().json()) as Contact };
  }
  async function contactOf(id: string) {
    const { items } = (await (await call("GET", "/api/contacts")).json()) as { items: Contact[] };
    return items.find((one) => one.id === id) ?? expect.unreachable();
  }
  async function alertAbout(title: string, address = ALICE) {
    await world.breaches.pollCatalogue();
    ground.feed.publish(aBreach({ name: title, title: `${title} Shop`, addedDate: ground.clock.now().toISOString() }));
    ground.feed.expose(address, title);
    ground.clock.pass(HOUR);
    await world.breaches.pollCatalogue();
    await settle(world);
  }
  return { ground, world, chat, peer, call, connect, contactOf, alertAbout };
}

const contactRows = (ground: Ground) =>
  ground.transactionOf((tables) => tables)(async (tables) => tables<object>("notifications.contact").filter());

const plain = { device: null, digestBelow: null, digestHour: null, quiet: null, zone: null, language: null };
const discretion = (discreet: boolean) => ({ ...plain, emergency: false, discreet });

describe.each(Object.keys(CHAT_PEERS) as ChatPeerName[])("A chat on %s", (name) => {
  test("is connected, tested, alerted, replaced by email when it is gone, and connected again", async () => {
    const { ground, world, chat, peer, call, connect, contactOf, alertAbout } = await open(name);
    const { contact, response } = await connect({ name: "Security team" });
    expect(response.status).toBe(201);
    expect(contact).toMatchObject({ channel: chat, state: "active", label: "Security team", uses: 1 });
    expect(contact.value).toMatch(/^[a-z0-9-]+-[0-9a-f]{8}$/);

    const sent = await call("POST", "/api/test-alerts", { contactIds: [contact.id] });
    const [trial] = ((await sent.json()) as { items: { id: string }[] }).items;
    await settle(world);
    expect(peer.titles()).toEqual(["Test: your alerts arrive here"]);
    const shown = await (await call("GET", `/api/test-alerts?ids=${trial?.id}`)).json();
    expect(shown).toMatchObject({ items: [{ state: "accepted", label: "Security team" }] });

    await call("PUT", `/api/contacts/${contact.id}/settings`, discretion(false));
    await alertAbout("First");
    expect(peer.titles().at(-1)).toContain("First Shop");
    expect(peer.texts().at(-1)).toContain("https://breachbell.example/en/alerts?alert=");
    expect(peer.texts().join()).not.toContain("manage-contact");

    peer.end();
    const mails = ground.sender.sent.length;
    await alertAbout("Second");
    expect(peer.titles()).toHaveLength(2);
    expect(await contactOf(contact.id)).toMatchObject({ state: "broken", failure: { detail: expect.any(String) } });
    const later = ground.sender.sent.slice(mails).map(({ content }) => content.subject);
    expect(later.some((subject) => subject.includes("Second Shop"))).toBe(true);

    const again = await connect({ contactId: contact.id });
    expect(again.contact).toMatchObject({ id: contact.id, value: contact.value, state: "active" });
  });

  test("keeps what was entered to itself: no answer, export or row shows it", async () => {
    const { ground, chat, peer, call, connect, world } = await open(name);
    const { response } = await connect();
    await settle(world);
    await call("POST", "/api/confirm-password", { password: "Tranquil-Harbour-42" });
    const shown = await Promise.all([
      response.text(),
      (await call("GET", "/api/contacts")).text(),
      (await call("POST", "/api/profile/export", {})).text(),
      JSON.stringify(await contactRows(ground)),
    ]);
    expect(shown[2]).toContain(`"channel":"${chat}"`);
    for (const secret of peer.secrets) for (const text of shown) expect(text).not.toContain(secret);
  });

  test("gets discreet messages at first if others read it, and always about addresses of others", async () => {
    const { ground, peer, call, connect, contactOf, alertAbout, world } = await open(name);
    const { contact } = await connect();
    const { isShared } = CHATS[CHAT_PEERS[name].chat];
    expect((await contactOf(contact.id)).settings.discreet).toBe(isShared);
    await alertAbout("Own");
    expect(peer.texts().join().includes("Own Shop")).toBe(!isShared);
    if (!isShared) return;
    expect(peer.titles().at(-1)).toBe("News from Breachbell");

    await call("PUT", `/api/contacts/${contact.id}/settings`, discretion(false));
    const form = { address: CAROL, owner: false, language: "en", contacts: { [contact.channel]: [contact.value] } };
    expect((await call("POST", "/api/associations", form)).status).toBe(201);
    await settle(world);
    const link = JSON.stringify(ground.sender.sent.at(-1)?.content);
    const [, token] = /#t=([\w.-]+)/.exec(link) ?? [];
    const answer = { token, details: true, sensitive: false };
    expect((await call("POST", "/api/invitation-links/accept", answer)).status).toBe(200);
    await settle(world);
    await alertAbout("Theirs", CAROL);
    expect(peer.titles().at(-1)).toBe("News from Breachbell");
    expect(peer.texts().join()).not.toContain("Theirs Shop");
    expect(peer.texts().join()).not.toContain(CAROL);
  });

  test("is one contact however often it is connected, and keeps its settings", async () => {
    const { call, connect } = await open(name);
    const { contact } = await connect();
    await call("PUT", `/api/contacts/${contact.id}/settings`, discretion(false));
    const again = await connect({ name: "Renamed" });
    expect(again.contact).toMatchObject({ id: contact.id, label: "Renamed", settings: { discreet: false } });
  });

  test.each([
    ["nothing", {}, "FIELD_REQUIRED"],
    ["no web address", { url: "slack" }, "CHAT_ADDRESS_INVALID"],
    ["plain http", { url: "http://hooks.example/services/T/B/x" }, "CHAT_ADDRESS_INVALID"],
    ["an address with a password", { url: "https://ada:secret@hooks.example/services/T/B/x" }, "CHAT_ADDRESS_INVALID"],
  ])("is not connected with %s", async (_, wrong, code) => {
    const { peer, connect } = await open(name);
    const { response } = await connect({ entered: "url" in wrong ? { ...peer.entered, ...wrong } : wrong });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ fields: { "entered.url": code } });
    expect(peer.requests).toEqual([]);
  });
});

test("chats that the operator has turned off cannot be connected", async () => {
  const world = composed(adaptersOn(memoryGround()));
  const call = await signedUp(world, ALICE);
  const body = { channel: "slack", entered: { url: "https://hooks.slack.com/services/T/B/x" }, name: "" };
  expect((await call("POST", "/api/chats", { ...body, language: "en", everywhere: false })).status).toBe(404);
});

test("an account can try few chats in an hour", async () => {
  const { connect } = await open("slack");
  const statuses: number[] = [];
  for (let index = 0; index < 22; index += 1) statuses.push((await connect()).response.status);
  expect(statuses.slice(-2)).toEqual([429, 429]);
});
