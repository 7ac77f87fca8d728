import type { Page } from "playwright-core";
import { CHANNELS } from "../../src/shared/contacts.ts";
import { account, fullAccount, passkey } from "./fake_account.ts";
import { type Scene, scene as usualScene } from "./fake_api.ts";
import type { Screen } from "./screen.ts";

const leaked = account();
leaked.factors.mailboxLeaked = true;
const withPasskey = account();
withPasskey.factors.passkeys = [passkey("pk1", "A passkey with a name that nobody would want to type twice")];
const allChannels: Scene["instance"] = { ...usualScene().instance, channels: [...CHANNELS] };

/** The nth button of a section, in any language. */
function press(section: string, index: number) {
  return async (page: Page) => {
    await page.locator(`section[aria-labelledby=${section}] button`).nth(index).click();
    await page.getByRole("dialog").locator("button").nth(1).waitFor();
  };
}

async function enter(page: Page, text: string) {
  await page.getByRole("dialog").locator("input:not([type=checkbox])").first().fill(text);
  await page.keyboard.press("Enter");
}

/** The profile's states and dialogs. */
export const ACCOUNT_SCREENS: Record<string, Screen> = {
  "profile of a new account": { path: "/profile" },
  "profile with one of everything": { path: "/profile", scene: { account: fullAccount() } },
  "profile with the proposal": { path: "/profile", scene: { account: leaked } },
  "profile that failed": {
    path: "/profile",
    scene: { answers: { "GET /api/factors": { status: 500, body: { code: "GENERIC" } } } },
    act: (page) => page.getByRole("dialog").waitFor(),
  },
  "profile while asked for the password": {
    path: "/profile",
    fails: ["POST /api/profile/export"],
    scene: {
      account: account({ confirmed: false }),
      answers: {
        "POST /api/confirm-password": {
          status: 403,
          body: { code: "PASSWORD_WRONG", fields: { password: "PASSWORD_WRONG" } },
        },
      },
    },
    act: async (page) => {
      await press("data", 0)(page);
      await enter(page, "wrong");
      await page.locator('[role=dialog] [aria-invalid="true"]').waitFor();
    },
  },
  "profile while changing the password": {
    path: "/profile",
    act: async (page) => {
      await press("security", 0)(page);
      await enter(page, "short");
      await page.locator('[role=dialog] [aria-invalid="true"]').first().waitFor();
    },
  },
  "profile with the QR code": { path: "/profile", act: press("security", 1) },
  "profile with new recovery codes": {
    path: "/profile",
    act: async (page) => {
      await press("security", 1)(page);
      await enter(page, "123456");
      await page.getByRole("dialog").locator("li").first().waitFor();
    },
  },
  "profile while naming a passkey": {
    path: "/profile",
    act: async (page) => {
      await press("security", 2)(page);
      await enter(page, " ");
      await page.locator('[role=dialog] [aria-invalid="true"]').waitFor();
    },
  },
  "profile before removing a passkey": {
    path: "/profile",
    scene: { account: withPasskey },
    act: press("security", 4),
  },
  "profile before ending the other sessions": { path: "/profile", act: press("sessions", 0) },
  "profile before deleting the account": {
    path: "/profile",
    act: async (page) => {
      await press("data", 1)(page);
      await enter(page, "");
      await page.locator('[role=dialog] [aria-invalid="true"]').waitFor();
    },
  },
  "profile-edit": { path: "/profile-edit", scene: { account: fullAccount(), instance: allChannels } },
  "profile-edit with errors": {
    path: "/profile-edit",
    scene: { instance: allChannels },
    act: async (page) => {
      await page.locator("main form input").first().fill("");
      await page.locator("main form input[type=email]").first().fill("nobody");
      await page.locator("main form button[type=submit]").first().click();
      await page.getByRole("alert").waitFor();
    },
  },
  "profile-edit before leaving": {
    path: "/profile-edit",
    act: async (page) => {
      await page.locator("main form input").first().fill("Alicia");
      await page.locator("main form a").click();
      await page.getByRole("dialog").waitFor();
    },
  },
};
