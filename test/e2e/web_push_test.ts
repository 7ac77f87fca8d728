import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page, Worker } from "playwright-core";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";
import { startPushPeer } from "../support/push_peer.ts";
import { type Client, codeIn, mailbox, mailsFromNow, signIn } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory, visit } from "./product.ts";
import { publishBreach } from "./publish.ts";

const ADA = "ada@example.com";

let product: Product;
let client: Client;
let peer: Awaited<ReturnType<typeof startPushPeer>>;
const dataDir = temporaryDirectory();
beforeAll(async () => {
  peer = await startPushPeer({ host: "localhost" });
  const authority = join(dataDir, "authority.pem");
  writeFileSync(authority, LOOPBACK_AUTHORITY);
  const env = { BILLING: "off", WEBHOOK_ALLOW_PRIVATE: "true", NODE_EXTRA_CA_CERTS: authority };
  product = await startProduct(env, dataDir);
  client = await signIn(product.url, ADA, async () => {
    const [mail] = await mailbox(product.url);
    return mail && codeIn(mail.text);
  });
}, 90_000);
afterAll(async () => {
  await product?.stop();
  await peer?.stop();
  removeDirectory(dataDir);
});

async function read<T>(path: string): Promise<T> {
  return (await (await client.call("GET", path)).json()) as T;
}

/**
 * Chromium has no push service here, so that the peer subscribes; the keys are those of a browser. Its headless form also refuses
 * notifications to every site.
 */
async function subscribeAtPeer(page: Page): Promise<void> {
  await page.exposeFunction("subscribeAtPeer", (key: string) => peer.subscribe({ key }));
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
    PushManager.prototype.subscribe = async (options) => {
      const { subscribeAtPeer } = window as unknown as {
        subscribeAtPeer(key: string): Promise<{ endpoint: string; p256dh: string; auth: string }>;
      };
      const { endpoint, ...keys } = await subscribeAtPeer(String(options?.applicationServerKey));
      return { endpoint, toJSON: () => ({ endpoint, keys }) } as unknown as PushSubscription;
    };
  });
}

/** Gives messages to the page's service worker, as the browser does when they arrive. */
async function workerOf(page: Page): Promise<{ worker: Worker; deliver(text: string): Promise<void> }> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    }),
  );
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registration;
  const worker = await eventually("the service worker runs", () => page.context().serviceWorkers()[0]);
  const deliver = async (data: string) => {
    await devtools.send("ServiceWorker.deliverPushMessage", { origin: product.url, registrationId, data });
  };
  return { worker, deliver };
}

type Shown = Notification & { actions?: { title: string }[] };

/** In the worker: keeps what it shows, as the headless browser shows no notification. */
function keepShown(): void {
  let open: Shown[] = [];
  const { registration } = self as unknown as Scope;
  Object.assign(registration, {
    async showNotification(title: string, options: object) {
      const shown = { title, ...options } as Shown;
      shown.close = () => {
        open = open.filter((one) => one !== shown);
      };
      open.push(shown);
    },
    getNotifications: async () => open,
  });
  const setBadge = (badge: number) => Object.assign(self, { badge });
  // Asking the headless browser itself for a badge ends its process.
  Object.assign(navigator, {
    setAppBadge: async (count: number) => setBadge(count),
    clearAppBadge: async () => setBadge(0),
  });
}

/** The part of a service worker's global scope that is used here. */
type Scope = {
  registration: { getNotifications(): Promise<Shown[]> };
  badge?: number;
};

const shownBy = (worker: Worker) =>
  worker.evaluate(async () => {
    const shown = await (self as unknown as Scope).registration.getNotifications();
    return shown.map(({ title, tag, actions = [] }) => ({
      title,
      tag,
      actions: actions.map((action) => action.title),
    }));
  });

const sent = (count: number) =>
  eventually(`${count} messages at the push service`, () => peer.received[count - 1], 120_000);

test("a device is connected, tested and alerted, replaced by email when it is gone, and turned on again", async () => {
  const { page, violations, errors, close } = await visit(product.url);
  await subscribeAtPeer(page);
  const [name = "", value = ""] = client.cookie().split("=");
  await page.context().addCookies([{ name, value, url: product.url }]);

  await page.goto("/en/contacts");
  await page.getByText("Push notification", { exact: true }).click();
  await page.getByText("Chrome will ask whether this site may send notifications.").waitFor();
  await page.getByLabel("Name of this device").fill("Ada’s laptop");
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await page.getByText("Notifications are on. Send a test to see one.").waitFor();
  const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Ada’s laptop" }) });
  await card.getByText("Active", { exact: true }).waitFor();

  const { worker, deliver } = await workerOf(page);
  await worker.evaluate(keepShown);
  await card.getByRole("button", { name: "Send a test to Ada’s laptop" }).click();
  await card.getByText("Accepted by the provider").waitFor();
  const trial = await sent(1);
  await deliver(trial.text);
  expect(await eventually("the test is shown", async () => (await shownBy(worker))[0])).toEqual({
    title: "Test: your alerts arrive here",
    tag: trial.payload.notification.tag,
    actions: ["Open", "Seen"],
  });
  expect(await worker.evaluate(() => (self as unknown as Scope).badge)).toBe(1);

  // A person's press on the button "Seen".
  await worker.evaluate(async () => {
    const [notification] = await (self as unknown as Scope).registration.getNotifications();
    self.dispatchEvent(Object.assign(new Event("notificationclick"), { notification, action: "seen", waitUntil() {} }));
  });
  await eventually("the notification is closed", async () => ((await shownBy(worker)).length === 0 ? true : undefined));
  const asked = `/api/test-alerts?ids=${trial.payload.notification.tag}`;
  type Deliveries = { items: { acknowledgedAt: string | null }[] };
  await eventually(
    "it counts as seen",
    async () => (await read<Deliveries>(asked)).items[0]?.acknowledgedAt ?? undefined,
  );
  const badge = () => worker.evaluate(() => (self as unknown as Scope).badge);
  await eventually("the badge is gone", async () => ((await badge()) === 0 ? true : undefined));

  const { items } = await read<{ items: { channel: string; value: string }[] }>("/api/contacts");
  const device = items.find(({ channel }) => channel === "webpush")?.value ?? "";
  const form = { address: ADA, owner: true, language: "en", contacts: { webpush: [device] } };
  expect((await client.call("POST", "/api/associations", form)).status).toBe(201);
  const first = await sent(2);
  expect(first.payload.notification.body).toContain(ADA);
  publishBreach(dataDir);
  const alert = await sent(3);
  await deliver(alert.text);
  const shown = await eventually("the alert is shown", async () => (await shownBy(worker))[0]);
  expect(shown.title).toBe(alert.payload.notification.title);
  expect(alert.payload.notification.navigate).toStartWith(`${product.url}/en/alerts?alert=`);

  peer.forget(`${peer.origin}${alert.subscription}`);
  const mails = await mailsFromNow(product.url, ADA);
  publishBreach(dataDir, "--all");
  await mails.mail(/breach/i);
  await page.reload();
  await card.getByText("This device no longer accepts notifications.").waitFor();
  await card.getByText("Cannot be reached").waitFor();

  await page.getByRole("button", { name: "Turn on again here: Ada’s laptop" }).click();
  await card.getByText("Active", { exact: true }).waitFor();
  expect([violations, errors]).toEqual([[], []]);
  await close();
}, 300_000);
