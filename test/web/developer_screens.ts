import type { Page } from "playwright-core";
import { account, fullAccount } from "./fake_account.ts";
import { scene } from "./fake_api.ts";
import type { Screen } from "./screen.ts";

const TOKENS = "/api-tokens";
const fails = (call: string) => ({ [call]: { status: 500, body: { code: "GENERIC" } } });

/** The page's first button creates a token. */
async function openForm(page: Page) {
  await page.locator("main button").first().click();
  await page.getByRole("dialog").locator("input").first().waitFor();
}

async function makeToken(page: Page) {
  await openForm(page);
  await page.getByRole("dialog").locator("input").first().fill("Home server");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").locator("input[readonly]").waitFor();
}

/** Personal tokens, and the API reference. */
export const DEVELOPER_SCREENS: Record<string, Screen> = {
  "api-tokens without any": { path: TOKENS },
  "api-tokens with several": { path: TOKENS, scene: { account: fullAccount() } },
  "api-tokens that failed": { path: TOKENS, scene: { answers: fails("GET /api/tokens") } },
  "api-tokens while one is made": {
    path: TOKENS,
    act: async (page) => {
      await openForm(page);
      await page.getByRole("radio").last().check();
      await page.keyboard.press("Enter");
      await page.locator("[aria-invalid=true]").first().waitFor();
    },
  },
  "api-tokens while asked for the password": {
    path: TOKENS,
    fails: ["POST /api/tokens"],
    scene: { account: account({ confirmed: false }) },
    act: async (page) => {
      await openForm(page);
      await page.getByRole("dialog").locator("input").first().fill("Home server");
      await page.keyboard.press("Enter");
      await page.locator("input[type=password]").waitFor();
    },
  },
  "api-tokens with a new one": { path: TOKENS, act: makeToken },
  "api-tokens before one is revoked": {
    path: TOKENS,
    scene: { account: fullAccount() },
    act: async (page) => {
      await page.locator("main li button").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  developers: { path: "/developers", scene: { level: "unauthenticated" } },
  "developers with a call": {
    path: "/developers",
    act: async (page) => {
      await page.locator("main input").first().fill("handle");
      await page.locator("main summary", { hasText: "{id}/handle" }).click();
      await page.locator("main pre").first().waitFor();
    },
  },
  "developers with a webhook": {
    path: "/developers",
    scene: { instance: { ...scene().instance, channels: ["email", "webhook"] } },
    act: async (page) => {
      await page.locator("main summary").last().click();
      await page.locator("main pre").first().waitFor();
    },
  },
  "developers that found nothing": {
    path: "/developers",
    act: async (page) => {
      await page.locator("main input").first().fill("nothing of the kind");
      await page.locator("main h2", { hasText: /./ }).last().waitFor();
    },
  },
  "developers that failed": { path: "/developers", scene: { answers: fails("GET /api/openapi.json") } },
};
