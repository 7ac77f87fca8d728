import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { listsOf } from "../../src/shared/contacts.ts";
import { openSite, settled } from "./browser.ts";
import { account, fullAccount } from "./fake_account.ts";
import { scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const UNABLE = "Unable to save changes – please check the highlighted fields.";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const sent = (call: string) => opened.site.requests.filter((request) => request.call === call);

async function visit() {
  const visited = await opened.visit("/en/profile-edit");
  await settled(visited.page);
  return visited;
}

test("details and contacts are saved together, including contacts of unavailable channels", async () => {
  opened.site.set({ account: fullAccount() });
  const { page, leave } = await visit();
  // Existing contacts can be removed, but none can be added to an unavailable channel.
  expect(await page.getByRole("combobox", { name: "Telegram usernames to notify" }).isEnabled()).toBe(true);
  expect(await page.getByRole("combobox", { name: "Pushover user keys to notify" }).isDisabled()).toBe(true);
  expect(await page.getByText("Not set up on this server").count()).toBe(2);
  await page.getByLabel("First name").fill("Alicia");
  await page.getByLabel("Company name").fill("");
  await button(page, "Remove bob@example.org").press("Enter");
  await page.getByPlaceholder("Add an address").fill("carol@example.org");
  await page.keyboard.press("Enter");
  await button(page, "Save changes").click();
  await page.waitForURL("**/en/profile");
  await page.getByText("Your changes have been saved.").waitFor();
  expect(sent("PUT /api/profile").map(({ body }) => body)).toEqual([
    {
      firstName: "Alicia",
      lastName: "Archer",
      language: "en",
      companyName: "",
      defaultContacts: {
        ...listsOf([]),
        email: ["security-operations@long-company-name.example", "carol@example.org"],
        telegram: ["alice_archer"],
      },
    },
  ]);
  await leave();
}, 30_000);

test("only the channels available in this installation are offered, each with its own rules", async () => {
  const { instance } = scene();
  opened.site.set({ instance: { ...instance, channels: ["email", "pushover"] } });
  const { page, leave } = await visit();
  expect(await page.getByLabel("ntfy topics to notify").count()).toBe(0);
  expect(await page.getByRole("combobox", { name: "Telegram usernames to notify" }).isDisabled()).toBe(true);
  await page.getByPlaceholder("Add a user key").fill("too-short");
  await page.keyboard.press("Enter");
  await button(page, "Save changes").click();
  await page.getByText("isn’t valid").waitFor();
  await page.getByText(UNABLE).waitFor();
  expect(sent("PUT /api/profile")).toHaveLength(0);
  await leave();
}, 30_000);

test("a failure has the specification's headline, highlights the fields the server names, and keeps the input", async () => {
  opened.site.set({ answers: { "PUT /api/profile": { status: 500, body: { code: "GENERIC" } } } });
  const { page, leave } = await visit();
  await page.getByLabel("First name").fill("Alicia");
  await button(page, "Save changes").click();
  const dialog = page.getByRole("dialog", { name: UNABLE });
  await dialog.getByText("There was an error on our side").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await dialog.waitFor({ state: "detached" });
  const fields = { "defaultContacts.email.0": "CONTACT_INVALID", lastName: "NAME_INVALID" };
  opened.site.stage.answers["PUT /api/profile"] = { status: 422, body: { code: "INVALID_INPUT", fields } };
  await button(page, "Save changes").click();
  await page.getByText("This name contains a link").waitFor();
  await page.getByText("isn’t valid").waitFor();
  expect(await page.getByLabel("Last name").evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await page.getByLabel("First name").inputValue()).toBe("Alicia");
  await leave();
}, 30_000);

test("a new language applies to the interface once it is saved", async () => {
  opened.site.set();
  const { page, leave } = await visit();
  const { profile } = account();
  opened.site.stage.answers["PUT /api/profile"] = { status: 200, body: { ...profile, language: "de" } };
  await page.getByLabel("Preferred language").selectOption("de");
  expect(new URL(page.url()).pathname).toBe("/en/profile-edit");
  await button(page, "Save changes").click();
  await page.waitForURL("**/de/profile");
  await page.getByRole("heading", { name: "Sicherheit" }).waitFor();
  await leave();
}, 30_000);

test("leaving with unsaved changes requires a confirmation; changing the interface language keeps them", async () => {
  opened.site.set();
  const { page, leave } = await visit();
  await page.getByLabel("First name").fill("Alicia");
  await page.getByLabel("Language", { exact: true }).selectOption("fr");
  await page.waitForURL("**/fr/profile-edit");
  expect(await page.getByLabel("Prénom").inputValue()).toBe("Alicia");
  await page.getByRole("link", { name: "Alertes", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Quitter sans enregistrer" });
  await dialog.getByRole("button", { name: "Annuler" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/fr/profile-edit");
  expect(await page.getByLabel("Prénom").inputValue()).toBe("Alicia");
  await page.getByRole("link", { name: "Alertes", exact: true }).click();
  await dialog.getByRole("button", { name: "Quitter" }).click();
  await page.waitForURL("**/fr/alerts");
  await leave();
}, 30_000);

test("an unchanged page is left without a confirmation", async () => {
  opened.site.set();
  const { page, leave } = await visit();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL("**/en/profile");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await leave();
}, 30_000);

test("changing the email requires the password, states where the link was sent, and reports an invalid address", async () => {
  opened.site.set({ account: account({ confirmed: false }) });
  const { page, leave } = await visit();
  const unchanged = { status: 422, body: { code: "EMAIL_UNCHANGED", fields: { email: "EMAIL_UNCHANGED" } } };
  await page.getByLabel("New email address").fill("nobody");
  await button(page, "Send the link").click();
  await page.getByText("Please enter a valid email.").waitFor();
  await page.getByLabel("New email address").fill("alice.new@example.org");
  await button(page, "Send the link").click();
  await page.getByRole("dialog").getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  opened.site.stage.account.profile.pendingEmail = {
    email: "alice.new@example.org",
    expiresAt: "2030-01-01T00:00:00Z",
  };
  await page.keyboard.press("Enter");
  await page.getByText("A link has been sent to alice.new@example.org.").waitFor();
  await button(page, "Cancel the change").waitFor();
  expect(await page.getByLabel("New email address").inputValue()).toBe("");
  opened.site.stage.answers["POST /api/profile/email"] = unchanged;
  await page.getByLabel("New email address").fill("alice.archer@example.com");
  await button(page, "Send the link").click();
  await page.getByText("This is already your account’s email address.").waitFor();
  await page.getByLabel("Stop tracking it").check();
  opened.site.stage.answers = {};
  await page.getByLabel("New email address").fill("alice.other@example.org");
  await button(page, "Send the link").click();
  await page.getByText("A link has been sent to alice.other@example.org.").waitFor();
  expect(sent("POST /api/profile/email").map(({ body }) => body)).toEqual([
    { email: "alice.new@example.org", formerAddress: "ask" },
    { email: "alice.new@example.org", formerAddress: "ask" },
    { email: "alice.archer@example.com", formerAddress: "ask" },
    { email: "alice.other@example.org", formerAddress: "end" },
  ]);
  await leave();
}, 30_000);

test("a new track starts with the account's default contacts", async () => {
  const { profile } = fullAccount();
  opened.site.set({ account: account({ profile }) });
  const { page, leave } = await opened.visit("/en/new-track");
  await settled(page);
  for (const contact of profile.defaultContacts.email) await button(page, `Remove ${contact}`).waitFor();
  expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(profile.defaultContacts.email.length);
  await leave();
}, 30_000);
