import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import errors from "../../locales/en/errors.json";
import { answerOf } from "../../web/identity/sign_in/provider_answer.ts";
import { providerUrl } from "../../web/shared/provider_url.ts";
import { openSite, settled } from "./browser.ts";
import { provider, type Scene } from "./fake_api.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };
const FINISH = "POST /api/providers/google/finish";
const profile = { firstName: "Grace", lastName: "Hopper", email: "grace@example.org" };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

function pathOf(page: Page): string {
  return page.url().slice(opened.site.origin.length);
}

const finishes = () => opened.site.requests.filter(({ call }) => call === FINISH);

describe("providerUrl()", () => {
  test("providerUrl() accepts https, and plain http on this machine", () => {
    for (const url of ["https://accounts.google.com/o/oauth2?a=b", "http://localhost:4000/x", "http://[::1]:1/"])
      expect(providerUrl(url)).toBe(url);
  });

  test.each([
    "http://accounts.google.com/",
    "http://localhost.evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "/login",
    "",
  ])("providerUrl() rejects %p", (url) => {
    expect(() => providerUrl(url)).toThrow();
  });
});

test("answerOf() parses the provider's redirect parameters", () => {
  expect(answerOf("?code=a%2Fb&state=c&scope=email")).toEqual({ state: "c", code: "a/b" });
  expect(answerOf("?error=access_denied&state=c")).toEqual({ state: "c" });
  expect(answerOf("?code=a")).toBeUndefined();
});

test("the login offers exactly the configured providers, and redirects to the chosen one", async () => {
  opened.site.set(stranger);
  const without = await opened.visit("/en/login");
  await settled(without.page);
  await without.page.waitForLoadState("networkidle");
  expect(await without.page.getByRole("button", { name: /^Continue with/ }).count()).toBe(0);
  await without.leave();

  const { instance } = opened.site.set(stranger);
  instance.providers = [provider("google"), provider("microsoft")];
  const url = `${opened.site.origin}/en/terms-service?at=provider`;
  opened.site.stage.answers["POST /api/providers/microsoft/start"] = { status: 200, body: { url } };
  const { page, leave } = await opened.visit("/en/login");
  const buttons = page.getByRole("button", { name: /^Continue with/ });
  await buttons.first().waitFor();
  expect(await buttons.allTextContents()).toEqual(["Continue with Google", "Continue with Microsoft"]);
  await buttons.last().press("Enter");
  await page.waitForURL(url);
  const start = opened.site.requests.find(({ call }) => call === "POST /api/providers/microsoft/start");
  expect(start?.body).toEqual({ purpose: "sign_in" });
  await leave();
}, 30_000);

test("a URL that is no web page is never opened", async () => {
  const { instance } = opened.site.set(stranger);
  instance.providers = [provider("github")];
  const url = "javascript:document.title='opened'";
  opened.site.stage.answers["POST /api/providers/github/start"] = { status: 200, body: { url } };
  const { page, leave } = await opened.visit("/en/login");
  await page.getByRole("button", { name: "Continue with GitHub" }).click();
  await page.getByRole("dialog", { name: "Login failed" }).waitFor();
  expect(await page.title()).toBe("Log in · Breachbell");
  await leave();
}, 30_000);

test("the redirect back works without a language, once, and leaves nothing in the URL or the history", async () => {
  const started = { outcome: "second_step", email: "alice.archer@example.com", methods: ["email"] };
  opened.site.set({ level: "partial", answers: { [FINISH]: { status: 200, body: started } } });
  const { page, leave } = await opened.visit("/en/terms-service");
  await settled(page);
  await page.goto(`${opened.site.origin}/sign-in/google?code=4%2F0Ab&state=s-1&scope=openid`);
  await page.waitForURL("**/en/verify-code");
  await page.getByLabel("Digit 1 of 6").waitFor();
  expect(finishes().map(({ body }) => body)).toEqual([{ state: "s-1", code: "4/0Ab", language: "en" }]);
  await page.goBack();
  await page.waitForURL("**/en/terms-service");
  expect(finishes()).toHaveLength(1);
  await leave();
}, 30_000);

test("while the response is checked the code is removed from the URL, even after the language was changed", async () => {
  opened.site.set(stranger);
  const { page, leave } = await opened.visit("/en/terms-service");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/providers/google/finish", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${opened.site.origin}/en/sign-in/google?code=secret&state=s-2`);
  await page.getByText("One moment, we’re checking the response from Google.").waitFor();
  expect(pathOf(page)).toBe("/en/sign-in/google");
  await page.getByLabel("Language").selectOption("de");
  await page.getByText("Einen Moment bitte, wir prüfen die Antwort von Google.").waitFor();
  expect(pathOf(page)).toBe("/de/sign-in/google");
  release();
  await page.getByRole("alert").waitFor();
  expect(finishes()).toHaveLength(1);
  await leave();
}, 30_000);

test("a user without an account sees the registration filled in, with an explanation", async () => {
  const body = { outcome: "no_account", profile };
  opened.site.set({ ...stranger, answers: { [FINISH]: { status: 200, body } } });
  const { page, leave } = await opened.visit("/en/sign-in/google?code=c&state=s");
  await page.waitForURL("**/en/register");
  await page.getByText("There’s no account for grace@example.org yet.").waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe("Grace");
  expect(await page.getByLabel("Last name").inputValue()).toBe("Hopper");
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("grace@example.org");
  await leave();
}, 30_000);

test("a link created from the profile leads back there", async () => {
  opened.site.set({ answers: { [FINISH]: { status: 200, body: { outcome: "linked", provider: "google" } } } });
  const { page, leave } = await opened.visit("/en/sign-in/google?code=c&state=s");
  await page.waitForURL("**/en/profile");
  await page.getByText("Google is now linked to your account.").waitFor();
  await leave();
}, 30_000);

test("every failure has a message, with a way to continue", async () => {
  for (const [path, code, way, level] of [
    ["google?error=access_denied&state=s", "PROVIDER_REFUSED", "Back to login", "unauthenticated"],
    ["google", "PROVIDER_REFUSED", "Back to login", "unauthenticated"],
    ["facebook?code=c&state=s", "PROVIDER_REFUSED", "Back to login", "unauthenticated"],
    ["google?code=c&state=s", "PROVIDER_UNAVAILABLE", "Back to login", "unauthenticated"],
    ["google?code=c&state=s", "PROVIDER_EMAIL_UNVERIFIED", "Back to login", "unauthenticated"],
    ["google?code=c&state=s", "PASSWORD_RESET_REQUIRED", "Choose a new password", "unauthenticated"],
    ["google?code=c&state=s", "PROVIDER_ALREADY_LINKED", "Back to your profile", "authenticated"],
  ] as const) {
    opened.site.set({ level, answers: { [FINISH]: { status: 403, body: { code } } } });
    const { page, leave } = await opened.visit(`/en/sign-in/${path}`);
    await page.getByRole("alert").getByText(errors[code], { exact: true }).waitFor();
    await page.getByRole("link", { name: way }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await leave();
  }
}, 60_000);
