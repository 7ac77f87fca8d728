import { expect } from "bun:test";
import type { Page } from "playwright-core";

const MAX_TABS = 80;

/** Presses Tab until the element with this role and name has the focus. */
export async function tabTo(page: Page, role: string, name: string): Promise<void> {
  const wanted = page
    .getByRole(role as "button", { name, exact: true })
    .locator("visible=true")
    .first();
  await wanted.waitFor();
  const met: string[] = [];
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      const outline = await wanted.evaluate((element) => {
        const { outlineStyle, boxShadow, borderColor } = getComputedStyle(element);
        return `${outlineStyle} ${boxShadow} ${borderColor}`;
      });
      expect(outline).not.toBe("none none");
      return;
    }
    met.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80) ?? ""));
    await page.keyboard.press("Tab");
  }
  throw new Error(`Cannot reach ${role} "${name}" with the Tab key, only ${met.join("\n")}`);
}
