import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import type { Scene } from "./fake_api.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };
const DEAD_LINK = "The reset link is invalid or has already been used. Please request a new password reset.";
const deadLink = { status: 410, body: { code: "RESET_LINK_INVALID" } };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

function bodyOf(call: string): unknown {
  return opened.site.requests.find((request) => request.call === call)?.body;
}

async function choose(page: Page, password: string, confirmPassword = password) {
  await page.getByLabel("New password").fill(password);
  await page.getByLabel("Confirm password").fill(confirmPassword);
  await page.getByRole("button", { name: "Change password" }).click();
}

test("the login links to a password reset for the email typed there, and another address can follow", async () => {
  opened.site.set(stranger);
  opened.site.stage.answers["POST /api/forgot-password"] = { status: 200, body: { email: "alice@example.com" } };
  const { page, leave } = await opened.visit("/en/login");
  await page.getByLabel("Email", { exact: true }).fill("Alice@Example.com");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.waitForURL("**/en/forgot-password");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("Alice@Example.com");
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { name: "Check your inbox" }).waitFor();
  await page
    .getByText("If an account exists for alice@example.com, we’ve sent a link. It’s valid for one hour.")
    .waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(bodyOf("POST /api/forgot-password")).toEqual({ email: "Alice@Example.com" });
  await page.getByRole("button", { name: "Use another address" }).click();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("");
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  await page.getByRole("link", { name: "Back to login" }).click();
  await page.waitForURL("**/en/login");
  await leave();
}, 30_000);

test("an invalid address is reported at the field, and a mail that cannot be sent in a modal", async () => {
  opened.site.set({
    ...stranger,
    answers: { "POST /api/forgot-password": { status: 500, body: { code: "GENERIC" } } },
  });
  const { page, leave } = await opened.visit("/en/forgot-password");
  const send = page.getByRole("button", { name: "Send the link" });
  await send.click();
  await page.getByText("Email is required.").waitFor();
  await page.getByLabel("Email", { exact: true }).fill("alice@");
  await send.click();
  await page.getByText("Please enter a valid email.").waitFor();
  expect(opened.site.calls()).not.toContain("POST /api/forgot-password");
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await send.click();
  const dialog = page.getByRole("dialog", { name: "The email could not be sent" });
  await dialog.getByText("There was an error on our side...").waitFor();
  await page.keyboard.press("Escape");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("alice@example.com");
  await leave();
}, 30_000);

test("a link's token is removed from the URL and changes the password, even after the language was changed", async () => {
  opened.site.set(stranger);
  const { page, leave } = await opened.visit("/de/reset-password#t=abc-_1");
  await settled(page);
  expect(page.url()).toBe(`${opened.site.origin}/de/reset-password`);
  await page.getByLabel("Neues Passwort").fill("Correct");
  await page.getByLabel("Sprache").selectOption("en");
  await page.waitForURL("**/en/reset-password");
  expect(page.url()).toBe(`${opened.site.origin}/en/reset-password`);
  expect(await page.getByLabel("New password").inputValue()).toBe("Correct");
  await page.getByRole("listitem").filter({ hasText: "One uppercase letter (met)" }).waitFor();
  await choose(page, "Correct-horse-7");
  await page.waitForURL("**/en/login");
  await page.getByText("Your password has been changed. Please log in.").waitFor();
  expect(bodyOf("POST /api/reset-password/check")).toEqual({ token: "abc-_1" });
  expect(bodyOf("POST /api/reset-password")).toEqual({
    token: "abc-_1",
    password: "Correct-horse-7",
    confirmPassword: "Correct-horse-7",
  });
  expect(opened.site.calls().filter((call) => call === "POST /api/reset-password/check")).toHaveLength(1);
  await leave();
}, 30_000);

test("each problem of the new password is shown at its field, including those only the server knows", async () => {
  const unchanged = { status: 422, body: { code: "INVALID_INPUT", fields: { password: "PASSWORD_UNCHANGED" } } };
  opened.site.set({ ...stranger, answers: { "POST /api/reset-password": unchanged } });
  const { page, leave } = await opened.visit("/en/reset-password#t=token");
  await choose(page, "short", "shorter");
  await page.getByText("This password is too short. It must be at least 8 characters.").waitFor();
  await page.getByText("The passwords do not match.").waitFor();
  expect(opened.site.calls()).not.toContain("POST /api/reset-password");
  await choose(page, "Correct-horse-7");
  await page.getByText("The new password must differ from the old one.").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-details") === "password-rules");
  expect(await page.locator(":focus").inputValue()).toBe("Correct-horse-7");
  await leave();
}, 30_000);

test("an invalid or meanwhile used link says so and leads to a new one", async () => {
  for (const [path, call] of [
    ["/en/reset-password#t=token", "POST /api/reset-password/check"],
    ["/en/reset-password#t=token", "POST /api/reset-password"],
  ] as const) {
    opened.site.set({ ...stranger, answers: { [call]: deadLink } });
    const { page, leave } = await opened.visit(path);
    if (call === "POST /api/reset-password") await choose(page, "Correct-horse-7");
    await page.getByText(DEAD_LINK).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("link", { name: "Request a new link" }).click();
    await page.waitForURL("**/en/forgot-password");
    await leave();
  }
}, 30_000);

test("a newer link opened in the same window replaces the invalid one", async () => {
  opened.site.set({ ...stranger, answers: { "POST /api/reset-password/check": deadLink } });
  const { page, leave } = await opened.visit("/en/reset-password#t=old");
  await page.getByText(DEAD_LINK).waitFor();
  opened.site.set(stranger);
  await page.goto(`${opened.site.origin}/en/reset-password#t=new`);
  await page.getByLabel("New password").waitFor();
  await page.waitForURL((url) => url.hash === "");
  expect(bodyOf("POST /api/reset-password/check")).toEqual({ token: "new" });
  await leave();
}, 30_000);

test("a check that fails can be retried; a logged-in user is redirected to the dashboard", async () => {
  opened.site.set({ ...stranger, answers: { "POST /api/reset-password/check": { status: 500, body: {} } } });
  const { page, leave } = await opened.visit("/en/reset-password#t=token");
  expect(await readFailure(page)).toBe("The link could not be checked");
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel("New password").waitFor();
  opened.site.stage.level = "authenticated";
  for (const path of ["/en/forgot-password", "/en/reset-password#t=token"]) {
    await page.goto(opened.site.origin + path);
    await page.reload();
    await page.waitForURL("**/en/dashboard");
  }
  await leave();
}, 30_000);
