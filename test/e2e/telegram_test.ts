import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";
import {
  startTelegramPeer,
  type TelegramGroup,
  type TelegramPeer,
  type TelegramPerson,
} from "../support/telegram_peer.ts";
import { eventually, type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const ALICE = "alice@example.com";
const FAMILY: TelegramGroup = { id: -1_001_234_567_890, title: "The family" };
const PERSON: TelegramPerson = { id: 7_000_000_001, first_name: "Alice", username: "Alice_Bell", language_code: "en" };

/**
 * Telegram end to end: the real process with a Bot API on this machine. Each test continues where the previous one
 * ended.
 */
describe("Telegram, from a typed name to an alert that is handled in the chat", () => {
  let hibp: HibpPeer;
  let telegram: TelegramPeer;
  let product: Product;
  let guest: Visit;

  beforeAll(async () => {
    hibp = await startHibpPeer({ published: "2025-11-14" });
    hibp.addAccount(ALICE, []);
    telegram = startTelegramPeer();
    product = await startProduct({
      HIBP_BASE_URL: hibp.url,
      HIBP_API_KEY: hibp.apiKey,
      HIBP_POLL_SECONDS: "1",
      TELEGRAM_BASE_URL: telegram.baseUrl,
      TELEGRAM_BOT_TOKEN: telegram.token,
    });
    guest = await visit(product.url, { viewport: { width: 1440, height: 900 } });
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    await hibp?.stop();
    await telegram?.close();
    if (product) removeDirectory(product.dataDir);
  });

  /** The first message to the user's chat with this text. */
  const messageWith = (part: string) =>
    eventually(`"${part}" in the chat`, () => telegram.sentTo(PERSON).find(({ text }) => text.includes(part)));

  test("an address is tracked with a Telegram contact, and the page shows that it is not connected", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await english.register(ALICE);
    await english.signIn(ALICE);
    await page
      .getByRole("link", { name: english.say("nav.new_track") })
      .first()
      .click();
    await page.waitForURL("**/en/new-track");
    await page.getByRole("checkbox", { name: english.say("channel.telegram") }).check();
    await page.getByRole("combobox", { name: english.say("contacts.telegram") }).fill("@Alice_Bell");
    await page.keyboard.press("Enter");
    await english.button("track.submit").click();
    await page.waitForURL("**/en/dashboard");
    await page.getByText(english.say("track.telegram_open", { count: 1 })).waitFor();
    expect(telegram.sent).toEqual([]);
  });

  test("the link is opened in Telegram, and the page and the chat both show that it is connected", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await page.getByRole("link", { name: english.say("reach.see") }).click();
    await page.waitForURL("**/en/contacts");
    const connect = english.say("connect.connect_label", { value: "@alice_bell" });
    await page.getByRole("button", { name: connect, exact: true }).click();
    const link = await page.getByRole("link", { name: english.say("connect.open") }).getAttribute("href");
    expect(link).toStartWith("https://t.me/breachbell_bot?start=");
    telegram.open(PERSON, link ?? "");
    await page.getByText(english.say("connect.connected", { label: "@Alice_Bell (Alice)" })).waitFor();
    await messageWith("Connected");
    expect(await page.getByText(english.say("contact_card.unconnected")).count()).toBe(0);
  });

  test("a test arrives in the chat, and the page shows that Telegram has accepted it", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await page
      .getByRole("button", { name: english.say("contact_card.test_label", { value: "@alice_bell" }), exact: true })
      .click();
    await page.getByText(english.say("delivery.accepted")).waitFor();
    await messageWith("It works");
  });

  test("a group is added, and connected once the page has confirmed it", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    const added = await page.evaluate(async () => {
      const contact = { channel: "telegram", value: "family_bell", everywhere: true, language: "en" };
      const headers = { "Content-Type": "application/json" };
      return (await fetch("/api/contacts", { method: "POST", headers, body: JSON.stringify(contact) })).status;
    });
    expect(added).toBe(201);
    await page.goto("/en/contacts");
    await page.getByRole("button", { name: english.say("connect.group_label", { value: "@family_bell" }) }).click();
    const link = await page.getByRole("link", { name: english.say("connect.open") }).getAttribute("href");
    telegram.openInGroup(FAMILY, link ?? "", PERSON);
    await page.getByText(english.say("connect.is_group", { name: FAMILY.title })).waitFor();
    await english.button("connect.use").click();
    await page.getByText(english.say("connect.connected", { label: FAMILY.title })).waitFor();
  });

  test("a breach is published, arrives in the chat, and is handled there", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    // The first check has ended: everything from now on is an alert.
    await messageWith("Good news");
    const inGroup = () => telegram.sent.filter(({ chat_id }) => chat_id === FAMILY.id);
    const before = inGroup().length;
    hibp.addAccount(ALICE, ["Suno"]);
    hibp.publish("2026-07-20");
    const alert = await messageWith("Suno");
    expect(alert.text).toContain(ALICE);
    const button = alert.reply_markup?.inline_keyboard.flat().find(({ callback_data }) => callback_data !== undefined);
    expect(button?.text).toBe("Mark as handled");
    // Everyone in the group can read what is sent there.
    const told = await eventually("the alert in the group", () => inGroup()[before]);
    expect(told.text).not.toContain(ALICE);
    expect(told.text).not.toContain("Suno");

    await page.goto("/en/alerts?state=all");
    const row = page.getByRole("row").filter({ hasText: "Suno" });
    await row
      .getByRole("button", { name: english.say("alerts.handle_label", { title: "Suno", address: ALICE }) })
      .waitFor();
    const press = telegram.press(PERSON, button?.callback_data ?? "");
    await eventually("the press is answered", () => telegram.answered.find(({ id }) => id === press));
    await page.reload();
    await row
      .getByRole("button", { name: english.say("alerts.reopen_label", { title: "Suno", address: ALICE }) })
      .waitFor();
  });

  test("the alert shows that the message was accepted, with Telegram's number, and nothing failed", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await page.getByRole("button", { name: "Suno", exact: true }).click();
    await page
      .locator("summary")
      .filter({ hasText: english.say("delivery.title") })
      .click();
    const messages = page.getByRole("region", { name: english.say("delivery.title") });
    const toChat = messages.getByRole("listitem").filter({ hasText: "@alice_bell" });
    await toChat.getByText(english.say("delivery.accepted")).waitFor();
    const number = telegram.sent.findIndex(({ text }) => text.includes("Suno")) + 1;
    await toChat.getByText(english.say("delivery.provider_id", { id: number })).waitFor();
    expect(guest.violations).toEqual([]);
    expect(guest.errors).toEqual([]);
    expect(product.output()).not.toContain(telegram.token);
  });
});
