import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";
import { ALICE } from "./fake_alerts.ts";
import { contact, manyContacts, ownContact } from "./fake_contacts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));

test("a contact is added at the top with Enter, and can be connected there", async () => {
  opened.site.set({ contacts: [ownContact()] });
  opened.site.stage.instance.channels = ["email", "telegram"];
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("radio", { name: "Pushover" }).waitFor({ state: "attached" });
  expect(await page.getByRole("radio", { name: "Pushover" }).isDisabled()).toBe(true);
  await page.getByText("Telegram", { exact: true }).first().click();
  const name = page.getByLabel("Add a username");
  await name.press("Enter");
  await page.getByText("This field is required.").waitFor();
  await name.fill("not a name");
  await page.keyboard.press("Enter");
  await page.getByText("Please enter a Telegram username").waitFor();
  expect(acts()).toEqual([]);
  expect(await name.inputValue()).toBe("not a name");
  await name.fill("@Carol_Bell");
  await page.keyboard.press("Enter");
  await page.getByText("@carol_bell has been added.").waitFor();
  expect(acts().at(-1)).toEqual({
    call: "POST /api/contacts",
    body: { channel: "telegram", value: "@Carol_Bell", language: "en", everywhere: true },
  });
  expect(await name.inputValue()).toBe("");
  await page.getByRole("button", { name: "Connect @carol_bell", exact: true }).waitFor();
  await leave();
}, 30_000);

test("a contact that is in the list already is said to be, with what turns it on again if it is off", async () => {
  opened.site.set({ contacts: [ownContact(), ...manyContacts().filter(({ id }) => id === "c4" || id === "c6")] });
  opened.site.stage.instance.channels = ["email", "telegram"];
  const { page, leave } = await opened.visit("/en/contacts");
  const address = page.getByLabel("Add an address");
  await address.fill(ALICE);
  await page.keyboard.press("Enter");
  const toasts = page.locator("[data-sonner-toast]");
  await toasts.getByText(`${ALICE} is already in your list.`).waitFor();
  await address.fill("carol@example.net");
  await page.keyboard.press("Enter");
  await toasts.getByText("carol@example.net is already in your list.").waitFor();
  await toasts.getByText("The recipient has stopped the messages. Only they can resume them").waitFor();
  await page.getByText("Telegram", { exact: true }).first().click();
  await page.getByLabel("Add a username").fill("@bob_bell");
  await page.keyboard.press("Enter");
  await toasts.getByText("They need to open the bot and press “Start”.").waitFor();
  expect(await page.getByText("has been added").count()).toBe(0);
  await leave();
}, 30_000);

test("quiet hours and the digest are toggled in the row, and stay off if that fails", async () => {
  opened.site.set({ contacts: [ownContact()] });
  const { page, leave } = await opened.visit("/en/contacts", { timezoneId: "Europe/Zurich" });
  const quiet = page.getByRole("switch", { name: `Quiet hours: ${ALICE}` });
  const digest = page.getByRole("switch", { name: `Daily message: ${ALICE}` });
  await quiet.check({ force: true });
  await page.getByText("Quiet from 10:00 PM to 7:00 AM").waitFor();
  await digest.press("Space");
  await page.getByText("Low-severity alerts once a day, at 8:00 AM").waitFor();
  expect(acts().map(({ body }) => body)).toMatchObject([
    { quiet: { from: "22:00", to: "07:00" }, digestBelow: null, zone: "Europe/Zurich" },
    { quiet: { from: "22:00", to: "07:00" }, digestBelow: "medium", digestHour: 8 },
  ]);
  opened.site.stage.answers["PUT /api/contacts/c1/settings"] = { status: 500, body: { code: "GENERIC" } };
  await quiet.press("Space");
  await page.getByRole("dialog", { name: "The settings could not be saved" }).getByText("Close").click();
  expect(await quiet.isChecked()).toBe(true);
  await leave();
}, 30_000);

test("a counter of zero is hidden", async () => {
  opened.site.set({ contacts: [contact("c1", { value: ALICE, own: true, lastSentAt: null })] });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("heading", { name: ALICE }).waitFor();
  expect(await page.locator("main dt").allTextContents()).toEqual(["Alerts about"]);
  opened.site.set({ contacts: manyContacts().filter(({ id }) => id === "c5") });
  await page.reload();
  await page.getByText("Messages waiting").waitFor();
  await leave();
}, 30_000);
