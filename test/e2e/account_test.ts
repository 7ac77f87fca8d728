import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, codeIn, mailbox, mailsFromNow, PASSWORD, signIn } from "./api.ts";
import { type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const EMAIL = "margaret@example.net";
const NEW_EMAIL = "margaret.hamilton@example.org";
const NEW_PASSWORD = "Silent-Lantern-77";

/** An account is changed in its profile, and everybody affected is notified. */
describe("The account's profile", () => {
  let product: Product;
  let guest: Visit;
  let elsewhere: Client;

  beforeAll(async () => {
    product = await startProduct();
    guest = await visit(product.url, { viewport: { width: 1440, height: 900 } });
    elsewhere = await signIn(product.url, EMAIL, async () => {
      const [mail] = await mailbox(product.url);
      return mail && codeIn(mail.text);
    });
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    removeDirectory(product.dataDir);
  });

  test("a log-in on a new device is reported to the account by mail", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    const mails = await mailsFromNow(product.url, EMAIL);
    await page.goto("/en/login");
    await english.signIn(EMAIL);
    const told = await mails.mail(/^New login to your Breachbell account$/);
    expect(told.text).toContain("Chrome");
    await english.logOut();
    const again = await mailsFromNow(product.url, EMAIL);
    await english.signIn(EMAIL);
    expect((await again.all()).map(({ subject }) => subject)).toEqual(["Your Breachbell code"]);
  });

  test("name and company are changed, and shown everywhere", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await page.getByRole("link", { name: english.say("nav.profile"), exact: true }).click();
    await english.heading("profile.title").waitFor();
    await page
      .getByRole("link", { name: english.say("profile.edit"), exact: true })
      .first()
      .click();
    await page.waitForURL("**/en/profile-edit");
    await english.field("field.first_name").fill("Margaret");
    await page.getByLabel(english.say("field.company")).fill("Apollo Guidance");
    await english.button("edit.save").click();
    await page.getByText(english.say("edit.saved")).waitFor();
    await page.goto("/en/profile");
    await page.getByText("Apollo Guidance").waitFor();
    await page.getByText("Margaret Meyer").first().waitFor();
  });

  test("a new password ends every other session, and is reported by mail", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    expect((await elsewhere.call("GET", "/api/me")).status).toBe(200);
    const mails = await mailsFromNow(product.url, EMAIL);
    await english.button("security.password_change").click();
    const dialog = page.getByRole("dialog", { name: english.say("security.password_change") });
    const choose = async (password: string) => {
      await dialog.getByLabel(english.say("reset.new_password"), { exact: true }).fill(password);
      await dialog.getByLabel(english.say("field.confirm_password"), { exact: true }).fill(password);
      await dialog.getByRole("button", { name: english.say("security.password_change"), exact: true }).click();
    };
    await choose(PASSWORD);
    await dialog.getByText(english.say("PASSWORD_UNCHANGED")).waitFor();
    await choose(NEW_PASSWORD);
    await page.getByText(english.say("security.password_changed")).waitFor();
    await mails.mail(/^Your Breachbell password has been changed$/);
    expect((await elsewhere.call("GET", "/api/me")).status).toBe(401);
    await page.goto("/en/dashboard");
    await english.heading("dashboard.title").waitFor();
  });

  test("a new email is valid once its mailed link is confirmed, and the old one is notified", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await page.goto("/en/profile-edit");
    const [asked, told] = [await mailsFromNow(product.url, NEW_EMAIL), await mailsFromNow(product.url, EMAIL)];
    await english.field("edit.email_new").fill(NEW_EMAIL);
    await english.button("edit.email_submit").click();
    const { text } = await asked.mail(/^Confirm your new email address for Breachbell$/);
    const link = text.match(/https?:\/\/\S+\/confirm-email#t=[\w-]+/)?.[0] ?? "";

    const mailReader = await visit(product.url);
    const reader = steps(mailReader.page, "en");
    await mailReader.page.goto(link);
    await mailReader.page.getByText(NEW_EMAIL).waitFor();
    await page.goto("/en/profile");
    await page.getByText(english.say("profile.email_cancel")).waitFor();
    await reader.button("confirm_email.confirm").click();
    await mailReader.page.getByText(reader.say("confirm_email.done")).waitFor();
    await told.mail(/email address of your Breachbell account has been changed/);
    await mailReader.page.getByRole("link", { name: reader.say("confirm_email.to_login") }).click();
    await mailReader.page.waitForURL("**/en/login");
    await reader.signIn(NEW_EMAIL, NEW_PASSWORD);

    const late = await visit(product.url);
    await late.page.goto(link);
    await late.page.getByRole("alert").getByText(reader.say("EMAIL_LINK_INVALID")).waitFor();
    expect([...mailReader.violations, ...mailReader.errors, ...late.violations, ...late.errors]).toEqual([]);
    await late.close();
    await mailReader.close();
  });

  test("two browsers are listed, and one ends the other, which says so and leads back after logging in", async () => {
    const other = await visit(product.url, { viewport: { width: 1440, height: 900 } });
    const theirs = steps(other.page, "en");
    await other.page.goto("/en/login");
    await theirs.signIn(NEW_EMAIL, NEW_PASSWORD);

    const { page } = guest;
    const english = steps(page, "en");
    await page.goto("/en/profile");
    await english.button("sessions.end_others").click();
    await page
      .getByRole("dialog", { name: english.say("sessions.end_others_title") })
      .getByRole("button", { name: english.say("sessions.end_others"), exact: true })
      .click();
    await page.getByText(/sessions? (has|have) ended\./).waitFor();
    await page.getByText(english.say("sessions.current")).first().waitFor();
    await english.button("sessions.end_others").waitFor({ state: "detached" });

    await other.page.getByRole("link", { name: theirs.say("nav.alerts"), exact: true }).click();
    await other.page.waitForURL("**/en/login");
    await other.page.getByText(theirs.say("session.expired")).waitFor();
    const mails = await mailsFromNow(product.url, NEW_EMAIL);
    await theirs.logIn(NEW_EMAIL, NEW_PASSWORD);
    await theirs.enterCode(codeIn((await mails.mail(/code/i)).text));
    await other.page.waitForURL("**/en/alerts");
    expect([...guest.violations, ...guest.errors, ...other.violations, ...other.errors]).toEqual([]);
    await other.close();
  });
});
