import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const GONE = { status: 401, body: { code: "SESSION_EXPIRED" } };
const BACK = "We’ve restored your unsaved changes.";

/** From now on the server has no session, for any request. */
function endSession(...calls: string[]) {
  opened.site.stage.level = "unauthenticated";
  for (const call of calls) opened.site.stage.answers[call] = GONE;
}

async function logIn(page: Page) {
  await page.waitForURL("**/en/login");
  await page.getByText("Session expired. Please log in again.").waitFor();
  opened.site.stage.level = "partial";
  opened.site.stage.answers = { "POST /api/verify-code": { status: 200, body: { language: "en" } } };
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByRole("button", { name: "Log in" }).click();
  await page.getByLabel("Digit 1 of 6").click();
  opened.site.stage.level = "authenticated";
  await page.keyboard.type("123456");
}

const stored = (page: Page) => page.evaluate(() => JSON.stringify(sessionStorage));
const acts = () => opened.site.requests.filter(({ call }) => !/^GET|bell\/seen/.test(call)).map(({ call }) => call);

test("a form interrupted by the end of the session is restored after the login, and is sent once", async () => {
  opened.site.set();
  const { page, complaints, leave } = await opened.visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  await address.fill("مها@example.org");
  await address.fill("carol@example.com");
  await page.getByLabel("I own this email address").check();
  await page.getByLabel("Alert language").selectOption("pt");
  await page.getByPlaceholder("Add an address").fill("dana@example.org");
  await page.keyboard.press("Enter");
  endSession("POST /api/associations");
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.waitForURL("**/en/login");
  expect(await stored(page)).toContain("carol@example.com");

  await logIn(page);
  await page.waitForURL("**/en/new-track");
  await page.getByText(BACK).waitFor();
  expect(await address.inputValue()).toBe("carol@example.com");
  expect(await page.getByLabel("I own this email address").isChecked()).toBe(true);
  expect(await page.getByLabel("Alert language").inputValue()).toBe("pt");
  await page.getByText("dana@example.org").waitFor();
  expect(await stored(page)).not.toContain("carol@example.com");
  expect(await stored(page)).not.toContain("Correct-horse-7");
  opened.site.requests.length = 0;
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByText("We’ve sent a link to carol@example.com.").waitFor();
  expect(acts()).toEqual(["POST /api/associations"]);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test.each([
  {
    path: "/en/update-track/a1",
    call: "PUT /api/associations/a1",
    type: (page: Page) => page.getByLabel("Pause this address").check(),
    send: "Save changes",
    back: async (page: Page) => expect(await page.getByLabel("Pause this address").isChecked()).toBe(true),
  },
  {
    path: "/en/profile-edit",
    call: "PUT /api/profile",
    type: (page: Page) => page.getByLabel("Company").fill("Café 🔔 שלום"),
    send: "Save changes",
    back: async (page: Page) => expect(await page.getByLabel("Company").inputValue()).toBe("Café 🔔 שלום"),
  },
  {
    path: "/en/new-track?several",
    call: "POST /api/associations/bulk/preview",
    type: (page: Page) => page.locator("main textarea").fill("ada@example.org\nbob@example.org"),
    send: "Check the list",
    back: async (page: Page) =>
      expect(await page.locator("main textarea").inputValue()).toBe("ada@example.org\nbob@example.org"),
  },
])(
  "so is the form of $path",
  async ({ path, call, type, send, back }) => {
    opened.site.set();
    const { page, leave } = await opened.visit(path);
    await settled(page);
    await type(page);
    endSession(call);
    await page.locator("main").getByRole("button", { name: send }).first().click();
    await logIn(page);
    await page.waitForURL(`**${path}`);
    await page.getByText(BACK).waitFor();
    await back(page);
    expect(await stored(page)).not.toContain("drafts");
    await leave();
  },
  60_000,
);

test("a contact's settings open automatically, with the input kept", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/contacts");
  await settled(page);
  await page
    .getByRole("button", { name: /^Settings/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: /discreet/i }).check();
  opened.site.stage.level = "unauthenticated";
  await page.route("**/api/contacts/**", (route) => route.fulfill({ status: 401, json: GONE.body }));
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.unroute("**/api/contacts/**");
  await logIn(page);
  await page.waitForURL("**/en/contacts");
  await page.getByText(BACK).waitFor();
  expect(await dialog.getByRole("checkbox", { name: /discreet/i }).isChecked()).toBe(true);
  await leave();
}, 60_000);

test("input is not shown to another account that logs in next, nor after a logout", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByLabel("Email address", { exact: true }).fill("carol@example.com");
  endSession("POST /api/associations");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.waitForURL("**/en/login");
  expect(await stored(page)).toContain("carol@example.com");
  Object.assign(opened.site.stage.me, { firstName: "Bob", lastName: "Baker", email: "bob@example.org" });
  await logIn(page);
  await page.getByText("Bob Baker").first().waitFor();
  await settled(page);
  expect(await page.getByLabel("Email address", { exact: true }).inputValue()).toBe("");
  expect(await page.getByText(BACK).count()).toBe(0);
  expect(await stored(page)).not.toContain("carol@example.com");

  await page.getByLabel("Email address", { exact: true }).fill("dana@example.com");
  opened.site.stage.level = "unauthenticated";
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/en/login");
  expect(await stored(page)).not.toContain("dana@example.com");
  await leave();
}, 60_000);

