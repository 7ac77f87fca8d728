import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import type { Scene } from "./fake_api.ts";
import { serviceNotice } from "./fake_service_status.ts";
import { heldBack, isListening } from "./held_back.ts";
import { barriers } from "./inspect.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

function wordsIn(language: string): (key: string) => string {
  const words = JSON.parse(readFileSync(join(import.meta.dir, `../../locales/${language}/ui.json`), "utf8"));
  return (key) => words[key];
}

/** Delays the scripts until `go`. */
const scriptsHeldBack = (page: Page) => heldBack(page, "**/assets/*.js");

/** Before any script of the page: records layout shifts. */
function watchShifts(): void {
  const moved: string[] = [];
  Object.assign(globalThis, { moved });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) moved.push(JSON.stringify(entry));
  }).observe({ type: "layout-shift", buffered: true });
}

test("input typed and submitted before hydration is kept, without layout shifts or errors", async () => {
  const answers = { "POST /api/login": { status: 200, body: { email: "alice@example.com", methods: ["email"] } } };
  opened.site.set({ ...stranger, answers });
  const { page, complaints, leave } = await opened.visit("/fr/register", { viewport: { width: 412, height: 823 } });
  await settled(page);
  await page.addInitScript(watchShifts);
  const go = await scriptsHeldBack(page);
  // The password is correct, so a code follows.
  opened.site.stage.level = "partial";
  await page.goto(`${opened.site.origin}/fr/login`, { waitUntil: "commit" });
  const text = wordsIn("fr");
  const email = page.getByLabel(text("field.email"), { exact: true });
  await email.fill("alice@example.com");
  await page.getByLabel(text("field.password"), { exact: true }).fill("Correct-horse-7");
  expect(await page.evaluate(isListening)).toBe(false);
  // The second time changes nothing.
  for (let times = 0; times < 2; times++) await page.keyboard.press("Enter");
  expect(await page.locator("form").getAttribute("aria-busy")).toBe("true");
  go();
  await page.waitForURL("**/fr/verify-code");
  expect(opened.site.requests.flatMap(({ call, body }) => (call === "POST /api/login" ? [body] : []))).toEqual([
    { email: "alice@example.com", password: "Correct-horse-7" },
  ]);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("what was submitted before hydration and is wrong is marked by the app, and can be corrected", async () => {
  const wrong = { code: "CREDENTIALS_INVALID", fields: { password: "CREDENTIALS_INVALID" } };
  opened.site.set({ ...stranger, answers: { "POST /api/login": { status: 401, body: wrong } } });
  const { page, complaints, leave } = await opened.visit("/de/register");
  await settled(page);
  const go = await scriptsHeldBack(page);
  await page.goto(`${opened.site.origin}/de/login`, { waitUntil: "commit" });
  const text = wordsIn("de");
  const password = page.getByLabel(text("field.password"), { exact: true });
  await page.getByLabel(text("field.email"), { exact: true }).fill("alice@example.com");
  await password.fill("Wrong-horse-7");
  await page.keyboard.press("Enter");
  go();
  await page.locator('[aria-invalid="true"]').first().waitFor();
  expect(await page.locator("form").getAttribute("aria-busy")).toBeNull();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-path"))).toBe("password");
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

/** Beside a notice the app renders anew what was prerendered. */
const BESIDE = [
  ["alone", {}],
  ["beside a notice", { serviceNotice: serviceNotice() }],
] as const;

test.each(BESIDE)(
  "a refused login is shown before the app is there, once, and can be repeated: %s",
  async (_, beside) => {
    opened.site.set({
      ...stranger,
      ...beside,
      answers: { "POST /api/login": { status: 401, body: { code: "CREDENTIALS_INVALID" } } },
    });
    const { page, complaints, leave } = await opened.visit("/pt/register");
    await settled(page);
    const go = await scriptsHeldBack(page);
    await page.goto(`${opened.site.origin}/pt/login`, { waitUntil: "commit" });
    const text = wordsIn("pt");
    await page.getByLabel(text("field.email"), { exact: true }).fill("alice@example.com");
    await page.getByLabel(text("field.password"), { exact: true }).fill("Wrong-horse-7");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: text("login.failed") });
    await dialog.waitFor();
    expect(await page.evaluate(isListening)).toBe(false);
    expect(await barriers(page)).toEqual([]);
    go();
    await page.waitForFunction(isListening);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    const attempts = () => opened.site.requests.filter(({ call }) => call === "POST /api/login");
    expect(attempts()).toHaveLength(1);
    expect(await page.getByLabel(text("field.email"), { exact: true }).inputValue()).toBe("alice@example.com");
    await page.getByLabel(text("field.password"), { exact: true }).press("Enter");
    await dialog.waitFor();
    expect(attempts()).toHaveLength(2);
    expect(complaints).toEqual([]);
    await leave();
  },
  60_000,
);

test("input of every prerendered form is kept, also where it is not sent before the app is there", async () => {
  opened.site.set(stranger);
  const { page, complaints, leave } = await opened.visit("/it/register");
  await settled(page);
  const go = await scriptsHeldBack(page);
  await page.goto(`${opened.site.origin}/it/forgot-password`, { waitUntil: "commit" });
  const email = page.getByLabel(wordsIn("it")("field.email"), { exact: true });
  await email.fill("alice@example.com");
  const field = await email.elementHandle();
  go();
  await page.waitForFunction(isListening);
  expect(await field?.evaluate((node) => node.isConnected)).toBe(true);
  expect(await email.inputValue()).toBe("alice@example.com");
  await email.press("Enter");
  await page.getByRole("heading", { name: wordsIn("it")("forgot.sent_title") }).waitFor();
  expect(
    opened.site.requests.flatMap(({ call, body }) => (call === "POST /api/forgot-password" ? [body] : [])),
  ).toEqual([{ email: "alice@example.com" }]);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("input is kept even if the app shows more than was prerendered", async () => {
  opened.site.set({ ...stranger, serviceNotice: serviceNotice() });
  const { page, complaints, leave } = await opened.visit("/it/register");
  await settled(page);
  const go = await scriptsHeldBack(page);
  await page.goto(`${opened.site.origin}/it/login`, { waitUntil: "commit" });
  const email = page.getByLabel(wordsIn("it")("field.email"), { exact: true });
  await email.fill("alice@example.com");
  go();
  await page.locator("main [data-tone]").first().waitFor();
  expect(await email.inputValue()).toBe("alice@example.com");
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("hydration keeps the form: the same fields, texts and position, fully working", async () => {
  opened.site.set(stranger);
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1440, height: 900 },
  ]) {
    const { page, complaints, leave } = await opened.visit("/de/terms-service", { viewport });
    await settled(page);
    await page.addInitScript(watchShifts);
    const go = await scriptsHeldBack(page);
    await page.goto(`${opened.site.origin}/de/register`, { waitUntil: "commit" });
    const text = wordsIn("de");
    const first = page.getByLabel(text("field.first_name"), { exact: true });
    await first.fill("Ada");
    await page.getByRole("checkbox").check();
    expect(await page.locator("[inert] select").count()).toBe(1);
    const before = await page.evaluate(places);
    const field = await first.elementHandle();
    go();
    await page.waitForFunction(isListening);
    await page.waitForLoadState("networkidle");
    expect(await field?.evaluate((node) => node.isConnected)).toBe(true);
    expect(await first.inputValue()).toBe("Ada");
    expect(await page.getByRole("checkbox").isChecked()).toBe(true);
    expect(await page.locator("[inert]").count()).toBe(0);
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([]);
    expect(await page.evaluate(places)).toEqual(before);
    // Further typing is handled, and earlier input still counts.
    await page.getByLabel(text("field.last_name"), { exact: true }).fill("Byron");
    expect(await first.inputValue()).toBe("Ada");
    expect(complaints).toEqual([]);
    await leave();
  }
}, 60_000);

/** The positions of the page's texts and fields. */
const places = () =>
  [...document.querySelectorAll("main :not(option, svg, svg *), footer *, header a, header select")].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return `${element.localName} ${[x, y + scrollY, width, height].map(Math.round)}`;
  });

/** The page's DOM, without generated ids and the toast container. */
const standing = () =>
  [...document.querySelectorAll("#root *:not(section, :has(> section[aria-live]))")].map((element) => {
    const attributes = [...element.attributes].filter(
      ({ name, value }) => !["nonce", "selected"].includes(name) && !/mantine-\w{6,}|^_r_\w+_$/i.test(value),
    );
    return `${element.localName} ${attributes.map(({ name, value }) => `${name}=${value}`).toSorted()} ${element.childElementCount === 0 ? element.textContent : ""}`;
  });

test("the prerendered page is identical to the client-side rendering", async () => {
  opened.site.set(stranger);
  for (const path of ["login", "register"]) {
    const { page, complaints, leave } = await opened.visit(`/it/${path}`);
    await page.waitForFunction(isListening);
    await page.waitForLoadState("networkidle");
    const drawn = await page.evaluate(standing);
    // Switching the language and back renders the same page on the client.
    await page.goto(`${opened.site.origin}/it/terms-service`);
    await settled(page);
    await page.evaluate((to) => {
      history.replaceState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, `/it/${path}`);
    await page.waitForFunction(isListening);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(standing)).toEqual(drawn);
    expect(complaints).toEqual([]);
    await leave();
  }
}, 60_000);

test("the colour scheme chosen on this device applies from the first paint, and matches the toggle", async () => {
  opened.site.set(stranger);
  const { page, complaints, leave } = await opened.visit("/en/login", { colorScheme: "light" });
  await settled(page);
  await page.evaluate(() => localStorage.setItem("mantine-color-scheme-value", "dark"));
  const go = await scriptsHeldBack(page);
  await page.reload({ waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await ground()).toBe("rgb(17, 23, 34)");
  go();
  await page.waitForFunction(isListening);
  await page.getByRole("radio", { name: "Dark" }).and(page.locator(":checked")).waitFor({ state: "attached" });
  expect(await ground()).toBe("rgb(17, 23, 34)");
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("where the first screen differs, it is shown without an error", async () => {
  opened.site.set({ level: "authenticated" });
  const signedIn = await opened.visit("/en/login");
  await signedIn.page.waitForURL("**/en/dashboard");
  await settled(signedIn.page);
  expect(signedIn.complaints).toEqual([]);
  await signedIn.leave();
}, 60_000);
