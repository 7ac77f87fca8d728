import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Alert } from "../../web/api/api.ts";
import { openSite } from "./browser.ts";
import { readFailure } from "./failure.ts";
import { alerts } from "./fake_alerts.ts";
import { openFolds } from "./folds.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Alert details" });
const ticks = () => opened.site.requests.filter(({ call }) => call.startsWith("PUT"));
const alertOf = (id: string) => opened.site.stage.alerts.find((one) => one.id === id);

test("a link opens the details, and closing them restores the list", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all&alert=b1");
  await dialogOf(page).getByRole("heading", { name: "Northwind Cinemas" }).waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?state=all");
  await page.getByRole("button", { name: "Contoso", exact: true }).press("Enter");
  await dialogOf(page).getByRole("heading", { name: "Contoso" }).waitFor();
  await page.goBack();
  await dialogOf(page).waitFor({ state: "detached" });
  await leave();
}, 30_000);

test("the details contain the severity with its reasons, the description in English, the data categories and the changes", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/de/alerts?alert=b1");
  const details = page.getByRole("dialog");
  await openFolds(details);
  await details.getByText("Passwörter wurden gestohlen, und es ist nicht bekannt").waitFor();
  const story = details.locator("[lang=en]");
  expect(await story.textContent()).toContain("suffered a data breach that exposed 1.2 million customer records.");
  await details.getByText("Auf Englisch, im Wortlaut der Quelle.").waitFor();
  for (const link of [story.getByRole("link"), details.getByRole("link", { name: "Was der Dienst selbst" })]) {
    expect(await link.getAttribute("href")).toBe("https://northwind.example/notice");
    expect(await link.getAttribute("rel")).toContain("noopener");
  }
  await details.getByText("Kontaktdaten", { exact: true }).waitFor();
  await details.getByText("1.234.567", { exact: true }).waitFor();
  const [worse, corrected] = await details.locator("details ol").last().getByRole("listitem").allTextContents();
  expect(worse).toContain("03.03.2026");
  expect(worse).toContain("Ernster geworden");
  expect(worse).toContain("Zu den gestohlenen Daten hinzugekommen: Passwörter und Telefonnummern");
  expect(worse).toContain("Die Quelle hat bestätigt, dass die Daten echt sind.");
  expect(worse).toContain("Betroffene Konten: 1.234.567 statt 900.000");
  expect(corrected).toContain("Datum des Vorfalls berichtigt: 05.01.2021 statt 01.01.2021");
  expect(corrected).toContain("Jetzt gekennzeichnet als: Sensibel");
  expect(corrected).not.toContain("Ernster geworden");
  await leave();
}, 30_000);

test("the source's text cannot run scripts or imitate the page", async () => {
  const description =
    '<script>window.ran = 1</script><img src=x onerror="window.ran=2"><b onclick="window.ran=3">Bold</b>';
  opened.site.set({ details: { b1: { description } } });
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  const story = dialogOf(page).locator("[lang=en]");
  await openFolds(dialogOf(page));
  await story.getByText("Bold").click();
  expect(await page.evaluate(() => (window as unknown as { ran?: number }).ran)).toBeUndefined();
  expect(await story.locator("img, script").count()).toBe(0);
  await leave();
}, 30_000);

test("an alert starts with advice for its service, and ends with marking as handled; the rest is collapsed", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  const steps = dialogOf(page).getByRole("checkbox");
  await steps.first().waitFor();
  await dialogOf(page).getByLabel("1. Change your Northwind Cinemas password").waitFor();
  await dialogOf(page)
    .getByLabel(/^\d\. Expect scam emails in the name of Northwind Cinemas/)
    .waitFor();
  expect(await dialogOf(page).locator("details[open]").count()).toBe(0);
  expect(await dialogOf(page).locator("summary").allInnerTexts()).toEqual([
    ...["Facts and stolen data", "What happened", "Messages about this alert"],
  ]);
  const done = dialogOf(page).getByRole("button", { name: /^Mark as handled/ });
  expect(await done.getAttribute("data-variant")).toBe("light");
  for (const step of await steps.all()) await step.press("Space");
  await dialogOf(page).locator("button[data-variant=filled]").waitFor();
  const last = await steps.last().boundingBox();
  expect((await done.boundingBox())?.y).toBeGreaterThan(last?.y ?? 0);
  await done.press("Enter");
  await page.getByRole("dialog", { name: "Are you sure?" }).waitFor();
  await leave();
}, 30_000);

