import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import type { Scene } from "./fake_api.ts";

const stronger: Partial<Scene> = {
  level: "partial",
  methods: ["passkey", "authenticator", "recovery_code"],
  answers: { "POST /api/verify-passkey/options": { status: 200, body: { challenge: "AAAA", allowCredentials: [] } } },
};
const wrong = { status: 401, body: { code: "CODE_INVALID" } };
const blocked = { status: 403, body: { code: "PASSWORD_RESET_REQUIRED" } };
const welcome = { status: 200, body: { language: "en" } };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

function bodyOf(call: string): unknown {
  return opened.site.requests.find((request) => request.call === call)?.body;
}

async function typeCode(page: Page, code: string) {
  await page.getByLabel("Digit 1 of 6").click();
  await page.keyboard.type(code);
}

const way = (page: Page, name: string) =>
  page.getByRole("group", { name: "Try another way" }).getByRole("button", { name, exact: true });

test("a deep link and a reload show where the code was sent and when another may be requested", async () => {
  opened.site.set({ level: "partial", resendAfter: 42 });
  const { page, leave } = await opened.visit("/en/verify-code");
  await page.getByText("We’ve emailed a 6-digit code to alice.archer@example.com.").waitFor();
  await page.getByText(/^You can ask for a new code in (42|41|40) seconds$/).waitFor();
  opened.site.stage.resendAfter = 7;
  await page.reload();
  await page.getByText(/^You can ask for a new code in [567] seconds$/).waitFor();
  expect(await page.title()).toBe("Verification · Breachbell");
  expect(await page.getByRole("group", { name: "Try another way" }).count()).toBe(0);
  await leave();
}, 30_000);

test("while no mail can be sent, the page says so, names the ways without one, and says when the code has been sent", async () => {
  opened.site.set({ level: "partial", mailDelayed: true });
  const { page, leave } = await opened.visit("/en/verify-code");
  await page.clock.install();
  await page.reload();
  await page
    .getByText("We can’t send emails at the moment. We’ll send your code to alice.archer@example.com")
    .waitFor();
  const notice = page.getByRole("status").filter({ hasText: "With a passkey or an authenticator app" });
  await notice.waitFor();
  expect(await page.getByText("We have sent an email").count()).toBe(0);
  await page.getByRole("button", { name: "Send a new code" }).click();
  await page.getByText("We’ll email you a new code as soon as we can.").waitFor();
  opened.site.stage.mailDelayed = false;
  await page.clock.runFor(10_000);
  await page.getByText("We’ve emailed a 6-digit code to alice.archer@example.com.").waitFor();
  expect(await notice.count()).toBe(0);
  await leave();
}, 30_000);

test("a log-in whose state cannot be loaded can be retried", async () => {
  opened.site.set({
    level: "partial",
    answers: { "GET /api/sign-in": { status: 500, body: { code: "GENERIC" } } },
  });
  const { page, leave } = await opened.visit("/en/verify-code");
  expect(await readFailure(page)).toBe("Your login could not be loaded");
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel("Digit 1 of 6").waitFor();
  await leave();
}, 30_000);

