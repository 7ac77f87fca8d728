import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { browserName, deviceName } from "../../web/notifications/push_browser.ts";

const SOURCE = readFileSync(join(import.meta.dirname, "../../web/app/offline_worker.js"), "utf8");
const ORIGIN = "https://breachbell.example";

type Options = { body?: string; tag?: string; actions?: { action: string; title: string }[]; data?: unknown };
type Shown = Options & { title: string; close(): void };

/** The service worker with a browser around it that keeps notifications, the badge, and what is opened and sent. */
function start({ hasBadge = true } = {}) {
  const shown: Shown[] = [];
  const opened: string[] = [];
  const sent: { path: string; body: unknown }[] = [];
  const listeners = new Map<string, (event: object) => void>();
  let badge = 0;
  const registration = {
    async showNotification(title: string, options: Options) {
      const same = shown.findIndex(({ tag }) => tag !== undefined && tag === options.tag);
      if (same >= 0) shown.splice(same, 1);
      const notification: Shown = { title, ...options, close: () => void shown.splice(shown.indexOf(notification), 1) };
      shown.push(notification);
    },
    getNotifications: async () => shown,
  };
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    registration,
    clients: { openWindow: async (address: string) => opened.push(address) },
  };
  const setBadge = {
    async setAppBadge(count: number) {
      badge = count;
    },
    async clearAppBadge() {
      badge = 0;
    },
  };
  const fetch = async (path: string, { body }: { body: string }) => sent.push({ path, body: JSON.parse(body) });
  const location = { origin: ORIGIN };
  runInContext(SOURCE, createContext({ self, navigator: hasBadge ? setBadge : {}, location, fetch, URL, console }));

  /** Fires an event and waits for what it started. */
  async function fire(name: string, event: object): Promise<void> {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(name)?.({ ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) });
    await work;
  }
  const push = (text: string) => fire("push", { data: { json: () => JSON.parse(text) } });
  const press = (action: string, notification = shown[0]) => fire("notificationclick", { action, notification });
  return { shown, opened, sent, push, press, fire, badge: () => badge };
}

const message = (tag = "d1", more: object = {}) =>
  JSON.stringify({
    web_push: 8030,
    notification: {
      ...{ title: "Canva data breach", body: "Change your password", lang: "en-GB", dir: "ltr", tag },
      navigate: `${ORIGIN}/en/alerts?alert=1`,
      actions: [
        { action: "open", title: "Open", navigate: `${ORIGIN}/en/alerts?alert=1` },
        { action: "seen", title: "Seen", navigate: `${ORIGIN}/en/alerts?alert=1` },
      ],
      data: { delivery: tag, seen: "proof" },
      ...more,
    },
  });

describe("A push message", () => {
  test("is shown with its words and buttons, and counted on the app's icon", async () => {
    const { shown, push, badge } = start();
    await push(message("d1"));
    await push(message("d2"));
    expect(shown).toMatchObject([
      { tag: "d1" },
      { tag: "d2", title: "Canva data breach", body: "Change your password" },
    ]);
    expect(shown[0]?.actions).toEqual([
      { action: "open", title: "Open" },
      { action: "seen", title: "Seen" },
    ]);
    expect(badge()).toBe(2);
  });

  test("that is repeated replaces the first", async () => {
    const { shown, push, badge } = start();
    for (const _ of [1, 2]) await push(message("d1"));
    expect([shown.length, badge()]).toEqual([1, 1]);
  });

  test.each(["", "no JSON", "{}", '{"notification":{}}', "null"])(
    "that cannot be read is still shown: %j",
    async (text) => {
      const { shown, push } = start();
      await push(text);
      expect(shown.map(({ title }) => title)).toEqual(["Breachbell"]);
    },
  );

  test("is shown by a browser without badges, too", async () => {
    const { shown, push } = start({ hasBadge: false });
    await push(message());
    expect(shown).toHaveLength(1);
  });
});

describe("A notification", () => {
  test("is marked as seen by its button, without opening anything", async () => {
    const { shown, opened, sent, push, press, badge } = start();
    await push(message());
    await press("seen");
    expect(sent).toEqual([{ path: "/api/push/seen", body: { delivery: "d1", mark: "proof" } }]);
    expect([shown, opened, badge()]).toEqual([[], [], 0]);
  });

  test.each(["open", ""])("opens its page and is marked as seen when pressed: %j", async (action) => {
    const { opened, sent, push, press } = start();
    await push(message());
    await press(action);
    expect(opened).toEqual([`${ORIGIN}/en/alerts?alert=1`]);
    expect(sent).toHaveLength(1);
  });

  test.each(["https://evil.example/", "javascript:alert(1)", "nonsense"])("never opens %s", async (navigate) => {
    const { opened, push, press } = start();
    await push(message("d1", { navigate }));
    await press("open");
    expect(opened).toEqual(["/"]);
  });

  test("that is dismissed is no longer counted", async () => {
    const { shown, push, fire, badge } = start();
    await push(message());
    shown[0]?.close();
    await fire("notificationclose", {});
    expect(badge()).toBe(0);
  });
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Firefox · Linux"],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
    "Chrome",
    "Chrome · Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari",
    "Safari · iPhone",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
    "Edge",
    "Edge · Windows",
  ],
  ["curl/8", "Browser", "Browser"],
])("deviceName() names the browser and the system: %s", (agent, browser, device) => {
  expect([browserName(agent), deviceName(agent)]).toEqual([browser, device]);
});
