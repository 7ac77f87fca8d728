import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { tabTo } from "../support/keyboard.ts";
import { openSite, settled } from "./browser.ts";
import { account } from "./fake_account.ts";
import type { Scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

async function visit(path: string, scene: Partial<Scene> = {}) {
  opened.site.set(scene);
  const visited = await opened.visit(`/en${path}`, { viewport: { width: 1440, height: 900 } });
  await settled(visited.page);
  return visited;
}

const sent = (call: string) => opened.site.requests.filter((request) => request.call === call).map(({ body }) => body);

async function type(page: Page, field: string, words: string) {
  await tabTo(page, "textbox", field);
  await page.keyboard.type(words);
}

test("a support request is written, sent and opened using only the keyboard", async () => {
  const { page, leave } = await visit("/support");
  await tabTo(page, "link", "Support");
  await page.keyboard.press("Enter");
  await tabTo(page, "combobox", "Type");
  await page.keyboard.type("Tech");
  await tabTo(page, "combobox", "Priority");
  await page.keyboard.type("High");
  await type(page, "Subject", "No mails");
  await type(page, "Description", "Since Monday.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await tabTo(page, "button", "Send request");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your request has been sent" }).waitFor();
  expect(sent("POST /api/support/tickets")).toEqual([
    expect.objectContaining({ type: "technical", priority: "high", subject: "No mails", privacy: true }),
  ]);
  await tabTo(page, "link", "Open the conversation");
  await page.keyboard.press("Enter");
  await type(page, "Your message", "Still nothing");
  await tabTo(page, "button", "Send message");
  await page.keyboard.press("Enter");
  await page.getByRole("main").getByText("Still nothing").waitFor();
  await leave();
}, 60_000);

test("a personal token is created using only the keyboard, and the focus returns to where it started", async () => {
  const { page, leave } = await visit("/api-tokens", { account: account({ confirmed: false }) });
  await tabTo(page, "button", "New token");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "New personal token" }).waitFor();
  await type(page, "Name", "Home server");
  await tabTo(page, "checkbox", "Handle alerts");
  await page.keyboard.press("Space");
  await tabTo(page, "button", "Create token");
  await page.keyboard.press("Enter");
  await page.getByLabel("Password", { exact: true }).waitFor();
  await page.keyboard.type("Correct-horse-7");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Your token" }).waitFor();
  expect(sent("POST /api/tokens").at(-1)).toMatchObject({ name: "Home server" });
  await tabTo(page, "button", "I’ve saved it");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent === "New token");
  await leave();
}, 60_000);

test("the profile is edited using only the keyboard, and invalid input moves the focus to its field", async () => {
  const { page, leave } = await visit("/profile-edit");
  await tabTo(page, "textbox", "First name");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").first().waitFor();
  const first = page.getByRole("textbox", { name: "First name" });
  expect(await first.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await first.getAttribute("aria-invalid")).toBe("true");
  await page.keyboard.type("Alicia");
  await tabTo(page, "button", "Save changes");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/en/profile");
  expect(sent("PUT /api/profile")).toEqual([expect.objectContaining({ firstName: "Alicia" })]);
  // The result is announced without moving the focus.
  const said = page.getByRole("region", { name: "Messages" });
  await said.getByText("Your changes have been saved.").waitFor();
  expect(await said.getAttribute("aria-live")).toBe("polite");
  await leave();
}, 60_000);
