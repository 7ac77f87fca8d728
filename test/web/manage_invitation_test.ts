import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { consentLink, grantedLink, OWNER } from "./fake_consent.ts";

const LINK = "/en/manage-invitation#t=secret-1";
const DEAD = { status: 410, body: { code: "INVITATION_INVALID" } };
const dead = "Invalid token or invitation already processed.";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The page's requests, other than looking up its link. */
function told() {
  return opened.site.requests.filter(({ call }) => call.startsWith("POST") && !call.endsWith("/inspect"));
}

async function open(path = LINK, options = {}) {
  const visit = await opened.visit(path, options);
  await settled(visit.page);
  return visit;
}

function heading(page: Page, name: string) {
  return page.getByRole("heading", { level: 1, name });
}

test("the page shows who asks, for which address, and opening it changes nothing", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, complaints, leave } = await open();
  await heading(page, "Alice Archer asks for your permission").waitFor();
  await page.getByText(OWNER).waitFor();
  await page.getByRole("heading", { name: "How to stop it" }).waitFor();
  expect(await page.getByRole("radio", { name: "Only that something was found" }).isChecked()).toBe(true);
  expect(await page.getByRole("checkbox", { name: "Include sensitive breaches" }).isChecked()).toBe(false);
  expect(page.url()).not.toContain("secret-1");
  expect(told()).toEqual([]);
  expect(complaints).toEqual([]);
  await leave();
}, 30_000);

test("accepting by keyboard sends the chosen scope and language, and shows the link for later", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await open("/de/manage-invitation#t=secret-1");
  await page.getByRole("radio", { name: "Nur, dass etwas gefunden wurde" }).press("ArrowDown");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Annehmen" }).press("Enter");
  await page.getByText("Vielen Dank, Ihre Einwilligung ist gespeichert").waitFor();
  expect(told()).toEqual([
    {
      call: "POST /api/invitation-links/accept",
      body: { token: "secret-1", details: true, sensitive: true, language: "de" },
    },
  ]);
  expect(await page.getByRole("textbox", { name: "Ihr Link für später" }).inputValue()).toBe(
    `${opened.site.origin}/de/manage-invitation#t=v1.id.mac`,
  );
  expect(
    await heading(page, "Ihre Einwilligung für Alice Archer").evaluate((h1) => h1 === document.activeElement),
  ).toBe(true);
  await leave();
}, 30_000);

test("the language can be switched without losing anything", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await open();
  await page.getByRole("radio", { name: "The details" }).check();
  await page.getByRole("combobox", { name: "Language" }).selectOption("fr");
  await heading(page, "Alice Archer demande votre autorisation").waitFor();
  expect(await page.locator("main").getByRole("radio").nth(1).isChecked()).toBe(true);
  expect(page.url()).toBe(`${opened.site.origin}/fr/manage-invitation`);
  await page.getByRole("button", { name: "Accepter" }).click();
  await page.getByText("Merci, votre autorisation est enregistrée").waitFor();
  expect(told()[0]?.body).toMatchObject({ details: true, sensitive: false, language: "fr" });
  await leave();
}, 30_000);