test("a form with a password is never stored", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/profile");
  await settled(page);
  await page.getByRole("button", { name: "Delete" }).first().click();
  await page.getByRole("dialog").locator("input[type=password]").fill("Correct-horse-7");
  opened.site.stage.level = "unauthenticated";
  await page.route("**/api/profile**", (route) => route.fulfill({ status: 401, json: GONE.body }));
  await page.getByRole("dialog").getByRole("button").last().click();
  await page.waitForURL("**/en/login");
  expect(await stored(page)).not.toContain("Correct-horse-7");
  await leave();
}, 60_000);

test.each([
  {
    path: "/en/new-track",
    url: "**/api/associations",
    type: (page: Page) => page.getByLabel("Email address", { exact: true }).fill("carol@example.com"),
    send: "Send the invitation",
    call: "POST /api/associations",
    kept: async (page: Page) =>
      expect(await page.getByLabel("Email address", { exact: true }).inputValue()).toBe("carol@example.com"),
  },
  {
    path: "/en/update-track/a1",
    url: "**/api/associations/a1",
    type: (page: Page) => page.getByLabel("Alert language").selectOption("it"),
    send: "Save changes",
    call: "PUT /api/associations/a1",
    kept: async (page: Page) => expect(await page.getByLabel("Alert language").inputValue()).toBe("it"),
  },
  {
    path: "/en/profile-edit",
    url: "**/api/profile",
    type: (page: Page) => page.getByLabel("Company").fill("Émile & Söhne 🔔"),
    send: "Save changes",
    call: "PUT /api/profile",
    kept: async (page: Page) => expect(await page.getByLabel("Company").inputValue()).toBe("Émile & Söhne 🔔"),
  },
])(
  "if the server fails in the middle of $path nothing is lost, and a retry sends it once",
  async (form) => {
    opened.site.set();
    const { page, leave } = await opened.visit(form.path);
    await settled(page);
    await form.type(page);
    await page.route(form.url, (route) => (route.request().method() === "GET" ? route.fallback() : route.abort()));
    opened.site.requests.length = 0;
    const send = page.locator("main").getByRole("button", { name: form.send }).first();
    await send.click();
    const modal = page.getByRole("dialog");
    await modal.getByText("The server can’t be reached. Please check your connection and try again.").waitFor();
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    await form.kept(page);
    expect(acts()).toEqual([]);
    await page.unroute(form.url);
    // Twice in quick succession, as with a double click.
    await send.evaluate((button: HTMLButtonElement) => {
      button.form?.requestSubmit();
      button.form?.requestSubmit();
    });
    await page.waitForURL(/\/(dashboard|profile)$/);
    expect(acts()).toEqual([form.call]);
    await leave();
  },
  60_000,
);

test("if only the response was lost, a retry reports that it already exists", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/new-track");
  await page.getByLabel("Email address", { exact: true }).fill("carol@example.com");
  await page.route("**/api/associations", async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByRole("dialog").getByText("The server can’t be reached.").waitFor();
  await page.keyboard.press("Escape");
  await page.unroute("**/api/associations");
  const there = { code: "ADDRESS_ALREADY_TRACKED", fields: { address: "ADDRESS_ALREADY_TRACKED" } };
  opened.site.stage.answers["POST /api/associations"] = { status: 409, body: there };
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByText("There is already an association for this email address.").waitFor();
  await leave();
}, 30_000);
