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

function pathOf(page: Page): string {
  return page.url().slice(opened.site.origin.length);
}

async function logIn(page: Page) {
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByRole("button", { name: "Log in" }).click();
}

test("a link into the application leads back there after login and code", async () => {
  opened.site.set(stranger);
  const { page, leave } = await opened.visit("/en/alerts?alert=b1");
  await page.waitForURL("**/en/login");
  opened.site.stage.level = "partial";
  await logIn(page);
  await page.waitForURL("**/en/verify-code");
  opened.site.stage.level = "authenticated";
  opened.site.stage.answers["POST /api/verify-code"] = { status: 200, body: { language: "de" } };
  await page.getByLabel("Digit 1 of 6").pressSequentially("1");
  await page.keyboard.type("23456");
  await page.waitForURL("**/en/alerts?alert=b1");
  await page.getByRole("dialog").getByRole("heading", { name: "Northwind Cinemas" }).waitFor();
  expect(opened.site.requests.find(({ call }) => call === "POST /api/verify-code")?.body).toEqual({ code: "123456" });
  await leave();
}, 30_000);

test("without a wanted page the account's language decides, unless one was chosen by hand", async () => {
  for (const [picked, expected] of [
    [undefined, "/de/dashboard"],
    ["fr", "/fr/dashboard"],
  ] as const) {
    opened.site.set({
      level: "partial",
      answers: { "POST /api/verify-code": { status: 200, body: { language: "de" } } },
    });
    const { page, leave } = await opened.visit("/en/verify-code");
    // Each navigation asks who this is, and must still hear "half way in".
    await settled(page);
    if (picked) {
      await page.getByLabel("Language").selectOption(picked);
      // The address changes before the page does.
      await page.getByLabel("Chiffre 1 sur 6").waitFor();
    }
    opened.site.stage.level = "authenticated";
    await page.locator("input[autocomplete=one-time-code]").first().pressSequentially("1");
    await page.keyboard.type("23456");
    await page.waitForURL(`**${expected}`);
    await leave();
  }
}, 30_000);

test("a wrong code is said at the field, which is emptied for the next try; a pasted one is taken", async () => {
  opened.site.set({
    level: "partial",
    answers: { "POST /api/verify-code": { status: 401, body: { code: "CODE_INVALID" } } },
  });
  const { page, leave } = await opened.visit("/en/verify-code");
  const first = page.getByLabel("Digit 1 of 6");
  await first.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "123 456");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByText("Invalid or expired code.").waitFor();
  expect(await first.inputValue()).toBe("");
  expect(await first.evaluate((field) => field === document.activeElement)).toBe(true);
  await leave();
}, 30_000);

/** Pastes into the first box. */
function paste(page: Page, pasted: string) {
  return page.getByLabel("Digit 1 of 6").evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
}

const sentCodes = () =>
  opened.site.requests.flatMap(({ call, body }) =>
    call === "POST /api/verify-code" ? [(body as { code: string }).code] : [],
  );

test("a code is taken however it comes, and what holds no six digits is refused with a hint and not sent", async () => {
  opened.site.set({
    level: "partial",
    answers: { "POST /api/verify-code": { status: 401, body: { code: "CODE_INVALID" } } },
  });
  const { page, complaints, leave } = await opened.visit("/en/verify-code");
  const first = page.getByLabel("Digit 1 of 6");
  const refusal = page.getByText("Invalid or expired code.");
  const hint = page.getByText("A code has six digits.");
  await first.waitFor();
  const pasted = [
    "123-456",
    "１２３４５６",
    "\u202a123\u200b456\u202c",
    "123456 is your Breachbell code",
    "Der Code: 123 456\n",
  ];
  for (const [at, text] of pasted.entries()) {
    await paste(page, text);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.value === "");
    await refusal.waitFor();
    expect(sentCodes()).toEqual(Array(at + 1).fill("123456"));
    expect(await hint.count()).toBe(0);
    // A digit takes the refusal away.
    await first.pressSequentially("7");
    await refusal.waitFor({ state: "detached" });
    await page.keyboard.press("Backspace");
    await first.press("Backspace");
  }
  const before = sentCodes().length;
  for (const text of ["hello", "12345", "1234567", "123456 or 654321", "x".repeat(20_000)]) {
    await paste(page, text);
    await refusal.waitFor();
    await hint.waitFor();
    expect(await first.evaluate((field) => field === document.activeElement)).toBe(true);
    const described = await first.getAttribute("aria-describedby");
    const words = await page.evaluate(
      (ids) => ids.split(" ").map((id) => document.getElementById(id)?.textContent),
      described ?? "",
    );
    expect(words[0]).toBe("Invalid or expired code.");
    expect(words[1]).toStartWith("A code has six digits.");
    await first.pressSequentially("7");
    await hint.waitFor({ state: "detached" });
    await first.press("Backspace");
  }
  await first.pressSequentially("12");
  await page.keyboard.press("Enter");
  await hint.waitFor();
  expect(sentCodes()).toHaveLength(before);
  // Typed with a full-width keyboard, and filled in by the device as a whole.
  await first.press("Delete");
  await first.focus();
  for (const digit of "７８９０１２") await page.keyboard.insertText(digit);
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.value === "");
  await first.fill("246-810");
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.value === "");
  expect(sentCodes().slice(before)).toEqual(["789012", "246810"]);
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("the six boxes are as wide as the form, each with an id of its own", async () => {
  opened.site.set({ level: "partial" });
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1440, height: 900 },
  ]) {
    const { page, leave } = await opened.visit("/en/verify-code", { viewport });
    await page.getByLabel("Digit 1 of 6").waitFor();
    const places = await page.locator("input[autocomplete=one-time-code]").evaluateAll((boxes) =>
      boxes.map((box) => {
        const { left, right } = box.getBoundingClientRect();
        return { id: box.id, left, right };
      }),
    );
    const form = await page.locator("form").boundingBox();
    expect(new Set(places.map(({ id }) => id)).size).toBe(6);
    expect(places[0]?.left).toBeCloseTo(form?.x ?? 0, 0);
    expect(places[5]?.right).toBeCloseTo((form?.x ?? 0) + (form?.width ?? 0), 0);
    await leave();
  }
}, 30_000);

