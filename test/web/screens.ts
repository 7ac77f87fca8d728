import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import type { Scene } from "./fake_api.ts";

/** A state of a page: the scene behind it, and what somebody does until it shows. */
export type Screen = {
  path: string;
  scene?: Partial<Scene>;
  prepare?: (page: Page) => Promise<unknown>;
  act?: (page: Page) => Promise<unknown>;
  /** What it fetches never comes. */
  waits?: boolean;
};

async function barriers(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]).setLegacyMode(true);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** What holds for every screen: the content security policy, accessibility, and room on the smallest phone. */
export function testScreens(screens: Record<string, Screen>) {
  let opened: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    opened = await openSite();
  }, 120_000);
  afterAll(() => opened.close());

  async function show({ path, scene, prepare, act, waits }: Screen, language: string, width: number) {
    opened.site.set(scene);
    const visit = await opened.visit(`/${language}${path}`, {
      viewport: { width, height: 800 },
      ...(prepare && { prepare }),
    });
    await (waits ? visit.page.locator(".mantine-Skeleton-root").first().waitFor() : settled(visit.page));
    await act?.(visit.page);
    return visit;
  }

  describe.each(Object.entries(screens))("screen %s", (_, screen) => {
    test("it keeps to the content security policy and is accessible, light and dark", async () => {
      const { page, complaints, leave } = await show(screen, "en", 1440);
      expect(await barriers(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "dark");
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await leave();
    }, 60_000);

    test("it needs no sideways scrolling at 320 pixels in a long language", async () => {
      const { page, complaints, leave } = await show(screen, "de", 320);
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(excess).toBe(0);
      expect(complaints).toEqual([]);
      await leave();
    }, 60_000);
  });
}
