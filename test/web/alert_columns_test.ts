import { afterAll, beforeAll, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/shared/language.ts";
import { openSite, settled } from "./browser.ts";
import { alerts } from "./fake_alerts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** Days with long names in some languages, and a worsened breach with two flags. */
const busy = () =>
  alerts().map((one, index) => ({
    ...one,
    address: "ada@example.com",
    worsenedAt: index === 0 ? one.raisedAt : null,
    breach: one.breach && { ...one.breach, breachDate: "2011-12-21", addedDate: "2025-11-27T10:00:00Z" },
  }));

/** Content that overflows its cell, and dates and addresses that are wrapped where they should not be. */
function troubles(): string[] {
  const cells = [...document.querySelectorAll<HTMLElement>("main th, main td")];
  const past = cells.flatMap((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    const inner = [...cell.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().width > 1);
    const out = inner.some(
      (one) => one.getBoundingClientRect().right > right || one.getBoundingClientRect().left < left,
    );
    return out ? [`past its cell: ${cell.textContent}`] : [];
  });
  const torn = [...document.querySelectorAll("main td time")].flatMap(({ firstChild }) => {
    const words = [...(firstChild?.textContent ?? "").matchAll(/\S+/g)];
    return words.flatMap(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(firstChild as Node, index);
      range.setEnd(firstChild as Node, index + word.length);
      return range.getClientRects().length > 1 ? [`torn: ${word}`] : [];
    });
  });
  return [...past, ...torn];
}

for (const language of LANGUAGES) {
  test(`on every wide screen the content fits its columns: ${language}`, async () => {
    opened.site.set({ alerts: busy() });
    const { page, leave } = await opened.visit(`/${language}/alerts?state=all`, {
      viewport: { width: 1440, height: 900 },
    });
    await settled(page);
    await page.locator("main tbody tr").first().waitFor();
    const found: Record<number, string[]> = {};
    for (const width of [1280, 1366, 1440, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      found[width] = await page.evaluate(troubles);
    }
    expect(found).toEqual({ 1280: [], 1366: [], 1440: [], 1920: [] });
    await leave();
  }, 60_000);
}

test("if there is room, a short address is on one line", async () => {
  opened.site.set({ alerts: busy() });
  const { page, leave } = await opened.visit("/en/alerts", { viewport: { width: 1440, height: 900 } });
  const address = page.locator("main tbody td:nth-child(3) bdi").first();
  await address.waitFor();
  expect(await address.evaluate((one) => new Set([...one.getClientRects()].map(({ top }) => top)).size)).toBe(1);
  await leave();
}, 30_000);
