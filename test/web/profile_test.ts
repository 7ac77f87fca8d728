import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { account, fullAccount } from "./fake_account.ts";
import { contact } from "./fake_contacts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const wrong = { status: 403, body: { code: "PASSWORD_WRONG", fields: { password: "PASSWORD_WRONG" } } };
const question = (page: Page) => page.getByRole("dialog", { name: "Please enter your password" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const sent = (call: string) => opened.site.requests.filter((request) => request.call === call);
const isFocused = (element: Element) => element === document.activeElement;

async function visit(path = "/en/profile") {
  const visited = await opened.visit(path);
  await settled(visited.page);
  return visited;
}

test("the overview shows the account, and a pending change of email can be cancelled", async () => {
  opened.site.set({ account: fullAccount() });
  const { page, leave } = await visit();
  const facts = page.getByRole("region", { name: "Account" });
  for (const fact of ["Alice Archer", "English", "Feb 3, 2025", "Free trial · 9 days left", "@alice_archer"])
    await facts.getByText(fact).first().waitFor();
  await facts.getByText("alice.new@example.org").waitFor();
  await button(page, "Cancel the change").click();
  await page.getByText("Your email address stays the same.").waitFor();
  await facts.getByText("alice.new@example.org").waitFor({ state: "detached" });
  expect(opened.site.calls()).toContain("DELETE /api/profile/email");
  await leave();
}, 30_000);

test("default contacts have the names that people know them by", async () => {
  const { profile } = account();
  const defaultContacts = { ...profile.defaultContacts, telegram: ["ada_bell"], slack: ["localhost-ef106d82"] };
  const team = contact("x1", { channel: "slack", value: "localhost-ef106d82", label: "The security team" });
  opened.site.set({ account: account({ profile: { ...profile, defaultContacts } }), contacts: [team] });
  const { page, leave } = await visit();
  const facts = page.getByRole("region", { name: "Account" });
  for (const name of ["@ada_bell", "The security team"]) await facts.getByText(name, { exact: true }).waitFor();
  expect(await facts.getByText("localhost-ef106d82").count()).toBe(0);
  await leave();
}, 30_000);

test("the password is requested once if the server requires it; a wrong one is reported at the field; then the call succeeds", async () => {
  opened.site.set({
    account: account({ confirmed: false }),
    answers: { "POST /api/confirm-password": wrong },
  });
  const { page, leave } = await visit();
  await button(page, "Download").click();
  const field = question(page).getByLabel("Password", { exact: true });
  await field.fill("wrong");
  await page.keyboard.press("Enter");
  await question(page).getByText("Incorrect password.").waitFor();
  expect(await field.inputValue()).toBe("wrong");
  opened.site.stage.answers = {};
  await field.fill("Correct-horse-7");
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(download.suggestedFilename()).toMatch(/^breachbell-\d{4}-\d\d-\d\d\.json$/);
  expect(JSON.parse(readFileSync(await download.path(), "utf8")).account.email).toBe("alice.archer@example.com");
  expect(sent("POST /api/confirm-password").map(({ body }) => body)).toEqual([
    { password: "wrong" },
    { password: "Correct-horse-7" },
  ]);
  expect(sent("POST /api/profile/export")).toHaveLength(2);
  await leave();
}, 30_000);

test("with only the keyboard: Esc closes the topmost dialog, no input is lost, and the focus returns to where it was", async () => {
  opened.site.set({ account: account({ confirmed: false }) });
  const { page, leave } = await visit();
  await button(page, "Change password").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Change password" });
  const first = dialog.getByLabel("New password");
  await first.waitFor();
  await page.keyboard.type("Correct-horse-7");
  await dialog.getByLabel("Confirm password").fill("Correct-horse-7");
  await page.keyboard.press("Enter");
  await question(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("autocomplete") === "current-password");
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("[role=dialog]")?.textContent)).toContain(
      "Please enter your password",
    );
  }
  await page.keyboard.press("Escape");
  await question(page).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("autocomplete") === "new-password");
  expect(await first.inputValue()).toBe("Correct-horse-7");
  expect(sent("PUT /api/profile/password")).toHaveLength(1);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.textContent === "Change password");
  await leave();
}, 30_000);