test("the app's code needs no mail, and continues", async () => {
  const scene: Partial<Scene> = { level: "partial", methods: ["authenticator", "recovery_code"] };
  opened.site.set({ ...scene, answers: { "POST /api/verify-authenticator": wrong } });
  const { page, leave } = await opened.visit("/en/verify-code");
  await page.getByText("Open your authenticator app").waitFor();
  expect(await page.locator("main").getByText("email").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Send a new code" }).count()).toBe(0);
  await typeCode(page, "000000");
  await page.getByText("Invalid or expired code.").waitFor();
  opened.site.requests.length = 0;
  opened.site.stage.answers = { "POST /api/verify-authenticator": welcome };
  opened.site.stage.level = "authenticated";
  await typeCode(page, "123456");
  await page.waitForURL("**/en/dashboard");
  expect(bodyOf("POST /api/verify-authenticator")).toEqual({ code: "123456" });
  await leave();
}, 30_000);

test("only the account's own methods are offered, and each links to the others, by keyboard", async () => {
  opened.site.set(stronger);
  const { page, leave } = await opened.visit("/en/verify-code");
  await page.getByRole("heading", { name: "Use your passkey" }).waitFor();
  const names = () => page.getByRole("group", { name: "Try another way" }).getByRole("button").allTextContents();
  expect(await names()).toEqual(["Authenticator app", "Recovery code"]);
  await way(page, "Recovery code").press("Enter");
  await page.getByRole("heading", { name: "Enter a recovery code" }).waitFor();
  expect(await page.getByLabel("Recovery code").evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await names()).toEqual(["Passkey", "Authenticator app"]);
  await way(page, "Authenticator app").press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Digit 1 of 6");
  expect(await names()).toEqual(["Passkey", "Recovery code"]);
  await leave();
}, 30_000);

test("a recovery code's format is checked in the browser and its validity on the server", async () => {
  opened.site.set({
    level: "partial",
    methods: ["authenticator", "recovery_code"],
    answers: { "POST /api/verify-recovery-code": wrong },
  });
  const { page, leave } = await opened.visit("/en/verify-code");
  await way(page, "Recovery code").click();
  const field = page.getByLabel("Recovery code");
  await field.fill("too short");
  await page.keyboard.press("Enter");
  await page.getByText("Invalid or expired code.").waitFor();
  expect(opened.site.calls()).not.toContain("POST /api/verify-recovery-code");
  await field.fill("abcde-23456");
  await page.getByText("Invalid or expired code.").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByText("Invalid or expired code.").waitFor();
  expect(await field.inputValue()).toBe("abcde-23456");
  opened.site.stage.answers = { "POST /api/verify-recovery-code": welcome };
  opened.site.stage.level = "authenticated";
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL("**/en/dashboard");
  await leave();
}, 30_000);

test("after too many wrong codes only a password reset helps, with a link to it", async () => {
  opened.site.set({ level: "partial", answers: { "POST /api/verify-code": blocked } });
  const { page, leave } = await opened.visit("/en/verify-code");
  await typeCode(page, "123456");
  await page.getByText("Too many wrong codes were entered.").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("link", { name: "Choose a new password" }).click();
  await page.waitForURL("**/en/forgot-password");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("alice.archer@example.com");
  await leave();
}, 30_000);

test("a locked verification says so in the specification's words", async () => {
  opened.site.set({
    level: "partial",
    answers: { "POST /api/verify-code": { status: 429, body: { code: "LOCKED", retryAfter: 3600 } } },
  });
  const { page, leave } = await opened.visit("/en/verify-code");
  await typeCode(page, "123456");
  await page
    .getByRole("dialog", { name: "Verification failed" })
    .getByText("For your security, we have temporarily locked login. Please try again in 1 hour.")
    .waitFor();
  await leave();
}, 30_000);

test("a log-in without a mailed code does not mention one", async () => {
  for (const [methods, said] of [
    [["email"], 1],
    [["authenticator"], 0],
  ] as const) {
    opened.site.set({ level: "unauthenticated", methods: [...methods] });
    const { page, leave } = await opened.visit("/en/login");
    await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
    await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
    await settled(page);
    opened.site.stage.level = "partial";
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Digit 1 of 6").waitFor();
    expect(await page.getByText("We’ve emailed a code").count()).toBe(said);
    await leave();
  }
}, 30_000);

test("an expired log-in leads to the login, and back does not return to the code", async () => {
  opened.site.set({ level: "partial" });
  const { page, leave } = await opened.visit("/en/verify-code");
  await page.getByLabel("Digit 1 of 6").waitFor();
  const ended = { status: 401, body: { code: "UNAUTHENTICATED" } };
  Object.assign(opened.site.stage, { level: "unauthenticated", answers: { "POST /api/resend-code": ended } });
  await page.getByRole("button", { name: "Send a new code" }).click();
  await page.waitForURL("**/en/login");
  await page.getByText("Session expired. Please log in again.").waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem("returnTo"))).toBeNull();
  await leave();
}, 30_000);
