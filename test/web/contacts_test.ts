import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { ALICE } from "./fake_alerts.ts";
import { contact, delivery, manyContacts, ownContact } from "./fake_contacts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The request that a button sent, with its body. */
const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const of = (id: string) => manyContacts().filter((one) => one.id === id);

test("contacts without deliveries come first, with a remedy, and all show their state", async () => {
  opened.site.set({ contacts: manyContacts() });
  const { page, leave } = await opened.visit("/en/contacts");
  await settled(page);
  const list = page.getByRole("list", { name: "Your contacts" });
  expect((await list.getByRole("heading", { level: 2 }).allTextContents()).slice(0, 3)).toEqual([
    ...["bob@example.org", "@alice_bell", "@bob_bell"],
  ]);
  const broken = list.locator("> li").filter({ hasText: "security-operations@" });
  await broken.getByText("The provider doesn’t recognise this recipient.").waitFor();
  await broken.getByText("550 5.1.1 No such user here").waitFor();
  await broken.getByText("and 3 more").waitFor();
  const link = broken.getByRole("link", { name: "person-0@" });
  expect(await link.getAttribute("href")).toBe("/en/update-track/u0");
  await list.getByText("Only they can resume them, using the link in any earlier message.").waitFor();
  const pushover = list.locator("> li").filter({ hasText: "Pushover" });
  await pushover.getByText("Quiet from 10:30 PM to 6:45 AM").waitFor();
  await pushover.getByText("Low- and medium-severity alerts once a day, at 6:00 PM").waitFor();
  await leave();
}, 30_000);

test("an unconfirmed contact is asked again, and the limit is shown when it is reached", async () => {
  opened.site.set({ contacts: of("c2") });
  const { page, leave } = await opened.visit("/en/contacts");
  const ask = page.getByRole("button", { name: "Resend request: bob@example.org" });
  await ask.click();
  await page.getByText("We’ve asked bob@example.org again.").waitFor();
  const refusal = { status: 429, body: { code: "CONTACT_ASKED_RECENTLY" } };
  opened.site.stage.answers["POST /api/contacts/c2/ask"] = refusal;
  await ask.click();
  await page.getByRole("dialog").getByText("asked several times in the past week").waitFor();
  expect(acts().map(({ call }) => call)).toEqual(["POST /api/contacts/c2/ask", "POST /api/contacts/c2/ask"]);
  await leave();
}, 30_000);

test("a contact that was never asked can be asked, with no reason claimed", async () => {
  opened.site.set({ contacts: of("c2").map((one) => ({ ...one, asked: false })) });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByText("This contact has to be confirmed before it gets alerts.").waitFor();
  await page.getByRole("button", { name: "Send request: bob@example.org" }).click();
  await page.getByText("We’ve asked bob@example.org.").waitFor();
  expect(acts().map(({ call }) => call)).toEqual(["POST /api/contacts/c2/ask"]);
  await leave();
}, 30_000);

test("a card names every setting that differs from the default", async () => {
  opened.site.set({ contacts: of("c7") });
  const { page, leave } = await opened.visit("/en/contacts", { timezoneId: "America/New_York" });
  for (const wish of ["Quiet from 10:30 PM to 6:45 AM", "Time zone: Europe/Zurich", "Critical alerts are repeated"])
    await page.getByRole("listitem").getByText(wish, { exact: true }).waitFor();
  await leave();
  const near = await opened.visit("/en/contacts", { timezoneId: "Europe/Zurich" });
  await near.page.getByText("Critical alerts are repeated", { exact: true }).waitFor();
  expect(await near.page.getByText("Time zone: Europe/Zurich").count()).toBe(0);
  await near.leave();
}, 30_000);

test("a failed contact is retried and is active again", async () => {
  opened.site.set({ contacts: of("c5") });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("button", { name: /^Try again: security-operations@/ }).click();
  await page.getByText("Active", { exact: true }).waitFor();
  expect(await page.getByText("Messages to this contact are being refused.").count()).toBe(0);
  await leave();
}, 30_000);

test("a contact is removed after a confirmation; the last one of an address stays, with a link to change it", async () => {
  opened.site.set({ contacts: [ownContact(), ...of("c7")] });
  const last = { status: 409, body: { code: "CONTACT_IS_LAST", fields: { [ALICE]: "CONTACT_IS_LAST" } } };
  opened.site.stage.answers["DELETE /api/contacts/c1"] = last;
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("button", { name: /^Remove uQiRz/ }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(acts()).toEqual([]);
  await page.getByRole("button", { name: /^Remove uQiRz/ }).click();
  await page.getByRole("button", { name: "Remove contact" }).click();
  await page.getByRole("heading", { name: /^uQiRz/ }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: `Remove ${ALICE}` }).click();
  await page.getByRole("button", { name: "Remove contact" }).click();
  const dialog = page.getByRole("dialog", { name: "The contact could not be removed" });
  expect(await dialog.getByRole("link", { name: ALICE }).getAttribute("href")).toBe("/en/update-track/a1");
  await page.getByRole("heading", { name: ALICE, level: 2, includeHidden: true }).waitFor();
  await leave();
}, 30_000);

