import { afterEach, describe, expect, test } from "bun:test";
import { createNotifications } from "../../src/notifications/mod.ts";
import { HOUR, MINUTE } from "./post_office.ts";
import { BOB, EVE, telegramWorld } from "./telegram_world.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
const chat = { id: String(BOB.id), username: "bob_miller", name: "Bob", languageCode: "en" };

describe("The bot's updates", () => {
  test("are polled by one process at a time; another takes over when it is gone", async () => {
    const world = telegramWorld(cleanUps);
    const other = world.anotherWorker();
    world.peer.write(BOB, "/help");
    expect(await world.pollTelegram()).toBe(1);
    world.peer.write(BOB, "/help");
    expect(await other.pollTelegram()).toBe(0);
    expect(world.peer.sentTo(BOB)).toHaveLength(1);
    world.advance(2 * MINUTE);
    // The first process had not acknowledged its update, so it is delivered again, but not answered again.
    expect(await other.pollTelegram()).toBe(2);
    expect(world.peer.sentTo(BOB)).toHaveLength(2);
  });

  test("are acknowledged only when they are processed: failed ones are delivered again", async () => {
    const world = telegramWorld(cleanUps);
    let broken = true;
    const worker = createNotifications({
      ...world.deps,
      contactUses: {
        of: async () => {
          if (broken) throw new Error("the database is away");
          return [...world.routes.values()];
        },
      },
    });
    await world.connected();
    world.advance(2 * MINUTE);
    world.peer.write(BOB, "/status");
    expect(await worker.pollTelegram()).toBe(0);
    expect(world.reports).toHaveLength(1);
    broken = false;
    await worker.pollTelegram();
    expect(world.peer.sentTo(BOB).at(-1)?.text).toContain("a•••@home.example");
  });

  test("do not block others if one fails repeatedly", async () => {
    const world = telegramWorld(cleanUps);
    const contactUses = { of: () => Promise.reject(new Error("this one is poison")) };
    const worker = createNotifications({ ...world.deps, contactUses });
    await world.connected();
    world.advance(2 * MINUTE);
    world.peer.write(BOB, "/status");
    world.peer.write(EVE, "/help");
    for (let round = 0; round < 3; round += 1) await worker.pollTelegram();
    expect(world.reports).toHaveLength(3);
    expect(world.peer.sentTo(EVE)).toHaveLength(1);
  });

  test("of a chat that floods the bot get no response, but it can still stop its alerts", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.connected();
    for (let count = 0; count < 100; count += 1) world.peer.write(BOB, "hello");
    world.peer.write(BOB, "/stop");
    world.peer.write(EVE, "hello");
    // Telegram returns a hundred at a time.
    for (let round = 0; round < 2; round += 1) await world.pollTelegram();
    expect(world.peer.sentTo(BOB).length).toBeLessThan(65);
    expect(world.peer.sentTo(EVE)).toHaveLength(1);
    expect((await world.find(contact.id))?.state).toBe("unsubscribed");
    world.advance(HOUR);
    world.peer.write(BOB, "hello");
    await world.pollTelegram();
    expect(world.peer.sentTo(BOB).at(-1)?.text).toContain("/status");
  });

  test("end their poll immediately on stopping, without another one", async () => {
    const world = telegramWorld(cleanUps);
    const waiting = world.pollTelegram();
    while (!world.peer.requests.some(({ method }) => method === "getUpdates")) await Bun.sleep(1);
    await world.stopPolling();
    expect(await waiting).toBe(0);
    const asked = world.peer.requests.length;
    expect(await world.pollTelegram()).toBe(0);
    expect(world.peer.requests).toHaveLength(asked);
    expect(world.reports).toEqual([]);
    // The next process need not wait for the end of a lease.
    world.peer.write(BOB, "/help");
    expect(await world.anotherWorker().pollTelegram()).toBe(1);
  });

  test("are polled after a left-over webhook was removed", async () => {
    const world = telegramWorld(cleanUps);
    const secret = "a-secret-of-the-webhook-0123456789";
    await world.open({ webhook: { url: "https://breachbell.example/api/telegram/webhook", secret } }).bot.prepare();
    expect(world.peer.webhook()).toEqual({ url: "https://breachbell.example/api/telegram/webhook", secret });
    world.peer.write(BOB, "/help");
    expect(await world.pollTelegram()).toBe(1);
    expect(world.peer.webhook()).toBeUndefined();
    expect(world.peer.commands).toHaveLength(2);
  });

  test("are not polled when a webhook is used", () => {
    const world = telegramWorld(cleanUps);
    const { bot } = world.open({ webhook: { url: "https://breachbell.example/api/telegram/webhook", secret: "x" } });
    expect(bot.updates).toBeUndefined();
  });

  test("are answered once when a webhook delivers them twice", async () => {
    const world = telegramWorld(cleanUps);
    world.peer.write(BOB, "/start");
    for (let round = 0; round < 2; round += 1) await world.onTelegramUpdate({ id: 7, kind: "help", chat });
    expect(world.peer.sentTo(BOB)).toHaveLength(1);
  });

  test("are polled again after a delay when Telegram fails, which is reported to the operator", async () => {
    const world = telegramWorld(cleanUps);
    await world.bot.prepare();
    const requests = () => world.peer.requests.filter(({ method }) => method === "getUpdates").length;
    await world
      .open({ webhook: { url: "https://breachbell.example/x", secret: "other-secret-0123456789" } })
      .bot.prepare();
    expect(await world.pollTelegram()).toBe(0);
    expect(String(world.reports[0])).toContain("409");
    expect(await world.pollTelegram()).toBe(0);
    expect(requests()).toBe(1);
    world.advance(10_000);
    world.peer.write(BOB, "/help");
    expect(await world.pollTelegram()).toBe(1);
  });
});
