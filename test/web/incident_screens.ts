import type { Page } from "playwright-core";
import { settled } from "./browser.ts";
import { scene } from "./fake_api.ts";
import { incidents } from "./fake_service_status.ts";
import type { Screen } from "./screen.ts";

export const PATH = "/staff/incidents";
const CALL = "GET /api/staff/incidents";
export const listed = (items = incidents()) => ({
  me: { ...scene().me, staff: true },
  answers: {
    [CALL]: { status: 200, body: { items, total: items.length, pageSize: 50 } },
    "POST /api/staff/incidents": { status: 201, body: { id: "0190a000-0000-7000-8000-000000000009" } },
  },
});

/** By position, to be independent of the language: open, plan, correct either of two updates, post, correct, delete. */
const openLanguagesOf = (place: number) => async (page: Page) => {
  const buttons = place < 2 ? page.locator("[data-incident-start] button") : page.locator("li[id^=incident] button");
  await buttons.nth(place < 2 ? place : place - 2).click();
  await page.getByRole("dialog").waitFor();
  for (const summary of await page.getByRole("dialog").locator("summary").all()) await summary.click();
  await settled(page);
};

/** The incidents that the operator writes. */
export const INCIDENT_SCREENS: Record<string, Screen> = {
  "staff incidents": { path: PATH, scene: listed() },
  "staff incidents, a new one in every language": { path: PATH, scene: listed(), act: openLanguagesOf(0) },
  "staff incidents, a maintenance": { path: PATH, scene: listed(), act: openLanguagesOf(1) },
  "staff incidents, news": { path: PATH, scene: listed(), act: openLanguagesOf(4) },
  "staff incidents, a correction": { path: PATH, scene: listed(), act: openLanguagesOf(5) },
  "staff incidents, news corrected": { path: PATH, scene: listed(), act: openLanguagesOf(2) },
  "staff incidents, a deletion": { path: PATH, scene: listed(), act: openLanguagesOf(6) },
  "staff incidents before there are any": { path: PATH, scene: listed([]) },
};
