import { describe, expect, test } from "bun:test";
import type { NotificationStore } from "../../src/notifications/ports.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { MINUTE, SECOND } from "../support/clock.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "../support/world.ts";

const SECRET = "key 0123456789abcdef was refused by 10.0.0.7";

/** The product with a database that can stop responding, and its public status. */
function product() {
  const ground = memoryGround();
  const adapters = adaptersOn(ground);
  let pings = 0;
  let isSilent = false;
  adapters.system.ping = async () => {
    pings += 1;
    if (isSilent) throw new Error(SECRET);
  };
  const world = composed(adapters);
  const ask = () => world.app.request("/api/service-status");
  return {
    ground,
    adapters,
    world,
    ask,
    pings: () => pings,
    silence: (silent: boolean) => {
      isSilent = silent;
    },
    /** The status after the cached one has expired. */
    async status() {
      ground.clock.pass(10 * SECOND);
      const answer = await ask();
      expect(answer.status).toBe(200);
      return answer.json();
    },
  };
}

/** A source that is known to refuse requests for a while. */
async function pauseSource({ ground, adapters }: ReturnType<typeof product>, forMs: number): Promise<void> {
  const source = adapters.gateways.feeds[0]?.source ?? "";
  await ground.transactionOf(memoryBreaches)(async ({ sources }) => {
    await sources.noteLookUpTrouble(source, { reason: SECRET, keepsCause: false });
    await sources.pause(source, new Date(ground.clock.now().getTime() + forMs));
  });
}

