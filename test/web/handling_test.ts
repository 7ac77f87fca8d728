import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.requests.filter(({ call }) => /^(POST|PUT)/.test(call));
const alertOf = (id: string) => opened.site.stage.alerts.find((one) => one.id === id);
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Are you sure?" });
async function select(page: Page, ...titles: string[]) {
  for (const title of titles) await page.getByRole("checkbox", { name: `Select: ${title}`, exact: false }).check();
}

/** As another tab would: its version increases. */
function changeElsewhere(id: string, state: "pending" | "handled") {
  const alert = alertOf(id);
  if (alert) Object.assign(alert, { state, version: alert.version + 1 });
}

test('an alert is handled after "Are you sure?", with a reason and a note, and the toast can undo it', async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all&search=contoso");
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).click();
  await dialogOf(page).getByLabel("Reason").selectOption({ label: "I’ve closed the account" });
  await dialogOf(page).getByLabel("Note").fill("  Closed on Monday ");
  await dialogOf(page).getByText("16 of 500 characters").waitFor();
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  await page.getByText("Contoso is marked as handled.").waitFor();
  await page.getByRole("button", { name: /^Reopen: Contoso/ }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).waitFor();
  expect(acts()).toEqual([
    {
      call: "POST /api/alerts/handle",
      body: { alerts: [{ id: "b4", version: 1 }], reason: "account_closed", note: "Closed on Monday" },
    },
    { call: "POST /api/alerts/reopen", body: { alerts: [{ id: "b4", version: 2 }] } },
  ]);
  await leave();
}, 30_000);

test("an alert is also reopened after a confirmation, and undoing restores its reason and note", async () => {
  opened.site.set();
  Object.assign(alertOf("b6") ?? {}, { reason: "other", note: "Was me" });
  const { page, leave } = await opened.visit("/en/alerts?state=all&search=bottles");
  await page.getByRole("button", { name: /^Reopen: 99 Bottles/ }).click();
  await dialogOf(page).getByText("will be pending again").waitFor();
  expect(await dialogOf(page).getByLabel("Note").count()).toBe(0);
  await dialogOf(page).getByRole("button", { name: "Cancel" }).click();
  expect(acts()).toEqual([]);
  await page.getByRole("button", { name: /^Reopen: 99 Bottles/ }).click();
  await dialogOf(page).getByRole("button", { name: "Reopen" }).click();
  await page.getByText("99 Bottles is pending again.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: /^Reopen: 99 Bottles/ }).waitFor();
  expect(acts().at(-1)).toEqual({
    call: "POST /api/alerts/handle",
    body: { alerts: [{ id: "b6", version: 2 }], reason: "other", note: "Was me" },
  });
  await leave();
}, 30_000);

test("several alerts are handled together, and restored with one undo", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all");
  await settled(page);
  await select(page, "Contoso", "Northwind Cinemas", "99 Bottles");
  await page.getByText("3 alerts selected").last().waitFor();
  await page.getByRole("button", { name: "Reopen 1" }).waitFor();
  await page.getByRole("button", { name: "Mark 2 as handled" }).click();
  await dialogOf(page).getByText("Mark these 2 alerts as handled").waitFor();
  await dialogOf(page).getByRole("button", { name: "Mark 2 as handled" }).click();
  await page.getByText("2 alerts are marked as handled.").waitFor();
  await page.getByText("1 alert selected").last().waitFor();
  expect(["b1", "b4"].map((id) => alertOf(id)?.state)).toEqual(["handled", "handled"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).waitFor();
  expect(["b1", "b4", "b6"].map((id) => alertOf(id)?.state)).toEqual(["pending", "pending", "handled"]);
  expect(acts()).toHaveLength(2);
  await leave();
}, 30_000);

test("one checkbox selects all visible alerts, and the selection survives a search", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=pending");
  await settled(page);
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: "Mark 4 as handled" }).waitFor();
  await page.getByRole("searchbox").fill("contoso");
  await page.getByRole("button", { name: "Northwind Cinemas", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: "Select: Contoso", exact: false }).uncheck();
  await page.getByRole("button", { name: "Mark 3 as handled" }).waitFor();
  await page.getByRole("button", { name: "Clear selection" }).click();
  await page.getByRole("button", { name: "Mark 3 as handled" }).waitFor({ state: "detached" });
  await leave();
}, 30_000);

