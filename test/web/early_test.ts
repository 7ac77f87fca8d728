import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";
import { earlyLogin, TYPED } from "./early_login.ts";
import type { Scene } from "./fake_api.ts";
import { heldBack } from "./held_back.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };
const RIGHT = { status: 200, body: { email: TYPED.email, methods: ["email"] } };
const WRONG = { status: 401, body: { code: "CREDENTIALS_INVALID" } };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

for (const [language, options] of [
  ["en", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
  ["fr", { viewport: { width: 1440, height: 900 }, colorScheme: "light" }],
  ["de", { viewport: { width: 360, height: 740 }, colorScheme: "light" }],
  ["it", { viewport: { width: 412, height: 823 }, colorScheme: "dark" }],
  ["es", { viewport: { width: 360, height: 740 }, colorScheme: "dark" }],
  ["pt", { viewport: { width: 412, height: 823 }, colorScheme: "light" }],
] as const)
  test(`${language}: before hydration a wrong password gets a message, using only the keyboard, and the next attempt succeeds`, async () => {
    opened.site.set({ ...stranger, answers: { "POST /api/login": WRONG } });
    const { page, say, email, password, dialog, complaints, arrive, leave, focused, sent } = await earlyLogin(
      opened,
      language,
      options,
    );
    await email.focus();
    await page.keyboard.type(TYPED.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type("wrong");
    await page.keyboard.press("Enter");
    await dialog.getByText(say("CREDENTIALS_INVALID"), { exact: true }).waitFor();
    expect(sent()).toEqual([{ email: TYPED.email, password: "wrong" }]);
    const box = await dialog.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= options.viewport.width).toBe(true);
    const close = dialog.getByRole("button", { name: say("close"), exact: true });
    expect(await close.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(await focused()).toBe("password");
    // The input is kept, and the app hydrates with it.
    expect([await email.inputValue(), await password.inputValue()]).toEqual([TYPED.email, "wrong"]);
    await arrive();
    expect([await email.inputValue(), await password.inputValue()]).toEqual([TYPED.email, "wrong"]);
    expect(await focused()).toBe("password");
    opened.site.stage.answers["POST /api/login"] = RIGHT;
    opened.site.stage.level = "partial";
    await password.fill(TYPED.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/${language}/verify-code`);
    expect(sent().slice(1)).toEqual([TYPED]);
    expect(complaints).toEqual([]);
    await leave();
  }, 60_000);

test("a login in progress is indicated, is not sent twice, and continues once the app is loaded", async () => {
  opened.site.set({ ...stranger, answers: { "POST /api/login": RIGHT } });
  const { page, say, email, password, submit, complaints, arrive, leave, sent } = await earlyLogin(opened, "en");
  await email.fill(TYPED.email);
  await password.fill(TYPED.password);
  await submit.click();
  await page.locator("form button[data-loading]").waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await password.press("Enter");
  await page.evaluate(() => document.querySelector("form")?.requestSubmit());
  opened.site.stage.level = "partial";
  await arrive();
  await page.waitForURL("**/en/verify-code");
  await page.getByText(say("login.code_sent", { email: TYPED.email })).waitFor();
  expect(sent()).toEqual([TYPED]);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

for (const [what, answer] of [
  ["succeeds", RIGHT],
  ["fails", WRONG],
] as const)
  test(`a login whose response is outstanding on hydration is continued by the app: it ${what} once`, async () => {
    opened.site.set({ ...stranger, answers: { "POST /api/login": answer } });
    const { page, say, email, password, submit, complaints, arrive, leave, sent } = await earlyLogin(opened, "de");
    const release = await heldBack(page, "**/api/login");
    await email.fill(TYPED.email);
    await password.fill(TYPED.password);
    await submit.click();
    await page.locator("form button[data-loading]").waitFor();
    await arrive();
    expect(await submit.isDisabled()).toBe(true);
    expect(await page.locator("form button[data-loading]").count()).toBe(1);
    opened.site.stage.level = answer === RIGHT ? "partial" : "unauthenticated";
    release();
    if (answer === RIGHT) await page.waitForURL("**/de/verify-code");
    else {
      const dialog = page.getByRole("dialog", { name: say("login.failed") });
      await dialog.getByText(say("CREDENTIALS_INVALID")).waitFor();
      expect(await dialog.count()).toBe(1);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      expect([await email.inputValue(), await password.inputValue()]).toEqual([TYPED.email, TYPED.password]);
      await page.waitForFunction(() => document.activeElement?.matches('button[type="submit"]'));
    }
    expect(sent()).toEqual([TYPED]);
    expect(complaints).toEqual([]);
    await leave();
  }, 60_000);

test("an unreachable server is reported, and the input can be sent again", async () => {
  opened.site.set({ ...stranger, answers: { "POST /api/login": WRONG } });
  const { page, say, email, password, dialog, complaints, arrive, leave, focused, sent } = await earlyLogin(
    opened,
    "fr",
  );
  await page.route("**/api/login", (route) => route.abort());
  await email.fill(TYPED.email);
  await password.fill(TYPED.password);
  await page.keyboard.press("Enter");
  await dialog.getByText(say("error.unreachable"), { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.unroute("**/api/login");
  await page.keyboard.press("Enter");
  await dialog.getByText(say("CREDENTIALS_INVALID"), { exact: true }).waitFor();
  expect(sent()).toEqual([TYPED]);
  // The app hydrates behind an open dialog, which stays until it is closed.
  await arrive();
  await dialog.getByText(say("CREDENTIALS_INVALID"), { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await focused()).toBe("password");
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("if even the texts cannot be loaded, the server is reported as unreachable", async () => {
  opened.site.set({ ...stranger, answers: { "POST /api/login": WRONG } });
  const { say, email, dialog, leave } = await earlyLogin(opened, "de", {
    prepare: (page) => page.route("**/assets/texts-*.js", (route) => route.abort()),
  });
  await email.press("Enter");
  await dialog.getByText(say("error.unreachable"), { exact: true }).waitFor();
  await leave();
}, 60_000);

test("input is kept even if the app shows more than was prerendered", async () => {
  opened.site.set({ ...stranger, answers: { "POST /api/login": RIGHT } }).instance.providers = ["github"];
  const { page, email, password, submit, complaints, arrive, leave, sent } = await earlyLogin(opened, "it");
  await email.fill(TYPED.email);
  await password.fill(TYPED.password);
  await arrive();
  await page.getByRole("button", { name: /GitHub/ }).waitFor();
  expect([await email.inputValue(), await password.inputValue()]).toEqual([TYPED.email, TYPED.password]);
  opened.site.stage.level = "partial";
  await submit.click();
  await page.waitForURL("**/it/verify-code");
  expect(sent()).toEqual([TYPED]);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);
