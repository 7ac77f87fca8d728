import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const save = (page: Page) => page.getByRole("button", { name: "Save changes" }).click();

test("contacts, language and pause are saved as shown", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/update-track/a1");
  await page.getByLabel("Alert language").selectOption("fr");
  await page.getByPlaceholder("Add an address").fill("dana@example.org");
  await page.keyboard.press("Enter");
  await page.getByLabel("Pause this address").check();
  expect(await page.getByLabel("I own this email address").count()).toBe(0);
  await save(page);
  await page.getByText("Your changes for alice.archer@example.com have been saved.").waitFor();
  await page.waitForURL("**/en/dashboard");
  expect(acts()).toEqual([
    {
      call: "PUT /api/associations/a1",
      body: {
        owner: true,
        language: "fr",
        paused: true,
        contacts: { email: ["alice.archer@example.com", "dana@example.org"] },
      },
    },
  ]);
  await leave();
}, 30_000);

test("changing the owner requires a confirmation that says the owner is asked again", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/update-track/a2");
  await page.getByLabel("I own this email address").check();
  await save(page);
  const dialog = page.getByRole("dialog", { name: "Ask the owner again?" });
  await dialog.getByText("stop checking it until we have an answer").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(acts()).toEqual([]);
  expect(await page.getByLabel("I own this email address").isChecked()).toBe(true);
  opened.site.stage.answers["PUT /api/associations/a2"] = { status: 200, body: { id: "a20" } };
  await save(page);
  await dialog.getByRole("button", { name: "Save and ask again" }).click();
  await page.getByText("We’re asking at bob@example.org again.").waitFor();
  expect(acts()).toHaveLength(1);
  await leave();
}, 30_000);

test("marking an own address as somebody else's offers the language of the invitation", async () => {
  opened.site.set();
  const [, second] = opened.site.stage.associations;
  if (second) second.owner = true;
  const { page, leave } = await opened.visit("/en/update-track/a2");
  expect(await page.getByLabel("Language of the invitation").count()).toBe(0);
  await page.getByLabel("I own this email address").uncheck();
  await page.getByLabel("Language of the invitation").selectOption("it");
  await save(page);
  await page.getByRole("button", { name: "Save and ask again" }).click();
  await page.waitForURL("**/en/dashboard");
  expect(acts().at(-1)?.body).toMatchObject({ owner: false, language: "en", invitationLanguage: "it" });
  await leave();
}, 30_000);

test("changes are kept if saving fails, and leaving requires a confirmation", async () => {
  opened.site.set({ answers: { "PUT /api/associations/a1": { status: 500, body: { code: "GENERIC" } } } });
  const { page, leave } = await opened.visit("/en/update-track/a1");
  await page.getByPlaceholder("Add an address").fill("dana@example.org");
  await page.keyboard.press("Enter");
  await save(page);
  const modal = page.getByRole("dialog", { name: "Could not save changes" });
  await modal.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Remove dana@example.org" }).waitFor();
  await page.getByRole("link", { name: "Alerts", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(page.url()).toContain("/update-track/a1");
  await page.getByRole("link", { name: "Alerts", exact: true }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/en/alerts");
  await leave();
}, 30_000);

test("each selected channel needs a contact, and at least one channel is required", async () => {
  opened.site.set();
  opened.site.stage.instance.channels = ["email", "telegram", "pushover"];
  const { page, leave } = await opened.visit("/en/update-track/a1");
  await page.getByLabel("Telegram", { exact: true }).check();
  await page.getByLabel("Pushover", { exact: true }).check();
  await save(page);
  await page.getByText("Add at least one Telegram contact.").waitFor();
  await page.getByText("Add at least one Pushover contact.").waitFor();
  for (const method of ["Email", "Telegram", "Pushover"]) await page.getByLabel(method, { exact: true }).uncheck();
  await save(page);
  await page.getByText("Select at least one notification method").waitFor();
  expect(acts()).toEqual([]);
  await leave();
}, 30_000);

test("another account's association leads to the error page", async () => {
  const denied = { status: 403, body: { code: "ACCESS_DENIED" } };
  opened.site.set({ answers: { "GET /api/check-user-belong-association/": denied } });
  const { page, leave } = await opened.visit("/en/update-track/a99");
  await page.waitForURL("**/en/error-page?err=ACCESS_DENIED");
  await settled(page);
  expect(opened.site.calls()).toContain("GET /api/check-user-belong-association/?association_id=a99");
  await page.getByRole("heading", { name: "Access Denied" }).waitFor();
  await leave();
}, 30_000);