test("after a failure the dialog stays open with its input, until it succeeds", async () => {
  const failed = { "POST /api/alerts/handle": { status: 500, body: { code: "GENERIC" as const } } };
  opened.site.set({ answers: failed });
  const { page, leave } = await opened.visit("/en/alerts?state=all&search=contoso");
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).click();
  const note = dialogOf(page).getByLabel("Note");
  await note.fill("A long thought");
  await dialogOf(page).getByLabel("Reason").selectOption("not_mine");
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  await dialogOf(page).getByRole("alert").getByText("The alert could not be changed").waitFor();
  expect(await note.inputValue()).toBe("A long thought");
  opened.site.stage.answers = {};
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  await page.getByText("Contoso is marked as handled.").waitFor();
  expect(alertOf("b4")).toMatchObject({ state: "handled", note: "A long thought", reason: "not_mine" });
  await leave();
}, 30_000);

test("a note that is too long is reported, kept, and not sent", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all&search=contoso");
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).click();
  await dialogOf(page).getByLabel("Note").fill("x".repeat(502));
  await dialogOf(page).getByText("The note is 2 characters too long.").waitFor();
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  expect(acts()).toEqual([]);
  await dialogOf(page).getByLabel("Note").fill("x".repeat(500));
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  await page.getByText("Contoso is marked as handled.").waitFor();
  await leave();
}, 30_000);

test("alerts changed meanwhile in another tab are reported, the rest is handled, and no input is lost", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all");
  await settled(page);
  await select(page, "Contoso", "Northwind Cinemas", "Combolists Posted to Telegram");
  await page.getByRole("button", { name: "Mark 3 as handled" }).click();
  await dialogOf(page).getByLabel("Note").fill("All done");
  changeElsewhere("b4", "handled");
  changeElsewhere("b2", "pending");
  await dialogOf(page).getByRole("button", { name: "Mark 3 as handled" }).click();
  const told = dialogOf(page).getByRole("alert");
  await told.getByText("2 alerts were changed elsewhere in the meantime").waitFor();
  await told.getByText("Contoso: already handled").waitFor();
  await told.getByText("Combolists Posted to Telegram: still pending").waitFor();
  expect(alertOf("b1")).toMatchObject({ state: "handled", note: "All done" });
  expect(alertOf("b4")?.note).toBeNull();
  expect(await dialogOf(page).getByLabel("Note").inputValue()).toBe("All done");
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  await page.getByText("Combolists Posted to Telegram is marked as handled.").waitFor();
  expect(alertOf("b2")).toMatchObject({ state: "handled", version: 3, note: "All done" });
  await page.getByRole("button", { name: /^Reopen: Contoso/ }).waitFor();
  await leave();
}, 30_000);

test("if another tab has handled them all, there is nothing left to confirm", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=pending&search=contoso");
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).click();
  await dialogOf(page).getByLabel("Note").fill("My own words");
  changeElsewhere("b4", "handled");
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  await dialogOf(page).getByText("Contoso: already handled").waitFor();
  expect(await dialogOf(page).getByRole("button", { name: "Mark as handled" }).count()).toBe(0);
  expect(await dialogOf(page).getByLabel("Note").inputValue()).toBe("My own words");
  await dialogOf(page).getByText("Close", { exact: true }).click();
  await page.getByRole("heading", { name: "No matching alerts" }).waitFor();
  await leave();
}, 30_000);

test("an undo that comes too late says so and shows the current state", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all&search=contoso");
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).click();
  await dialogOf(page).getByRole("button", { name: "Mark as handled" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  changeElsewhere("b4", "handled");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("This alert was changed elsewhere in the meantime").waitFor();
  expect(alertOf("b4")).toMatchObject({ state: "handled", version: 3 });
  await leave();
}, 30_000);

test("everything works using only the keyboard", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all&search=contoso");
  await page.getByRole("checkbox", { name: "Select: Contoso", exact: false }).press("Space");
  await page.getByRole("button", { name: "Mark 1 as handled" }).focus();
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "SELECT");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.type("By hand");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("Contoso is marked as handled.").waitFor();
  expect(alertOf("b4")).toMatchObject({ state: "handled", reason: "steps_done", note: "By hand" });
  await page.waitForFunction(() => document.activeElement !== document.body);
  await page.keyboard.press("Alt+KeyT");
  await page.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Mark as handled: Contoso/ }).waitFor();
  await leave();
}, 30_000);
