import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { codeIn, mailbox, PASSWORD } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const EMAIL = "katherine@example.net";

/** Every error is shown at its field, in the visitor's language, and no input is lost. */
describe("Bad input on the screens, in German", () => {
  let product: Product;
  let guest: Visit;

  beforeAll(async () => {
    product = await startProduct();
    guest = await visit(product.url, { locale: "de-CH", viewport: { width: 1440, height: 900 } });
  }, 120_000);
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    if (product) removeDirectory(product.dataDir);
  });

  test("an unknown language, no language and an unknown path lead where the specification says", async () => {
    const { page } = guest;
    await page.goto("/");
    await page.waitForURL("**/de/login");
    await page.goto("/xx/register");
    await page.waitForURL("**/de/**");
    await page.goto("/de/no-such-page");
    await page.waitForURL("**/de/error-page?err=404");
    await steps(page, "de").page404.waitFor();
    // The chosen language is remembered for the next visit without one.
    await page.goto("/it/login");
    await steps(page, "it").heading("login.title").waitFor();
    // By the app, which starts after the prerendered page is shown.
    await page.waitForFunction(() => localStorage.getItem("selectedLanguage") === "it");
    await page.goto("/");
    await page.waitForURL("**/it/login");
    await page.goto("/de/login");
  });

  test("a page that requires a session leads a visitor to login, and back there after logging in", async () => {
    const { page } = guest;
    const german = steps(page, "de");
    await page.goto("/de/alerts");
    await page.waitForURL("**/de/login");
    await german.heading("login.title").waitFor();
  });

  test("a weak, mismatched or similar password, a malformed address and a missing consent: each at its field", async () => {
    const { page } = guest;
    const german = steps(page, "de");
    await page.goto("/de/register");
    await german.field("field.first_name").fill("Katherine");
    await german.field("field.last_name").fill("Johnson");
    await german.field("field.email").fill("katherine@");
    await german.field("field.password").fill("kurz");
    await german.field("field.confirm_password").fill("anders");
    await german.button("register.submit").click();
    for (const code of ["EMAIL_INVALID", "PASSWORD_TOO_SHORT", "PASSWORDS_DIFFER", "TERMS_REQUIRED"]) {
      await page.getByText(german.say(code)).first().waitFor();
    }

    await german.field("field.email").fill(EMAIL);
    for (const [password, code] of [
      ["Password123", "PASSWORD_TOO_COMMON"],
      ["Johnson77", "PASSWORD_SIMILAR_LAST_NAME"],
    ] as const) {
      await german.field("field.password").fill(password);
      await german.field("field.confirm_password").fill(password);
      await page.getByRole("checkbox").check();
      await german.button("register.submit").click();
      await page.getByText(german.say(code)).first().waitFor();
    }
    expect(await german.field("field.first_name").inputValue()).toBe("Katherine");
    expect(await german.field("field.email").inputValue()).toBe(EMAIL);
    expect(await page.getByRole("checkbox").isChecked()).toBe(true);
  });

  test("registering twice, in other letter case, is reported at the email", async () => {
    const { page } = guest;
    const german = steps(page, "de");
    await german.register(EMAIL);
    await german.logIn(EMAIL);
    await page.waitForURL("**/de/verify-code");
    await german.enterCode("000000");
    await page.getByText(german.say("CODE_INVALID")).first().waitFor();
    const mail = await eventually("the code arrives", async () => (await mailbox(product.url))[0]);
    await german.enterCode(codeIn(mail.text));
    // Back at the page that the visitor had requested.
    await page.waitForURL("**/de/alerts");

    const other = await visit(product.url, { locale: "de-CH" });
    const again = steps(other.page, "de");
    await other.page.goto("/de/register");
    await again.fillRegistration("KATHERINE@Example.NET");
    await again.button("register.submit").click();
    await other.page.getByText(again.say("EMAIL_TAKEN")).first().waitFor();
    expect(await again.field("field.email").inputValue()).toBe("KATHERINE@Example.NET");
    await other.page.goto("/de/login");
    await again.logIn(EMAIL, `${PASSWORD}!`);
    await other.page.getByRole("dialog").getByText(again.say("CREDENTIALS_INVALID")).waitFor();
    expect(other.violations).toEqual([]);
    await other.close();
  });

  test("an address tracked twice, or an invalid one, keeps the form as it was", async () => {
    const { page } = guest;
    const german = steps(page, "de");
    await page.goto("/de/new-track");
    await german.button("track.submit").click();
    await page.waitForURL("**/de/dashboard");
    await page.goto("/de/new-track");
    for (const [address, code] of [
      ["Katherine@EXAMPLE.net ", "ADDRESS_ALREADY_TRACKED"],
      ["not an address", "EMAIL_INVALID"],
    ] as const) {
      await german.field("track.address").fill(address);
      await page.locator("main button[type=submit]").click();
      await page.getByText(german.say(code)).first().waitFor();
      expect((await german.field("track.address").inputValue()).trim()).toBe(address.trim());
    }
    expect(guest.violations).toEqual([]);
    expect(guest.errors).toEqual([]);
  });
});
