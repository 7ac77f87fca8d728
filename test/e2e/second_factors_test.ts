import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { decodeBase32IgnorePadding } from "@oslojs/encoding";
import { generateHOTP } from "@oslojs/otp";
import type { Page } from "playwright-core";
import { type Client, codeIn, mailbox, mailsFromNow, signIn } from "./api.ts";
import { type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { steps } from "./steps.ts";

const STEP_MS = 30_000;

/** An authenticator of this browser that responds immediately, as if its owner had touched it. */
async function giveDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** A separate product for each test, since known devices and an account's factors accumulate. */
function person(email: string) {
  const own = {} as { product: Product; guest: Visit; client: Client };
  beforeAll(async () => {
    own.product = await startProduct();
    own.guest = await visit(own.product.url, { viewport: { width: 1440, height: 900 } });
    own.client = await signIn(own.product.url, email, async () => {
      const [mail] = await mailbox(own.product.url);
      return mail && codeIn(mail.text);
    });
    await own.guest.page.goto("/en/login");
    await steps(own.guest.page, "en").signIn(email);
  });
  afterAll(async () => {
    await own.guest?.close();
    await own.product?.stop();
    removeDirectory(own.product.dataDir);
  });
  return own;
}

describe("An authenticator app", () => {
  const EMAIL = "annie@example.org";
  const own = person(EMAIL);
  let secret = "";
  let usedStep = 0;
  let recoveryCodes: string[] = [];

  /** The code of the next unused step: it is accepted within one step of the current time. */
  function nextCode(): string {
    usedStep = Math.max(usedStep + 1, Math.floor(Date.now() / STEP_MS));
    return generateHOTP(decodeBase32IgnorePadding(secret), BigInt(usedStep), 6);
  }

  test("is set up in the profile with the displayed key, and comes with recovery codes", async () => {
    const { page } = own.guest;
    const english = steps(page, "en");
    const mails = await mailsFromNow(own.product.url, EMAIL);
    await page.goto("/en/profile");
    await english.button("app.set_up").click();
    const dialog = page.getByRole("dialog", { name: english.say("app.dialog") });
    const uri = (await dialog.getByRole("link", { name: english.say("app.open") }).getAttribute("href")) ?? "";
    secret = new URL(uri).searchParams.get("secret") ?? "";
    expect((await dialog.textContent())?.replaceAll(" ", "")).toContain(secret);
    const code = dialog.getByLabel(english.say("app.code"), { exact: true });
    await code.fill("12345");
    await dialog.getByRole("button", { name: english.say("app.confirm"), exact: true }).click();
    await dialog.getByText(english.say("CODE_INVALID")).waitFor();
    await code.fill(nextCode());
    await dialog.getByRole("button", { name: english.say("app.confirm"), exact: true }).click();
    const shown = page.getByRole("dialog", { name: english.say("recovery.dialog") });
    await shown.getByRole("listitem").first().waitFor();
    recoveryCodes = await shown.getByRole("listitem").allTextContents();
    expect(recoveryCodes.length).toBeGreaterThanOrEqual(8);
    for (const one of recoveryCodes) expect(one).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    await shown.getByRole("button", { name: english.say("recovery.done") }).click();
    await mails.mail(/^Authenticator app added to your Breachbell account$/);
  });

  test("replaces the mailed code when logging in", async () => {
    const { page } = own.guest;
    const english = steps(page, "en");
    await english.logOut();
    const mails = await mailsFromNow(own.product.url, EMAIL);
    await english.logIn(EMAIL);
    await page.waitForURL("**/en/verify-code");
    await page.getByText(english.say("verify.app_lead")).waitFor();
    await page.reload();
    await page.getByText(english.say("verify.app_lead")).waitFor();
    await english.enterCode(nextCode());
    await page.waitForURL("**/en/dashboard");
    expect(await mails.all()).toEqual([]);
  });

  test("if lost, a recovery code logs in once, which is reported by mail", async () => {
    const { page } = own.guest;
    const english = steps(page, "en");
    const [first = "", second = ""] = recoveryCodes;
    const enter = async (recoveryCode: string) => {
      await english.field("verify.recovery_code").fill(recoveryCode);
      await page.keyboard.press("Enter");
    };
    const begin = async () => {
      await english.logOut();
      await english.logIn(EMAIL);
      await page.getByRole("button", { name: english.say("verify.by_recovery_code"), exact: true }).click();
    };
    const mails = await mailsFromNow(own.product.url, EMAIL);
    await begin();
    await enter(first.toUpperCase());
    await page.waitForURL("**/en/dashboard");
    const told = await mails.mail(/^Recovery code used for your Breachbell account$/);
    expect(told.text).toContain(`You have ${recoveryCodes.length - 1} recovery codes left`);
    await begin();
    await enter(first);
    await page.getByText(english.say("CODE_INVALID")).waitFor();
    await enter(second.replace("-", " "));
    await page.waitForURL("**/en/dashboard");
    expect([...own.guest.violations, ...own.guest.errors]).toEqual([]);
  });
});

describe("A passkey", () => {
  const EMAIL = "rosalind@example.org";
  const own = person(EMAIL);

  test("is created in the profile", async () => {
    const { page } = own.guest;
    const english = steps(page, "en");
    await giveDevice(page);
    const mails = await mailsFromNow(own.product.url, EMAIL);
    await page.goto("/en/profile");
    await english.button("passkeys.add").click();
    const dialog = page.getByRole("dialog", { name: english.say("passkeys.add") });
    await dialog.getByLabel(english.say("passkeys.name"), { exact: true }).fill("Work laptop");
    await dialog.getByRole("button", { name: english.say("passkeys.continue") }).click();
    await page.getByRole("button", { name: english.say("recovery.done") }).click();
    await page.getByRole("button", { name: english.say("passkeys.remove_label", { name: "Work laptop" }) }).waitFor();
    await mails.mail(/^Passkey added to your Breachbell account$/);
  });

  test("completes the log-in without typing and without a mail", async () => {
    const { page } = own.guest;
    const english = steps(page, "en");
    await english.logOut();
    const mails = await mailsFromNow(own.product.url, EMAIL);
    await english.logIn(EMAIL);
    await page.waitForURL("**/en/dashboard");
    expect(await mails.all()).toEqual([]);
    expect([...own.guest.violations, ...own.guest.errors]).toEqual([]);
  });

  test("of another device is refused with a message", async () => {
    const stranger = await visit(own.product.url);
    const english = steps(stranger.page, "en");
    await giveDevice(stranger.page);
    await stranger.page.goto("/en/login");
    await english.logIn(EMAIL);
    await english.button("verify.passkey_use").click();
    await stranger.page.getByText(english.say("verify.passkey_cancelled")).waitFor();
    await stranger.page.goto("/en/dashboard");
    await stranger.page.waitForURL("**/en/login");
    await stranger.close();
  });
});
