import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const bodyOf = (part: string) => opened.site.requests.findLast(({ call }) => call.includes(part))?.body;

test("a letter is drafted in the company's language, and follows what is chosen and typed", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  await page.getByRole("dialog").getByRole("link", { name: "Write to the company" }).click();
  await page.getByRole("heading", { level: 1, name: "Letter to Northwind Cinemas" }).waitFor();
  const paper = page.locator("[data-letter]");
  await paper.getByText("Sehr geehrte Damen und Herren").waitFor();
  expect(await paper.getAttribute("lang")).toBe("de");
  await page.getByLabel("Language of the letter").selectOption("en");
  await page.getByLabel("Your country").selectOption("CH");
  await paper.getByText("Request under the Federal Act on Data Protection (FADP)").waitFor();
  await paper.getByText(/took place on January 5, 2021/).waitFor();
  await page.getByLabel("Your country").selectOption("US");
  await paper.getByText("Request about my personal data").waitFor();
  await page.getByText("has no general law that obliges a company to answer").waitFor();
  expect(await paper.textContent()).not.toContain("Article");
  await page.getByLabel("Your country").selectOption("FR");
  await page.getByLabel("Have my data deleted").uncheck();
  await paper.getByText("Article 15 GDPR").waitFor();
  expect(await paper.textContent()).not.toContain("Article 17");
  await page.getByLabel("Your postal address").fill("10 Rue de la Paix\n75002 Paris");
  await paper.getByText("10 Rue de la Paix").waitFor();
  await leave();
}, 30_000);

test("it is taken along as a mail draft, on paper or as text, and never sent from here", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/letters/b1");
  await page.getByLabel("Language of the letter").selectOption("en");
  await page.getByText("Dear Sir or Madam,").waitFor();
  const href = (await page.getByRole("link", { name: "Open as an email" }).getAttribute("href")) ?? "";
  expect(href).toStartWith("mailto:privacy@northwindcinemas.example?subject=Request%20under");
  const body = new URLSearchParams(href.split("?")[1]).get("body");
  expect(body).toContain("Dear Sir or Madam,\r\n\r\nMy email address alice.archer@example.com");
  await page.emulateMedia({ media: "print" });
  expect((await page.locator("[data-letter]").allTextContents()).length).toBe(1);
  expect(await page.getByText("What do you want?").isVisible()).toBe(false);
  expect(opened.site.requests.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
  await leave();
}, 30_000);

test("another company can be typed, without injecting anything into the draft", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/letters/b1");
  await page.getByLabel("Another address").check();
  await page.getByLabel("Company").fill("<b>Evil</b> & Sons");
  await page.getByLabel("Email address").fill("a@b.example?bcc=x@y.example&body=z");
  const paper = page.locator("[data-letter]");
  await paper.getByText("<b>Evil</b> & Sons").waitFor();
  expect(await paper.locator("b").count()).toBe(0);
  const href = (await page.getByRole("link", { name: "Open as an email" }).getAttribute("href")) ?? "";
  expect(href).toStartWith("mailto:a@b.example%3Fbcc%3Dx@y.example%26body%3Dz?subject=");
  await leave();
}, 30_000);

test("a letter that was sent is kept with its deadline, answered, and removed", async () => {
  opened.site.set({ letters: [] });
  const { page, leave } = await opened.visit("/en/letters/b1");
  await page.getByLabel("Sent on").fill("2026-11-20");
  await page.getByRole("button", { name: "I’ve sent it" }).click();
  await page.getByRole("heading", { level: 1, name: "Letters to companies" }).waitFor();
  expect(bodyOf("POST /api/alerts/b1/letters")).toEqual({
    company: "Northwind Cinemas AG",
    asks: ["access", "incident", "erasure"],
    country: "GB",
    language: "de",
    sentOn: "2026-11-20",
  });
  await page.getByText("Answer due by Jan 1, 2099").waitFor();
  await page.getByRole("button", { name: "Mark as answered" }).click();
  await page.getByText("Answered", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No letters yet").waitFor();
  await leave();
}, 30_000);

test("an overdue letter offers a complaint to the authority, in its language", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/letters");
  await page.getByRole("button", { name: "Complain to the authority" }).click();
  const paper = page.locator("[data-letter]");
  await paper.getByText("Beschwerde wegen eines unbeantworteten Antrags").waitFor();
  await paper.getByText(/an Northwind Cinemas AG gewandt\. Die Antwort war bis zum 1\. April 2026 fällig/).waitFor();
  expect(await page.getByRole("link", { name: "Complaint form on authority.example" }).getAttribute("rel")).toContain(
    "noopener",
  );
  await page.getByLabel("Supervisory authority").selectOption({ label: "Commissioner of a Canton" });
  await page.getByRole("link", { name: "Website: authority.example" }).waitFor();
  await leave();
}, 30_000);
