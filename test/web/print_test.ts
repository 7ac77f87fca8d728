import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test("the report of an address is printed in full and in light colours, without the navigation", async () => {
  opened.site.set();
  const [first] = opened.site.stage.monitoring.findings;
  if (!first?.breach) throw new Error("No finding");
  // More than one page of the list, each with more data categories than fit on a line.
  const dataClasses = [
    "Passwords",
    "Email addresses",
    "Phone numbers",
    "Names",
    "Genders",
    "Usernames",
    "IP addresses",
  ];
  opened.site.stage.monitoring.findings = Array.from({ length: 30 }, (_, n) => ({
    ...first,
    alertId: `p${n}`,
    breach: { ...first.breach, name: `Paper${n}`, title: `Paper ${n}`, domain: `paper${n}.example`, dataClasses },
  })) as typeof opened.site.stage.monitoring.findings;
  const { page, complaints, leave } = await opened.visit("/en/screen-track/alice@example.com", {
    colorScheme: "dark",
    viewport: { width: 1440, height: 900 },
  });
  await settled(page);
  const shownCards = () =>
    page
      .locator("main")
      .getByText(/^paper\d+\.example$/)
      .filter({ visible: true })
      .count();
  const shownKinds = () =>
    page.getByRole("region", { name: "Breaches" }).getByRole("listitem").filter({ hasText: "IP addresses" }).count();
  expect(await shownCards()).toBe(24);
  expect(await shownKinds()).toBe(0);

  await page.emulateMedia({ media: "print" });
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "light");
  await page.getByText("Breachbell report").waitFor();
  expect(await shownCards()).toBe(30);
  expect(await shownKinds()).toBe(30);
  expect(await page.locator("main details").getByRole("row").filter({ visible: true }).count()).toBe(31);
  for (const way of ["header", "nav", "main .mantine-Button-root", "main .mantine-Pagination-root", "summary"])
    expect(await page.locator(way).filter({ visible: true }).count()).toBe(0);
  // A breach's name is a button on screen, and text on paper.
  expect(await page.getByText("Paper 29", { exact: true }).filter({ visible: true }).count()).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe("light");
  const link = page.locator('main a[href="https://haveibeenpwned.com"]').first();
  expect(await link.evaluate((one) => getComputedStyle(one, "::after").content)).toContain(
    "https://haveibeenpwned.com",
  );
  expect(
    await page
      .getByText(/hours? ago/)
      .filter({ visible: true })
      .count(),
  ).toBe(0);

  await page.emulateMedia({ media: "screen" });
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "dark");
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
  expect(await shownCards()).toBe(24);
  expect((await page.pdf({ format: "A4" })).subarray(0, 5).toString()).toBe("%PDF-");
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);
