import { describe, expect, test } from "bun:test";
import type { Adapters } from "../../src/adapter_types.ts";
import type { BreachStore } from "../../src/breaches/ports.ts";
import type { DomainStore } from "../../src/domains/ports.ts";
import type { Contact, NotificationStore } from "../../src/notifications/ports.ts";
import { KEY_REFUSED } from "../../src/shared/sources.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { memoryDomains } from "../memory/domains/store.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { aBreach, accepted } from "../support/builders.ts";
import { adaptersOn, composed, memoryGround, settings, settle, signedUp } from "../support/world.ts";

const ADMIN = "admin@example.com";
type Outcome = { outcome: string };
type Item = { name: string; state: string; cause: string | null; testable: boolean; settings: string[] };
type Send = Parameters<typeof withSender>[0];

const DEADLINE_MS = 20;
function withSender(send: ReturnType<typeof memoryGround>["sender"]["send"]) {
  return { email: { channel: "email" as const, deadlineMs: DEADLINE_MS, send } };
}

/** `send` takes the place of the mail server once the office is set up. */
async function office(send?: Send, more: Partial<Adapters["gateways"]["senders"]> = {}) {
  const ground = { ...memoryGround(), feed: memoryFeed({ source: "hibp", breaches: [aBreach()] }) };
  const adapters = adaptersOn(ground);
  let isBroken = false;
  const { email = ground.sender } = adapters.gateways.senders;
  const world = composed({
    ...adapters,
    gateways: {
      ...adapters.gateways,
      senders: { ...withSender((message) => (isBroken && send ? send(message) : email.send(message))), ...more },
    },
  });
  const admin = await signedUp(world, ADMIN);
  const { accountId } = accepted(await world.identity.accountNamed(ADMIN));
  accepted(await world.identity.setStaff(accountId, { staff: true }));
  await settle(world);
  isBroken = true;
  const tryOut = async (connection: string) =>
    ((await (await admin("POST", `/api/staff/tests/${connection}`, {})).json()) as Outcome).outcome;
  return { ground, world, admin, accountId, tryOut };
}

describe("The staff's settings page", () => {
  test("names each part with its state and settings, and no secret", async () => {
    const { admin } = await office();
    const text = await (await admin("GET", "/api/staff/settings")).text();
    const shown = JSON.parse(text) as Record<string, Item[]>;
    const find = (name: string) =>
      Object.values(shown)
        .flat()
        .find((item) => item.name === name);
    expect(find("email")).toMatchObject({ state: "on", testable: true, settings: ["SMTP_URL", "MAIL_FROM"] });
    expect(find("telegram")).toMatchObject({ state: "off", testable: false, settings: ["TELEGRAM_BOT_TOKEN"] });
    expect(find("plans")).toMatchObject({ state: "stand_in" });
    expect(find("hibp")).toMatchObject({ state: "on", testable: true });
    expect(text).not.toContain("0".repeat(32));
    expect(text).not.toContain("smtp://");
    for (const token of settings().pushTokens) expect(text).not.toContain(token);
  });

  test("says that the mail server does not work and why", async () => {
    const verify = () => Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
    const { admin, world } = await office(undefined, {
      email: { channel: "email", send: async () => ({ kind: "delivered" }), verify },
    });
    await world.notifications.verifyChannels();
    const { channels } = (await (await admin("GET", "/api/staff/settings")).json()) as { channels: Item[] };
    expect(channels[0]).toMatchObject({ name: "email", state: "troubled", cause: "no_listener", testable: true });
  });

  test("says that a source does not work, until it does again", async () => {
    const { admin, ground, world } = await office();
    ground.feed.failNext("catalogue", { kind: "misconfigured", reason: "The key is refused" });
    await world.breaches.syncCatalogue();
    const hibp = async () => {
      const { sources } = (await (await admin("GET", "/api/staff/settings")).json()) as { sources: Item[] };
      return sources.find(({ name }) => name === "hibp");
    };
    expect(await hibp()).toMatchObject({ state: "troubled", cause: "source" });
    await world.breaches.syncCatalogue();
    expect(await hibp()).toMatchObject({ state: "on", cause: null });
    const until = new Date(ground.clock.now().getTime() + 60_000);
    await ground.transactionOf<BreachStore>(memoryBreaches)(({ sources }) => sources.pause("hibp", until));
    expect(await hibp()).toMatchObject({ state: "paused", cause: null });
    ground.clock.pass(60_000);
    expect(await hibp()).toMatchObject({ state: "on" });
  });
});

