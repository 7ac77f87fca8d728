import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** One toast for each paused or resumed address, without hovering over it. */
async function toast(page: Page, count: number) {
  for (let index = 0; index < count; index += 1) {
    await page
      .getByRole("button", { name: /^More for / })
      .nth(index)
      .press("Enter");
    await page.getByRole("menuitem", { name: /^(Pause|Resume)$/ }).press("Enter");
    await page.locator("[data-sonner-toast]").nth(index).waitFor();
  }
}

const boxes = async (page: Page) => {
  const all = await page.locator('[data-sonner-toast][data-visible="true"]').all();
  const found = await Promise.all(all.map((one) => one.boundingBox()));
  return found.flatMap((box) => box ?? []).toSorted((one, other) => one.y - other.y);
};

test("toasts are at the bottom right, 356 pixels wide, three at a time and 14 pixels apart", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard", { viewport: { width: 1440, height: 900 } });
  await settled(page);
  await toast(page, 4);
  const list = page.locator("[data-sonner-toaster]");
  expect(await list.evaluate(({ dataset }) => [dataset.xPosition, dataset.yPosition])).toEqual(["right", "bottom"]);
  expect(await page.locator('[data-sonner-toast][data-visible="true"]').count()).toBe(3);
  await page.locator('[data-sonner-toast][data-front="true"]').hover();
  await page.locator('[data-sonner-toast][data-expanded="true"]').first().waitFor();
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState === "finished" || playState === "idle"),
  );
  const [top, middle, front] = await boxes(page);
  if (!top || !middle || !front) throw new Error("Fewer than three toasts");
  for (const box of [top, middle, front]) expect(box.width).toBe(356);
  expect(Math.round(middle.y - (top.y + top.height))).toBe(14);
  expect(Math.round(front.y - (middle.y + middle.height))).toBe(14);
  expect(1440 - (front.x + front.width)).toBeLessThan(60);
  expect(900 - (front.y + front.height)).toBeLessThan(60);
  await leave();
}, 30_000);

test("a toast is announced, disappears after 4000 ms, and is gone 200 ms later", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  expect(await page.getByRole("region", { name: "Messages" }).getAttribute("aria-live")).toBe("polite");
  await page.evaluate(() => {
    const times: Record<string, number> = {};
    Object.assign(globalThis, { times });
    const note = (name: string) => {
      times[name] ??= performance.now();
    };
    new MutationObserver(() => {
      const one = document.querySelector<HTMLElement>("[data-sonner-toast]");
      if (one) note("shown");
      if (one?.dataset.removed === "true") note("removed");
      if (!one && times.removed !== undefined) note("gone");
    }).observe(document.body, { attributes: true, childList: true, subtree: true });
  });
  await toast(page, 1);
  await page.waitForFunction(() => "gone" in (globalThis as unknown as { times: object }).times);
  const { shown, removed, gone } = await page.evaluate(
    () => (globalThis as unknown as { times: { shown: number; removed: number; gone: number } }).times,
  );
  expect(removed - shown).toBeGreaterThan(3950);
  expect(removed - shown).toBeLessThan(4900);
  expect(gone - removed).toBeGreaterThan(190);
  expect(gone - removed).toBeLessThan(700);
  await leave();
}, 30_000);

/** A toast under the pointer, and a manual clock: such a slow swipe counts by its distance only. */
async function toSweep() {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard", {
    hasTouch: true,
    prepare: (page) => page.clock.install(),
  });
  await settled(page);
  await toast(page, 1);
  const one = page.locator("[data-sonner-toast]");
  const box = await one.boundingBox();
  if (!box) throw new Error("No toast");
  return { page, leave, one, x: box.x + 80, y: box.y + box.height / 2 };
}

test.each([
  [19, "false"],
  [21, "true"],
])(
  "swiping a toast %i pixels to the side by touch: dismissed is %s",
  async (pixels, isGone) => {
    const { page, leave, one, x, y } = await toSweep();
    const browser = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", dx?: number) =>
      browser.send("Input.dispatchTouchEvent", { type, touchPoints: dx === undefined ? [] : [{ x: x + dx, y }] });
    await touch("touchStart", 0);
    for (const dx of [6, 12, pixels]) await touch("touchMove", dx);
    await page.clock.fastForward(2000);
    await touch("touchEnd");
    expect(await one.getAttribute("data-swipe-out")).toBe(isGone);
    await leave();
  },
  30_000,
);

test("a mouse can dismiss a toast by dragging its text", async () => {
  const { page, leave, one, x, y } = await toSweep();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.clock.fastForward(2000);
  await page.mouse.up();
  expect(await one.getAttribute("data-swipe-out")).toBe("true");
  await leave();
}, 30_000);

test("a toast is closed by its button", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await toast(page, 1);
  const one = page.locator("[data-sonner-toast]");
  await one.getByRole("button", { name: "Close" }).press("Enter");
  await page.locator('[data-sonner-toast][data-removed="true"]').waitFor({ state: "attached" });
  await one.waitFor({ state: "detached" });
  await leave();
}, 30_000);

test("the Tab key moves through the toasts and past them", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await toast(page, 1);
  const stop = async (key: "Tab" | "Shift+Tab") => {
    await page.keyboard.press(key);
    return page.evaluate(() => document.activeElement?.outerHTML);
  };
  const close = page.locator("[data-sonner-toast]").getByRole("button", { name: "Close" });
  const isClose = () => close.evaluate((button) => button === document.activeElement);
  await close.focus();
  const before = await stop("Shift+Tab");
  await stop("Tab");
  expect(await isClose()).toBe(true);
  expect(await stop("Tab")).not.toBe(before);
  expect(await isClose()).toBe(false);
  await leave();
}, 30_000);

test("closing a toast returns the focus to where it was", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await toast(page, 1);
  const close = page.locator("[data-sonner-toast]").getByRole("button", { name: "Close" });
  const search = page.getByRole("searchbox").first();
  await search.focus();
  await close.focus();
  await close.press("Enter");
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
  await leave();
}, 30_000);
