import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { testScreens } from "./screens.ts";
import { SUPPORT_SCREENS } from "./support_screens.ts";

const SEND = "POST /api/support/tickets";
const failing = (status: number, body: object) => ({ answers: { [SEND]: { status, body } } });
const LONG = "x".repeat(5000);

async function fill(page: Page) {
  await page.getByLabel("Type").selectOption("technical");
  await page.getByLabel("Priority").selectOption("critical");
  await page.getByLabel("Subject").fill("No mails 🐝");
  await page.getByLabel("Description").fill("Since Monday.\nلا تصل الرسائل 👨‍👩‍👧");
  await page.getByRole("checkbox").check();
}
const send = (page: Page) => page.locator("main form button[type=submit]").click();

testScreens(SUPPORT_SCREENS);

describe("Writing to support", () => {
  let opened: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    opened = await openSite();
  }, 120_000);
  afterAll(() => opened.close());

  async function visit(path: string, scene: Parameters<typeof opened.site.set>[0] = {}) {
    opened.site.set(scene);
    const visited = await opened.visit(`/en${path}`);
    await settled(visited.page);
    return visited;
  }
  const sent = () =>
    opened.site.requests.filter(({ call }) => call === SEND).map(({ body }) => body as { key: string });

  test("the form knows the logged-in user, sends all fields, and leads to the conversation", async () => {
    const { page, leave } = await visit("/support");
    expect(await page.getByLabel("First name").inputValue()).toBe("Alice");
    expect(await page.getByLabel("Email").inputValue()).toContain("@");
    await fill(page);
    await page.getByText("10 of 120 characters").waitFor();
    await send(page);
    await page.getByRole("heading", { name: "Your request has been sent" }).waitFor();
    const [{ key, ...body } = { key: "" }, ...more] = sent();
    expect(more).toEqual([]);
    expect(key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(body).toMatchObject({
      firstName: "Alice",
      type: "technical",
      priority: "critical",
      subject: "No mails 🐝",
      privacy: true,
      description: "Since Monday.\nلا تصل الرسائل 👨‍👩‍👧",
    });
    await page.getByRole("link", { name: "Open the conversation" }).click();
    await page.waitForURL("**/en/support?ticket=BB-9999-9999");
    await page.getByRole("heading", { name: "No mails 🐝" }).waitFor();
    await leave();
  }, 30_000);

  test("every empty field is marked, the first one has the focus, and nothing is sent", async () => {
    const { page, leave } = await visit("/support");
    for (const label of ["First name", "Last name", "Email"]) await page.getByLabel(label).fill("");
    await send(page);
    for (const words of [
      ...["First name is required.", "Last name is required.", "Email is required.", "Please choose a type."],
      ...["Please choose a priority.", "Subject is required.", "Description is required."],
      ...["Please agree that we may use these details to answer you.", "Please check the form"],
    ])
      await page.getByText(words).waitFor();
    await page.getByLabel("First name").evaluate((field) => field === document.activeElement || Promise.reject(field));
    expect(sent()).toEqual([]);
    await leave();
  }, 30_000);

  test("over-long text and an invalid email are reported, and stay as typed", async () => {
    const { page, leave } = await visit("/support");
    await fill(page);
    await page.getByLabel("Subject").fill("y".repeat(121));
    await page.getByLabel("Description").fill(LONG);
    await page.getByLabel("Email").fill("nobody at home");
    await send(page);
    expect(await page.getByText("This text is too long. Please shorten it.").count()).toBe(2);
    await page.getByText("5,000 of 4,000 characters").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("nobody at home");
    expect(sent()).toEqual([]);
    await leave();
  }, 30_000);

  test("a server failure loses nothing: the modal says so, and the same request is sent again", async () => {
    const { page, leave } = await visit("/support", failing(500, { code: "GENERIC" }));
    await fill(page);
    await send(page);
    const dialog = page.getByRole("dialog", { name: "The request could not be sent" });
    await dialog.getByText("An unexpected error occurred. Please try again later.").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByLabel("Subject").inputValue()).toBe("No mails 🐝");
    opened.site.stage.answers = {};
    await send(page);
    await page.getByRole("heading", { name: "Your request has been sent" }).waitFor();
    const [first, second] = sent();
    expect(second).toEqual(first as { key: string });
    await leave();
  }, 30_000);

  test("a change after a failure makes it another request", async () => {
    const { page, leave } = await visit("/support", failing(429, { code: "RATE_LIMITED", retryAfter: 60 }));
    await fill(page);
    await send(page);
    await page.getByRole("dialog").getByText("too many requests").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByLabel("Subject").fill("Still no mails");
    await send(page);
    await page.getByRole("dialog").waitFor();
    const [first, second] = sent();
    expect(second?.key).not.toBe(first?.key as string);
    await leave();
  }, 30_000);

  test("problems that only the server finds ask to review the form, and are marked there", async () => {
    const wrong = { code: "INVALID_INPUT", fields: { email: "EMAIL_INVALID" } };
    const { page, leave } = await visit("/support", failing(422, wrong));
    await fill(page);
    await send(page);
    const dialog = page.getByRole("dialog", { name: "The request could not be sent" });
    await dialog.getByText("Please check the form and try again.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Please enter a valid email.").waitFor();
    expect(await page.getByLabel("Description").inputValue()).toContain("Since Monday.");
    await leave();
  }, 30_000);

  test("a conversation is continued, closed and reopened, and keeps its line breaks", async () => {
    const { page, leave } = await visit("/support?ticket=BB-7K3F-92QX");
    await page.getByText("Since Monday.").waitFor();
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText("Please write a message.").waitFor();
    await page.getByLabel("Your message").fill("Still <b>nothing</b>");
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByText("Your message has been sent").waitFor();
    await page.getByText("Still <b>nothing</b>").waitFor();
    expect(await page.getByLabel("Your message").inputValue()).toBe("");
    await page.getByRole("button", { name: "Close the conversation" }).click();
    await page.getByText("It will be deleted twelve months after closing.").waitFor();
    await page.getByRole("button", { name: "Reopen" }).click();
    await page.getByLabel("Your message").waitFor();
    await leave();
  }, 30_000);
});