test("The staff's settings page says that a source refused the key when it was last asked about a domain", async () => {
  const { admin, ground } = await office();
  const note = (state: "trouble" | "answered", reason: string | undefined) =>
    ground.transactionOf<DomainStore>(memoryDomains)(({ sources }) =>
      sources.save({
        ...{ domain: "example.org", source: "hibp", state, reason, dueAt: ground.clock.now() },
        ...{ generation: undefined, askedAt: undefined, record: undefined },
      }),
    );
  const hibp = async () => {
    const { sources } = (await (await admin("GET", "/api/staff/settings")).json()) as { sources: Item[] };
    return sources.find(({ name }) => name === "hibp");
  };
  await note("trouble", "HIBP is down");
  expect(await hibp()).toMatchObject({ state: "on", cause: null });
  await note("trouble", `HIBP ${KEY_REFUSED}`);
  expect(await hibp()).toMatchObject({ state: "troubled", cause: "domain_key" });
  await note("answered", undefined);
  expect(await hibp()).toMatchObject({ state: "on", cause: null });
});

describe("A test by staff", () => {
  test("sends one mail to their own address, and is in the audit log", async () => {
    const { admin, ground, tryOut } = await office();
    const before = ground.sender.sent.length;
    expect(await tryOut("email")).toBe("accepted");
    expect(ground.sender.sent.slice(before).map(({ to }) => to.value)).toEqual([ADMIN]);
    const { acts } = (await (await admin("GET", "/api/staff/acts")).json()) as { acts: object[] };
    expect(acts[0]).toMatchObject({ act: "connection_tested", object: { kind: "installation", id: "email" } });
  });

  test("says what is missing", async () => {
    const { tryOut, admin } = await office();
    expect(await tryOut("telegram")).toBe("off");
    expect(await tryOut("xposedornot")).toBe("off");
    expect((await admin("POST", "/api/staff/tests/stripe", {})).status).toBeGreaterThanOrEqual(400);
  });

  test("names the cause of a failure without the provider's words", async () => {
    const reason = "EAUTH AUTH PLAIN 535 5.7.8 secret-of-the-provider";
    const { admin } = await office(async () => ({ kind: "misconfigured", scope: "channel", reason }));
    const answer = await admin("POST", "/api/staff/tests/email", {});
    expect(await answer.text()).toBe('{"outcome":"credentials"}');
  });

  test("ends when a provider hangs", async () => {
    const { tryOut } = await office(() => new Promise(() => {}));
    expect(await tryOut("email")).toBe("timeout");
  });

  test("goes to their own confirmed contact, and to no other", async () => {
    const reached: unknown[] = [];
    const telegram: Adapters["gateways"]["senders"]["telegram"] = {
      channel: "telegram",
      send: async ({ to }) => {
        reached.push(to);
        return { kind: "delivered" };
      },
    };
    const { tryOut, ground, accountId } = await office(undefined, { telegram });
    const at = ground.clock.now();
    const contact: Contact = {
      ...{ id: Bun.randomUUIDv7(), accountId, channel: "telegram", value: "@ada", language: "en", state: "active" },
      ...{ confirmHash: undefined, confirmExpiresAt: undefined, confirmedAt: at, refusedAt: undefined, createdAt: at },
      ...{ settings: {}, label: undefined, chatId: "4711", version: 1 },
    };
    const add = (more: Partial<Contact>) =>
      ground.transactionOf<NotificationStore>(memoryNotifications)(({ contacts }) =>
        contacts.add({ ...contact, ...more }),
      );
    await add({ id: Bun.randomUUIDv7(), value: "@stranger", accountId: Bun.randomUUIDv7() });
    await add({ id: Bun.randomUUIDv7(), value: "@later", state: "unconfirmed" });
    expect(await tryOut("telegram")).toBe("no_contact");
    await add({});
    expect(await tryOut("telegram")).toBe("accepted");
    expect(reached).toEqual([{ channel: "telegram", value: "@ada", chatId: "4711" }]);
  });

  test("asks a source once, and tells a refused key from a limit and an outage", async () => {
    const { ground, tryOut } = await office();
    const before = ground.feed.requests.length;
    expect(await tryOut("hibp")).toBe("answered");
    expect(ground.feed.requests.slice(before)).toEqual([{ call: "latest" }]);
    const later = { kind: "later", afterMs: 1000, reason: "busy" } as const;
    ground.feed.failNext("latest", later, { ...later, isRateLimit: true }, { kind: "misconfigured", reason: "no" });
    expect([await tryOut("hibp"), await tryOut("hibp"), await tryOut("hibp")]).toEqual([
      "unreachable",
      "limited",
      "credentials",
    ]);
  });

  test("is possible 20 times an hour, also at once", async () => {
    const { admin, ground } = await office();
    const before = ground.sender.sent.length;
    const many = await Promise.all(Array.from({ length: 25 }, () => admin("POST", "/api/staff/tests/email", {})));
    expect(many.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(ground.sender.sent.length - before).toBe(20);
  });
});
