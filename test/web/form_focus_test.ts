import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import type { Scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const SMALL = { width: 360, height: 640 };

async function visit(path: string, scene: Partial<Scene> = {}) {
  opened.site.set(scene);
  const visited = await opened.visit(path, { viewport: SMALL });
  await settled(visited.page);
  return visited;
}

/** The name of the field that has the focus after a failed submit. */
async function focusedField(page: Page, name: string) {
  await page.waitForFunction(
    (wanted) => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent?.includes(wanted),
    name,
  );
  return page.evaluate(() => document.activeElement?.getAttribute("aria-invalid"));
}

test("each failed submit moves the focus to the first invalid field, also when fewer are left", async () => {
  const { page, leave } = await visit("/de/register", { level: "unauthenticated" });
  await page.getByRole("button", { name: "Konto anlegen" }).click();
  expect(await focusedField(page, "Vorname")).toBe("true");
  await page.getByLabel("Vorname").fill("Grete");
  await page.getByLabel("E-Mail", { exact: true }).fill("grete@example.com");
  await page.getByLabel("Passwort", { exact: true }).fill("Correct-horse-7");
  await page.getByRole("checkbox").check();
  await page.getByLabel("Passwort bestätigen").fill("Correct-horse-7");
  await page.keyboard.press("Enter");
  expect(await focusedField(page, "Nachname")).toBe("true");
  await leave();
}, 30_000);

test("an error that only the server finds moves the focus to its field, each time it is found", async () => {
  const taken = { status: 400, body: { code: "VALIDATION_FAILED", fields: { companyName: "NAME_TOO_LONG" } } };
  const { page, leave } = await visit("/en/profile-edit", { answers: { "PUT /api/profile": taken } });
  for (const name of ["Alicia", "Alison"]) {
    await page.getByLabel("First name").fill(name);
    await page.keyboard.press("Enter");
    expect(await focusedField(page, "Company name")).toBe("true");
  }
  await leave();
}, 30_000);
