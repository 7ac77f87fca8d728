import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { freePort } from "../support/ports.ts";
import { type ProviderEmulator, startProviderEmulator } from "../support/provider_emulators.ts";
import { codeIn, mailbox, mailsFromNow, signIn } from "./api.ts";
import { type Product, removeDirectory, startProduct, temporaryDirectory, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const ALICE = "alice@example.com";

/** A real browser and the product, with an emulated Google. */
describe("Logging in with Google", () => {
  let google: ProviderEmulator;
  let product: Product;
  let guest: Visit;

  beforeAll(async () => {
    const port = await freePort();
    google = await startProviderEmulator("google", `http://localhost:${port}/sign-in`);
    product = await startProduct(google.environment, temporaryDirectory(), port);
    guest = await visit(product.url, { viewport: { width: 1440, height: 900 } });
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    await google?.close();
    removeDirectory(product.dataDir);
  });

  /** From our login to the provider's page, where a user is chosen, and back. */
  async function chooseAt(page: Page, who: string) {
    const english = steps(page, "en");
    await page.goto("/en/login");
    await page.getByRole("button", { name: english.say("login.provider", { provider: "Google" }) }).click();
    await page.waitForURL(`${new URL(google.url).origin}/**`);
    await page.getByRole("button", { name: new RegExp(who) }).click();
  }

  test("a user without an account returns to a registration that is filled in", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await chooseAt(page, ALICE);
    await page.waitForURL("**/en/register");
    expect(await english.field("field.email").inputValue()).toBe(ALICE);
    expect(await english.field("field.first_name").inputValue()).toBe("Alice");
    expect(await english.field("field.last_name").inputValue()).toBe("Meyer");
  });

  test("with an account the mailed code follows, and only then the two are linked", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await signIn(product.url, ALICE, async () => {
      const [mail] = await mailbox(product.url);
      return mail && codeIn(mail.text);
    });
    const mails = await mailsFromNow(product.url, ALICE);
    await chooseAt(page, ALICE);
    await page.waitForURL("**/en/verify-code");
    const code = await mails.mail(/^Your Breachbell code$/);
    expect((await mails.all()).some(({ subject }) => subject.includes("Google"))).toBe(false);
    await english.enterCode(codeIn(code.text));
    await page.waitForURL("**/en/dashboard");
    await mails.mail(/^Login with Google added to your Breachbell account$/);

    await page.goto("/en/profile");
    await page.getByRole("button", { name: english.say("providers.unlink_label", { provider: "Google" }) }).waitFor();
    await english.logOut();
    const again = await mailsFromNow(product.url, ALICE);
    await chooseAt(page, ALICE);
    await english.enterCode(codeIn((await again.mail(/^Your Breachbell code$/)).text));
    await page.waitForURL("**/en/dashboard");
    await english.logOut();
  });

  test("an email that Google has not verified gives no access, and the response cannot be reused", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await chooseAt(page, "bob@example.com");
    await page.getByRole("alert").getByText(english.say("PROVIDER_EMAIL_UNVERIFIED")).waitFor();
    expect(new URL(page.url()).search).toBe("");
    await page.goto("/sign-in/google?code=stolen&state=stolen");
    await page.getByRole("alert").getByText(english.say("PROVIDER_REFUSED")).waitFor();
    await page.goto("/en/dashboard");
    await page.waitForURL("**/en/login");
    expect([...guest.violations, ...guest.errors]).toEqual([]);
  });
});