describe("GET /api/service-status", () => {
  test("shows everybody that all is well, without a session", async () => {
    const { world, status, ground } = product();
    await signedUp(world, "alice@example.com");
    await world.breaches.syncCatalogue();
    const syncedAt = ground.clock.now().toISOString();
    await settle(world);
    const answer = await status();
    expect(answer).toEqual({
      state: "well",
      checkedAt: ground.clock.now().toISOString(),
      measuredSince: null,
      sources: [
        { source: "memory", state: "well", pausedUntil: null, syncedAt, oldestDueAt: null, leftOut: 0, days: [] },
      ],
      channels: [{ channel: "email", state: "well", successPercent: null, days: [] }],
      oldestWaitingSeconds: null,
      detectionToAcceptance: { medianSeconds: null, p95Seconds: null, possiblyTwicePercent: null, days: [] },
      incidents: [],
    });
  });

  test("shows a paused source until it is queried again, and never the reason", async () => {
    const all = product();
    await all.world.breaches.syncCatalogue();
    await pauseSource(all, 5 * MINUTE);
    const pausedUntil = new Date(all.ground.clock.now().getTime() + 5 * MINUTE).toISOString();
    const paused = await all.status();
    expect(paused).toMatchObject({ state: "impaired", sources: [{ state: "paused", pausedUntil }] });
    expect(JSON.stringify(paused)).not.toContain("refused");
    all.ground.clock.pass(5 * MINUTE);
    expect(await all.status()).toMatchObject({ sources: [{ state: "troubled", pausedUntil: null }] });
    await signedUp(all.world, "alice@example.com");
    const call = await signedUp(all.world, "bob@example.com");
    const tracking = { address: "bob@example.com", owner: true, language: "en" };
    await call("POST", "/api/associations", { ...tracking, contacts: { email: ["bob@example.com"] } });
    await settle(all.world);
    expect(await all.status()).toMatchObject({ state: "well", sources: [{ state: "well", pausedUntil: null }] });
  });

  test("shows that mail is rejected, without the server's reply", async () => {
    const { world, adapters, status } = product();
    let isRefused = true;
    const refused = Object.assign(new Error(SECRET), { code: SECRET });
    const verify = async () => {
      if (isRefused) throw refused;
    };
    Object.assign(adapters.gateways.senders.email ?? {}, { verify });
    await world.notifications.verifyChannels();
    const troubled = await status();
    expect(troubled).toMatchObject({ state: "impaired", channels: [{ channel: "email", state: "troubled" }] });
    expect(JSON.stringify(troubled)).not.toContain("refused");
    isRefused = false;
    await world.notifications.verifyChannels();
    expect(await status()).toMatchObject({ state: "well", channels: [{ state: "well" }] });
  });

  test("shows a channel that is paused after failures", async () => {
    const { ground, status } = product();
    await ground.transactionOf<NotificationStore>(memoryNotifications)(async ({ channels }) => {
      for (let count = 0; count < 5; count += 1) await channels.countFailure("email", "535");
      await channels.pause("email", new Date(ground.clock.now().getTime() + MINUTE));
    });
    expect(await status()).toMatchObject({ state: "impaired", channels: [{ channel: "email", state: "resting" }] });
  });

  test("is degraded once work has waited for ten minutes", async () => {
    const { world, ground, status } = product();
    const body = JSON.stringify({ email: "alice@example.com" });
    const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
    await signedUp(world, "alice@example.com");
    await settle(world);
    await world.app.request("/api/forgot-password", { method: "POST", headers, body });
    await world.dispatcher.drain();
    expect(await status()).toMatchObject({ state: "well", oldestWaitingSeconds: 10 });
    ground.clock.pass(10 * MINUTE - 20 * SECOND);
    expect(await status()).toMatchObject({ state: "impaired", oldestWaitingSeconds: 600 });
    await settle(world);
    expect(await status()).toMatchObject({ state: "well", oldestWaitingSeconds: null });
  });

  test("shows that the service is down while the database does not respond, even with a session", async () => {
    const { ground, world, silence, status } = product();
    const call = await signedUp(world, "alice@example.com");
    await settle(world);
    silence(true);
    const down = await status();
    expect(down).toMatchObject({ state: "down", sources: [], channels: [], oldestWaitingSeconds: null });
    expect(JSON.stringify(down)).not.toContain("refused");
    expect(ground.errors.map(String)).toEqual([`Error: ${SECRET}`]);
    expect((await call("GET", "/api/service-status")).status).toBe(200);
    silence(false);
    expect(await status()).toMatchObject({ state: "well" });
  });

  test("checks once in ten seconds, for any number of concurrent requests", async () => {
    const { ground, ask, pings } = product();
    const first = await Promise.all(Array.from({ length: 50 }, async () => (await ask()).text()));
    ground.clock.pass(10 * SECOND - 1);
    expect(new Set([...first, await (await ask()).text()]).size).toBe(1);
    expect(pings()).toBe(1);
    ground.clock.pass(1);
    await ask();
    expect(pings()).toBe(2);
  });

  test("can be read by a monitor on another site, and cached for ten seconds", async () => {
    const { world, ask } = product();
    const answers = [await ask(), await world.app.request("/api/service-notice")];
    for (const { headers } of answers) {
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      expect(headers.get("Cache-Control")).toBe("public, max-age=10");
      expect(headers.get("Set-Cookie")).toBeNull();
    }
  });

  test("sums up each day's minutes, including the degraded ones, once for any number of processes", async () => {
    const all = product();
    const { world, ground, adapters, status } = all;
    const other = composed(adapters);
    await world.breaches.syncCatalogue();
    for (let minute = 0; minute < 5; minute += 1) {
      if (minute === 3) await pauseSource(all, 5 * MINUTE);
      await Promise.all([world.operations.measureParts(), other.operations.measureParts()]);
      ground.clock.pass(30 * SECOND);
      await world.operations.measureParts();
      ground.clock.pass(30 * SECOND);
    }
    const day = "2026-11-20";
    expect(await status()).toMatchObject({
      measuredSince: day,
      sources: [{ source: "memory", days: [{ day, measuredMinutes: 5, troubledMinutes: 2 }] }],
      channels: [{ channel: "email", days: [{ day, measuredMinutes: 5, troubledMinutes: 0, successPercent: null }] }],
    });
  });

  test("shows rates of past days only, and not of days with few messages", async () => {
    const { world, ground, status } = product();
    const call = await signedUp(world, "alice@example.com");
    for (let turn = 0; turn < 12; turn += 1) {
      await call("POST", "/api/forgot-password", { email: "alice@example.com" });
      await settle(world);
      ground.clock.pass(10 * MINUTE);
    }
    await world.operations.measureParts();
    expect(await status()).toMatchObject({ channels: [{ successPercent: null, days: [{ successPercent: null }] }] });
    ground.clock.pass(24 * 60 * MINUTE);
    const later = await status();
    expect(JSON.stringify(later)).not.toMatch(/"(accepted|failed|refused|count)"/);
    expect(ground.sender.sent.length).toBeGreaterThanOrEqual(10);
    expect(later).toMatchObject({ channels: [{ successPercent: 100, days: [{ successPercent: 100 }] }] });
  });

  test("is described, with its schema", async () => {
    const { paths } = (await (await product().world.app.request("/api/openapi.json")).json()) as {
      paths: Record<string, { get?: { responses: unknown } }>;
    };
    const described = JSON.stringify(paths["/api/service-status"]?.get?.responses);
    for (const word of ["impaired", "paused", "resting", "oldestWaitingSeconds"]) expect(described).toContain(word);
  });
});

test("/api/instance returns an external status page, and none by default", async () => {
  const tell = async (more: { statusPageUrl?: string }) => {
    const answer = await composed(adaptersOn(memoryGround()), more).app.request("/api/instance");
    return ((await answer.json()) as { statusPageUrl: string | null }).statusPageUrl;
  };
  expect(await tell({})).toBeNull();
  expect(await tell({ statusPageUrl: "https://status.example.org/" })).toBe("https://status.example.org/");
});
