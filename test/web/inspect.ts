import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import type { openSite } from "./browser.ts";
import { settled } from "./browser.ts";
import type { Screen } from "./screen.ts";

type Visit = Awaited<ReturnType<Awaited<ReturnType<typeof openSite>>["visit"]>>;

/** What WCAG 2.2 AA forbids on the page as it stands, as far as a machine can tell; by all rules, or by some. */
export async function barriers(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  if (rules) axe.withRules(rules);
  else
    axe
      .options({ resultTypes: ["violations"], rules: { "heading-order": { enabled: true } } })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** By how many pixels the page is wider than the window. */
export function excessWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Waits until a screen shows what it is about, before anybody does something. */
export async function arrived({ page }: Pick<Visit, "page">, { waits }: Screen): Promise<void> {
  await (waits ? page.locator(".mantine-Skeleton-root").first().waitFor() : settled(page));
}
