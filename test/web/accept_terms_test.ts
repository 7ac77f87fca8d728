import { afterAll, beforeAll, expect, test } from "bun:test";
import { TERMS } from "../../src/shared/terms.ts";
import { waitsForTerms } from "../../web/app/terms_status.ts";
import { openSite, settled } from "./browser.ts";
import { type Scene, scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const ACCEPT = "POST /api/terms/accept";
const asked = (accepted: string | null = "1.0"): Partial<Scene> => ({
  me: { ...scene().me, terms: { current: TERMS.version, accepted } },
});

test("waitsForTerms() allows answering for others, reading and leaving", () => {
  for (const page of ["/dashboard", "/alerts", "/screen-track/a@example.com", "/profile", ""])
    expect(waitsForTerms(page)).toBe(true);
  for (const page of [
    "/terms-service",
    "/privacy-notice",
    "/manage-invitation",
    "/manage-contact",
    "/domain-notice",
    "/sign-in/google",
  ])
    expect(waitsForTerms(page)).toBe(false);
});

test("who has not accepted the terms is asked before the page, and sees it right after", async () => {
  opened.site.set(asked());
  const { page, complaints, leave } = await opened.visit("/en/alerts?page=1&state=all");
  await page.getByRole("heading", { name: "The terms have changed" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/en/accept-terms");
  await page.getByText("Both texts are easier to read.").waitFor();
  const links = page.locator("main a[target=_blank]");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "/en/terms-service",
    "/en/privacy-notice",
  ]);
  // There is no link except to log out, and no other page by URL.
  expect(await page.getByRole("navigation").getByRole("link").count()).toBe(0);
  await page.goto(`${opened.site.origin}/en/profile`);
  await page.getByRole("heading", { name: "The terms have changed" }).waitFor();
  await page.goto(`${opened.site.origin}/en/alerts?page=1&state=all`);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
  expect(new URL(page.url()).search).toBe("?page=1&state=all");
  expect(opened.site.requests.filter(({ call }) => call === ACCEPT)).toEqual([
    { call: ACCEPT, body: { version: TERMS.version } },
  ]);
  await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Dashboard" }).waitFor();
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("an account without a known acceptance is told why it is asked", async () => {
  opened.site.set(asked(null));
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("heading", { name: "Please accept our terms" }).waitFor();
  await page.getByText("We don’t know which version").waitFor();
  await leave();
}, 30_000);

test("who does not agree can download the data, delete the account or log out", async () => {
  opened.site.set(asked());
  const { page, leave } = await opened.visit("/en/dashboard");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download", exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toEndWith(".json");
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByRole("dialog").getByLabel("Your password, to confirm").fill("Tranquil-Harbour-42");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  opened.site.stage.level = "unauthenticated";
  await page.getByRole("main").getByRole("button", { name: "Log out" }).click();
  await page.locator("input[type=email]").waitFor();
  expect(opened.site.calls()).toContain("POST /api/logout");
  expect(opened.site.calls()).not.toContain(ACCEPT);
  await leave();
}, 60_000);

test("a failed acceptance is shown, and can be retried", async () => {
  opened.site.set({ ...asked(), answers: { [ACCEPT]: { status: 409, body: { code: "TERMS_CHANGED" } } } });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Your answer could not be saved" });
  await dialog.getByText("The terms have changed again").waitFor();
  await dialog.getByRole("button").last().click();
  await dialog.waitFor({ state: "detached" });
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
  await leave();
}, 60_000);

test("the guards make exactly the calls of the specification", async () => {
  opened.site.set(asked());
  const { page, leave } = await opened.visit("/en/new-track");
  await settled(page);
  await page.getByRole("heading", { name: "The terms have changed" }).waitFor();
  const checks = opened.site.requests.map(({ call }) => call).filter((call) => call.startsWith("GET /api/check-"));
  expect(checks.slice(0, 3)).toEqual([
    "GET /api/check-user-authentication/",
    "GET /api/check-subscription/",
    "GET /api/check-aggiungere-email/",
  ]);
  await leave();
}, 30_000);
