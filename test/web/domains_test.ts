import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { byMail, domain, person } from "./fake_domains.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const bodiesOf = (part: string) =>
  opened.site.requests.filter(({ call }) => call === part).map(({ body }) => body as Record<string, unknown>);
const refused = { code: "DOMAIN_PUBLIC", fields: { name: "DOMAIN_PUBLIC" } };

test("a domain is added with its kind of proof; what was typed stays when it is refused", async () => {
  opened.site.set({ domains: [], answers: { "POST /api/domains": { status: 422, body: refused } } });
  const { page, leave } = await opened.visit("/en/domains");
  await page.getByText("No domains yet").waitFor();
  const name = page.getByLabel("Domain", { exact: true });
  await name.fill("no domain");
  await page.getByRole("button", { name: "Add domain" }).click();
  await page.getByText("This is not the name of a domain.").waitFor();
  expect(bodiesOf("POST /api/domains")).toEqual([]);
  await name.fill("gmail.com");
  await page.getByRole("radio", { name: "Code by email" }).check();
  await page.getByLabel("Mailbox").selectOption("postmaster");
  await page.getByRole("button", { name: "Add domain" }).click();
  await page.getByText("Anyone can get a mailbox at this domain").waitFor();
  expect(await name.inputValue()).toBe("gmail.com");
  expect(bodiesOf("POST /api/domains").at(-1)).toEqual({ name: "gmail.com", proof: "mail", mailbox: "postmaster" });
  opened.site.stage.answers = {};
  await name.fill("archer.example");
  await page.getByRole("radio", { name: "DNS record" }).check();
  await page.getByRole("button", { name: "Add domain" }).click();
  await page.getByRole("heading", { level: 1, name: "archer.example" }).waitFor();
  expect(bodiesOf("POST /api/domains").at(-1)).toEqual({ name: "archer.example", proof: "dns" });
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("_breachbell.archer.example");
  await leave();
}, 30_000);

test("the page says what a look has found, and shows the findings once the domain is proven", async () => {
  const check = (body: object) => ({ "POST /api/domains/d1/check": { status: 200, body } });
  opened.site.set({
    domains: [domain({ state: "pending", provenAt: null })],
    answers: check({ state: "pending", found: false, reason: null }),
  });
  const { page, leave } = await opened.visit("/en/domains/d1");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Not there yet.").waitFor();
  opened.site.stage.answers = check({ state: "pending", found: false, reason: "the status 503" });
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("the status 503").waitFor();
  opened.site.stage.answers = check({ state: "proven", found: true, reason: null });
  opened.site.stage.domains = [domain()];
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByRole("heading", { name: "Addresses" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await leave();
}, 30_000);

test("a code is sent to the domain's mailbox, and a wrong one is said at its field", async () => {
  const refusal = { status: 422, body: { code: "CODE_INVALID" } };
  opened.site.set({ domains: [byMail()], answers: { "POST /api/domains/d1/code/confirm": refusal } });
  const { page, leave } = await opened.visit("/en/domains/d1");
  await page.getByText("We send a 6-digit code to security@archer.example.").waitFor();
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByLabel("6-digit code").fill("123456");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("Invalid or expired code.").waitFor();
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "Addresses" }).waitFor();
  await leave();
}, 30_000);

test("paper has the addresses that were not shown yet", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/domains/d1");
  await page.evaluate(() => {
    window.print = () => {
      document.body.dataset.printed = document.querySelector("section[aria-labelledby=addresses]")?.textContent ?? "";
    };
  });
  await page.getByRole("button", { name: "Print" }).click();
  await page.locator("body[data-printed]").waitFor();
  expect(await page.locator("body").getAttribute("data-printed")).toContain("zoe@archer.example");
  await leave();
}, 30_000);

test("addresses are filtered, continued, opened, marked and exported, and none stands in a URL", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/domains/d1");
  const list = page.getByRole("region", { name: "Addresses" });
  await list.getByRole("button", { name: "Show more" }).click();
  await list.getByRole("button", { name: "zoe@archer.example" }).waitFor();
  await list.getByText("Aliases", { exact: true }).click();
  await list.getByRole("button", { name: "bob@archer.example" }).waitFor({ state: "detached" });
  await list.getByLabel("Search addresses").fill("ado");
  await list.getByRole("button", { name: "adobe@archer.example" }).click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("Probably stolen from").waitFor();
  await drawer.getByRole("button", { name: "This is a person" }).click();
  await page.getByText("The address now counts as a person’s.").waitFor();
  await drawer.waitFor({ state: "detached" });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    list.getByRole("button", { name: "Export as CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("breachbell-archer.example.csv");
  expect(bodiesOf("PUT /api/domains/d1/addresses")).toEqual([{ alias: "adobe", kind: "person" }]);
  expect(bodiesOf("POST /api/domains/d1/addresses/file")).toEqual([{ search: "ado", kind: "alias", language: "en" }]);
  const calls = bodiesOf("POST /api/domains/d1/addresses/list");
  expect(calls[0]).toEqual({ search: "" });
  expect(calls[1]).toEqual({ search: "", after: "z" });
  expect([page.url(), ...opened.site.calls()].join(" ")).not.toContain("adobe");
  await leave();
}, 30_000);

test("a person opens the mailed link without changing anything, decides, and is led to an account", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await opened.visit("/en/domain-notice#t=secret-1");
  await page.getByRole("heading", { level: 1, name: "dana@archer.example was found in data breaches" }).waitFor();
  expect(opened.site.calls().filter((call) => !call.startsWith("GET"))).toEqual(["POST /api/domain-links/inspect"]);
  expect(page.url()).toEndWith("/en/domain-notice");
  await page.getByText("Alice Archer opened your address.").waitFor();
  await page.getByRole("radio", { name: "Nothing" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your choice has been saved.").waitFor();
  expect(bodiesOf("POST /api/domain-links/answer")).toEqual([{ token: "secret-1", say: "nothing" }]);
  await page.getByText("You have confirmed that this address is yours.").waitFor();
  expect(await page.getByRole("link", { name: "Create an account" }).getAttribute("href")).toBe("/en/register");
  await leave();
}, 30_000);

test("the dashboard leads the account whose own domain is administered to the same choice", async () => {
  opened.site.set({ ownDomain: person() });
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await page.getByRole("link", { name: "See and decide" }).click();
  await page.getByRole("radio", { name: "Everything" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your choice has been saved.").waitFor();
  expect(bodiesOf("PUT /api/own-domain")).toEqual([{ say: "all" }]);
  await leave();
}, 30_000);

test("a domain that the plan no longer covers says so, and leads to the plans", async () => {
  const inactive = { status: 403, body: { code: "USER_INACTIVE" } };
  opened.site.set({ answers: { "GET /api/domains/d1/overview": inactive } });
  const { page, leave } = await opened.visit("/en/domains/d1");
  await page.getByText("Your plan doesn’t cover this domain at the moment").waitFor();
  expect(await page.getByRole("link", { name: "See the plans" }).getAttribute("href")).toBe("/en/subscription");
  await leave();
}, 30_000);
