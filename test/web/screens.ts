import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite } from "./browser.ts";
import { hardCodedWords } from "./hard_coded.ts";
import { arrived, barriers, excessWidth } from "./inspect.ts";
import type { Screen } from "./screen.ts";

const WIDE = { width: 1440, height: 800 };
const SMALLEST = { width: 320, height: 800 };
/** The language with the longest words. */
const LANGUAGE = "de";

/**
 * Requirements for every screen: the content security policy, accessibility, no overflow on the smallest phone, and no
 * hard-coded text. One visit checks them all, in one window for all screens, so that scripts are loaded and parsed
 * once.
 */
export function testScreens(screens: Record<string, Screen>) {
  let opened: Awaited<ReturnType<typeof openSite>>;
  let room: Awaited<ReturnType<typeof opened.room>>;
  beforeAll(async () => {
    opened = await openSite("pseudo");
    room = await opened.room();
  }, 120_000);
  afterAll(() => opened.close());

  async function show(screen: Screen): Promise<Page> {
    opened.site.set(screen.scene);
    room.complaints.length = 0;
    const page = await room.open(`/${LANGUAGE}${screen.path}`, async (fresh) => {
      await fresh.setViewportSize(WIDE);
      await screen.prepare?.(fresh);
    });
    await arrived({ page }, screen);
    await screen.act?.(page);
    return page;
  }

  async function leave(page: Page): Promise<void> {
    await page.evaluate(() => localStorage.clear());
    await page.close();
    await room.context.clearCookies();
  }

  test.each(Object.entries(screens))(
    "screen %s complies with the policy, is accessible in light and dark, fits 320 pixels, and has all its text from locales",
    async (_, screen) => {
      const page = await show(screen);
      expect(await barriers(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "dark");
      expect(await barriers(page, ["color-contrast"])).toEqual([]);
      await page.setViewportSize(SMALLEST);
      await expectRoom(page);
      expect(await hardCodedWords(page, opened.site.told(), LANGUAGE)).toEqual([]);
      expect(room.complaints).toEqual([]);
      await leave(page);
    },
    60_000,
  );
}

/** The layout settles shortly after resizing; what stays too wide is reported. */
async function expectRoom(page: Page): Promise<void> {
  const fits = () => document.documentElement.scrollWidth === document.documentElement.clientWidth;
  await page.waitForFunction(fits, undefined, { timeout: 5_000 }).catch(() => undefined);
  expect(await excessWidth(page)).toBe(0);
}
