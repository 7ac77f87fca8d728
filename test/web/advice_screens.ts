import type { Page } from "playwright-core";
import { alerts } from "./fake_alerts.ts";
import { openFolds } from "./folds.ts";
import type { Screen } from "./screen.ts";

const SCREEN = "/screen-track/alice.archer%40example.com";

export async function openFurther(page: Page) {
  await openFolds(page.getByRole("dialog"));
  const buttons = page.getByRole("dialog").getByRole("button", { expanded: false });
  while ((await buttons.count()) > 0) await buttons.first().click();
}

const worst = alerts().map((alert) => ({
  ...alert,
  breach: alert.breach && {
    ...alert.breach,
    dataClasses: ["Passwords", "Credit cards", "Passport numbers", "Social security numbers", "Taxation records"],
  },
}));

/** The recommended steps, expanded. */
export const ADVICE_SCREENS: Record<string, Screen> = {
  "an alert with all its advice": { path: "/alerts?alert=b1", scene: { alerts: worst }, act: openFurther },
  "the readings of an address": { path: SCREEN, act: (page) => openFolds(page.locator("main")) },
};
