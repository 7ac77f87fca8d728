import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { account } from "./fake_account.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const SINCE = "2026-11-18T12:00:00.000Z";
const sent = (call: string) => opened.site.requests.filter((request) => request.call === call).map(({ body }) => body);
const summaryLink = {
  purpose: "summary",
  channel: "email",
  value: "a•••@example.com",
  state: "active",
  language: "en",
};

test("the dashboard calmly reports overdue checks, and shows nothing otherwise", async () => {
  opened.site.set({ stale: { since: SINCE } });
  const late = await opened.visit("/en/dashboard");
  const notice = late.page.getByRole("status").filter({ hasText: "Checks are delayed" });
  await notice.waitFor();
  expect(await notice.textContent()).toContain("since Nov 18, 2026, some of your addresses could not be checked");
  expect(await notice.locator("time").getAttribute("datetime")).toBe(SINCE);
  expect(await late.page.getByRole("alert").filter({ hasText: "delayed" }).count()).toBe(0);
  await late.leave();

  opened.site.set();
  const well = await opened.visit("/en/dashboard");
  await settled(well.page);
  expect(await well.page.getByText("Checks are delayed").count()).toBe(0);
  await well.leave();
}, 30_000);

test("summaries are off, and are switched on, changed and off again", async () => {
  opened.site.set({ account: account() });
  const { page, leave } = await opened.visit("/en/profile-edit");
  const choice = (name: string) => page.getByRole("radio", { name });
  await choice("Never").waitFor();
  expect(await choice("Never").isChecked()).toBe(true);
  await choice("Never").focus();
  await page.keyboard.press("ArrowDown");
  await page.getByText("You’ll get the summary on the first of each month.").waitFor();
  await page.reload();
  await choice("Never").waitFor();
  expect(await choice("On the first of every month").isChecked()).toBe(true);
  await choice("Once a year").check();
  await page.getByText("You’ll get the summary on January 1.").waitFor();
  await choice("Never").check();
  await page.getByText("The summary is turned off.").waitFor();
  expect(sent("PUT /api/profile/summary")).toEqual([{ every: "month" }, { every: "year" }, { every: null }]);
  await leave();
}, 30_000);

test("a summary setting that cannot be saved stays unchanged, with a message", async () => {
  const failed = { status: 500, body: { code: "GENERIC" } };
  opened.site.set({ account: account(), answers: { "PUT /api/profile/summary": failed } });
  const { page, leave } = await opened.visit("/en/profile-edit");
  const monthly = page.getByRole("radio", { name: "On the first of every month" });
  await monthly.click();
  await page.getByRole("dialog", { name: "The summary could not be changed" }).waitFor();
  expect(await monthly.isChecked()).toBe(false);
  await leave();
}, 30_000);

test("the link in a summary unsubscribes with a button, and can undo that", async () => {
  const answers = {
    "POST /api/contact-links/inspect": { status: 200, body: summaryLink },
    "POST /api/contact-links/unsubscribe": { status: 200, body: { state: "unsubscribed" } },
    "POST /api/contact-links/resubscribe": { status: 200, body: { state: "active" } },
  };
  opened.site.set({ answers });
  const { page, leave } = await opened.visit("/en/manage-contact#t=summary.alice.mac");
  await page.getByText("Only the summary will stop. Alerts will keep coming.").waitFor();
  expect(sent("POST /api/contact-links/unsubscribe")).toEqual([]);
  await page.getByRole("button", { name: "Stop the summary" }).click();
  await page.getByRole("heading", { name: "Summary stopped" }).waitFor();
  await page.getByRole("button", { name: "Send the summary again" }).click();
  await page.getByRole("heading", { name: "Stop the summary?" }).waitFor();
  expect(sent("POST /api/contact-links/unsubscribe")).toEqual([{ token: "summary.alice.mac" }]);
  await leave();
}, 30_000);
