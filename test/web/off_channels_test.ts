import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const OFF = "Not set up on this server";

test.each(["new-track", "new-track?several", "test-alerts"])(
  "/%s disables Telegram and Pushover if this server cannot send with them",
  async (path) => {
    opened.site.set();
    const { page, leave } = await opened.visit(`/en/${path}`);
    await settled(page);
    if (path.endsWith("several")) await page.getByRole("textbox").first().fill("dora@example.com");
    if (path.endsWith("several")) await page.getByRole("button", { name: "Check the list" }).click();
    for (const channel of ["Telegram", "Pushover"]) {
      const box = page.getByRole("checkbox", { name: channel, exact: true });
      await box.waitFor();
      expect(await box.isDisabled()).toBe(true);
    }
    expect(await page.getByText(OFF).count()).toBe(2);
    expect(await page.getByRole("checkbox", { name: "ntfy", exact: true }).count()).toBe(0);
    await leave();
  },
  30_000,
);

test("an address' settings disable them, too, and allow removing a contact that is still there", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/update-track/a1");
  await settled(page);
  const box = page.getByRole("checkbox", { name: "Pushover", exact: true });
  await box.waitFor();
  expect(await box.isDisabled()).toBe(true);
  expect(await page.getByText(OFF).count()).toBe(2);
  await leave();
}, 30_000);

test("the profile's contacts and the list of contacts do the same", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/profile-edit");
  await settled(page);
  await page.getByText(OFF).nth(1).waitFor();
  expect(await page.getByRole("combobox", { name: "Telegram" }).isDisabled()).toBe(true);
  await leave();
  const list = await opened.visit("/en/contacts");
  await settled(list.page);
  await list.page.getByText(`Pushover · ${OFF}`).waitFor();
  await list.page.getByText(`Telegram · ${OFF}`).waitFor();
  await list.leave();
}, 30_000);

test("nothing is shown as disabled before the available channels are known", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await page.route("**/api/instance", (route) => route.abort());
  await page.goto(`${opened.site.origin}/en/profile-edit`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
  expect(await page.getByText(OFF).count()).toBe(0);
  expect(await page.getByRole("combobox").count()).toBeGreaterThan(0);
  await leave();
}, 30_000);
