import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";

const CONFIRM = "POST /api/email-change/confirm";
const dead = { status: 410, body: { code: "EMAIL_LINK_INVALID" } };
const taken = { status: 409, body: { code: "EMAIL_TAKEN" } };

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test("the link shows the new email, the account, and what it will see, and changes nothing until its button is pressed", async () => {
  for (const [level, next, path] of [
    ["unauthenticated", "Go to login", "/en/login"],
    ["authenticated", "Go to your profile", "/en/profile"],
  ] as const) {
    opened.site.set({ level });
    const { page, leave } = await opened.visit("/en/confirm-email#t=abc-_1");
    await settled(page);
    await page.getByText("alice.new@example.org").waitFor();
    const account = "Alice Archer (a…@example.com) would like to use this address for their account.";
    const effect = "Confirm only if that is your account: it can then see the data breaches of this address.";
    await page.getByText(`${account} ${effect}`).waitFor();
    expect(page.url()).toBe(`${opened.site.origin}/en/confirm-email`);
    expect(opened.site.calls()).not.toContain(CONFIRM);
    await page.getByRole("button", { name: "Yes, change my email address" }).press("Enter");
    await page.getByText("Your email address has been changed").waitFor();
    expect(opened.site.requests.find(({ call }) => call === CONFIRM)?.body).toEqual({ token: "abc-_1" });
    await page.getByRole("link", { name: next }).click();
    await page.waitForURL(`**${path}`);
    await leave();
  }
}, 30_000);

test("a link that is used, expired, or for an email in use gets a specific message", async () => {
  const INSPECT = "POST /api/email-change/inspect";
  for (const [hash, answers, words] of [
    ["#t=abc", { [INSPECT]: dead }, "This link is invalid, has expired or has already been used."],
    ["#t=abc", { [INSPECT]: taken }, "A user with this email already exists."],
  ] as const) {
    opened.site.set({ level: "unauthenticated", answers: { ...answers } });
    const { page, leave } = await opened.visit(`/en/confirm-email${hash}`);
    await page.getByRole("alert").getByText(words).waitFor();
    await page.getByRole("link", { name: "Go to login" }).waitFor();
    await leave();
  }
}, 30_000);

test("a failure of the confirmation is shown too, and can be retried after an outage", async () => {
  opened.site.set({ level: "unauthenticated", answers: { [CONFIRM]: { status: 500, body: { code: "GENERIC" } } } });
  const { page, leave } = await opened.visit("/en/confirm-email#t=abc");
  const button = page.getByRole("button", { name: "Yes, change my email address" });
  await button.click();
  await page.getByRole("dialog", { name: "The email address could not be changed" }).waitFor();
  await page.keyboard.press("Escape");
  opened.site.stage.answers = { [CONFIRM]: taken };
  await button.click();
  await page.getByRole("alert").getByText("A user with this email already exists.").waitFor();
  await leave();
}, 30_000);
