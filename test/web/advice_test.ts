import { afterAll, beforeAll, expect, test } from "bun:test";
import { ADVICE_SCREENS, openFurther } from "./advice_screens.ts";
import { openSite, settled } from "./browser.ts";
import { alerts } from "./fake_alerts.ts";
import { openFolds } from "./folds.ts";
import { testScreens } from "./screens.ts";

const SCREEN = "/screen-track/alice.archer%40example.com";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The first alert, with other stolen data. */
async function openAlert(dataClasses: string[], options: { path?: string; timezoneId?: string } = {}) {
  const { path = "/en/alerts?alert=b1", timezoneId = "Europe/Zurich" } = options;
  const [first, ...others] = alerts();
  if (!first?.breach) throw new Error("The first alert has no breach");
  opened.site.set({ alerts: [{ ...first, breach: { ...first.breach, dataClasses } }, ...others] });
  const visit = await opened.visit(path, { timezoneId });
  const dialog = visit.page.getByRole("dialog");
  await dialog.getByRole("checkbox").first().waitFor();
  return { ...visit, dialog };
}

test("an alert states what its data enables, including new categories, and what to do about it", async () => {
  const { dialog, leave } = await openAlert(["Email addresses", "Moon phases", "Credit cards", "Passwords"]);
  await openFolds(dialog);
  const enables = dialog.locator("dl", { has: dialog.page().getByText("Someone can log in to your account") });
  expect(await enables.locator("dt").allInnerTexts()).toEqual(["Passwords", "Credit cards", "Email addresses"]);
  await dialog.getByRole("button", { name: "1 more", exact: true }).click();
  expect(await enables.locator("dt").allInnerTexts()).toContain("Moon phases");
  expect(await enables.locator("dd").last().textContent()).toContain("because they contain something true");
  expect(await dialog.getByRole("checkbox").count()).toBe(5);
  await leave();
}, 30_000);

test("ticking a step is counted and saved, and can be undone, using only the keyboard", async () => {
  const { page, dialog, leave } = await openAlert(["Passwords", "Phone numbers"]);
  const progress = dialog.getByText(/^\d of \d done$/);
  expect(await progress.textContent()).toBe("0 of 7 done");
  const step = dialog.getByRole("checkbox", { name: /Change your Northwind Cinemas password/ });
  await step.focus();
  await page.keyboard.press("Space");
  await dialog.getByText("1 of 7 done").waitFor();
  expect(await step.isChecked()).toBe(true);
  await page.reload();
  await dialog.getByText("1 of 7 done").waitFor();
  await Promise.all([page.waitForRequest((request) => request.method() === "PUT"), step.click()]);
  await dialog.getByText("0 of 7 done").waitFor();
  const sent = opened.site.requests.filter(({ call }) => call.endsWith("/steps")).map(({ body }) => body);
  expect(sent).toEqual([
    { step: "password", done: true },
    { step: "password", done: false },
  ]);
  await leave();
}, 30_000);

test("additional steps are shown on demand and can be ticked too", async () => {
  const { page, dialog, leave } = await openAlert(["Passwords", "Phone numbers", "Physical addresses"]);
  const step = dialog.getByRole("checkbox", { name: /telephone password/ });
  expect(await step.count()).toBe(0);
  await openFurther(page);
  await step.click();
  await page.waitForFunction(() => document.querySelectorAll("[role=dialog] input:checked").length === 1);
  expect(await dialog.getByRole("status").textContent()).toBe("1 of 9 done");
  await leave();
}, 30_000);

test("steps name the authorities of the country that the browser suggests, or that was chosen and remembered", async () => {
  const { page, dialog, leave } = await openAlert(["Passport numbers"], { timezoneId: "Europe/Berlin" });
  await dialog.getByText("SCHUFA").waitFor();
  const select = dialog.getByLabel("Your country");
  expect(await select.inputValue()).toBe("DE");
  await select.selectOption({ label: "Italy" });
  await dialog.getByText("Centrale dei rischi").waitFor();
  expect(await dialog.getByText("SCHUFA").count()).toBe(0);
  await page.reload();
  await dialog.getByText("Centrale dei rischi").waitFor();
  await select.selectOption({ label: "Another country" });
  await dialog.getByText("the credit bureaus in your country").waitFor();
  await page.reload();
  await dialog.getByText("the credit bureaus in your country").waitFor();
  await leave();
}, 30_000);

test("a country is asked for only if a step depends on it", async () => {
  const { dialog, leave } = await openAlert(["Email addresses"]);
  expect(await dialog.getByLabel("Your country").count()).toBe(0);
  await leave();
}, 30_000);

test("a French reader in Switzerland sees French text and Swiss authorities", async () => {
  const { dialog, leave } = await openAlert(["Passport numbers"], { path: "/fr/alerts?alert=b1" });
  await dialog.getByText("Demandez à la ZEK et à CRIF").waitFor();
  expect(await dialog.getByLabel("Votre pays").locator("option:checked").textContent()).toBe("Suisse");
  await leave();
}, 30_000);

test("the page of an address sums up its breaches, and names those behind each statement", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(`/en${SCREEN}`);
  await settled(page);
  await page.getByText("Together, this data makes the following possible:").waitFor();
  await openFolds(page.locator("main"));
  const together = page.locator("details", { hasText: "What it adds up to" });
  const call = together.getByRole("listitem").filter({ hasText: "Calls from a fake bank" });
  expect(await call.locator("dt").allInnerTexts()).toEqual(["Only together", "Based on"]);
  expect(await call.locator("dd").allInnerTexts()).toEqual([
    ...["Contoso", "Northwind Cinemas", "Credit cards, Phone numbers, Names"],
  ]);
  const check = together.getByRole("listitem").filter({ hasText: "Passing a phone check" });
  expect(await check.locator("dt, dd").allInnerTexts()).toEqual([
    ...["This one is enough on its own", "Northwind Cinemas", "Based on", "Names, Dates of birth, Phone numbers"],
  ]);
  await leave();
}, 30_000);

testScreens(ADVICE_SCREENS);
