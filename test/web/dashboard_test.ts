import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Association, Managed } from "../../web/api/api.ts";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import { scene } from "./fake_api.ts";
import { heldBack } from "./held_back.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The request that a button sent, with its body. */
const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const failed = { status: 500, body: { code: "GENERIC" } };

test("each section shows its count", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  const headings = page.getByRole("main").locator("section > h2, section > div > h2[id]");
  expect((await headings.allTextContents()).toSorted()).toEqual([
    ...["Access Requests 2", "Granted Permissions 2", "Sent Invitations 3", "Tracked Emails 4"],
  ]);
  await leave();
}, 30_000);

test("a dashboard that fails to load says so, and can be retried", async () => {
  opened.site.set({ answers: { "GET /api/dashboard": failed } });
  const { page, leave } = await opened.visit("/en/dashboard");
  expect(await readFailure(page)).toBe("Your addresses could not be loaded");
  await page.getByRole("button", { name: "Try again" }).click();
  expect(await readFailure(page)).toBe("Your addresses could not be loaded");
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Erin Example tracks your address" }).waitFor();
  await leave();
}, 30_000);

test("the headline sums up the rows, and links to the most urgent alert", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("heading", { name: "1 of 4 addresses needs attention" }).waitFor();
  const urgent = opened.site.stage.alerts.find(({ state }) => state === "pending")?.id;
  const action = page.getByRole("link", { name: "See what was stolen and what to do" });
  expect(await action.getAttribute("href")).toBe(`/en/alerts?alert=${urgent}`);
  await leave();
}, 30_000);

test("search and filter are kept in the URL", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard?search=new&status=all");
  await page.getByRole("row", { name: "new@example.net" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("new");
  expect(await page.getByRole("row", { name: "bob@example.org" }).count()).toBe(0);
  await page.getByText("Inactive 1").click();
  await page.waitForURL("**/en/dashboard?search=new&status=inactive");
  await page.getByRole("searchbox").fill("");
  await page.waitForURL("**/en/dashboard?status=inactive");
  await leave();
}, 30_000);

test("a search started while a filter is loading keeps the filter", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("row", { name: "new@example.net" }).waitFor();
  // Navigation checks the session before the URL changes.
  const admission = "**/api/check-user-auth**";
  const go = await heldBack(page, admission);
  await Promise.all([page.waitForRequest(admission), page.getByText("Inactive 1").click()]);
  await Promise.all([page.waitForRequest(admission), page.getByRole("searchbox").fill("mailbox")]);
  go();
  await page.waitForURL("**/en/dashboard?status=inactive&search=mailbox");
  await leave();
}, 30_000);

test("an address tracked by another account is shown with who manages it", async () => {
  const managed: Managed = {
    address: "alice.archer@example.com",
    managedBy: "Pat Parent",
    breaches: 2,
    status: "breached",
    checkedAt: new Date().toISOString(),
  };
  opened.site.set({ associations: [], managed, alerts: [] });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("heading", { name: "Your address was found in 2 breaches" }).waitFor();
  const row = page.getByRole("row", { name: "alice.archer@example.com" });
  expect(await row.textContent()).toContain("Managed by Pat Parent");
  await page.getByRole("heading", { name: "Tracked Emails 1" }).waitFor();
  await leave();
}, 30_000);

test("the filter shows how many addresses each status has", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  const filter = page.getByRole("radiogroup", { name: "Status" });
  await filter.getByText("Inactive").waitFor();
  expect((await filter.locator("label").allTextContents()).map((label) => label.trim())).toEqual([
    ...["All 4", "Safe 1", "Breached 1", "Inactive 1"],
  ]);
  await leave();
}, 30_000);

test("an address is paused and resumed with its button", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  const more = page.getByRole("button", { name: "More for alice.archer@example.com" });
  await more.click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await page.getByText("alice.archer@example.com is paused.").waitFor();
  await more.click();
  await page.getByRole("menuitem", { name: "Resume" }).click();
  await page.getByText("alice.archer@example.com is no longer paused.").waitFor();
  expect(acts()).toEqual([
    { call: "POST /api/associations/a1/pause", body: { paused: true } },
    { call: "POST /api/associations/a1/pause", body: { paused: false } },
  ]);
  await leave();
}, 30_000);

test("several addresses are removed together, after a confirmation", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("checkbox", { name: "Select alice.archer@example.com" }).check();
  await page.getByRole("checkbox", { name: "Select new@example.net" }).check();
  await page.getByRole("button", { name: "Remove 2 addresses" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove 2 addresses?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(acts()).toEqual([]);
  await page.getByRole("button", { name: "Remove 2 addresses" }).click();
  await dialog.getByRole("button", { name: "Remove 2 addresses" }).click();
  await page.getByText("2 addresses are no longer tracked.").waitFor();
  await page.getByRole("row", { name: "new@example.net" }).waitFor({ state: "detached" });
  expect(acts()).toEqual([{ call: "POST /api/associations/remove", body: { ids: ["a1", "a4"] } }]);
  await leave();
}, 30_000);

test("the selection is kept across pages and searches", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("checkbox", { name: "Select alice.archer@example.com" }).check();
  await page.getByRole("searchbox").fill("bob");
  await page.getByRole("row", { name: "new@example.net" }).waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: "Select bob@example.org" }).check();
  await page.getByText("2 addresses selected").waitFor();
  await page.getByRole("button", { name: "Clear selection" }).click();
  await page.getByText("2 addresses selected").waitFor({ state: "detached" });
  await leave();
}, 30_000);

test("beyond the plan's limit, the user chooses which addresses stay, up to that limit", async () => {
  opened.site.set({ cap: 2 });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("button", { name: "Choose which to keep" }).click();
  const dialog = page.getByRole("dialog", { name: "Which addresses should we keep checking?" });
  await dialog.getByText("2 of 2 chosen").waitFor();
  const fourth = dialog.getByRole("checkbox", { name: "new@example.net" });
  expect(await fourth.isDisabled()).toBe(true);
  await dialog.getByRole("checkbox", { name: "bob@example.org" }).uncheck();
  await fourth.check();
  await dialog.getByRole("button", { name: "Keep these" }).click();
  await page.getByText("Your choice has been saved.").waitFor();
  expect(acts()).toEqual([{ call: "POST /api/associations/keep", body: { ids: ["a1", "a4"] } }]);
  await leave();
}, 30_000);

test("within the plan's limit, and without a plan, there is nothing to choose", async () => {
  for (const scene of [{ cap: 4 }, { cap: null }]) {
    opened.site.set(scene);
    const { page, leave } = await opened.visit("/en/dashboard");
    await settled(page);
    await page.getByRole("row", { name: "bob@example.org" }).waitFor();
    expect(await page.getByRole("button", { name: "Choose which to keep" }).count()).toBe(0);
    await leave();
  }
}, 30_000);

test("a page that no longer exists leads to one that does", async () => {
  const [first] = scene().associations;
  const associations = Array.from({ length: 26 }, (_, index) => ({
    ...(first as Association),
    id: `p${index}`,
    address: `person${index}@example.org`,
  }));
  opened.site.set({ associations, cap: null });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("button", { name: "Page 2" }).click();
  await page.getByRole("row", { name: "person25@example.org" }).waitFor();
  await page.getByRole("button", { name: "More for person25@example.org" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove address" }).click();
  await page.getByRole("row", { name: "person0@example.org" }).waitFor();
  await leave();
}, 30_000);
