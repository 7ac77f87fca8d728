import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import { scene } from "./fake_api.ts";
import { openFolds } from "./folds.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test.each([
  ["nothing is tracked", []],
  ["only other people's addresses are tracked", scene().associations.filter(({ owner }) => !owner)],
])(
  "the user's own address is filled in while %s",
  async (_, associations) => {
    opened.site.set({ associations });
    const { page, leave } = await opened.visit("/en/new-track");
    expect(await page.getByLabel("Email address", { exact: true }).inputValue()).toBe("alice.archer@example.com");
    expect(await page.getByLabel("I own this email address").isChecked()).toBe(true);
    await leave();
  },
  30_000,
);

test("contacts are typed, pasted together and removed with the keyboard, and sent as shown", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByLabel("Email address", { exact: true }).fill("carol@example.com");
  const field = page.getByPlaceholder("Add an address");
  await field.fill("bob@example.org");
  await page.keyboard.press("Enter");
  await field.evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "dave@example.org, erin@example.org\nfrank@example.org");
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByRole("button", { name: "Remove dave@example.org" }).press("Enter");
  await page.getByText("dave@example.org").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByText("We’re asking the owner of carol@example.com by email.").waitFor();
  const email = ["alice.archer@example.com", "bob@example.org", "erin@example.org", "frank@example.org"];
  expect(opened.site.requests.find(({ call }) => call === "POST /api/associations")?.body).toEqual({
    address: "carol@example.com",
    owner: false,
    language: "en",
    invitationLanguage: "en",
    contacts: { email },
  });
  await leave();
}, 30_000);

test("a form without channel, contact or address says which is missing; server errors appear at their field", async () => {
  const known = {
    status: 409,
    body: { code: "ADDRESS_ALREADY_TRACKED", fields: { address: "ADDRESS_ALREADY_TRACKED" } },
  };
  opened.site.set({ answers: { "POST /api/associations": known } });
  const { page, leave } = await opened.visit("/en/new-track");
  const submit = page.locator("main button[type=submit]");
  await page.getByRole("button", { name: /^Remove/ }).click();
  await submit.click();
  await page.getByText("Email address is required.").waitFor();
  await page.getByText("Add at least one email address.").waitFor();
  await page.getByLabel("Email", { exact: true }).uncheck();
  await submit.click();
  await page.getByText("Select at least one notification method").waitFor();
  await page.getByLabel("Email", { exact: true }).check();
  await page.getByPlaceholder("Add an address").fill("bob@example.org");
  await page.getByLabel("Email address", { exact: true }).fill("alice.archer@example.com");
  await submit.click();
  await page.getByText("There is already an association for this email address.").waitFor();
  await leave();
}, 30_000);

test("an address is removed only after a confirmation", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  const chooseRemove = async () => {
    await page.getByRole("button", { name: "More for bob@example.org" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
  };
  await chooseRemove();
  const dialog = page.getByRole("dialog", { name: "Remove this address?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(opened.site.calls()).not.toContain("DELETE /api/associations/a2");
  await chooseRemove();
  await dialog.getByRole("button", { name: "Remove address" }).click();
  await page.getByText("bob@example.org is no longer tracked.").waitFor();
  await leave();
}, 30_000);

test("addresses are found by search and by status", async () => {
  opened.site.set({ grants: { mayWatch: [], watchedBy: [] } });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByText("bob@example.org").first().waitFor();
  await page.getByText("Breached 1", { exact: true }).click();
  await page.getByRole("row", { name: "bob@example.org" }).waitFor({ state: "detached" });
  await page.getByRole("searchbox").fill("nothing");
  await page.getByText("No matching addresses").waitFor();
  expect(opened.site.calls()).toContain(
    "GET /api/dashboard?search=nothing&status=breached&page=1&sentPage=1&requestsPage=1&mayWatchPage=1&watchedByPage=1",
  );
  await leave();
}, 30_000);

test("a failed list can be loaded again, and a row counts the data categories that its details list", async () => {
  opened.site.set({ answers: { "GET /api/alerts": { status: 500, body: { code: "GENERIC" } } } });
  const { page, leave } = await opened.visit("/en/alerts?search=northwind");
  expect(await readFailure(page)).toBe("Your alerts could not be loaded");
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Try again" }).click();
  const row = page.getByRole("row", { name: "Northwind Cinemas" });
  await row.getByText("Passwords", { exact: true }).waitFor();
  await row.getByText("+6", { exact: true }).waitFor();
  expect(await row.getByText("Genders").count()).toBe(0);
  await row.getByRole("button", { name: "Northwind Cinemas", exact: true }).click();
  const details = page.getByRole("dialog", { name: "Alert details" });
  await openFolds(details);
  await details.getByText("Genders", { exact: true }).waitFor();
  await leave();
}, 30_000);

test("a contact's link does nothing until its button is pressed, and its token is removed from the URL", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await opened.visit("/en/manage-contact#t=secret");
  await settled(page);
  const button = page.getByRole("button", { name: "Yes, send alerts here" });
  await button.waitFor();
  expect(page.url()).not.toContain("secret");
  expect(opened.site.calls().filter((call) => call !== "GET /api/instance")).toEqual([
    "POST /api/contact-links/inspect",
  ]);
  await button.click();
  await page.getByText("Confirmed").waitFor();
  expect(opened.site.requests.at(-1)).toEqual({ call: "POST /api/contact-links/confirm", body: { token: "secret" } });
  await leave();
}, 30_000);
