import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

async function visit(path: string, height: number) {
  opened.site.set();
  const visited = await opened.visit(path, { viewport: { width: 360, height } });
  await settled(visited.page);
  return visited;
}

/** How far the focused element of the page reaches above what the header leaves visible, and its name. */
function covered(page: Page) {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const header = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
    const above = focused?.closest("main") ? Math.max(header, 0) - focused.getBoundingClientRect().top : 0;
    return { above: Math.max(0, Math.round(above)), name: focused?.outerHTML.slice(0, 120) ?? "" };
  });
}

test("no element that is focused lies under the header", async () => {
  const { page, leave } = await visit("/en/update-track/a1", 640);
  const elements = await page.locator("main :is(a, :is(button, input, select):enabled)").locator("visible=true").all();
  const hidden: string[] = [];
  for (const element of elements) {
    // It lies under the header when it is focused.
    await element.evaluate((one: HTMLElement) => {
      scrollTo(0, one.getBoundingClientRect().top + scrollY - 30);
      one.focus();
    });
    const { above, name } = await covered(page);
    if (above > 0) hidden.push(`${above} px of ${name}`);
  }
  expect(hidden).toEqual([]);
  expect(elements.length).toBeGreaterThan(5);
  await leave();
}, 30_000);

test("after a failed submit the field with an invalid contact is below the header", async () => {
  const { page, leave } = await visit("/en/update-track/a1", 640);
  const field = page.getByRole("combobox", { name: "Email addresses to notify" });
  await field.fill("alice@");
  await field.press("Enter");
  // The field lies half under the header when the form is sent.
  await field.evaluate((input) => {
    scrollTo(0, input.getBoundingClientRect().top + scrollY - 40);
    input.closest("form")?.requestSubmit();
  });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");
  expect((await covered(page)).above).toBe(0);
  await leave();
}, 30_000);

test.each([
  [390, false],
  [640, true],
])(
  "at a height of %d px the header stays in view while the page scrolls: %s",
  async (height, stays) => {
    const { page, leave } = await visit("/en/update-track/a1", height);
    await page.evaluate(() => scrollTo(0, 500));
    const bottom = await page.evaluate(() => document.querySelector("header")?.getBoundingClientRect().bottom ?? 0);
    expect(bottom > 0).toBe(stays);
    await leave();
  },
  30_000,
);
