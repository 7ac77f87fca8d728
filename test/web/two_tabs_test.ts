import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

const PRIVATE = "bob@example.org";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

async function openTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(opened.site.origin + path);
  await settled(tab);
  return tab;
}

async function logOut(page: Page) {
  opened.site.stage.level = "unauthenticated";
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/en/login");
}

async function logIn(page: Page) {
  opened.site.stage.level = "partial";
  opened.site.stage.answers["POST /api/verify-code"] = { status: 200, body: { language: "en" } };
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Digit 1 of 6").click();
  opened.site.stage.level = "authenticated";
  await page.keyboard.type("123456");
}

test("logging out in one tab logs the other out, and logging in again restores both where they were", async () => {
  opened.site.set();
  const { page, complaints, leave } = await opened.visit("/en/dashboard");
  await page.getByText(PRIVATE).first().waitFor();
  const other = await openTab(page, "/en/alerts?state=pending");
  await logOut(page);
  await other.getByRole("heading", { name: "Log in" }).waitFor();
  expect(await other.getByText("Northwind Cinemas").count()).toBe(0);
  expect(await other.getByText("Session expired").count()).toBe(0);

  await logIn(page);
  await page.waitForURL("**/en/dashboard");
  await other.waitForURL("**/en/alerts?state=pending");
  await other.getByText("Northwind Cinemas").first().waitFor();
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("when another user logs in in another tab, this tab then shows that user", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByText("Alice Archer").first().waitFor();
  const other = await openTab(page, "/en/dashboard");
  await logOut(other);
  await page.waitForURL("**/en/login");
  Object.assign(opened.site.stage.me, { firstName: "Bob", lastName: "Baker" });
  await logIn(other);
  await page.waitForURL("**/en/dashboard");
  await page.getByText("Bob Baker").first().waitFor();
  await other.getByText("Bob Baker").first().waitFor();
  for (const tab of [page, other]) expect(await tab.getByText("Alice Archer").count()).toBe(0);
  await leave();
}, 60_000);

test("back and forward after logging out show the login, and nothing private", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByText(PRIVATE).first().waitFor();
  await page.getByRole("link", { name: "Alerts", exact: true }).click();
  await page.waitForURL("**/en/alerts");
  await settled(page);
  await logOut(page);
  opened.site.requests.length = 0;
  for (const step of [page.goBack, page.goBack, page.goForward, page.goForward]) {
    await step.call(page);
    await page.waitForURL("**/en/login");
    await settled(page);
    expect(await page.getByText(PRIVATE).count()).toBe(0);
  }
  expect(opened.site.calls().filter((call) => /associations|alerts|\/me$/.test(call))).toEqual([]);
  await leave();
}, 30_000);

test("a page restored from the back/forward cache is hidden until the session check has finished", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByText(PRIVATE).first().waitFor();
  const turn = (type: string) =>
    page.evaluate((name) => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
  const isShown = () => page.getByText(PRIVATE).first().isVisible();
  const isVeiled = () => page.evaluate(() => getComputedStyle(document.body).visibility === "hidden");
  await turn("pagehide");
  expect(await isShown()).toBe(false);
  await turn("pageshow");
  await page.getByText(PRIVATE).first().waitFor();

  expect(await isVeiled()).toBe(false);
  await turn("pagehide");
  opened.site.stage.level = "unauthenticated";
  await turn("pageshow");
  await page.waitForURL("**/en/login");
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  expect(await page.getByText(PRIVATE).count()).toBe(0);
  await leave();
}, 30_000);

test("logging out continues while the browser still waits for a response, and leaves nothing in the tab", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await page.evaluate(() => sessionStorage.setItem("refused", "/en/screen-track/carol%40example.com"));
  let isHeld = false;
  await page.route("**/api/logout", () => {
    isHeld = true;
    opened.site.stage.level = "unauthenticated";
  });
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/en/login");
  expect(isHeld).toBe(true);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  await leave();
}, 60_000);
