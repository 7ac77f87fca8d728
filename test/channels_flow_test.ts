import { afterEach, expect, test } from "bun:test";
import { ntfySender } from "../src/notifications/adapters/channels/ntfy/ntfy.ts";
import { pushoverSender } from "../src/notifications/adapters/channels/pushover/pushover.ts";
import { webhookSender } from "../src/notifications/adapters/channels/webhook/webhook.ts";
import { aBreach } from "./support/builders.ts";
import { HOUR } from "./support/clock.ts";
import { LOOPBACK_AUTHORITY } from "./support/loopback_certificate.ts";
import { NTFY_TOKEN, startNtfyPeer, TOPIC } from "./support/ntfy_peer.ts";
import { APP_TOKEN, startPushoverPeer, USER_KEY } from "./support/pushover_peer.ts";
import { startWebhookPeer } from "./support/webhook_peer.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "./support/world.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const ALICE = "alice@example.com";
const NEW = aBreach({ name: "New", title: "New Shop", addedDate: "2026-11-20T11:00:00Z" });
const tokenIn = (text: string | undefined) => /manage-contact#t=([\w.-]+)/.exec(text ?? "")?.[1] ?? "";

/** The whole product, sending on every channel to fake providers. */
async function open() {
  const ground = memoryGround();
  const { now } = ground.clock;
  const [pushover, ntfy, webhook] = [await startPushoverPeer(), await startNtfyPeer(), await startWebhookPeer({ now })];
  for (const peer of [pushover, ntfy, webhook]) cleanUps.push(peer.stop);
  const adapters = adaptersOn(ground);
  const common = { userAgent: "Breachbell/0.1.0", now, timeoutMs: 15_000 };
  const { report } = adapters.system;
  const guard = { allowPrivate: true, ca: LOOPBACK_AUTHORITY, resolve: async () => ["127.0.0.1"] };
  Object.assign(adapters.gateways.senders, {
    pushover: pushoverSender({ ...common, baseUrl: pushover.url, appToken: APP_TOKEN, report }),
    ntfy: ntfySender({ ...common, ...guard, baseUrl: ntfy.url, token: NTFY_TOKEN }),
    webhook: webhookSender({ ...common, ...guard }),
  });
  return { ground, world: composed(adapters), pushover, ntfy, webhook };
}

test("a contact of each channel confirms on its own channel, and then gets the alert", async () => {
  const { ground, world, pushover, ntfy, webhook } = await open();
  const call = await signedUp(world, ALICE);
  const { channels } = (await (await call("GET", "/api/instance")).json()) as { channels: string[] };
  expect(channels).toEqual(["email", "pushover", "ntfy", "webhook"]);

  const contacts = { pushover: [USER_KEY, "x".repeat(30)], ntfy: [TOPIC], webhook: [webhook.hook] };
  const form = { address: ALICE, owner: true, language: "en", contacts };
  expect((await call("POST", "/api/associations", form)).status).toBe(201);
  await settle(world);
  // One request each, and none for a key unknown to Pushover.
  expect(pushover.received.map(({ user, url }) => [user, tokenIn(url) !== ""])).toEqual([[USER_KEY, true]]);
  expect(ntfy.received).toHaveLength(1);
  // Its owner does not have the secret yet, and would accept nothing.
  expect(webhook.requests).toEqual([]);

  for (const token of [tokenIn(pushover.received[0]?.url), tokenIn(ntfy.received[0]?.click)])
    expect(await (await call("POST", "/api/contact-links/confirm", { token })).json()).toEqual({ state: "active" });
  await settle(world);

  await world.breaches.pollCatalogue();
  ground.feed.publish(NEW);
  ground.feed.expose(ALICE, "New");
  ground.clock.pass(HOUR);
  await world.breaches.pollCatalogue();
  await settle(world);
  for (const said of [pushover.received.at(-1), ntfy.received.at(-1)]) {
    expect(said?.title).toContain("New Shop");
    expect(said?.message).toContain(ALICE);
  }
  expect(pushover.received.at(-1)?.url).toContain("/en/alerts?alert=");
  expect(ntfy.received.map(({ message }) => message).join()).not.toContain("manage-contact");
});

test("a webhook accepts what is signed with the secret that its owner was shown", async () => {
  const { ground, world, webhook } = await open();
  const call = await signedUp(world, ALICE);
  const form = { address: ALICE, owner: true, language: "en", contacts: { email: [ALICE], webhook: [webhook.hook] } };
  expect((await call("POST", "/api/associations", form)).status).toBe(201);
  await settle(world);
  const { items } = (await (await call("GET", "/api/contacts")).json()) as { items: { id: string; channel: string }[] };
  const id = items.find(({ channel }) => channel === "webhook")?.id ?? "";
  const { secret } = (await (await call("POST", `/api/contacts/${id}/secret`, {})).json()) as { secret: string };
  webhook.use(secret);
  await settle(world);
  expect(webhook.refusals).toEqual([]);
  expect(webhook.received.map(({ type }) => type)).toEqual(["confirmation"]);
  const token = tokenIn(webhook.received[0]?.data.link?.url);
  expect(await (await call("POST", "/api/contact-links/confirm", { token })).json()).toEqual({ state: "active" });

  ground.feed.publish(NEW);
  ground.feed.expose(ALICE, "New");
  ground.clock.pass(HOUR);
  await world.breaches.pollCatalogue();
  await settle(world);
  const alert = webhook.received.find(({ type }) => type === "alert");
  expect(alert?.data.alerts).toMatchObject([{ address: ALICE, breach: { name: "New", title: "New Shop" } }]);
});
