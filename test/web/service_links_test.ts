import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const detailsOf = (page: Page) => page.getByRole("dialog", { name: "Alert details" });
const sent = (part: string) => opened.site.requests.filter(({ call }) => call.includes(part));

test("advised steps link to the service's pages, with their host, in a new tab", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  const details = detailsOf(page);
  await details.getByText("This service supports passkeys, which replace the password.").waitFor();
  await details.getByText("It offers as the second step: authenticator app and text message.").waitFor();
  await details.getByRole("button", { name: /more/ }).click();
  await details.getByText("you have to contact customer service").waitFor();
  const links = details.locator('a[target="_blank"][href*="northwindcinemas"]');
  expect(await links.allInnerTexts()).toEqual([
    "Change it on northwindcinemas.example",
    "Instructions on help.northwindcinemas.example",
    "More on northwindcinemas.example",
  ]);
  for (const link of await links.all()) expect(await link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
  expect(await links.first().getAttribute("href")).toEndWith("/.well-known/change-password");
  await details.getByRole("link", { name: "Write to privacy@northwindcinemas.example" }).waitFor();
  await details.getByText(/lead to other websites.+According to JustDeleteMe \(Aug 21, 2026\)/).waitFor();
  await leave();
}, 30_000);

test("of a service that no directory knows, it says what to do instead", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b2");
  await detailsOf(page).getByText("We know of no direct link for this service.").waitFor();
  await leave();
}, 30_000);

test("it asks once when the password was changed, and marks a breach that is older", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  const details = detailsOf(page);
  await details.getByText("When did you last change your password for Northwind Cinemas?").waitFor();
  await details.getByRole("button", { name: "Since the breach" }).click();
  await details.getByText("so the stolen one no longer works").waitFor();
  await details.getByText("Password changed since", { exact: true }).waitFor();
  expect(await details.getByLabel("1. Change your Northwind Cinemas password").isChecked()).toBe(true);
  await details.getByRole("button", { name: "Change my answer" }).click();
  await details.getByRole("button", { name: "Before the breach" }).click();
  await details.getByText("Your current password may be among the stolen data.").waitFor();
  expect(sent("/password").map(({ body }) => body)).toEqual([{ changed: "after" }, { changed: "before" }]);
  await leave();
}, 30_000);

test("people without an account there handle the alert with that reason", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  await detailsOf(page).getByRole("button", { name: "I no longer have an account there" }).click();
  const dialog = page.getByRole("dialog", { name: "Are you sure?" });
  expect(await dialog.getByRole("combobox").inputValue()).toBe("account_closed");
  await dialog.getByRole("button", { name: "Mark as handled" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(sent("/handle").at(-1)?.body).toMatchObject({ reason: "account_closed" });
  await leave();
}, 30_000);

test("an address shows the progress over all its breaches, and its owner what the sources were told", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/screen-track/alice.archer@example.com");
  await page.getByText("5 of 18 steps done").waitFor();
  expect(await page.getByRole("progressbar", { name: "Advised steps" }).getAttribute("aria-valuenow")).toBe("28");
  await page.getByText("What the sources were told").click();
  await page.getByText("Only the first characters of its hash, which many addresses share").waitFor();
  await page.getByText(/^58 times, from /).waitFor();
  await leave();
}, 30_000);
