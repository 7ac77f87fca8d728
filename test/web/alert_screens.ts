import type { Page } from "playwright-core";
import type { Alert } from "../../web/api/api.ts";
import { ago, alerts, HOUR } from "./fake_alerts.ts";
import { openFolds } from "./folds.ts";
import type { Screen } from "./screen.ts";

const failed = { status: 500, body: { code: "GENERIC" as const } };
const LONG = "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example";

function withoutDetails(): Alert[] {
  return alerts().map((one) => ({ ...one, breach: null }));
}

/** Everything that an alert can show: long words, a worsened breach, a reason and a note. */
function crowded(): Alert[] {
  const [first, second, ...others] = alerts() as [Alert, Alert, ...Alert[]];
  const flags = ["unverified", "fabricated", "sensitive", "retired", "spamList"] as const;
  return [
    { ...first, address: LONG, worsenedAt: ago(HOUR), breach: first.breach && { ...first.breach, flags: [...flags] } },
    { ...second, breach: second.breach && { ...second.breach, title: "Donaudampfschifffahrtsgesellschaftskapitän" } },
    ...others.map((one) => (one.state === "handled" ? { ...one, reason: "other" as const, note: "A\nnote" } : one)),
  ];
}

const openBell = (page: Page) =>
  page.locator("header [aria-controls][aria-expanded=false]:not(.mantine-Burger-root)").click();
const openDetails = async (page: Page) => {
  await openFolds(page.getByRole("dialog"));
  await page.getByRole("dialog").locator("dl").first().waitFor();
};

/** The nth alert's button, as a row or as a card. */
async function ask(page: Page, index: number) {
  await page.locator("main tbody tr, main li:has(input)").nth(index).locator("button").last().click();
  await page.getByRole("dialog").locator("form").waitFor();
}

async function choose(page: Page) {
  for (const index of [1, 2, 5]) await page.locator("main input[type=checkbox]").nth(index).check();
  // With the bar in its own place, over no row.
  await page.evaluate(() => scrollTo(0, 0));
}

/** Alerts, one alert and the bell, in every state. */
export const ALERT_SCREENS: Record<string, Screen> = {
  "alerts as they are opened": { path: "/alerts" },
  alerts: { path: "/alerts?state=all" },
  "alerts with everything": { path: "/alerts?state=all", scene: { alerts: crowded() } },
  "alerts while fetched": {
    path: "/alerts",
    prepare: (page) => page.route("**/api/alerts?*state=pending*", () => undefined),
    waits: true,
  },
  "alerts that failed": { path: "/alerts", scene: { answers: { "GET /api/alerts": failed } } },
  "alerts without any": { path: "/alerts", scene: { alerts: [] } },
  "alerts of which none matches": { path: "/alerts?search=zzz&flag=malware" },
  "alerts that are all handled": {
    path: "/alerts?state=pending",
    scene: { alerts: alerts().filter(({ state }) => state === "handled") },
  },
  "alerts by seriousness": { path: "/alerts?sort=seriousness&category=passwords" },
  "alerts without details": { path: "/alerts?state=all", scene: { alerts: withoutDetails() } },
  "alerts with some selected": { path: "/alerts?state=all", act: choose },
  "alerts before handling": { path: "/alerts", act: (page) => ask(page, 0) },
  "alerts before reopening": { path: "/alerts?state=handled", act: (page) => ask(page, 0) },
  "alerts before handling several": {
    path: "/alerts?state=all",
    act: async (page) => {
      await choose(page);
      await page.locator("main section section button").nth(1).click();
      await page.getByRole("dialog").locator("textarea").fill("x".repeat(501));
    },
  },
  "alerts that could not be handled": {
    path: "/alerts",
    scene: { answers: { "POST /api/alerts/handle": failed } },
    act: async (page) => {
      await ask(page, 0);
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.getByRole("alert").waitFor();
    },
  },
  "alerts that another tab has changed": {
    path: "/alerts",
    scene: {
      answers: {
        "POST /api/alerts/handle": { status: 200, body: { changed: [], conflicts: ["b1", "b2", "b3", "b4"] } },
      },
    },
    act: async (page) => {
      await ask(page, 0);
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.getByRole("alert").waitFor();
    },
  },
  "an alert": { path: "/alerts?alert=b1", act: openDetails },
  "an alert with everything": { path: "/alerts?alert=b1", scene: { alerts: crowded() }, act: openDetails },
  "an alert that was handled": { path: "/alerts?alert=b6", scene: { alerts: crowded() }, act: openDetails },
  "an alert of a stealer log": { path: "/alerts?alert=b3", act: openDetails },
  "an alert without details": { path: "/alerts?alert=b1", scene: { alerts: withoutDetails() }, act: openDetails },
  "an alert that is gone": {
    path: "/alerts?alert=b99",
    fails: ["GET /api/alerts/b99"],
    act: (page) => page.locator("[role=dialog] h3").waitFor(),
  },
  "the bell": { path: "/dashboard", act: openBell },
  "the bell with what became worse": {
    path: "/alerts",
    scene: { alerts: crowded(), seenAt: ago(2 * HOUR) },
    act: openBell,
  },
  "the bell without details": { path: "/alerts", scene: { alerts: withoutDetails() }, act: openBell },
  "the bell without alerts": { path: "/dashboard", scene: { alerts: [] }, act: openBell },
};
