import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import type { Scene } from "./fake_api.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

function pathOf(page: Page): string {
  return page.url().slice(opened.site.origin.length);
}

async function logIn(page: Page) {
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByRole("button", { name: "Log in" }).click();
}

test("a link into the application leads back there after login and code", async () => {
  opened.site.set(stranger);
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  await page.waitForURL("**/en/login");
  opened.site.stage.level = "partial";
  await logIn(page);
  await page.waitForURL("**/en/verify-code");
  opened.site.stage.level = "authenticated";
  opened.site.stage.answers["POST /api/verify-code"] = { status: 200, body: { language: "de" } };
  await page.getByLabel("Digit 1 of 6").pressSequentially("1");
  await page.keyboard.type("23456");
  await page.waitForURL("**/en/alerts?alert=b1");
  await page.getByRole("dialog").getByRole("heading", { name: "Northwind Cinemas" }).waitFor();
  expect(opened.site.requests.find(({ call }) => call === "POST /api/verify-code")?.body).toEqual({ code: "123456" });
  await leave();
}, 30_000);

test("without a requested page the account's language is used, unless one was chosen manually", async () => {
  for (const [picked, expected] of [
    [undefined, "/de/dashboard"],
    ["fr", "/fr/dashboard"],
  ] as const) {
    opened.site.set({
      level: "partial",
      answers: { "POST /api/verify-code": { status: 200, body: { language: "de" } } },
    });
    const { page, leave } = await opened.visit("/en/verify-code");
    // Each navigation checks the session, which must still be partial.
    await settled(page);
    if (picked) {
      await page.getByLabel("Language").selectOption(picked);
      // The URL changes before the page does.
      await page.getByLabel("Chiffre 1 sur 6").waitFor();
    }
    opened.site.stage.level = "authenticated";
    await page.locator("input[autocomplete=one-time-code]").first().pressSequentially("1");
    await page.keyboard.type("23456");
    await page.waitForURL(`**${expected}`);
    await leave();
  }
}, 30_000);

test("a wrong code is reported at the field, which is emptied for the next attempt; a pasted one is accepted", async () => {
  opened.site.set({
    level: "partial",
    answers: { "POST /api/verify-code": { status: 401, body: { code: "CODE_INVALID" } } },
  });
  const { page, leave } = await opened.visit("/en/verify-code");
  const first = page.getByLabel("Digit 1 of 6");
  await first.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "123 456");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByText("Invalid or expired code.").waitFor();
  expect(await first.inputValue()).toBe("");
  expect(await first.evaluate((field) => field === document.activeElement)).toBe(true);
  await leave();
}, 30_000);

test("a new code can be requested when the wait is over", async () => {
  opened.site.set({ level: "partial" });
  const { page, leave } = await opened.visit("/en/verify-code");
  await page.getByRole("button", { name: "Send a new code" }).click();
  await page.getByText(/^You can ask for a new code in \d+ seconds$/).waitFor();
  expect(await page.getByRole("button", { name: "Send a new code" }).count()).toBe(0);
  await leave();
}, 30_000);

test("the mailbox is linked only where there is one", async () => {
  for (const mailbox of [true, false]) {
    const { instance } = opened.site.set({ level: "partial" });
    instance.mailbox = mailbox;
    const { page, leave } = await opened.visit("/en/verify-code");
    await settled(page);
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("link", { name: "Open the local inbox" }).count()).toBe(mailbox ? 1 : 0);
    await leave();
  }
}, 30_000);

test("a lock and a lost connection are shown in a modal", async () => {
  opened.site.set({
    ...stranger,
    answers: { "POST /api/login": { status: 429, body: { code: "LOCKED", retryAfter: 3600 } } },
  });
  const { page, leave } = await opened.visit("/en/login");
  await settled(page);
  await logIn(page);
  const dialog = page.getByRole("dialog", { name: "Login failed" });
  await dialog.getByText("For your security, we have temporarily locked login. Please try again in 1 hour.").waitFor();
  await page.keyboard.press("Escape");
  await page.route("**/api/login", (route) => route.abort());
  await page.getByRole("button", { name: "Log in" }).click();
  await dialog.getByText("The server can’t be reached.").waitFor();
  await leave();
}, 30_000);

test("registration shows problems at each field, including those only the server knows, and keeps the input", async () => {
  const taken = { status: 409, body: { code: "EMAIL_TAKEN", fields: { email: "EMAIL_TAKEN" } } };
  opened.site.set({ ...stranger, answers: { "POST /api/register": taken } });
  const { page, leave } = await opened.visit("/en/register");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("First name is required.").waitFor();
  await page.getByText("You must accept the Terms and Conditions.").waitFor();
  expect(opened.site.calls()).not.toContain("POST /api/register");
  await page.getByLabel("First name").fill("Alice");
  await page.getByLabel("Last name").fill("Archer");
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByLabel("Confirm password").fill("Correct-horse-8");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("The passwords do not match.").waitFor();
  await page.getByLabel("Confirm password").fill("Correct-horse-7");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("A user with this email already exists.").waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe("Alice");
  expect(await page.getByLabel("Email", { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
  await leave();
}, 30_000);

test("registration leads to the login with the address filled in and the focus in the password", async () => {
  const registered = { status: 201, body: { email: "alice@example.com" } };
  opened.site.set({ ...stranger, answers: { "POST /api/register": registered } });
  const { page, leave } = await opened.visit("/en/register");
  await page.getByLabel("First name").fill("Alice");
  await page.getByLabel("Last name").fill("Archer");
  await page.getByLabel("Email", { exact: true }).fill("Alice@Example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByLabel("Confirm password").fill("Correct-horse-7");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/en/login");
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("alice@example.com");
  await page.keyboard.type("Correct-horse-7");
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("Correct-horse-7");
  await leave();
}, 30_000);

test("an expired session leads to the login with a message, from a navigation and from a call", async () => {
  const ended = { status: 401, body: { code: "SESSION_EXPIRED" } };
  for (const end of ["navigation", "call"]) {
    opened.site.set();
    const { page, leave } = await opened.visit("/en/dashboard");
    await page.getByText("bob@example.org").first().waitFor();
    opened.site.stage.level = "unauthenticated";
    opened.site.stage.answers["GET /api/associations"] = ended;
    if (end === "navigation") await page.getByRole("link", { name: "Alerts", exact: true }).click();
    else await page.getByRole("searchbox").fill("bob");
    await page.waitForURL("**/en/login");
    await page.getByText("Session expired. Please log in again.").waitFor();
    expect(pathOf(page)).toBe("/en/login");
    await leave();
  }
}, 30_000);
