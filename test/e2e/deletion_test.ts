import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { apiClient, codeIn, mailbox, mailsFromNow, PASSWORD, signIn } from "./api.ts";
import { type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const EMAIL = "ada@example.com";

let product: Product;
let guest: Visit;
beforeAll(async () => {
  product = await startProduct();
  guest = await visit(product.url, { viewport: { width: 1440, height: 900 } });
  await signIn(product.url, EMAIL, async () => {
    const [mail] = await mailbox(product.url);
    return mail && codeIn(mail.text);
  });
});
afterAll(async () => {
  await guest?.close();
  await product?.stop();
  removeDirectory(product.dataDir);
});

test("a user exports the data, deletes the account, and nothing is left of it", async () => {
  const { page } = guest;
  const english = steps(page, "en");
  await page.goto("/en/login");
  await english.signIn(EMAIL);
  await english.trackOwnAddress();
  await page.getByRole("row", { name: english.say("status.breached") }).waitFor();

  await page.goto("/en/profile");
  const download = page.waitForEvent("download");
  await english.button("recovery.download").click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^breachbell-\d{4}-\d\d-\d\d\.json$/);
  const data = readFileSync(await file.path(), "utf8");
  for (const part of [EMAIL, "Adobe"]) expect(data).toContain(part);
  expect(data).not.toContain("argon2");
  // It may appear where the next button is.
  await page.getByText(english.say("data.exported")).waitFor();

  await english.button("delete.action").click();
  const dialog = page.getByRole("dialog", { name: english.say("delete.title") });
  await dialog.getByText(english.say("delete.addresses", { count: 1 })).waitFor();
  const password = dialog.getByLabel(english.say("delete.password"), { exact: true });
  const confirm = dialog.getByRole("button", { name: english.say("delete.confirm") });
  await password.fill("Not-my-password-1");
  await confirm.click();
  await dialog.getByText(english.say("PASSWORD_WRONG")).waitFor();

  const mails = await mailsFromNow(product.url, EMAIL);
  await password.fill(PASSWORD);
  await confirm.click();
  await page.waitForURL("**/en/login");
  await page.getByText(english.say("delete.done")).waitFor();
  await mails.mail(/^Your Breachbell account has been deleted$/);

  await english.logIn(EMAIL);
  await page.getByRole("dialog").getByText(english.say("CREDENTIALS_INVALID")).waitFor();
  await page.keyboard.press("Escape");
  await page.goBack();
  await page.waitForURL("**/en/login");
  expect((await apiClient(product.url).call("GET", "/api/me")).status).toBe(401);
  expect((await mails.all()).map(({ subject }) => subject)).toEqual(["Your Breachbell account has been deleted"]);
  expect([...guest.violations, ...guest.errors]).toEqual([]);
});
