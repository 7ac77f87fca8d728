import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { account, fullAccount, TOKEN } from "./fake_account.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test("a token is created with the ticked scopes after entering the password, shown once and listed", async () => {
  opened.site.set({ account: account({ confirmed: false }) });
  const { page, leave } = await opened.visit("/en/profile");
  await page.getByRole("link", { name: "Manage tokens" }).click();
  await page.waitForURL("**/en/api-tokens");
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByText("Please give the token a name.").waitFor();
  await dialog.getByLabel("Name").fill("Home server");
  await dialog.getByLabel("Read addresses").uncheck();
  const read = dialog.getByRole("checkbox", { name: "Read alerts" });
  await read.uncheck();
  await dialog.getByLabel("Handle alerts").check();
  expect(await read.isChecked()).toBe(true);
  expect(await read.isDisabled()).toBe(true);
  await dialog.getByLabel("Never").check();
  await dialog.getByText("works until you revoke it").waitFor();
  await dialog.getByLabel("365 days").check();
  await dialog.getByRole("button", { name: "Create token" }).click();
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByRole("button", { name: "Continue" }).click();
  const shown = page.getByRole("textbox", { name: "Your token" });
  expect(await shown.inputValue()).toBe(TOKEN);
  const sent = opened.site.requests.findLast(({ call }) => call === "POST /api/tokens")?.body;
  expect(sent).toEqual({ name: "Home server", scopes: ["alerts:read", "alerts:write"], days: 365 });
  // An accidental key press does not lose it.
  await page.keyboard.press("Escape");
  expect(await shown.isVisible()).toBe(true);
  await page.getByRole("button", { name: "I’ve saved it" }).click();
  await page.getByRole("listitem").filter({ hasText: "Home server" }).waitFor();
  expect(await page.content()).not.toContain(TOKEN);
  await page.getByRole("button", { name: "New token" }).click();
  expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("");
  await leave();
}, 60_000);

test("one token is revoked, then all", async () => {
  opened.site.set({ account: fullAccount() });
  const { page, leave } = await opened.visit("/en/api-tokens");
  await settled(page);
  await page.getByRole("button", { name: "Revoke the token Home server" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“Home server” has been revoked.").waitFor();
  await page.getByRole("heading", { name: "3 of 20 tokens" }).waitFor();
  await page.getByRole("button", { name: "Revoke all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke all" }).click();
  await page.getByText("3 tokens have been revoked.").waitFor();
  await page.getByText("No tokens yet").waitFor();
  expect(opened.site.calls().filter((call) => /^(POST|DELETE)/.test(call))).toEqual([
    "DELETE /api/tokens/t1",
    "POST /api/tokens/revoke-all",
  ]);
  await leave();
}, 60_000);

test("the reference finds a call by its path, and shows its documentation", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await opened.visit("/en/developers");
  await settled(page);
  const paths = () => page.locator("main summary code").allTextContents();
  expect(await paths()).toContain("/api/associations");
  expect(await paths()).not.toContain("/api/login");
  await page.getByRole("searchbox", { name: "Search" }).fill("alerts/{id}/handle");
  await page.getByText("1 call", { exact: true }).waitFor();
  expect(await paths()).toEqual(["/api/alerts/{id}/handle"]);
  await page.locator("main summary").press("Enter");
  await page.getByText("A personal token with the scope alerts:write + alerts:read").waitFor();
  await page.getByRole("listitem").getByText("ALERT_CHANGED", { exact: true }).last().waitFor();
  await page.getByRole("button", { name: "Copy the example in curl" }).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("api/login");
  await page.getByText("No matches").waitFor();
  await page.getByLabel("Also show the website’s own calls").check();
  await page.getByText("1 call", { exact: true }).waitFor();
  expect(await paths()).toEqual(["/api/login"]);
  await leave();
}, 60_000);
