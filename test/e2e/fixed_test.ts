import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { apiClient, codeIn, mailbox, mailsFromNow, PASSWORD } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory, visit } from "./product.ts";
import { publishBreach } from "./publish.ts";
import { steps } from "./steps.ts";

const ADA = "ada@example.com";
/** The next breach that the bundled source publishes. */
const SERVICE = "China Software Developer Network";

/** Registers in that language over HTTP, tracks the own address, and waits for the first report. */
async function tracked(url: string, language: "de" | "pt") {
  const client = apiClient(url);
  const person = { firstName: "Ada", lastName: "Byron", email: ADA, language, terms: true };
  await client.call("POST", "/api/register", { ...person, password: PASSWORD, confirmPassword: PASSWORD });
  await client.call("POST", "/api/login", { email: ADA, password: PASSWORD });
  const code = await eventually("the code", async () => {
    const [mail] = await mailbox(url);
    return mail && codeIn(mail.text);
  });
  await client.call("POST", "/api/verify-code", { code });
  await client.call("POST", "/api/associations", {
    address: ADA,
    owner: true,
    language,
    contacts: { email: [ADA] },
  });
  await eventually("the first report", async () => (await mailbox(url)).find(({ text }) => text.includes("Dropbox")));
  return client;
}

describe.each(["de", "pt"] as const)("From the alert to fixed, on a phone in %s", (language) => {
  let product: Product;
  let guest: Awaited<ReturnType<typeof visit>>;
  let page: Page;
  const dataDir = temporaryDirectory();
  beforeAll(async () => {
    product = await startProduct({ BILLING: "off" }, dataDir);
    guest = await visit(product.url, { locale: language, viewport: { width: 360, height: 740 } });
    page = guest.page;
  }, 60_000);
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    removeDirectory(dataDir);
  });

  test("the mail leads to what to do and where, to a letter, and to handled", async () => {
    await tracked(product.url, language);
    const mails = await mailsFromNow(product.url, ADA);
    publishBreach(dataDir);
    const alert = await mails.mail(new RegExp(SERVICE));
    const link = alert.text.match(/https?:\/\/\S+alert=\S+/)?.[0] ?? "";
    const reader = steps(page, language);
    const { say, button } = reader;
    await page.goto(link);
    await page.waitForURL(`**/${language}/login**`);
    const codes = await mailsFromNow(product.url, ADA);
    await reader.logIn(ADA);
    await reader.enterCode(codeIn((await codes.mail(/./)).text));
    await page.waitForURL("**/alerts?alert=*");

    const details = page.getByRole("dialog");
    await details.getByText(say("password_changed.question", { service: SERVICE })).waitFor();
    await details.getByRole("button", { name: say("password_changed.before") }).click();
    await details.getByText(say("password_changed.is_before")).waitFor();
    await details.getByText(say("service.unknown")).waitFor();
    const boxes = details.getByRole("checkbox");
    const count = await boxes.count();
    for (let place = 0; place < count; place++) await boxes.nth(place).check();
    await details.getByRole("link", { name: say("letter.write") }).click();

    await page.locator("[data-letter]").waitFor();
    await page.getByLabel(say("letter.company"), { exact: true }).fill("CSDN Ltd");
    await page.locator("[data-letter]").getByText("CSDN Ltd").waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await button("letter.sent").click();
    await page.waitForURL(`**/${language}/letters`);
    await page.getByRole("heading", { level: 2, name: "CSDN Ltd" }).waitFor();

    await page.goto(link);
    await details.getByRole("button", { name: say("alerts.handle_label", { title: SERVICE, address: ADA }) }).click();
    await page
      .getByRole("dialog", { name: say("alerts.sure") })
      .locator("button[type=submit]")
      .click();
    await page.getByText(say("alerts.now_handled", { title: SERVICE })).waitFor();
  }, 90_000);
});
