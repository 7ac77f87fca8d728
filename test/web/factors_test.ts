import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { account, CODES, fullAccount, type Given } from "./fake_account.ts";
import type { Scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const sent = (call: string) => opened.site.requests.filter((request) => request.call === call);
const codesDialog = (page: Page) => page.getByRole("dialog", { name: "Your recovery codes" });

async function visit(change: Partial<Scene> = {}) {
  opened.site.set(change);
  const visited = await opened.visit("/en/profile");
  await settled(visited.page);
  return visited;
}

test("the authenticator app is set up with a QR code or a typed key, confirmed by its code, and recovery codes are shown once", async () => {
  const { page, leave } = await visit({ answers: {} });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button(page, "Set up app").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await dialog.getByRole("img", { name: "QR code with the key below" }).waitFor();
  await dialog.getByText("JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP").waitFor();
  const refused: Given = { status: 422, body: { code: "CODE_INVALID", fields: { code: "CODE_INVALID" } } };
  opened.site.stage.answers["POST /api/factors/authenticator/confirm"] = refused;
  const code = dialog.getByLabel("6-digit code shown by the app");
  await code.fill("000 000");
  await page.keyboard.press("Enter");
  await dialog.getByText("Invalid or expired code.").waitFor();
  opened.site.stage.answers = {};
  await code.fill("123 456");
  await page.keyboard.press("Enter");

  await codesDialog(page).waitFor();
  expect(await codesDialog(page).getByRole("listitem").allTextContents()).toEqual(CODES);
  await button(page, "Copy").click();
  await page.getByText("The codes have been copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODES.join("\n"));
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Download").last().click()]);
  const file = readFileSync(await download.path(), "utf8");
  for (const line of CODES) expect(file).toContain(`${line}\n`);
  expect(file).toContain("Recovery codes for alice.archer@example.com at Breachbell");
  await button(page, "I’ve saved them").press("Enter");
  await codesDialog(page).waitFor({ state: "detached" });
  await page.getByText(/^Set up on /).waitFor();
  await page.getByText("6 left").waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Remove app");
  await leave();
}, 30_000);

test("the printed page contains the recovery codes and their account, and nothing else", async () => {
  const { page, leave } = await visit({ account: fullAccount() });
  await button(page, "Create new codes").click();
  await page.getByRole("dialog").getByRole("button", { name: "Create new codes" }).click();
  await codesDialog(page).waitFor();
  await page.emulateMedia({ media: "print" });
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll("h1, h2, h3, button, dt, li, p")]
      .filter((element) => getComputedStyle(element).visibility === "visible" && element.getClientRects().length > 0)
      .map(({ textContent }) => textContent),
  );
  expect(shown.slice(1)).toEqual(CODES);
  expect(shown[0]).toContain("Recovery codes for");
  await leave();
}, 30_000);

test("the suggestion appears only if the mailbox was breached and nothing stronger is set up", async () => {
  const leaked = account();
  leaked.factors.mailboxLeaked = true;
  for (const [one, count] of [
    [leaked, 1],
    [account(), 0],
    [fullAccount(), 0],
  ] as const) {
    const { page, leave } = await visit({ account: one });
    await button(page, "Change password").waitFor();
    expect(await page.getByText("appears in a breach that included passwords").count()).toBe(count);
    await leave();
  }
}, 30_000);

test("a passkey is renamed and removed, each with a dialog", async () => {
  const { page, leave } = await visit({ account: fullAccount() });
  await button(page, "Rename Phone").click();
  const renaming = page.getByRole("dialog", { name: "Rename passkey" });
  expect(await renaming.getByLabel("Name").inputValue()).toBe("Phone");
  await renaming.getByLabel("Name").fill("");
  await page.keyboard.press("Enter");
  await renaming.getByText("Please give the passkey a name.").waitFor();
  await renaming.getByLabel("Name").fill("Tablet");
  await page.keyboard.press("Enter");
  await page.getByText("The passkey is now called “Tablet”.").waitFor();
  expect(sent("PUT /api/factors/passkeys/pk1").map(({ body }) => body)).toEqual([{ name: "Tablet" }]);
  await button(page, "Remove Phone").press("Enter");
  await page
    .getByRole("dialog", { name: "Remove this passkey?" })
    .getByRole("button", { name: "Remove" })
    .press("Enter");
  await page.getByText("The passkey “Phone” has been removed.").waitFor();
  expect(await button(page, "Remove Phone").count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.id === "security");
  await leave();
}, 30_000);

test("an external account is linked on its provider's page and unlinked after a confirmation; unavailable providers are hidden", async () => {
  const { page, leave } = await visit({ account: fullAccount() });
  const url = `${opened.site.origin}/en/terms-service`;
  opened.site.stage.answers["POST /api/providers/google/start"] = { status: 200, body: { url } };
  expect(await page.getByText("Microsoft").count()).toBe(0);
  await button(page, "Unlink GitHub").click();
  await page.getByRole("dialog", { name: "Unlink GitHub?" }).getByRole("button", { name: "Unlink" }).click();
  await page.getByText("GitHub is no longer linked.").waitFor();
  await button(page, "Link GitHub").waitFor();
  await button(page, "Link Google").click();
  await page.waitForURL(url);
  expect(sent("POST /api/providers/google/start").map(({ body }) => body)).toEqual([{ purpose: "link" }]);
  await leave();
}, 30_000);
