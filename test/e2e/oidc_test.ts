import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type OidcIssuer, startOidcIssuer } from "../support/oidc_issuer.ts";
import { freePort } from "../support/ports.ts";
import { codeIn, mailsFromNow } from "./api.ts";
import { type Product, removeDirectory, startProduct, temporaryDirectory, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const ALICE = "alice@example.com";

/** A real browser, the product without passwords, and a real OpenID Connect provider. */
describe("Logging in with one's own provider only", () => {
  let home: OidcIssuer;
  let product: Product;
  let guest: Visit;
  let page: Page;
  let english: ReturnType<typeof steps>;

  beforeAll(async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    home = await startOidcIssuer({
      redirectUris: [`${url}/sign-in/oidc`],
      loggedOutUris: [`${url}/login`],
      logoutUri: `${url}/api/providers/oidc/logout`,
    });
    const settings = {
      OIDC_ISSUER: home.issuer,
      OIDC_CLIENT_ID: home.clientId,
      OIDC_CLIENT_SECRET: home.clientSecret,
      OIDC_NAME: "Our House",
      OIDC_STAFF_GROUP: "admins",
      OIDC_ONLY: "on",
    };
    product = await startProduct(settings, temporaryDirectory(), port);
    guest = await visit(product.url, { viewport: { width: 1440, height: 900 } });
    page = guest.page;
    english = steps(page, "en");
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    await home?.close();
    removeDirectory(product.dataDir);
  });

  /** The provider's own form, whichever it asks with. */
  async function authenticateThere(who: string): Promise<void> {
    await page.waitForURL(`${home.issuer}/interaction/**`);
    await page.locator('input[name="login"]').fill(who);
    await page.locator('input[name="password"]').fill("any");
    await page.getByRole("button").click();
  }
  const consentThere = () => page.getByRole("button", { name: "Continue" }).click();
  const byHome = () => page.getByRole("button", { name: english.say("login.provider", { provider: "Our House" }) });

  test("the first login creates the account, and its group makes it staff", async () => {
    await page.goto("/en/login");
    await byHome().waitFor();
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    const mails = await mailsFromNow(product.url, ALICE);
    await byHome().click();
    await authenticateThere("alice");
    await consentThere();
    await english.enterCode(codeIn((await mails.mail(/^Your Breachbell code$/)).text));
    await page.getByText(english.say("acceptance.lead_new")).waitFor();
    await english.button("acceptance.accept").click();
    await page
      .getByRole("link", { name: english.say("nav.staff") })
      .first()
      .waitFor();
  });

  test("an address that the provider has not verified creates none", async () => {
    const stranger = await visit(product.url);
    const [kept, keptSteps] = [page, english];
    page = stranger.page;
    english = steps(page, "en");
    await page.goto("/en/register");
    await byHome().click();
    await authenticateThere("bob");
    await consentThere();
    await page.getByRole("alert").getByText("Our House").waitFor();
    await stranger.close();
    [page, english] = [kept, keptSteps];
  });

  test("logging out ends the provider's session, too, and a logout there ends the one here", async () => {
    await english.button("nav.logout").click();
    await page.waitForURL(`${home.issuer}/session/end**`);
    await page.getByRole("button", { name: /sign me out/i }).click();
    await page.waitForURL(/\/en\/login/);
    const mails = await mailsFromNow(product.url, ALICE);
    await byHome().click();
    await authenticateThere("alice");
    await consentThere();
    await english.enterCode(codeIn((await mails.mail(/^Your Breachbell code$/)).text));
    await page.waitForURL("**/en/dashboard");
    const told = await fetch(`${product.url}/api/providers/oidc/logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: await home.logoutToken() }),
    });
    expect(told.status).toBe(200);
    await page.reload();
    await page.waitForURL(/\/en\/login/);
  });

  test("deleting the account asks the provider once more who it is, unless it has just done so", async () => {
    home.behave({ idToken: (claims) => ({ ...claims, auth_time: Number(claims.auth_time) - 3600 }) });
    const mails = await mailsFromNow(product.url, ALICE);
    await page.goto("/en/login");
    await byHome().click();
    await english.enterCode(codeIn((await mails.mail(/^Your Breachbell code$/)).text));
    await page.waitForURL("**/en/dashboard");
    await page.goto("/en/profile");
    const confirm = page.getByRole("dialog").getByRole("button", { name: english.say("delete.confirm") });
    await english.button("delete.action").click();
    await confirm.click();
    home.behave();
    await byHome().click();
    await authenticateThere("alice");
    await page.getByText(english.say("provider.confirmed")).waitFor();
    await page.waitForURL(/\/en\/profile/);
    await english.button("delete.action").click();
    await confirm.click();
    await page.waitForURL(/\/en\/login/);
    expect([...guest.violations, ...guest.errors]).toEqual([]);
  });
});
