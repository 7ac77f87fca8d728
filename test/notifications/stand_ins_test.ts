import { afterEach, describe, expect, test } from "bun:test";
import { openStandIns } from "../../src/notifications/adapters/channels/inbox/mailbox_stand_ins.ts";
import { pushoverSender } from "../../src/notifications/adapters/channels/pushover/pushover.ts";
import type { TelegramUpdates } from "../../src/notifications/telegram/telegram_ports.ts";
import { LINK_URL, standInsWith } from "../support/stand_ins.ts";
import { content, messageTo } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
const unstopped = new AbortController().signal;

/** A successful poll. */
function updatesOf(answer: TelegramUpdates | undefined) {
  if (answer?.kind !== "updates") throw new Error(`No updates: ${JSON.stringify(answer)}`);
  return answer;
}

describe("Telegram in the local inbox", () => {
  test("adds the bot to a group, which gets messages of its own", async () => {
    const { standIns, telegram } = await standInsWith(cleanUps);
    expect(await telegram.bot.startLink("a-payload", "group")).toBe(`${LINK_URL}/breachbell_bot?startgroup=a-payload`);
    await telegram.bot.prepare();
    const first = updatesOf(await telegram.bot.updates?.(undefined, unstopped));
    standIns.telegram.start("bob_miller", "a-payload", true);
    const { updates } = updatesOf(await telegram.bot.updates?.(first.lastId, unstopped));
    expect(updates).toMatchObject([{ kind: "start", payload: "a-payload", chat: { name: "bob_miller" } }]);
    const id = updates[0]?.chat.id ?? "";
    expect(id).toStartWith("-");
    expect(await telegram.bot.reply({ id }, { text: "Hello", buttons: [] })).toBe(true);
  });

  test("has links that lead to itself, and delivers Start with the link's payload as an update, once", async () => {
    const { standIns, telegram, bob, troubles } = await standInsWith(cleanUps);
    expect(await telegram.bot.startLink("a-payload", "chat")).toBe(`${LINK_URL}/breachbell_bot?start=a-payload`);
    await telegram.bot.prepare();
    const first = updatesOf(await telegram.bot.updates?.(undefined, unstopped));
    standIns.telegram.start("Bob_Miller", "a-payload", false);
    const { updates, lastId } = updatesOf(await telegram.bot.updates?.(first.lastId, unstopped));
    expect(updates).toMatchObject([
      { kind: "start", payload: "a-payload", chat: { id: String(bob), username: "bob_miller" } },
    ]);
    const waits = telegram.bot.updates?.(lastId, unstopped);
    standIns.telegram.write(bob, "/status");
    expect(updatesOf(await waits).updates).toMatchObject([{ kind: "status" }]);
    expect(troubles).toEqual([]);
  });

  test("allows only one poll at a time", async () => {
    const { telegram } = await standInsWith(cleanUps);
    const { lastId } = updatesOf(await telegram.bot.updates?.(undefined, unstopped));
    const first = telegram.bot.updates?.(lastId, unstopped);
    const ending = new AbortController();
    // The second poll is sent while the first is pending, and ends it.
    const second = telegram.bot.updates?.(lastId, ending.signal);
    const ended = await Promise.race([first, second]);
    expect(ended).toMatchObject({ kind: "trouble" });
    ending.abort();
    await second;
  });

  test("delivers a pressed button and shows its response; buttons that do not exist cannot be pressed", async () => {
    const { standIns, telegram, bob } = await standInsWith(cleanUps);
    const { lastId } = updatesOf(await telegram.bot.updates?.(undefined, unstopped));
    await telegram.bot.reply(
      { id: String(bob) },
      { text: "Hello <you> & all", buttons: [{ text: "Stop", data: "s.1" }] },
    );
    const [message] = telegram.messages();
    expect(message).toMatchObject({ text: "Hello &lt;you&gt; &amp; all", keyboard: [[{ callback_data: "s.1" }]] });
    standIns.telegram.press(message?.id ?? 0, "s.2");
    standIns.telegram.press(message?.id ?? 0, "s.1");
    const { updates } = updatesOf(await telegram.bot.updates?.(lastId, unstopped));
    expect(updates).toMatchObject([{ kind: "button", data: "s.1", chat: { id: String(bob) } }]);
    const [press] = updates;
    if (press?.kind !== "button") throw new Error("No button was pressed");
    await telegram.bot.answerButton(press.callbackId, "No more alerts");
    expect(telegram.messages()[0]?.answer).toBe("No more alerts");
  });

  test("accepts nothing for a user who has blocked the bot, or never started it", async () => {
    const { standIns, telegram, recipient, bob } = await standInsWith(cleanUps);
    const send = (chatId: string) =>
      telegram.sender.send(messageTo("bob_miller", { to: { ...recipient.telegram, chatId } }));
    standIns.telegram.block(bob, true);
    expect(await send(String(bob))).toMatchObject({ kind: "dead", cause: "recipient" });
    standIns.telegram.block(bob, false);
    expect(await send(String(bob))).toMatchObject({ kind: "delivered" });
    expect(await send("1")).toMatchObject({ kind: "dead", cause: "recipient" });
    const { updates } = updatesOf(await telegram.bot.updates?.(undefined, unstopped));
    expect(updates.map(({ kind }) => kind)).toEqual(["start", "blocked", "unblocked"]);
  });

  test.each([
    ["an unknown tag", { text: "<script>x</script>", parse_mode: "HTML" }],
    ["an unclosed tag", { text: "<b>x", parse_mode: "HTML" }],
    ["a bare ampersand", { text: "a & b", parse_mode: "HTML" }],
    ["nothing", { text: " " }],
    ["too much", { text: "x".repeat(4097) }],
    [
      "a button with too much data",
      { text: "x", reply_markup: { inline_keyboard: [[{ text: "x", callback_data: "x".repeat(65) }]] } },
    ],
    [
      "a link to this machine",
      { text: "x", reply_markup: { inline_keyboard: [[{ text: "x", url: "http://localhost:3000" }]] } },
    ],
  ])("rejects %s as Telegram does", async (_, fields) => {
    const { standIns, bob, telegram } = await standInsWith(cleanUps);
    const { baseUrl, token } = standIns.telegramAccess;
    const call = (given: string) =>
      fetch(`${baseUrl}/bot${given}/sendMessage`, {
        method: "POST",
        body: JSON.stringify({ chat_id: bob, ...fields }),
      });
    expect((await call(token)).status).toBe(400);
    expect((await call("1:somebody-else")).status).toBe(401);
    expect(telegram.messages()).toEqual([]);
  });
});