test("declining requires a confirmation, and can be made permanent", async () => {
  for (const [block, words] of [
    [false, "Alice Archer can ask you again after 30 days at the earliest."],
    [true, "Alice Archer can’t ask you again."],
  ] as const) {
    opened.site.set({ level: "unauthenticated" });
    const { page, leave } = await open();
    await page.getByRole("button", { name: "Decline" }).click();
    const dialog = page.getByRole("dialog", { name: "Decline the invitation?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(told()).toEqual([]);
    await page.getByRole("button", { name: "Decline" }).click();
    if (block) await dialog.getByRole("checkbox", { name: "Never ask me again" }).check();
    await dialog.getByRole("button", { name: "Decline" }).click();
    await page.getByText(words).waitFor();
    expect(told()).toEqual([{ call: "POST /api/invitation-links/decline", body: { token: "secret-1", block } }]);
    await leave();
  }
}, 30_000);

test("a grant can be viewed, changed and withdrawn through the same kind of link", async () => {
  opened.site.set({ level: "unauthenticated", consentLink: grantedLink() });
  const { page, leave } = await open();
  await heading(page, "Your permission for Alice Archer").waitFor();
  await page.getByRole("radio", { name: "Only that something was found" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. The change applies from now on.").waitFor();
  await page.getByText("Record of consent", { exact: true }).click();
  await page.getByText("The owner changed what is visible").waitFor();
  expect(await page.locator("details li").count()).toBe(3);
  await page.getByRole("button", { name: "Withdraw permission" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw permission" }).click();
  await page.getByText("Alice Archer no longer sees anything about your address.").waitFor();
  expect(told().map(({ call, body }) => [call, body])).toEqual([
    ["POST /api/invitation-links/scope", { token: "secret-1", details: false, sensitive: false, language: "en" }],
    ["POST /api/invitation-links/withdraw", { token: "secret-1", block: false }],
  ]);
  await leave();
}, 30_000);

test("the link for later is copied, or selected if the browser forbids copying", async () => {
  opened.site.set({ level: "unauthenticated", consentLink: grantedLink() });
  const { page, leave } = await open(LINK, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toEndWith("/en/manage-invitation#t=secret-1");
  await page.evaluate(() => Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error("no")) }));
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("The link is selected").waitFor();
  expect(await page.evaluate(() => getSelection()?.toString())).toEndWith("#t=secret-1");
  await leave();
}, 30_000);

test("an own second address is confirmed or rejected", async () => {
  opened.site.set({ level: "unauthenticated", consentLink: consentLink({ kind: "ownership" }) });
  const first = await open();
  await heading(first.page, "Is this your address?").waitFor();
  await first.page.getByText("a…@example.com").first().waitFor();
  const sensitive = first.page.locator("main").getByRole("checkbox");
  expect(await sensitive.isChecked()).toBe(true);
  await sensitive.uncheck();
  await first.page.getByRole("button", { name: "Yes, this is my address" }).click();
  await first.page.getByText("Thank you, your address is confirmed").waitFor();
  expect(told()[0]?.body).toEqual({ token: "secret-1", details: true, sensitive: false, language: "en" });
  await first.leave();
  opened.site.set({ level: "unauthenticated", consentLink: consentLink({ kind: "ownership" }) });
  const second = await open();
  await second.page.getByRole("button", { name: "No, that wasn’t me" }).click();
  await second.page.getByRole("dialog").getByRole("button", { name: "No, that wasn’t me" }).click();
  await second.page.getByText("Thank you for telling us").waitFor();
  await second.leave();
}, 30_000);

test("a missing token, an invalid link and an unreachable server have different messages", async () => {
  for (const [hash, answers, words] of [
    ["", {}, "This link is incomplete"],
    ["#t=abc", { "POST /api/invitation-links/inspect": DEAD }, dead],
    [
      "#t=abc",
      { "POST /api/invitation-links/inspect": { status: 500, body: { code: "GENERIC" } } },
      "The invitation could not be loaded",
    ],
  ] as const) {
    opened.site.set({ level: "unauthenticated", answers: { ...answers } });
    const { page, leave } = await open(`/en/manage-invitation${hash}`);
    await page.getByText(words).locator("visible=true").first().waitFor();
    await leave();
  }
}, 30_000);

test("an earlier answer in another tab is reported, and the current state is shown", async () => {
  opened.site.set({ level: "unauthenticated", answers: { "POST /api/invitation-links/accept": DEAD } });
  const { page, leave } = await open();
  opened.site.stage.consentLink = grantedLink();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("dialog").getByText(dead).waitFor();
  await page.keyboard.press("Escape");
  await heading(page, "Your permission for Alice Archer").waitFor();
  await leave();
}, 30_000);

test("only a logged-in user gets a link to the dashboard", async () => {
  opened.site.set({ level: "authenticated" });
  const { page, leave } = await open();
  expect(await page.getByRole("link", { name: "Go to the dashboard" }).getAttribute("href")).toBe("/en/dashboard");
  await leave();
  opened.site.set({ level: "unauthenticated" });
  const stranger = await open();
  expect(await stranger.page.getByRole("link", { name: "Go to the dashboard" }).count()).toBe(0);
  await stranger.leave();
}, 30_000);

test("two clicks at once accept once", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await open();
  await page.getByRole("button", { name: "Accept" }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByText("Thank you, your permission is saved").waitFor();
  expect(told()).toHaveLength(1);
  await leave();
}, 30_000);
