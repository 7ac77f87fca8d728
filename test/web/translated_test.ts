import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import type { Scene } from "./fake_api.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** Like Chrome's translation: replaces every text node by its own elements. Returns how many. */
function translate(page: Page): Promise<number> {
  return page.evaluate(() => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    const shown = texts.filter(
      ({ data, parentElement }) => data.trim() !== "" && !parentElement?.closest("script, style, noscript, font"),
    );
    for (const text of shown) {
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
    return shown.length;
  });
}

async function visit(path: string) {
  const visited = await opened.visit(path);
  await settled(visited.page);
  expect(await translate(visited.page)).toBeGreaterThan(10);
  return visited;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a translated login accepts input, shows errors, and continues", async () => {
  const refusal = { status: 401, body: { code: "CREDENTIALS_INVALID" } };
  const fields = { email: "EMAIL_REQUIRED", password: "PASSWORD_REQUIRED" };
  const incomplete = { status: 422, body: { code: "INVALID_INPUT", fields } };
  opened.site.set({ ...stranger, answers: { "POST /api/login": incomplete } });
  const { page, complaints, leave } = await visit("/en/login");
  await button(page, "Log in").click();
  await page.getByText("Email is required.").waitFor();
  await translate(page);
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByText("Email is required.").waitFor({ state: "detached" });
  opened.site.stage.answers = { "POST /api/login": refusal };
  await button(page, "Log in").click();
  await page.getByRole("dialog").getByText("Invalid email or password.").waitFor();
  await translate(page);
  await page.keyboard.press("Escape");
  opened.site.stage.answers = {
    "POST /api/login": { status: 200, body: { email: "alice@example.com", methods: ["email"] } },
  };
  opened.site.stage.level = "partial";
  await button(page, "Log in").click();
  await page.waitForURL("**/en/verify-code");
  await page.getByRole("heading", { level: 1, name: "Enter your code" }).waitFor();
  await translate(page);
  await page.getByLabel("Digit 1 of 6").click();
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await page.getByText("Invalid or expired code.").waitFor();
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("a translated registration accepts input, shows errors, and leads to the login", async () => {
  opened.site.set({
    ...stranger,
    answers: { "POST /api/register": { status: 409, body: { code: "EMAIL_TAKEN", fields: { email: "EMAIL_TAKEN" } } } },
  });
  const { page, complaints, leave } = await visit("/en/register");
  await button(page, "Create account").click();
  await page.getByText("First name is required.").waitFor();
  await translate(page);
  for (const [label, value] of [
    ["First name", "Ada"],
    ["Last name", "Byron"],
    ["Email", "ada@example.com"],
    ["Password", "Correct-horse-7"],
    ["Confirm password", "Correct-horse-7"],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await translate(page);
  await page.getByRole("checkbox").check();
  await button(page, "Create account").click();
  await page.getByText("A user with this email already exists.").waitFor();
  await translate(page);
  await page.getByLabel("Email", { exact: true }).fill("ada.byron@example.com");
  opened.site.stage.answers = { "POST /api/register": { status: 200, body: { email: "ada.byron@example.com" } } };
  await button(page, "Create account").click();
  await page.waitForURL("**/en/login");
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("a translated form for an address accepts input, shows errors, and is sent", async () => {
  opened.site.set();
  const { page, complaints, leave } = await visit("/en/new-track");
  const address = page.getByLabel("Email address", { exact: true });
  const owner = page.getByLabel("I own this email address");
  await address.fill("carol@example.com");
  await translate(page);
  await owner.check();
  await translate(page);
  await address.fill("");
  await button(page, "Send the link")
    .or(button(page, "Start tracking"))
    .or(button(page, "Send the invitation"))
    .click();
  await page.getByText("Email address is required.").waitFor();
  await translate(page);
  await address.fill("Alice.Archer@Example.com");
  await owner.check();
  await button(page, "Start tracking").click();
  await page.getByText("Alice.Archer@Example.com is now being tracked.").waitFor();
  await translate(page);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);