describe("Pushover in the local inbox", () => {
  const emergencyTo = (to: { channel: "pushover"; value: string }) =>
    messageTo(to.value, { to, urgency: "critical", emergency: true });

  test("accepts the one key that it shows, and its devices", async () => {
    const { pushover, recipient } = await standInsWith(cleanUps);
    expect(await pushover.sender.check?.(recipient.pushover.value)).toEqual({
      kind: "valid",
      devices: ["phone", "desktop"],
    });
    expect(await pushover.sender.check?.("x".repeat(30))).toEqual({ kind: "invalid" });
    const elsewhere = messageTo("x".repeat(30), { to: { channel: "pushover", value: "x".repeat(30) } });
    expect(await pushover.sender.send(elsewhere)).toMatchObject({ kind: "dead", cause: "recipient" });
  });

  test("lets an emergency be acknowledged once, and returns the time", async () => {
    let at = new Date("2026-03-02T08:00:00.000Z");
    const { standIns, pushover, recipient } = await standInsWith(cleanUps, () => at);
    const sent = await pushover.sender.send(emergencyTo(recipient.pushover));
    const receipt = sent.kind === "delivered" ? (sent.receipt ?? "") : "";
    expect(receipt).toMatch(/^[A-Za-z0-9]{30}$/);
    expect(await pushover.sender.receipts?.look(receipt)).toEqual({ acknowledgedAt: null, expired: false });
    at = new Date("2026-03-02T08:03:00.000Z");
    standIns.pushover.acknowledge(receipt);
    const acknowledgedAt = at;
    at = new Date("2026-03-02T08:04:00.000Z");
    standIns.pushover.acknowledge(receipt);
    expect(await pushover.sender.receipts?.look(receipt)).toEqual({ acknowledgedAt, expired: false });
  });

  test("ends an emergency that is cancelled, or not seen within its time", async () => {
    let at = new Date("2026-03-02T08:00:00.000Z");
    const { standIns, pushover, recipient } = await standInsWith(cleanUps, () => at);
    const receiptOf = async () => {
      const sent = await pushover.sender.send(emergencyTo(recipient.pushover));
      return sent.kind === "delivered" ? (sent.receipt ?? "") : "";
    };
    const [cancelled, late] = [await receiptOf(), await receiptOf()];
    expect(await pushover.sender.receipts?.cancel(cancelled)).toBe(true);
    expect(await pushover.sender.receipts?.look(cancelled)).toEqual({ acknowledgedAt: null, expired: true });
    at = new Date("2026-03-02T09:00:00.000Z");
    expect(await pushover.sender.receipts?.look(late)).toEqual({ acknowledgedAt: null, expired: true });
    standIns.pushover.acknowledge(late);
    expect(await pushover.sender.receipts?.look(late)).toEqual({ acknowledgedAt: null, expired: true });
    expect(await pushover.sender.receipts?.look("unknown")).toEqual({ acknowledgedAt: null, expired: true });
  });

  test("refuses access without this process's token", async () => {
    const { standIns, recipient } = await standInsWith(cleanUps);
    const stranger = pushoverSender({
      baseUrl: standIns.pushoverAccess.baseUrl,
      appToken: "a".repeat(30),
      userAgent: "x",
      now: () => new Date(),
      report: () => {},
    });
    expect(await stranger.send(messageTo("x", { to: recipient.pushover, content }))).toMatchObject({
      kind: "misconfigured",
    });
    expect(standIns.pushover.look().messages).toEqual([]);
  });
});

test("The fakes keep everything across a restart, under new tokens", async () => {
  const { standIns, directory, recipient, telegram, bob } = await standInsWith(cleanUps);
  await telegram.bot.reply({ id: String(bob) }, { text: "Hello", buttons: [] });
  const again = openStandIns({ directory, now: () => new Date() });
  cleanUps.push(again.close);
  expect(again.pushover.look().userKey).toBe(recipient.pushover.value);
  expect(again.telegram.look()).toEqual(standIns.telegram.look());
  expect(again.telegramAccess.token).not.toBe(standIns.telegramAccess.token);
});
