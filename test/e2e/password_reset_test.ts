import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { codeIn, type MailboxMessage, mailbox, PASSWORD, signIn } from "./api.ts";
import { eventually, type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const EMAIL = "grace@example.net";
const NEW_PASSWORD = "Silent-Lantern-77";

/** A password reset from start to end, by a user who reads Spanish. */
describe("A forgotten password, in Spanish", () => {
  let product: Product;
  let guest: Visit;
  let link = "";

  beforeAll(async () => {
    product = await startProduct();
    guest = await visit(product.url, { locale: "es-ES", viewport: { width: 1440, height: 900 } });
    const client = await signIn(product.url, EMAIL, async () => {
      const [mail] = await mailbox(product.url);
      return mail && codeIn(mail.text);
    });
    const loggedOut = await client.call("POST", "/api/logout", {});
    expect(loggedOut.ok).toBe(true);
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    removeDirectory(product.dataDir);
  });

  function linkIn({ text }: MailboxMessage): string | undefined {
    return text.match(/https?:\/\/\S+\/reset-password#t=[\w-]+/)?.[0];
  }

  test("the login leads to a mail with a link, and does not reveal which accounts exist", async () => {
    const { page } = guest;
    const spanish = steps(page, "es");
    const sendLinkTo = async (email: string) => {
      await spanish.field("field.email").fill(email);
      await spanish.button("forgot.submit").click();
      await page.getByText(spanish.say("forgot.sent", { email })).waitFor();
    };
    await page.goto("/");
    await page.waitForURL("**/es/login");
    await page.getByRole("link", { name: spanish.say("login.forgot") }).click();
    await spanish.heading("forgot.title").waitFor();
    await sendLinkTo("nobody@example.net");
    await spanish.button("forgot.again").click();
    await sendLinkTo(EMAIL);
    const mail = await eventually("the link arrives", async () => (await mailbox(product.url)).find(linkIn));
    expect(mail.to).toContain(EMAIL);
    expect((await mailbox(product.url)).filter(({ to }) => to.includes("nobody"))).toEqual([]);
    link = linkIn(mail) ?? "";
    expect(link).toStartWith(`${product.url}/`);
  });

  test("the link requires a new and strong password, and accepts it", async () => {
    const { page } = guest;
    await page.goto(link);
    await page.waitForURL((url) => url.pathname.endsWith("/reset-password") && url.hash === "");
    // The link is in the account's language; this reader changes it, and the link stays valid.
    await page.locator("header select").selectOption("es");
    await page.waitForURL("**/es/reset-password");
    const spanish = steps(page, "es");
    const choose = async (password: string, confirmPassword = password) => {
      await spanish.field("reset.new_password").fill(password);
      await spanish.field("field.confirm_password").fill(confirmPassword);
      await spanish.button("reset.submit").click();
    };
    await choose("corta", "otra");
    for (const code of ["PASSWORD_TOO_SHORT", "PASSWORDS_DIFFER"]) await page.getByText(spanish.say(code)).waitFor();
    for (const [password, code] of [
      ["Password123", "PASSWORD_TOO_COMMON"],
      [PASSWORD, "PASSWORD_UNCHANGED"],
    ] as const) {
      await choose(password);
      await page.getByText(spanish.say(code)).waitFor();
    }
    await choose(NEW_PASSWORD);
    await page.waitForURL("**/es/login");
    await page.getByText(spanish.say("reset.done")).waitFor();
  });

  test("the old password is refused, the new one logs in", async () => {
    const { page } = guest;
    const spanish = steps(page, "es");
    await page.goto("/es/login");
    await spanish.logIn(EMAIL);
    await page.getByRole("dialog").getByText(spanish.say("CREDENTIALS_INVALID")).waitFor();
    await page.keyboard.press("Escape");
    const before = new Set((await mailbox(product.url)).map(({ id }) => id));
    await spanish.logIn(EMAIL, NEW_PASSWORD);
    await page.waitForURL("**/es/verify-code");
    const mail = await eventually("the code arrives", async () =>
      (await mailbox(product.url)).find(({ id, text }) => !before.has(id) && /\b\d{6}\b/.test(text)),
    );
    await spanish.enterCode(codeIn(mail.text));
    await page.waitForURL("**/dashboard");
  });

  test("using the link again is refused, with a link to request a new one", async () => {
    const other = await visit(product.url, { locale: "es-ES" });
    const { page } = other;
    const spanish = steps(page, "es");
    await page.goto(link.replace(/\/\w\w\/reset-password/, "/es/reset-password"));
    await page.getByText(spanish.say("RESET_LINK_INVALID")).waitFor();
    await page.getByRole("link", { name: spanish.say("reset.request") }).click();
    await page.waitForURL("**/es/forgot-password");
    expect([...other.violations, ...other.errors]).toEqual([]);
    await other.close();
    expect([...guest.violations, ...guest.errors]).toEqual([]);
  });
});
