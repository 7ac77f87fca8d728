import { afterAll, beforeAll, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/shared/language.ts";
import { openSite, settled } from "./browser.ts";
import { alerts } from "./fake_alerts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const LONG = "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example";
const WIDTHS = [360, 1024, 1280, 1440, 1920];

/** The words of the filters for which there is not enough room. */
function clipped(): string[] {
  const brush = document.createElement("canvas").getContext("2d");
  const fields = document.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    "main input[type=search], main section > div:first-child select",
  );
  return [...fields].flatMap((field) => {
    const words = field instanceof HTMLSelectElement ? field.options[0]?.text : field.placeholder;
    const style = getComputedStyle(field);
    if (!brush || words === undefined || field.offsetWidth === 0) return ["not shown"];
    brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    return brush.measureText(words).width > room ? [`${words}: ${room} pixels`] : [];
  });
}

for (const language of LANGUAGES) {
  test(`the filters show all their words at every width: ${language}`, async () => {
    opened.site.set({ alerts: alerts().map((one) => ({ ...one, address: LONG })) });
    const { page, leave } = await opened.visit(`/${language}/alerts`, { viewport: { width: 360, height: 900 } });
    await settled(page);
    await page.locator("main section button[aria-expanded=false]").first().click();
    const found: Record<number, string[]> = {};
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      found[width] = await page.evaluate(clipped);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/filters-${language}-${width}.png` });
    }
    expect(found).toEqual(Object.fromEntries(WIDTHS.map((width) => [width, []])));
    await leave();
  }, 60_000);
}

test("the filter values are counted among all alerts only, as the counts are of all of them", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all");
  const option = (words: string) =>
    page.getByLabel("Stolen data").getByText(words, { exact: true }).waitFor({ state: "attached" });
  await option("Passwords (4)");
  await page.getByText("Pending", { exact: true }).first().click();
  await option("Passwords");
  await leave();
}, 30_000);
