import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { alerts } from "./fake_alerts.ts";
import { managed, monitoring, undisclosed } from "./fake_consent.ts";

const SCREEN = "/en/screen-track/alice.archer%2Bwork%40example.com";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test.each([
  ["MONITORING_SUSPENDED", "Monitoring is suspended"],
  ["INVITATION_PENDING", "The invitation is still open"],
  ["MONITORING_NOT_AUTHORISED", "Monitoring is not authorised"],
  ["ACCESS_DENIED", "Access Denied"],
])(
  "a page that may not be opened redirects to the page of %s",
  async (code, title) => {
    const answers = { "GET /api/check-user-autorizzato-monitoraggio/": { status: 403, body: { code } } };
    opened.site.set({ answers });
    const { page, leave } = await opened.visit(SCREEN);
    await page.getByRole("heading", { name: title }).waitFor();
    expect(new URL(page.url()).search).toBe(`?err=${code}`);
    expect(opened.site.calls()).toContain(
      "GET /api/check-user-autorizzato-monitoraggio/?child_email=alice.archer%2Bwork%40example.com",
    );
    expect(opened.site.calls().filter((call) => call.startsWith("GET /api/monitoring"))).toEqual([]);
    await leave();
  },
  30_000,
);

test("consent that ends while the page is open removes its data", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  await page.getByRole("button", { name: "Northwind Cinemas", exact: true }).last().waitFor();
  opened.site.stage.answers = {
    "GET /api/monitoring": { status: 403, body: { code: "MONITORING_NOT_AUTHORISED" } },
  };
  await page.getByRole("button", { name: /^Reopen: 99 Bottles/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reopen" }).click();
  await page.getByRole("heading", { name: "Monitoring is not authorised" }).waitFor();
  await leave();
}, 30_000);

test("the summary shows the address's status and what its exposed data enables", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  await settled(page);
  const summary = page.getByRole("region", { name: "Summary" });
  await summary.getByRole("heading", { name: "6 breaches, 4 pending" }).waitFor();
  expect(await summary.locator("dd").allInnerTexts()).toEqual([
    "3 hours ago",
    expect.stringMatching(/^in 2\d hours$/),
    expect.stringMatching(/\d{4}/),
    "The details, including sensitive breaches",
  ]);
  await page.getByText("What the exposed data makes possible").click();
  const enables = page.locator("details", { hasText: "What the exposed data makes possible" });
  expect(await enables.locator("li").allInnerTexts()).toEqual([
    expect.stringContaining("Spying"),
    expect.stringContaining("Breaking into accounts"),
    expect.stringContaining("stolen card data"),
    expect.stringContaining("Scam calls"),
    expect.stringContaining("Scam emails"),
  ]);
  await page.getByRole("link", { name: "Have I Been Pwned", exact: true }).waitFor();
  await leave();
}, 30_000);

test("the breaches are sorted by severity, above the timeline", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  const rows = page.getByRole("region", { name: "Breaches" }).getByRole("listitem");
  await rows.first().waitFor();
  const levels = (await rows.allInnerTexts()).flatMap((words) => /Critical|High|Medium|Low/.exec(words)?.[0] ?? []);
  const order = ["Critical", "High", "Medium", "Low"];
  expect(levels).toHaveLength(6);
  expect(levels).toEqual(levels.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)));
  const headings = await page.locator("main h2").allInnerTexts();
  expect(headings.indexOf("Breaches")).toBeLessThan(headings.indexOf("Timeline"));
  await leave();
}, 30_000);

test("the timeline explains filled and hollow dots", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  await page.getByRole("slider", { name: "Timeline" }).waitFor();
  const plot = page.locator("section", { has: page.getByRole("heading", { name: "Timeline" }) });
  expect(await plot.getByRole("listitem").allInnerTexts()).toEqual(["Pending", "Handled"]);
  const fills = await plot
    .locator("li circle")
    .evaluateAll((all) => all.map((dot) => [getComputedStyle(dot).fill, getComputedStyle(dot).stroke]));
  expect(fills[0]?.[1]).toBe("none");
  expect(fills[1]?.[1]).not.toBe("none");
  expect(await plot.locator("div circle[data-state=handled]").count()).toBe(2);
  await leave();
}, 30_000);

