import type { Page } from "playwright-core";
import { CHANNELS } from "../../src/shared/contacts.ts";
import { ago, alerts, HOUR } from "./fake_alerts.ts";
import { type Scene, scene } from "./fake_api.ts";
import { delivery, manyContacts, manyDeliveries } from "./fake_contacts.ts";
import { drillAlert, fireDrill } from "./fake_drill.ts";
import { openFolds } from "./folds.ts";
import type { Screen } from "./screen.ts";

const LONG = "a-very-long-mailbox-name-that-needs-room@subdomain.of-a-long-company-name.example";
const HANDLED = { state: "handled", handledAt: ago(HOUR / 2), version: 2 } as const;
const instance: Scene["instance"] = { ...scene().instance, channels: [...CHANNELS] };
const failed = { status: 500, body: { code: "GENERIC" as const } };

/** Among the other alerts. */
const running = (): Partial<Scene> => ({ drill: fireDrill(), alerts: [drillAlert({ address: LONG }), ...alerts()] });

async function toDrill(page: Page) {
  await page.locator("#fire-drill").scrollIntoViewIfNeeded();
}

/** The fire drill, in every state. */
export const DRILL_SCREENS: Record<string, Screen> = {
  "a fire drill before its start": {
    path: "/test-alerts",
    scene: {
      associations: scene().associations.map((one) => ({ ...one, address: `${one.id}-${LONG}` })),
      instance,
      contacts: manyContacts(),
    },
    act: toDrill,
  },
  "a fire drill without an address": { path: "/test-alerts", scene: { associations: [] }, act: toDrill },
  "a fire drill that failed": {
    path: "/test-alerts",
    scene: { answers: { "GET /api/fire-drill": failed } },
    act: (page) => page.getByRole("dialog").waitFor(),
  },
  "a fire drill with messages of every state": {
    path: "/test-alerts",
    scene: { drill: fireDrill({ address: LONG }), deliveries: manyDeliveries() },
    act: toDrill,
  },
  "a fire drill that works": {
    path: "/test-alerts",
    scene: { drill: fireDrill(HANDLED), deliveries: [delivery("d1", { at: ago(HOUR - 4000) })] },
    act: toDrill,
  },
  "a fire drill with messages that wait": {
    path: "/test-alerts",
    scene: { drill: fireDrill(), deliveries: [delivery("d1", { state: "waiting", reason: "digest" })] },
    act: toDrill,
  },
  "a fire drill with messages that were refused": {
    path: "/test-alerts",
    scene: { drill: fireDrill(), deliveries: manyDeliveries().filter(({ state }) => state === "refused") },
    act: toDrill,
  },
  "a fire drill before its alert is handled": {
    path: "/test-alerts",
    scene: { drill: fireDrill({ address: LONG }) },
    act: async (page) => {
      await page.locator("section ol > li").last().locator("button").click();
      await page.getByRole("dialog").locator("button").last().waitFor();
    },
  },
  "alerts with a fire drill": { path: "/alerts", scene: running() },
  "the alert of a fire drill": {
    path: "/alerts?alert=drill1",
    scene: running(),
    act: (page) => openFolds(page.getByRole("dialog")),
  },
  "the bell with a fire drill": {
    path: "/dashboard",
    scene: running(),
    act: (page) => page.locator("header [aria-controls][aria-expanded=false]:not(.mantine-Burger-root)").click(),
  },
};
