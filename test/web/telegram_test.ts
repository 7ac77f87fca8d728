import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";
import { ago } from "./fake_alerts.ts";
import { BOT_LINK, contact } from "./fake_contacts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const looks = () => opened.site.calls().filter((call) => call === "GET /api/contacts/c3/telegram-link").length;
const unconnected = () => [contact("c3", { channel: "telegram", value: "alice_bell", state: "unconfirmed" })];

test("a link is opened, copied or scanned, and the page detects that Start was pressed", async () => {
  opened.site.set({ contacts: unconnected() });
  const { page, leave } = await opened.visit("/en/contacts", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByText("Telegram only lets us write to people who have started our bot.").waitFor();
  await page.getByRole("button", { name: "Connect @alice_bell", exact: true }).click();
  await page.getByText("Waiting for “Start” to be pressed in Telegram").waitFor();
  expect(await page.getByRole("link", { name: "Open Telegram" }).getAttribute("href")).toBe(BOT_LINK);
  await page.getByRole("img", { name: "QR code of the link to the bot" }).waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(BOT_LINK);
  const { stage } = opened.site;
  stage.contacts = [{ ...(stage.contacts[0] ?? contact("c3", {})), state: "active", label: "@alice_bell (Alice)" }];
  stage.telegramLink = { state: "linked", candidate: null, expiresAt: null };
  await page.getByText("Connected to @alice_bell (Alice)").waitFor();
  await page.getByRole("button", { name: "Send a test to @alice_bell" }).waitFor();
  expect(await page.getByText("Waiting for “Start” to be pressed in Telegram").count()).toBe(0);
  expect(acts()).toEqual([{ call: "POST /api/contacts/c3/telegram-link", body: { whose: "me" } }]);
  await leave();
}, 30_000);

test("while waiting the page polls every three seconds, but not once it is hidden or done", async () => {
  opened.site.set({ contacts: unconnected() });
  const { page, leave } = await opened.visit("/en/contacts", {
    prepare: (fresh) => fresh.clock.install({ time: new Date() }),
  });
  await page.getByRole("button", { name: "Connect @alice_bell", exact: true }).click();
  await page.getByText("Waiting for “Start” to be pressed in Telegram").waitFor();
  const grown = async (since: number) => {
    const answered = page.waitForResponse("**/telegram-link");
    await page.clock.runFor(3000);
    await answered;
    return looks() - since;
  };
  expect(await grown(looks())).toBe(1);
  expect(await grown(looks())).toBe(1);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  const hidden = looks();
  await page.clock.runFor(30_000);
  expect(looks()).toBe(hidden);
  await leave();
}, 30_000);

test("for somebody else the link is valid longer", async () => {
  opened.site.set({ contacts: unconnected() });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("button", { name: "Connect @alice_bell: It’s someone else’s" }).click();
  await page.getByText("Send this link to the person.").waitFor();
  expect(await page.getByLabel("Link to the bot").inputValue()).toBe(BOT_LINK);
  const day = new Date(ago(-72 * 3_600_000)).toLocaleDateString("en", { dateStyle: "medium" });
  await page.getByText(`The link is valid until ${day}`).waitFor();
  expect(acts()).toEqual([{ call: "POST /api/contacts/c3/telegram-link", body: { whose: "somebody" } }]);
  await leave();
}, 30_000);

test("a username other than the typed one is used only when the account approves", async () => {
  const candidate = { username: "other_bell", name: "Alice", isGroup: false };
  const telegramLink = { state: "needs_confirmation" as const, candidate, expiresAt: ago(-60_000) };
  opened.site.set({ contacts: unconnected(), telegramLink });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByText("Telegram reports @other_bell, you entered @alice_bell. Use @other_bell?").waitFor();
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByText("Connected to @other_bell (Alice)").waitFor();
  expect(acts()).toEqual([{ call: "POST /api/contacts/c3/telegram-link/confirm", body: {} }]);
  await leave();
}, 30_000);

test("for a group the link lets people choose it, and its title is confirmed", async () => {
  opened.site.set({ contacts: unconnected() });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("button", { name: "Connect @alice_bell: It’s for a group" }).click();
  await page.getByText("Open Telegram and choose the group.").waitFor();
  expect(acts()).toEqual([{ call: "POST /api/contacts/c3/telegram-link", body: { whose: "group" } }]);
  await leave();

  const candidate = { username: null, name: "The family", isGroup: true };
  const telegramLink = { state: "needs_confirmation" as const, candidate, expiresAt: ago(-60_000) };
  opened.site.set({ contacts: unconnected(), telegramLink });
  const again = await opened.visit("/en/contacts");
  await again.page.getByText("The bot was added to the group The family. Send the alerts there?").waitFor();
  await again.page.getByRole("button", { name: "Use it" }).click();
  await again.page.getByText("Connected to").waitFor();
  await again.leave();
}, 30_000);

test("a chat without a username is described by name, and rejected by trying again", async () => {
  const candidate = { username: null, name: "First Last", isGroup: false };
  const telegramLink = { state: "needs_confirmation" as const, candidate, expiresAt: ago(-60_000) };
  opened.site.set({ contacts: unconnected(), telegramLink });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByText("That Telegram account has no username. It’s called First Last. Use it?").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Waiting for “Start” to be pressed in Telegram").waitFor();
  expect(acts()).toEqual([{ call: "POST /api/contacts/c3/telegram-link", body: { whose: "me" } }]);
  await leave();
}, 30_000);

test("an expired link is replaced, and one that was created elsewhere is not voided without asking", async () => {
  opened.site.set({
    contacts: unconnected(),
    telegramLink: { state: "waiting", candidate: null, expiresAt: ago(-60_000) },
  });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByText("A link has already been created").waitFor();
  expect(acts()).toEqual([]);
  opened.site.stage.telegramLink = { state: "expired", candidate: null, expiresAt: ago(1) };
  await page.getByText("This link has expired.").waitFor();
  await page.getByRole("button", { name: "New link" }).click();
  await page.getByRole("link", { name: "Open Telegram" }).waitFor();
  await leave();
}, 30_000);

test("a user who has blocked the bot is told so, as is one whose bot is unavailable", async () => {
  const failure = { at: ago(60_000), detail: "Telegram 403: Forbidden: bot was blocked by the user" };
  opened.site.set({ contacts: unconnected().map((one) => ({ ...one, state: "broken" as const, failure })) });
  opened.site.stage.answers["POST /api/contacts/c3/telegram-link"] = {
    status: 503,
    body: { code: "CHANNEL_UNAVAILABLE" },
  };
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByText("They need to open the bot and press “Start”.").waitFor();
  await page.getByText("This person has blocked the bot.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Connect @alice_bell", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Telegram could not be connected" });
  await dialog.getByText("This channel can’t be reached right now.").waitFor();
  await leave();
}, 30_000);
