import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test.each([1290, 1440])(
  "at a width of %d px the stolen data in the table of alerts is not cut off",
  async (width) => {
    opened.site.set();
    const { page, leave } = await opened.visit("/de/alerts?state=all", { viewport: { width, height: 900 } });
    await settled(page);
    const cells = page.locator("tbody td:nth-child(6) span");
    await cells.first().waitFor();
    const cut = await cells.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
    );
    expect(cut).toEqual([]);
    await leave();
  },
  30_000,
);
