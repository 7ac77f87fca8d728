import { afterEach, describe, expect, test } from "bun:test";
import { adobe, MINUTE } from "./post_office.ts";
import { BOB, buttonUnder, EVE, telegramWorld } from "./telegram_world.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
const ALERT = "0195f2b0-0000-7000-8000-00000000a1e7";

describe("Connecting a Telegram contact", () => {
  test("a typed username is pending: nothing is sent there, and the account is notified instead", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    expect(contact.state).toBe("unconfirmed");
    await world.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [world.found(ALERT, "alice-home")] });
    await world.deliverDue();
    expect(world.peer.sent).toEqual([]);
    expect(world.sentTo()).toEqual(["alice@breachbell.example"]);
  });

  test("opening the link under the typed name connects, names the requester, and delivers what was pending", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    await world.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [world.found(ALERT, "alice-home")] });
    const url = await world.linkOf(contact.id);
    expect(url).toMatch(/^https:\/\/t\.me\/breachbell_bot\?start=[\w-]{43}$/);
    expect(await world.showTelegramLink("alice", contact.id)).toMatchObject({ ok: true, value: { state: "waiting" } });
    world.peer.open(BOB, url);
    expect(await world.pollTelegram()).toBe(1);
    expect(await world.showTelegramLink("alice", contact.id)).toMatchObject({ ok: true, value: { state: "linked" } });
    expect(await world.find(contact.id)).toMatchObject({
      state: "active",
      chatId: String(BOB.id),
      label: "@Bob_Miller (Bob)",
    });
    expect(world.peer.sentTo(BOB)[0]?.text).toContain("a•••@breachbell.example");
    await world.deliverDue();
    expect(world.peer.sentTo(BOB)[1]?.text).toContain("Adobe");
  });

  test("another of the person's usernames is accepted, ignoring case", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf("bobby_m");
    world.peer.open({ ...BOB, otherNames: ["Bobby_M"] }, await world.linkOf(contact.id));
    await world.pollTelegram();
    expect(await world.find(contact.id)).toMatchObject({ state: "active" });
  });

  test("anyone else who opens the link is not connected until the account approves", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    world.peer.open(EVE, await world.linkOf(contact.id));
    await world.pollTelegram();
    expect(await world.find(contact.id)).toMatchObject({ state: "unconfirmed", chatId: undefined });
    expect(await world.showTelegramLink("alice", contact.id)).toMatchObject({
      ok: true,
      value: { state: "needs_confirmation", candidate: { username: "eve_online", name: "Eve" } },
    });
    expect(await world.confirmTelegramLink("mallory", contact.id)).toEqual({ ok: false, code: "NOT_FOUND" });
    expect(await world.confirmTelegramLink("alice", contact.id)).toMatchObject({ ok: true });
    expect(await world.find(contact.id)).toMatchObject({ state: "active", chatId: String(EVE.id) });
  });

  test("a link works once, and a new one voids the old", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    const old = await world.linkOf(contact.id);
    const fresh = await world.linkOf(contact.id);
    world.peer.open(BOB, old);
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("unconfirmed");
    world.peer.open(BOB, fresh);
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("active");
    world.peer.open(EVE, fresh);
    await world.pollTelegram();
    expect((await world.find(contact.id))?.chatId).toBe(String(BOB.id));
    expect(world.peer.sentTo(EVE)[0]?.text).toContain("no longer valid");
  });

  test("a link for oneself is valid for 15 minutes, one for somebody else for three days", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    const url = await world.linkOf(contact.id);
    const long = await world.startTelegramLink("alice", { contactId: contact.id, whose: "somebody" });
    expect(long).toMatchObject({ ok: true, value: { expiresAt: "2026-03-05T08:00:00.000Z" } });
    const short = await world.linkOf(contact.id);
    world.advance(15 * MINUTE);
    for (const link of [url, short]) world.peer.open(BOB, link);
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("unconfirmed");
    expect(await world.showTelegramLink("alice", contact.id)).toMatchObject({ ok: true, value: { state: "expired" } });
  });

  test("links are available for the account's own Telegram contacts only", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    const own = (await world.deps.transaction((store) => store.contacts.list("alice"))).find(
      ({ channel }) => channel === "email",
    );
    for (const [accountId, contactId] of [
      ["mallory", contact.id],
      ["alice", own?.id ?? crypto.randomUUID()],
      ["alice", crypto.randomUUID()],
    ] as const) {
      expect(await world.startTelegramLink(accountId, { contactId, whose: "me" })).toMatchObject({ code: "NOT_FOUND" });
      expect(await world.showTelegramLink(accountId, contactId)).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("without a response from Telegram there is no link, but an explanation", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    world.peer.fail({ status: 500, description: "Internal Server Error" });
    expect(await world.startTelegramLink("alice", { contactId: contact.id, whose: "me" })).toMatchObject({
      code: "CHANNEL_UNAVAILABLE",
    });
    // An account without such a contact causes no request.
    expect(await world.startTelegramLink("mallory", { contactId: contact.id, whose: "me" })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await world.linkOf(contact.id)).toContain("breachbell_bot");
  });

  test("of two users who open one link concurrently, one is connected", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.contactOf();
    const payload = new URL(await world.linkOf(contact.id)).searchParams.get("start") ?? "";
    const chatOf = (id: string) => ({ id, username: "bob_miller", name: "Bob", languageCode: undefined });
    await Promise.all(
      ["11", "12"].map((id, index) => world.onTelegramUpdate({ id: index, kind: "start", payload, chat: chatOf(id) })),
    );
    const connected = await Promise.all(
      ["11", "12"].map((id) => world.deps.transaction((store) => store.contacts.listByChat(id))),
    );
    expect(connected.flat()).toHaveLength(1);
  });
});

