import axe, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import type { openSite } from "./browser.ts";
import { settled } from "./browser.ts";
import type { Screen } from "./screen.ts";

type Visit = Awaited<ReturnType<Awaited<ReturnType<typeof openSite>>["visit"]>>;

/** Waits for all finite animations, as the colours in between must not be judged. */
async function atRest(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * The WCAG 2.2 AA violations of the current page that a machine can find; for all rules, or for some. Passes are not
 * reported, style sheets are not loaded again, and frames are checked separately: these take most of axe's time.
 */
export async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await page.evaluate(atRest);
  const options: RunOptions = {
    resultTypes: ["violations"],
    selectors: false,
    preload: false,
    iframes: false,
    ...(rules ? { runOnly: rules } : { runOnly: WCAG, rules: { "heading-order": { enabled: true } } }),
  };
  return page.evaluate(async (asked) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, asked);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  }, options);
}

/** How many pixels the page is wider than the window, or the content of a dialog wider than the dialog. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll("[role=dialog]")];
    return Math.max(...boxes.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
}

/** Waits until a screen shows its content, before anything is done with it. */
export async function arrived({ page }: Pick<Visit, "page">, { waits }: Screen): Promise<void> {
  await (waits ? page.locator(".mantine-Skeleton-root").first().waitFor() : settled(page));
}
