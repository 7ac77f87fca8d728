import { afterAll, beforeAll, expect, test } from "bun:test";
import texts from "../../locales/it/ui.json";
import { tabTo } from "../support/keyboard.ts";
import { codeIn, mailbox, PASSWORD } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { wordsIn } from "./words.ts";

const EMAIL = "hedy@example.org";
const say = wordsIn("it");
// The only link in the sentence below the login.
const registerLink = /<link>(.*)<\/link>/.exec(texts["login.no_account"])?.[1] ?? "";

let product: Product;
let guest: Visit;
beforeAll(async () => {
  product = await startProduct();
  guest = await visit(product.url, { locale: "it-CH", viewport: { width: 1440, height: 900 } });
});
afterAll(async () => {
  await guest?.close();
  await product?.stop();
  removeDirectory(product.dataDir);
});

test("registering works using only the keyboard", async () => {
  const { page } = guest;
  await page.goto("/it/login");
  await page.getByRole("heading", { name: say("login.title") }).waitFor();
  await tabTo(page, "link", registerLink);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/it/register");
  for (const [field, value] of [
    ["field.first_name", "Hedy"],
    ["field.last_name", "Lamarr"],
    ["field.email", EMAIL],
    ["field.password", PASSWORD],
    ["field.confirm_password", PASSWORD],
  ] as const) {
    await tabTo(page, "textbox", say(field));
    await page.keyboard.type(value);
  }
  const terms = page.getByRole("checkbox");
  await tabTo(
    page,
    "checkbox",
    (await terms.evaluate((box) => (box as HTMLInputElement).labels?.[0]?.textContent)) ?? "",
  );
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/it/login");
});

test("logging in, tracking an address and handling an alert work using only the keyboard", async () => {
  const { page } = guest;
  const before = (await mailbox(product.url)).length;
  await tabTo(page, "textbox", say("field.email"));
  await page.keyboard.type(EMAIL);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/it/verify-code");
  const mail = await eventually("a new code arrives", async () => {
    const mails = await mailbox(product.url);
    return mails.length > before ? mails[0] : undefined;
  });
  // The first box has the focus initially.
  await page.waitForFunction(
    (label) => document.activeElement?.getAttribute("aria-label") === label,
    say("verify.digit", { n: 1 }),
  );
  await page.keyboard.type(codeIn(mail.text));
  await page.waitForURL(/\/dashboard$/);

  await page.goto("/it/new-track");
  await tabTo(page, "button", say("track.submit"));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/it/dashboard");
  await page.getByRole("row", { name: say("status.breached") }).waitFor();

  await tabTo(page, "link", say("nav.alerts"));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/it/alerts");
  const first = page
    .getByRole("button", { name: new RegExp(say("alerts.handle")) })
    .locator("visible=true")
    .first();
  await first.waitFor();
  const label = (await first.getAttribute("aria-label")) ?? "";
  await tabTo(page, "button", label);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await tabTo(page, "button", say("alerts.handle"));
  await page.keyboard.press("Enter");
  // It moves from the pending alerts to the handled ones.
  await page.getByRole("button", { name: label, exact: true }).waitFor({ state: "detached" });
  await page.goto("/it/alerts?state=handled");
  await page.getByText(say("alerts.handled"), { exact: true }).locator("visible=true").first().waitFor();
  expect(guest.errors).toEqual([]);
});