describe("In a connected chat", () => {
  test("an alert has its button, and pressing it handles the alert once", async () => {
    const world = telegramWorld(cleanUps);
    await world.connected();
    await world.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [world.found(ALERT, "alice-home", adobe)] });
    await world.deliverDue();
    const message = world.peer.sentTo(BOB).at(-1);
    expect(buttonUnder(message, "View this alert") ?? message?.reply_markup?.inline_keyboard[0]?.[0]).toMatchObject({
      url: expect.stringContaining(`/alerts?alert=${ALERT}`),
    });
    const data = buttonUnder(message, "Mark as handled")?.callback_data ?? "";
    expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
    world.peer.press(BOB, data);
    world.peer.press(BOB, data);
    await world.pollTelegram();
    expect(world.handled).toEqual([{ accountId: "alice", alertId: ALERT, version: 1 }]);
    expect(world.peer.answered.map(({ text }) => text)).toEqual([
      "Als erledigt markiert.",
      "Diese Warnung hat sich inzwischen geändert. Bitte sehen Sie sie in Breachbell an.",
    ]);
  });

  test("a button does nothing in another chat, when forged, or after the contact was stopped", async () => {
    const world = telegramWorld(cleanUps);
    await world.connected();
    await world.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [world.found(ALERT, "alice-home")] });
    await world.deliverDue();
    const data = buttonUnder(world.peer.sentTo(BOB).at(-1), "Mark as handled")?.callback_data ?? "";
    world.peer.press(EVE, data);
    world.peer.press(BOB, `${data.slice(0, -1)}${data.endsWith("A") ? "B" : "A"}`);
    world.peer.press(BOB, "h.x.y");
    world.peer.write(BOB, "/stop");
    world.peer.press(BOB, data);
    await world.pollTelegram();
    expect(world.handled).toEqual([]);
    expect(world.peer.answered).toHaveLength(4);
  });

  test("/stop and the stop button end the alerts; a new link resumes them", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.connected();
    const stop = buttonUnder(world.peer.sentTo(BOB)[0], "Diese Warnungen beenden")?.callback_data ?? "";
    world.peer.press(BOB, stop);
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("unsubscribed");
    world.peer.open(BOB, await world.linkOf(contact.id));
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("active");
    world.peer.write(BOB, "/stop");
    world.peer.write(BOB, "/stop");
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("unsubscribed");
    expect(world.peer.sentTo(BOB).at(-1)?.text).toBe("In diesen Chat kommen keine Warnungen.");
  });

  test("/status lists the addresses, masked; anything else returns the overview", async () => {
    const world = telegramWorld(cleanUps);
    await world.connected();
    for (const text of ["/status", "hello", "/start"]) world.peer.write(BOB, text);
    await world.pollTelegram();
    const [, status, help, explained] = world.peer.sentTo(BOB).map(({ text }) => text);
    expect(status).toContain("a•••@home.example");
    expect(status).not.toContain("alice@home.example");
    expect(help).toContain("/status");
    expect(explained).toContain("Bot von Breachbell");
  });

  test("the bot speaks the language of the alerts, whatever the language of the app", async () => {
    const world = telegramWorld(cleanUps);
    await world.connected();
    const { language_code: _german, ...unknown } = BOB;
    for (const bob of [unknown, { ...BOB, language_code: "fr" }]) {
      world.peer.write(bob, "/status");
      await world.pollTelegram();
      expect(world.peer.sentTo(BOB).at(-1)?.text).toStartWith("Warnungen zu");
    }
  });

  test("blocking is detected immediately, unblocking resumes the alerts", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.connected();
    world.peer.block(BOB);
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("broken");
    await world.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [world.found(ALERT, "alice-home")] });
    await world.deliverDue();
    expect(world.sentTo()).toEqual(["alice@breachbell.example"]);
    world.peer.unblock(BOB);
    await world.pollTelegram();
    expect((await world.find(contact.id))?.state).toBe("active");
    expect(world.peer.sentTo(BOB).at(-1)?.text).toContain("wieder");
  });

  test("a block detected by the next message disables the contact, and notifies the account", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.connected();
    world.peer.deactivate(BOB);
    await world.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [world.found(ALERT, "alice-home")] });
    await world.deliverDue();
    expect((await world.find(contact.id))?.state).toBe("broken");
    expect(world.sentTo()).toEqual(["alice@breachbell.example"]);
  });

  test("other bots, channels and groups with an unknown link get no response", async () => {
    const world = telegramWorld(cleanUps);
    const from = { ...BOB, is_bot: false };
    world.peer.know(BOB);
    world.peer.tell("message", { message_id: 1, chat: { id: -100, type: "group" }, from, text: "/start x" });
    world.peer.tell("message", { message_id: 1, chat: { id: 5, type: "private" }, from: { ...from, is_bot: true } });
    world.peer.tell("channel_post", { chat: { id: -5, type: "channel" } });
    expect(await world.pollTelegram()).toBe(1);
    expect(world.peer.sent).toEqual([]);
    expect(world.peer.answered).toEqual([]);
  });

  test("everything is deleted with the account", async () => {
    const world = telegramWorld(cleanUps);
    const contact = await world.connected();
    await world.onDeleted({ type: "identity.deleted", accountId: "alice" });
    const link = await world.deps.transaction(({ telegram }) => telegram.findLink({ contactId: contact.id }));
    expect(link).toBeUndefined();
    expect(await world.find(contact.id)).toBeUndefined();
  });
});
