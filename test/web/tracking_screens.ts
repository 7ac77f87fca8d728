import type { Page } from "playwright-core";
import { CHANNELS, listsOf } from "../../src/shared/contacts.ts";
import type { Instance } from "../../web/api/api.ts";
import { ALICE, alerts } from "./fake_alerts.ts";
import { scene } from "./fake_api.ts";
import type { Screen } from "./screen.ts";

const failed = { status: 500, body: { code: "GENERIC" } };
const nothing = { associations: [], sent: [], requests: [], grants: { mayWatch: [], watchedBy: [] } };
const instance: Instance = { ...scene().instance, channels: [...CHANNELS] };
const LIST = "ada@example.org\nnot an address\nbob@example.org";

/** Presses a button of a section and waits for its dialog. */
const asking = (section: string, index: number) => async (page: Page) => {
  await page.locator(`section[aria-labelledby="${section}"] ul button`).nth(index).click();
  await page.getByRole("dialog").waitFor();
};

async function openMenu(page: Page) {
  await page.locator("main tbody button").first().click();
  await page.getByRole("menu").waitFor();
}

async function checkList(page: Page) {
  await page.locator("main textarea").fill(LIST);
  await page.locator("main button[type=submit]").click();
  await page.locator("main fieldset").waitFor();
  await page.locator("main summary").click();
}

/** The addresses and who may see them, in every state. */
export const TRACKING_SCREENS: Record<string, Screen> = {
  dashboard: { path: "/dashboard" },
  "dashboard with its figures": {
    path: "/dashboard",
    scene: { alerts: [...alerts(), ...alerts().map((one) => ({ ...one, id: `u${one.id}`, breach: null }))] },
    act: (page) => page.locator("main summary").first().click(),
  },
  "dashboard without addresses": { path: "/dashboard", scene: { ...nothing, alerts: [] } },
  "dashboard with nothing but invitations": { path: "/dashboard", scene: { associations: [], alerts: [] } },
  "dashboard of somebody who is watched": {
    path: "/dashboard",
    scene: {
      ...nothing,
      alerts: [],
      managed: { address: ALICE, managedBy: "Pat Parent", status: "breached", breaches: 2, checkedAt: null },
    },
  },
  "dashboard that failed": { path: "/dashboard", scene: { answers: { "GET /api/dashboard": failed } } },
  "dashboard with some selected": {
    path: "/dashboard",
    act: async (page) => {
      await page.locator("main tbody input[type=checkbox]").first().check();
      await page.locator("main tbody input[type=checkbox]").nth(2).check();
    },
  },
  "dashboard with the menu of an address": { path: "/dashboard", act: openMenu },
  "dashboard before removing": {
    path: "/dashboard",
    act: async (page) => {
      await openMenu(page);
      await page.getByRole("menuitem").last().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  "dashboard over the plan": {
    path: "/dashboard",
    scene: { cap: 2 },
    act: async (page) => {
      await page.locator("main [data-tone=note] > button").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  "dashboard before accepting": { path: "/dashboard", act: asking("access-requests", 0) },
  "dashboard before declining": { path: "/dashboard", act: asking("access-requests", 1) },
  "dashboard before changing a scope": { path: "/dashboard", act: asking("granted-permissions", 0) },
  "dashboard with a record of consent": { path: "/dashboard", act: asking("granted-permissions", 1) },
  "dashboard before withdrawing": { path: "/dashboard", act: asking("granted-permissions", 2) },
  "dashboard before cancelling": { path: "/dashboard", act: asking("sent-invitations", 0) },
  "new-track": {
    path: "/new-track",
    scene: { instance },
    act: async (page) => {
      await page.locator("fieldset input[type=checkbox]").nth(1).check();
      await page.locator("fieldset input:not([type=checkbox])").first().fill("no-address");
      await page.locator("button[type=submit]").click();
    },
  },
  "new-track of one's own address": { path: "/new-track", scene: { associations: [] } },
  "new-track without a method": {
    path: "/new-track",
    act: async (page) => {
      await page.getByRole("checkbox", { checked: true }).first().uncheck();
      await page.locator("button[type=submit]").click();
    },
  },
  "new-track of several": {
    path: "/new-track?several",
    act: (page) => page.locator("main button[type=submit]").click(),
  },
  "new-track of several with a preview": { path: "/new-track?several", scene: { instance }, act: checkList },
  "update-track": { path: "/update-track/a2", scene: { instance } },
  "update-track of one's own suspended address": { path: "/update-track/a3" },
  "update-track before asking again": {
    path: "/update-track/a2",
    act: async (page) => {
      await page.locator("form input[type=checkbox]").first().check();
      await page.locator("form button[type=submit]").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  "update-track of an open invitation": {
    path: "/update-track/a2",
    scene: {
      answers: {
        "GET /api/associations/a2": {
          status: 200,
          body: {
            id: "a2",
            address: "bob@example.org",
            owner: false,
            consent: "pending",
            language: "en",
            contacts: { ...listsOf([]), email: [ALICE] },
            paused: false,
            suspended: false,
            scope: { details: false, sensitive: false },
            status: null,
          },
        },
      },
    },
  },
  "update-track that could not be loaded": {
    path: "/update-track/a2",
    scene: { answers: { "GET /api/associations/a2": failed } },
  },
};