test("a webhook's first secret is shown once and copied, and then the webhook can be confirmed", async () => {
  opened.site.set({ contacts: of("c9") });
  const { page, leave } = await opened.visit("/en/contacts", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByText("Create the signing secret and store it in your program.").waitFor();
  await page.getByRole("button", { name: /^Create the secret: / }).click();
  await page.getByRole("button", { name: "Create secret" }).click();
  const field = page.getByLabel("New signing secret", { exact: true });
  expect(await field.inputValue()).toStartWith("whsec_");
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await field.inputValue());
  await page.getByRole("button", { name: "Done" }).click();
  await field.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Resend request: https:\/\/hooks/ }).waitFor();
  await leave();
}, 30_000);

test("a test alert shows its actual outcome", async () => {
  const refused = delivery("t", { kind: "test", state: "refused", reason: "rejected", detail: "552 too big" });
  opened.site.set({ deliveries: [{ ...refused, state: "queued", reason: null, detail: null }] });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("button", { name: `Send a test to ${ALICE}` }).click();
  await page.getByText("Queued").waitFor();
  opened.site.stage.deliveries = [refused];
  await page.getByText("The provider rejected this particular message; nothing is wrong with the contact.").waitFor();
  expect(acts()).toEqual([{ call: "POST /api/test-alerts", body: { contactIds: ["c1"] } }]);
  await leave();
}, 30_000);

test("settings are sent as shown, and keep their input if they cannot be saved", async () => {
  opened.site.set();
  opened.site.stage.answers["PUT /api/contacts/c1/settings"] = { status: 500, body: { code: "GENERIC" } };
  const { page, leave } = await opened.visit("/en/contacts", { timezoneId: "America/Lima" });
  await page.getByRole("button", { name: `Settings of ${ALICE}` }).click();
  const dialog = page.getByRole("dialog", { name: `Settings of ${ALICE}` });
  await dialog.getByLabel("When to send alerts").selectOption({ label: "Once a day: low-severity alerts" });
  await dialog.getByLabel("Time of the daily message").selectOption({ label: "6:00 PM" });
  await dialog.getByLabel("Quiet hours").check();
  await dialog.getByLabel("Until").fill("22:00");
  const save = dialog.getByRole("button", { name: "Save settings" });
  await save.click();
  await dialog.getByText("Please choose an end time that differs from the start time.").waitFor();
  await dialog.getByLabel("Until").fill("06:30");
  expect(await dialog.getByLabel("Time zone").inputValue()).toBe("America/Lima");
  await dialog.getByLabel("Message language").selectOption("fr");
  await dialog.getByLabel("Discreet").check();
  await save.click();
  await page.getByRole("dialog", { name: "The settings could not be saved" }).getByText("Close").click();
  expect(await dialog.getByLabel("Until").inputValue()).toBe("06:30");
  opened.site.stage.answers = {};
  await save.click();
  await page.getByText(`The settings of ${ALICE} have been saved.`).waitFor();
  const body = {
    digestBelow: "medium",
    digestHour: 18,
    quiet: { from: "22:00", to: "06:30" },
    zone: "America/Lima",
    language: "fr",
    discreet: true,
    device: null,
    emergency: false,
  };
  expect(acts().map(({ body: sent }) => sent)).toEqual([body, body]);
  await page.locator("dd").getByText("Français").waitFor();
  await leave();
}, 30_000);

test("Pushover's devices and emergency mode are chosen, and unticked ones are removed", async () => {
  opened.site.set({ contacts: of("c7") });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByRole("button", { name: /^Settings of/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("When to send alerts").selectOption({ label: "Each alert immediately" });
  await dialog.getByLabel("Quiet hours").uncheck();
  await dialog.getByLabel("tablet").check();
  await dialog.getByLabel("Repeat critical alerts").uncheck();
  await dialog.getByRole("button", { name: "Save settings" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(acts()).toEqual([
    {
      call: "PUT /api/contacts/c7/settings",
      body: {
        digestBelow: null,
        digestHour: null,
        quiet: null,
        zone: null,
        language: "de",
        discreet: true,
        device: "phone,tablet",
        emergency: false,
      },
    },
  ]);
  await leave();
}, 30_000);

test("without contacts the page explains how to add one", async () => {
  opened.site.set({ contacts: [] });
  const { page, leave } = await opened.visit("/en/contacts");
  await page.getByText("No contacts yet").waitFor();
  await leave();
}, 30_000);

test("the profile links to the contacts", async () => {
  opened.site.set({ contacts: [contact("c2", {})] });
  const { page, leave } = await opened.visit("/en/profile");
  await page.getByRole("link", { name: "Manage contacts" }).click();
  await page.getByRole("heading", { name: "c2@example.org" }).waitFor();
  expect(await page.title()).toEndWith("Contacts · Breachbell");
  await leave();
}, 30_000);