test("a new password is validated as at registration, and problems only the server knows are shown at its field", async () => {
  const common = { status: 422, body: { code: "INVALID_INPUT", fields: { password: "PASSWORD_TOO_COMMON" } } };
  opened.site.set({ answers: { "PUT /api/profile/password": common } });
  const { page, leave } = await visit();
  await button(page, "Change password").click();
  const dialog = page.getByRole("dialog", { name: "Change password" });
  const save = dialog.getByRole("button", { name: "Change password" });
  await dialog.getByLabel("New password").fill("short");
  await save.click();
  await dialog.getByText("This password is too short.").waitFor();
  expect(sent("PUT /api/profile/password")).toHaveLength(0);
  await dialog.getByLabel("New password").fill("Password1");
  await dialog.getByLabel("Confirm password").fill("Password1");
  await save.click();
  await dialog.getByText("This password is too common.").waitFor();
  opened.site.stage.answers = {};
  await dialog.getByLabel("New password").fill("Correct-horse-7");
  await dialog.getByLabel("Confirm password").fill("Correct-horse-7");
  await save.click();
  await page.getByText("Your password has been changed. All other sessions have ended.").waitFor();
  await dialog.waitFor({ state: "detached" });
  await leave();
}, 30_000);

test("sessions are listed with their known data, and ended one by one or all others after a confirmation", async () => {
  opened.site.set();
  const { page, leave } = await visit();
  const sessions = page.getByRole("region", { name: "Sessions" });
  const here = sessions.getByRole("listitem").filter({ hasText: "This session" });
  await here.getByText("Firefox on Linux").waitFor();
  expect(await here.getByRole("button").count()).toBe(0);
  await button(page, "End session: Unknown browser").click();
  await page.getByText("The session has ended.").waitFor();
  expect(await sessions.getByRole("listitem").count()).toBe(2);
  await button(page, "End all others").click();
  const dialog = page.getByRole("dialog", { name: "End all other sessions?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(opened.site.calls()).not.toContain("POST /api/sessions/end-others");
  await button(page, "End all others").click();
  await dialog.getByRole("button", { name: "End all others" }).click();
  await page.getByText("1 session has ended.").waitFor();
  expect(await sessions.getByRole("listitem").count()).toBe(1);
  await page.waitForFunction(() => document.activeElement?.id === "sessions");
  await leave();
}, 30_000);

test("recent activity is described in words, a few lines at a time", async () => {
  opened.site.set();
  const { page, leave } = await visit();
  const activity = page.getByRole("region", { name: "Recent activity" });
  for (const line of [
    "Logged in with a code by email",
    "Wrong password entered",
    "Passkey removed: Old phone",
    "GitHub linked",
  ])
    await activity.getByText(line, { exact: true }).waitFor();
  expect(await activity.getByText("Account created").count()).toBe(0);
  await activity.getByRole("button", { name: "Show more" }).click();
  await activity.getByText("Account created").waitFor();
  expect(await activity.getByRole("button").count()).toBe(0);
  await leave();
}, 30_000);

test("deleting lists what is deleted, requires the password, and ends at the login with a message", async () => {
  opened.site.set({ answers: { "POST /api/profile/delete": wrong } });
  const { page, leave } = await visit();
  await button(page, "Delete account").click();
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  for (const line of ["4 tracked addresses", "6 alerts", "2 contacts", "your free trial"])
    await dialog.getByText(line, { exact: true }).waitFor();
  await dialog.getByText("Erin Example (e…@example.org)").waitFor();
  const field = dialog.getByLabel("Your password, to confirm");
  expect(await field.evaluate(isFocused)).toBe(true);
  await dialog.getByRole("button", { name: "Delete permanently" }).click();
  await dialog.getByText("Password is required.").waitFor();
  expect(sent("POST /api/profile/delete")).toHaveLength(0);
  await field.fill("wrong");
  await page.keyboard.press("Enter");
  await dialog.getByText("Incorrect password.").waitFor();
  opened.site.stage.answers = {};
  await field.fill("Correct-horse-7");
  await dialog.getByLabel("Let them keep their access").check();
  opened.site.stage.level = "unauthenticated";
  await page.keyboard.press("Enter");
  await page.waitForURL("**/en/login");
  await page.getByText("Your account and its data have been deleted.").waitFor();
  expect(await page.getByText("Session expired").count()).toBe(0);
  expect(sent("POST /api/profile/delete").at(-1)?.body).toEqual({
    password: "Correct-horse-7",
    keepGrants: true,
  });
  await leave();
}, 30_000);