test("the timeline can be navigated by keyboard, hovered with the pointer and read as a table", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  const timeline = page.getByRole("slider", { name: "Timeline" });
  await timeline.press("Home");
  expect(await timeline.getAttribute("aria-valuetext")).toBe("Northwind Cinemas, January 5, 2021");
  await timeline.press("ArrowRight");
  expect(await timeline.getAttribute("aria-valuetext")).toContain("March 12, 2024");
  const dots = page.locator("main div > svg > circle");
  expect(await dots.count()).toBe(6);
  const first = await dots.first().boundingBox();
  await page.mouse.move((first?.x ?? 0) + 3, (first?.y ?? 0) + 3);
  await page.getByText("Jan 5, 2021").first().waitFor();
  await page.getByText("Show as a table").click();
  expect(await page.getByRole("row").count()).toBe(7);
  await leave();
}, 30_000);

test("a finding is Unmanaged until it is handled, and can be reopened", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  const finding = page.getByRole("region", { name: "Breaches" }).getByRole("listitem").filter({ hasText: "Contoso" });
  await finding.getByText("Unmanaged").waitFor();
  await finding.getByRole("button", { name: /^Mark as handled: Contoso/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mark as handled" }).click();
  await finding.getByRole("button", { name: /^Reopen: Contoso/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reopen" }).click();
  await finding.getByText("Unmanaged").waitFor();
  expect(opened.site.calls().filter((call) => call.startsWith("POST"))).toEqual([
    "POST /api/alerts/handle",
    "POST /api/alerts/reopen",
  ]);
  await leave();
}, 30_000);

test("without details only the existence and date of a finding are shown", async () => {
  opened.site.set({ monitoring: undisclosed() });
  const { page, leave } = await opened.visit(SCREEN);
  await page
    .getByText(/^Something was found on .+\. The owner shares no details\.$/)
    .first()
    .waitFor();
  const words = await page.locator("main").textContent();
  for (const hidden of ["Northwind", "Breaches found", "Timeline", "What the exposed data makes possible"])
    expect(words).not.toContain(hidden);
  await page
    .getByRole("button", { name: /^Mark as handled: Breach found on/ })
    .first()
    .waitFor();
  await leave();
}, 30_000);

test("a watched person sees everything about the own address, who tracks it, and can manage nothing", async () => {
  opened.site.set({ monitoring: managed() });
  const { page, leave } = await opened.visit(SCREEN);
  await page.getByText("Managed by Pat Parent").waitFor();
  await page.getByRole("region", { name: "Breaches" }).getByRole("listitem").filter({ hasText: "Contoso" }).waitFor();
  expect(await page.getByRole("button", { name: /^Mark as handled/ }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Edit alert settings" }).count()).toBe(0);
  await leave();
}, 30_000);

test("an address without findings is described as safe, being checked, or not checked", async () => {
  for (const [status, words] of [
    ["safe", "Not in any publicly searchable breach"],
    ["active", "The first check is running"],
    ["inactive", "This address is not being checked, so"],
  ] as const) {
    opened.site.set({ monitoring: monitoring({ status, findings: [], pending: 0 }) });
    const { page, leave } = await opened.visit(SCREEN);
    await page.locator("main").getByText(words).first().waitFor();
    await leave();
  }
}, 30_000);

test("the alerts, their details and the bell name no breach whose details are not shared", async () => {
  for (const width of [1440, 400]) {
    opened.site.set({ alerts: alerts().map((alert) => ({ ...alert, breach: null, foundUnder: [] })) });
    const { page, leave } = await opened.visit("/en/alerts", { viewport: { width, height: 800 } });
    await page.locator("main").getByRole("button", { name: "Something was found" }).first().click();
    await page.getByRole("dialog").getByText("shares only the fact that something was found").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Notifications, 4 new" }).click();
    await page.locator("header").getByText("Something was found").first().waitFor();
    const words = await page.locator("body").textContent();
    for (const title of ["Northwind", "Contoso", "contoso"]) expect(words).not.toContain(title);
    await leave();
  }
}, 60_000);
