import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PASSWORD } from "./api.ts";
import { contradictions, type Sample, sampleDashboard } from "./dashboard_samples.ts";
import { eventually, type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

/** In stealer logs that are published in June 2026: the only example address whose next alert is critical. */
const HEDY = "hedy@example.org";

/** All three channels without any setup, as the README describes. Each test continues where the previous one ended. */
describe("The local inbox, with embedded defaults only", () => {
  let product: Product;
  let guest: Visit;
  let inbox: Page;
  let shown: Sample[];

  beforeAll(async () => {
    product = await startProduct();
    publish("--until", "2026-06-14");
    guest = await visit(product.url, { viewport: { width: 1440, height: 900 } });
    inbox = await guest.page.context().newPage();
    inbox.on("pageerror", ({ message }) => guest.errors.push(message));
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    if (product) removeDirectory(product.dataDir);
  });

  function publish(...more: string[]): void {
    const published = Bun.spawnSync([process.execPath, "src/build/publish_breach.ts", ...more], {
      cwd: join(import.meta.dirname, "../.."),
      env: { PATH: process.env.PATH ?? "", DATA_DIR: product.dataDir },
    });
    if (published.exitCode !== 0) throw new Error(`Nothing was published: ${published.stderr}`);
  }

  const item = (says: string) => inbox.getByRole("listitem").filter({ hasText: says });

  test("the start-up output says where each channel can be seen", () => {
    for (const tab of ["/mailbox", "/mailbox/telegram", "/mailbox/pushover"])
      expect(product.output()).toContain(`kept in the local inbox ${product.url}${tab} `);
  });

  test("registering leads to the password, and the code arrives in an inbox that is already open", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await inbox.goto("/mailbox");
    await english.register(HEDY);
    await english.heading("login.title").waitFor();
    expect(await english.field("field.email").inputValue()).toBe(HEDY);
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    const code = (await inbox.locator("#mails .mb-code").textContent()) ?? "";
    await english.enterCode(code);
    await page.waitForURL("**/en/dashboard");
    shown = await sampleDashboard(page);
  });

  test("an address is tracked by all three channels; Pushover's key is shown in its tab", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await inbox.goto("/mailbox");
    await inbox.getByRole("link", { name: "Pushover" }).click();
    await inbox.waitForURL("**/mailbox/pushover");
    const key = (await inbox.locator(".mb-key").textContent()) ?? "";
    await page.goto("/en/new-track");
    for (const [channel, contact] of [
      ["telegram", "@Hedy_Bell"],
      ["pushover", key],
    ]) {
      await page.getByRole("checkbox", { name: english.say(`channel.${channel}`) }).check();
      await page.getByRole("combobox", { name: english.say(`contacts.${channel}`) }).fill(String(contact));
      await page.keyboard.press("Enter");
    }
    await english.button("track.submit").click();
    await page.waitForURL("**/en/dashboard");
    await page.getByRole("row", { name: english.say("status.breached") }).waitFor();
  });

  test("the Pushover contact is confirmed by the message in its tab, and enables emergencies", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    const link = item("Would you like alerts about data breaches?").getByRole("link");
    await page.goto((await link.getAttribute("href")) ?? "");
    await english.button("contact.confirm").click();
    await page.getByText(english.say("contact.confirmed_title")).waitFor();
    await page.goto("/en/contacts");
    const card = page.getByRole("listitem").filter({ hasText: english.say("channel.pushover") });
    await card.getByRole("button", { name: english.say("contact_card.settings"), exact: false }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: english.say("contact_settings.emergency") }).check();
    await dialog.getByRole("button", { name: english.say("contact_settings.save") }).click();
    await dialog.waitFor({ state: "detached" });
  });

  test("the Telegram contact is connected by Start in the inbox, under the typed name", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    const connect = english.say("connect.connect_label", { value: "@hedy_bell" });
    await page.getByRole("button", { name: connect, exact: true }).click();
    const link = await page.getByRole("link", { name: english.say("connect.open") }).getAttribute("href");
    expect(link).toStartWith(`${product.url}/mailbox/telegram/breachbell_bot?start=`);
    await inbox.goto(link ?? "");
    expect(await inbox.getByLabel("Username in Telegram").inputValue()).toBe("hedy_bell");
    await inbox.getByRole("button", { name: "Start" }).click();
    await inbox.waitForURL("**/mailbox/telegram");
    await page.getByText(english.say("connect.connected", { label: "@hedy_bell (hedy_bell)" })).waitFor();
    await item("Connected").waitFor();
    // Commands of the bot's menu are answered, too.
    await inbox.getByRole("button", { name: "/status" }).click();
    await item("h•••@example.org").first().waitFor();
  });

  test("a critical breach arrives on all three; the emergency is acknowledged, and the alert handled in the chat", async () => {
    const { page } = guest;
    // The first check has been reported: everything from now on is an alert.
    await item("Stealer Logs, Jan 2025").first().waitFor();
    publish();
    const title = "June 2026 Stealer Logs";
    const alert = item(title).first();
    await alert.getByRole("button", { name: "Mark as handled" }).waitFor();
    const mails = await guest.page.context().newPage();
    await mails.goto("/mailbox");
    await mails.getByRole("listitem").filter({ hasText: title }).first().waitFor();
    await mails.close();

    await inbox.goto("/mailbox/pushover");
    await item(title).getByText("Repeats until someone acknowledges it.").waitFor();
    await item(title).getByRole("button", { name: "Acknowledge" }).click();
    await item(title).getByText("Acknowledged.").waitFor();
    await inbox.goto("/mailbox/telegram");
    await alert.getByRole("button", { name: "Mark as handled" }).click();
    await alert.getByRole("status").waitFor();

    const handled = await eventually("the alert is handled", async () => {
      const answer = await page.request.get("/api/alerts?state=handled");
      const { items } = (await answer.json()) as { items: { breach: { title: string } }[] };
      return items.length > 0 ? items.map(({ breach }) => breach.title) : undefined;
    });
    expect(handled).toEqual([title]);
    await page.goto("/en/dashboard");
    await page.getByRole("row", { name: steps(page, "en").say("status.breached") }).waitFor();
    expect(contradictions(shown)).toEqual([]);
    expect(guest.violations).toEqual([]);
    expect(guest.errors).toEqual([]);
  });
});