test("a combined list is never described as one service", async () => {
  const [first, ...others] = alerts();
  const breach = first?.breach && { ...first.breach, title: "Cit0day", domain: "cit0day.in", manyServices: true };
  opened.site.set({ alerts: [{ ...(first as Alert), breach: breach ?? null }, ...others] });
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  await dialogOf(page).getByLabel("1. Change every password you use in more than one place").waitFor();
  const words = (await dialogOf(page).locator("ol").allInnerTexts()).join();
  for (const one of ["affected service", "this service", "Cit0day"]) expect(words).not.toContain(one);
  await leave();
}, 30_000);

test("steps are ticked off, saved, and counted", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b4");
  const steps = dialogOf(page).getByRole("checkbox");
  await steps.first().check();
  await dialogOf(page)
    .getByText(/^1 of \d done$/)
    .waitFor();
  await steps.nth(1).press("Space");
  await dialogOf(page)
    .getByText(/^2 of \d done$/)
    .waitFor();
  await steps.first().uncheck();
  await dialogOf(page)
    .getByText(/^1 of \d done$/)
    .waitFor();
  await page.waitForFunction(() => document.querySelectorAll("[role=dialog] input:checked").length === 1);
  const [first, second, third] = ticks().map(({ body }) => body as { step: string; done: boolean });
  expect([first?.done, second?.done, third]).toEqual([true, true, { step: first?.step ?? "", done: false }]);
  expect(alertOf("b4")?.steps).toEqual([second?.step ?? ""]);
  await page.reload();
  await dialogOf(page)
    .getByText(/^1 of \d done$/)
    .waitFor();
  await leave();
}, 30_000);

test("a tick that cannot be saved is undone, with a message", async () => {
  opened.site.set({ answers: { "PUT /api/alerts/b4/steps": { status: 500, body: { code: "GENERIC" } } } });
  const { page, leave } = await opened.visit("/en/alerts?alert=b4");
  await dialogOf(page).getByRole("checkbox").first().click();
  await page.getByRole("dialog", { name: "Your progress could not be saved" }).waitFor();
  await page.getByRole("button", { name: "Close" }).last().click();
  await dialogOf(page)
    .getByText(/^0 of \d done$/)
    .waitFor();
  await leave();
}, 30_000);

test("an alert is handled from its details, which then show reason and note; Escape closes one layer at a time", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b4");
  await dialogOf(page)
    .getByRole("button", { name: /^Mark as handled/ })
    .click();
  const question = page.getByRole("dialog", { name: "Are you sure?" });
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  await dialogOf(page)
    .getByRole("button", { name: /^Mark as handled/ })
    .click();
  await question.getByLabel("Reason").selectOption("already_known");
  await question.getByLabel("Note").fill("Two lines\nof a note");
  await question.getByRole("button", { name: "Mark as handled" }).click();
  await dialogOf(page)
    .getByRole("button", { name: /^Reopen/ })
    .waitFor();
  await openFolds(dialogOf(page));
  await dialogOf(page).getByText("I already knew about it").waitFor();
  await dialogOf(page).getByText("Two lines").waitFor();
  await dialogOf(page).getByText("Handled on").waitFor();
  await leave();
}, 30_000);

test("a deleted alert is reported, and one that cannot be loaded can be retried", async () => {
  opened.site.set();
  const gone = await opened.visit("/en/alerts?alert=b99");
  await gone.page.getByRole("heading", { name: "This alert is no longer there" }).waitFor();
  await gone.leave();
  opened.site.set({ answers: { "GET /api/alerts/b1": { status: 503, body: { code: "BUSY" } } } });
  const failed = await opened.visit("/en/alerts?alert=b1");
  expect(await readFailure(failed.page)).toBe("The alert could not be loaded");
  opened.site.stage.answers = {};
  await failed.page.getByRole("button", { name: "Try again" }).click();
  await failed.page.getByRole("heading", { name: "Northwind Cinemas" }).waitFor();
  await failed.leave();
}, 30_000);

test("a finding opens the same details on the page of its address", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/screen-track/alice.archer%40example.com");
  await page.getByRole("button", { name: "Northwind Cinemas", exact: true }).last().click();
  await openFolds(dialogOf(page));
  await dialogOf(page).getByText("Severity", { exact: true }).waitFor();
  await dialogOf(page).getByText("What has changed since").waitFor();
  await leave();
}, 30_000);

test("an advice that combines breaches links to each of them", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/screen-track/alice.archer%40example.com");
  await page.getByText("What it adds up to").click();
  const readings = page.locator("details", { hasText: "What it adds up to" });
  await readings.getByRole("button", { name: "Contoso" }).first().click();
  await dialogOf(page).getByRole("heading", { name: "Contoso" }).waitFor();
  await leave();
}, 30_000);