test("a new code can be asked for when the wait is over", async () => {
  opened.site.set({ level: "partial" });
  const { page, leave } = await opened.visit("/en/verify-code");
  await page.getByRole("button", { name: "Send a new code" }).click();
  await page.getByText(/^You can ask for a new code in \d+ seconds$/).waitFor();
  expect(await page.getByRole("button", { name: "Send a new code" }).count()).toBe(0);
  await leave();
}, 30_000);

test("the mailbox is offered only where there is one", async () => {
  for (const mailbox of [true, false]) {
    const { instance } = opened.site.set({ level: "partial" });
    instance.mailbox = mailbox;
    const { page, leave } = await opened.visit("/en/verify-code");
    await settled(page);
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("link", { name: "Open the local inbox" }).count()).toBe(mailbox ? 1 : 0);
    await leave();
  }
}, 30_000);

test("a lock and a dead connection are said in a modal", async () => {
  opened.site.set({
    ...stranger,
    answers: { "POST /api/login": { status: 429, body: { code: "LOCKED", retryAfter: 3600 } } },
  });
  const { page, leave } = await opened.visit("/en/login");
  await settled(page);
  await logIn(page);
  const dialog = page.getByRole("dialog", { name: "Login failed" });
  await dialog.getByText("For your security, we have temporarily locked login. Please try again in 1 hour.").waitFor();
  await page.keyboard.press("Escape");
  await page.route("**/api/login", (route) => route.abort());
  await page.getByRole("button", { name: "Log in" }).click();
  await dialog.getByText("The server cannot be reached.").waitFor();
  await leave();
}, 30_000);

test("registering says at each field what is wrong, also what only the server knows, and keeps what was typed", async () => {
  const taken = { status: 409, body: { code: "EMAIL_TAKEN", fields: { email: "EMAIL_TAKEN" } } };
  opened.site.set({ ...stranger, answers: { "POST /api/register": taken } });
  const { page, leave } = await opened.visit("/en/register");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("First name is required.").waitFor();
  await page.getByText("You must accept the Terms and Conditions.").waitFor();
  expect(opened.site.calls()).not.toContain("POST /api/register");
  await page.getByLabel("First name").fill("Alice");
  await page.getByLabel("Last name").fill("Archer");
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByLabel("Confirm password").fill("Correct-horse-8");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("The passwords do not match.").waitFor();
  await page.getByLabel("Confirm password").fill("Correct-horse-7");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByText("A user with this email already exists.").waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe("Alice");
  expect(await page.getByLabel("Email", { exact: true }).evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
  await leave();
}, 30_000);

test("registering leads to the login with the address filled in and the focus in the password", async () => {
  const registered = { status: 201, body: { email: "alice@example.com" } };
  opened.site.set({ ...stranger, answers: { "POST /api/register": registered } });
  const { page, leave } = await opened.visit("/en/register");
  await page.getByLabel("First name").fill("Alice");
  await page.getByLabel("Last name").fill("Archer");
  await page.getByLabel("Email", { exact: true }).fill("Alice@Example.com");
  await page.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
  await page.getByLabel("Confirm password").fill("Correct-horse-7");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL("**/en/login");
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  expect(await page.getByLabel("Email", { exact: true }).inputValue()).toBe("alice@example.com");
  await page.keyboard.type("Correct-horse-7");
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("Correct-horse-7");
  await leave();
}, 30_000);

test("an ended session leads to the login and says so, from a navigation and from a call", async () => {
  const ended = { status: 401, body: { code: "SESSION_EXPIRED" } };
  for (const end of ["navigation", "call"]) {
    opened.site.set();
    const { page, leave } = await opened.visit("/en/dashboard");
    await page.getByText("bob@example.org").first().waitFor();
    opened.site.stage.level = "unauthenticated";
    opened.site.stage.answers["GET /api/associations"] = ended;
    if (end === "navigation") await page.getByRole("link", { name: "Alerts", exact: true }).click();
    else await page.getByRole("searchbox").fill("bob");
    await page.waitForURL("**/en/login");
    await page.getByText("Session expired. Please log in again.").waitFor();
    expect(pathOf(page)).toBe("/en/login");
    await leave();
  }
}, 30_000);
