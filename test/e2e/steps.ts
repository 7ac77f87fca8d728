import type { Page } from "playwright-core";
import type { Language } from "../../src/shared/language.ts";
import { codeIn, mailsFromNow, PASSWORD } from "./api.ts";
import { wordsIn } from "./words.ts";

/** User actions on the screens, in one language. */
export function steps(page: Page, language: Language) {
  const say = wordsIn(language);
  const field = (key: string) => page.getByLabel(say(key), { exact: true });
  const button = (key: string) => page.getByRole("button", { name: say(key), exact: true });

  async function fillRegistration(email: string): Promise<void> {
    await field("field.first_name").fill("Ada");
    await field("field.last_name").fill("Byron");
    await field("field.email").fill(email);
    await field("field.password").fill(PASSWORD);
    await field("field.confirm_password").fill(PASSWORD);
    await page.getByRole("checkbox").check();
  }

  return {
    say,
    field,
    button,
    heading: (key: string) => page.getByRole("heading", { level: 1, name: say(key) }),

    page404: page.getByRole("heading", { name: say("error_page.missing") }),
    fillRegistration,

    async register(email: string): Promise<void> {
      await page.goto(`/${language}/register`);
      await fillRegistration(email);
      await button("register.submit").click();
      await page.waitForURL(`**/${language}/login`);
    },

    /** Up to the screen that asks for the code. */
    async logIn(email: string, password = PASSWORD): Promise<void> {
      // The URL changes before the previous page's form, which may have the same fields, is removed.
      await this.heading("login.title").waitFor();
      await field("field.email").fill(email);
      await field("field.password").fill(password);
      await button("login.submit").click();
    },

    async enterCode(code: string): Promise<void> {
      await page.waitForURL(`**/${language}/verify-code`);
      await page.getByLabel(say("verify.digit", { n: 1 })).click();
      await page.keyboard.type(code);
    },

    /** With the password and the mailed code, from the login screen to the dashboard. */
    async signIn(email: string, password = PASSWORD): Promise<void> {
      const mails = await mailsFromNow(new URL(page.url()).origin, email);
      await this.logIn(email, password);
      await this.enterCode(codeIn((await mails.mail(/code/i)).text));
      await page.waitForURL(/\/dashboard$/);
    },

    async logOut(): Promise<void> {
      await button("nav.logout").click();
      await page.waitForURL(`**/${language}/login`);
    },

    /** The form is prefilled with the account's own address. */
    async trackOwnAddress(): Promise<void> {
      await page
        .getByRole("link", { name: say("nav.new_track") })
        .first()
        .click();
      await page.waitForURL(`**/${language}/new-track`);
      await button("track.submit").click();
      await page.waitForURL(`**/${language}/dashboard`);
    },
  };
}
