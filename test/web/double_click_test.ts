import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { manyContacts, ownContact } from "./fake_contacts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const acts = () => opened.site.calls().filter((call) => !/^GET|bell\/seen/.test(call));

/** Clicks twice before anything can be rendered. */
const clickTwice = (button: Locator) =>
  button.evaluate((element: HTMLButtonElement) => {
    element.click();
    element.click();
  });

const QUESTIONS = [
  { path: "/en/contacts", ask: /^Remove uQiRz/, confirm: "Remove contact", call: "DELETE /api/contacts/c7" },
  {
    path: "/en/update-track/a1",
    ask: "Remove news@alias.example",
    confirm: "Remove alias",
    call: expect.stringContaining("DELETE /api/associations/a1/aliases/"),
  },
  {
    path: "/en/dashboard",
    ask: /^Cancel invitation: /,
    confirm: "Cancel invitation",
    call: expect.stringMatching(/^POST .api.invitations.\w+.cancel$/),
  },
];

test.each(QUESTIONS)(
  "two clicks on $confirm send one request",
  async ({ path, ask, confirm, call }) => {
    opened.site.set({ contacts: [ownContact(), ...manyContacts().filter(({ id }) => id === "c7")] });
    const { page, leave } = await opened.visit(path);
    await settled(page);
    await page.getByRole("button", { name: ask }).first().click();
    const dialog = page.getByRole("dialog");
    await clickTwice(dialog.getByRole("button", { name: confirm }));
    await dialog.waitFor({ state: "detached" });
    expect(acts()).toEqual([call]);
    await leave();
  },
  30_000,
);

test("a click while the dialog fades out sends nothing", async () => {
  opened.site.set({ contacts: [ownContact(), ...manyContacts().filter(({ id }) => id === "c7")] });
  const { page, leave } = await opened.visit("/en/contacts", { reducedMotion: "no-preference" });
  await settled(page);
  await page.getByRole("button", { name: /^Remove uQiRz/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remove contact" }).evaluate((element: HTMLButtonElement) => {
    const clicking = setInterval(() => (element.isConnected ? element.click() : clearInterval(clicking)), 1);
  });
  await dialog.waitFor({ state: "detached" });
  expect(acts()).toEqual(["DELETE /api/contacts/c7"]);
  await leave();
}, 30_000);
