import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { type Scene, scene as usualScene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;

beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

function stranger(mode: "open" | "invite" | "closed", answers: Scene["answers"] = {}): Partial<Scene> {
  const instance = { ...usualScene().instance, registration: { mode, domains: [] } };
  return { level: "unauthenticated", instance, answers };
}

test("a link of the operator opens the form with its address, which the link is sent with", async () => {
  opened.site.set(
    stranger("closed", {
      "POST /api/register/inspect": { status: 200, body: { email: "grete@xn--mnchen-3ya.example", staff: false } },
      "POST /api/register": { status: 201, body: { email: "grete@xn--mnchen-3ya.example" } },
    }),
  );
  const { page, leave } = await opened.visit("/en/register#t=YWRh.k1.signature");
  await settled(page);
  const email = page.getByLabel("Email", { exact: true });
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("input[type=email]")?.value !== "");
  expect([await email.inputValue(), await email.isEditable()]).toEqual(["grete@münchen.example", false]);
  expect(new URL(page.url()).hash).toBe("");
  await page.getByLabel("First name").fill("Grete");
  await page.getByLabel("Last name").fill("Hermann");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByLabel("Confirm password").fill("Correct-horse-7");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/en/login");
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  expect(opened.site.requests.find(({ call }) => call === "POST /api/register")?.body).toMatchObject({
    email: "grete@münchen.example",
    invitation: "YWRh.k1.signature",
  });
  await leave();
}, 30_000);

test("the link of the start opens the form for any address, and says that the account is the first", async () => {
  opened.site.set(
    stranger("closed", { "POST /api/register/inspect": { status: 200, body: { email: null, staff: true } } }),
  );
  const { page, leave } = await opened.visit("/en/register#t=.k1.signature");
  await page.getByText("This is the first account of this installation. It also gets the operator pages.").waitFor();
  await page.getByLabel("Email", { exact: true }).fill("ada@example.com");
  expect(new URL(page.url()).hash).toBe("");
  await leave();
}, 30_000);

test.each([
  ["invite", "You need a link to create an account"],
  ["closed", "New accounts can’t be created here"],
] as const)(
  "while registration is %s the pages say so and whom to ask",
  async (mode, words) => {
    opened.site.set(stranger(mode));
    const { page, leave } = await opened.visit("/en/login");
    await page.getByRole("link", { name: "Create an account" }).waitFor({ state: "detached" });
    await page.goto(`${opened.site.origin}/en/register`);
    await page.getByRole("heading", { name: words }).waitFor();
    await page.getByText("support@example.com").waitFor();
    expect(await page.getByLabel("First name").count()).toBe(0);
    await page.getByRole("link", { name: "Log in" }).click();
    await page.waitForURL("**/en/login");
    await leave();
  },
  30_000,
);

test("the preferred language is that of the page, until it is chosen", async () => {
  opened.site.set(stranger("open"));
  const { page, leave } = await opened.visit("/en/register");
  await settled(page);
  await page.getByLabel("First name").fill("Grete");
  await page.getByLabel("Language", { exact: true }).selectOption("pt");
  const preferred = page.getByLabel("Idioma preferido");
  await preferred.and(page.locator(":has(option[value=pt]:checked)")).waitFor();
  expect(await page.getByLabel("Nome próprio").inputValue()).toBe("Grete");
  await preferred.selectOption("it");
  await page.getByLabel("Idioma", { exact: true }).selectOption("fr");
  expect(await page.getByLabel("Langue préférée").inputValue()).toBe("it");
  await leave();
}, 30_000);
