import type { Page } from "playwright-core";
import { CHAT_NAMES } from "../../src/shared/chats.ts";
import { CHANNELS } from "../../src/shared/contacts.ts";
import { ago } from "./fake_alerts.ts";
import { type Scene, scene as usualScene } from "./fake_api.ts";
import {
  contact,
  delivery,
  manyChats,
  manyContacts,
  manyDeliveries,
  manyDevices,
  ownContact,
} from "./fake_contacts.ts";
import { openFolds } from "./folds.ts";
import type { Screen } from "./screen.ts";

const instance: Scene["instance"] = { ...usualScene().instance, channels: [...CHANNELS] };
const failed = { status: 500, body: { code: "GENERIC" as const } };
const telegram = contact("c3", {
  channel: "telegram",
  value: "alice_bell_with_a_long_name_12345",
  state: "unconfirmed",
});
const LONG = "security-operations-of-the-night-shift@long-company-name-that-needs-room.example";

/** A fresh copy each time, as using a screen changes it. */
const everything = (): Partial<Scene> => ({ contacts: manyContacts(), deliveries: manyDeliveries(), instance });

/** The button of the nth contact card. */
function press(id: number, index: number) {
  return async (page: Page) => {
    await page.locator("main ul > li:has(> div h2)").nth(id).locator("button").nth(index).click();
  };
}

const inDialog = (page: Page) => page.getByRole("dialog").locator("button").nth(1).waitFor();

/** Contacts and delivery statuses, in every state. */
export const CONTACT_SCREENS: Record<string, Screen> = {
  "contacts with one of everything": { path: "/contacts", scene: everything() },
  "contacts with devices": {
    path: "/contacts",
    scene: { contacts: manyDevices(), instance },
    act: async (page) => {
      await page.locator('input[type="radio"][value="webpush"] + label').click();
      await page.locator("input[maxlength]").waitFor();
    },
  },
  "contacts with chats": { path: "/contacts", scene: { contacts: manyChats(), instance } },
  ...Object.fromEntries(
    CHAT_NAMES.map((chat): [string, Screen] => [
      `how to connect ${chat}`,
      {
        path: "/contacts",
        scene: { contacts: [], instance },
        act: async (page) => {
          await page.locator(`input[type="radio"][value="${chat}"] + label`).click();
          await page.locator("main ol + div input").first().waitFor();
        },
      },
    ]),
  ),
  "a chat connected with errors": {
    path: "/contacts",
    scene: { contacts: [], instance },
    act: async (page) => {
      await page.locator(`input[type="radio"][value="${CHAT_NAMES[0]}"] + label`).click();
      await page.locator("main form button[type=submit]").click();
      await page.locator('main [aria-invalid="true"]').first().waitFor();
    },
  },
  "settings of a chat": {
    path: "/contacts",
    scene: { contacts: manyChats().slice(0, 1), instance },
    act: async (page) => {
      await page.locator("main ul > li:has(> div h2)").locator("button").nth(1).click();
      await inDialog(page);
    },
  },
  "contacts without any": { path: "/contacts", scene: { contacts: [] } },
  "contacts that failed": {
    path: "/contacts",
    scene: { answers: { "GET /api/contacts": failed } },
    act: (page) => page.getByRole("dialog").waitFor(),
  },
  "contacts with a link to the bot": {
    path: "/contacts",
    scene: { contacts: [telegram] },
    act: async (page) => {
      await press(0, 2)(page);
      await page.getByRole("img").last().waitFor();
    },
  },
  "contacts with a link for somebody else": {
    path: "/contacts",
    scene: { contacts: [telegram] },
    act: async (page) => {
      await press(0, 3)(page);
      await page.locator("input[readonly]").waitFor();
    },
  },
  "contacts with a link made elsewhere": {
    path: "/contacts",
    scene: { contacts: [telegram], telegramLink: { state: "waiting", candidate: null, expiresAt: ago(-3_600_000) } },
  },
  "contacts with another chat": {
    path: "/contacts",
    scene: {
      contacts: [telegram],
      telegramLink: {
        state: "needs_confirmation",
        candidate: { username: "other_bell", name: "Al", isGroup: false },
        expiresAt: null,
      },
    },
  },
  "contacts with a group": {
    path: "/contacts",
    scene: {
      contacts: [telegram],
      telegramLink: {
        state: "needs_confirmation",
        candidate: { username: null, name: "The Bell family and friends", isGroup: true },
        expiresAt: null,
      },
    },
  },
  "contacts with an expired link": {
    path: "/contacts",
    scene: { contacts: [telegram], telegramLink: { state: "expired", candidate: null, expiresAt: ago(1) } },
  },
  "contacts with a test": {
    path: "/contacts",
    scene: {
      contacts: [ownContact()],
      deliveries: [
        delivery("t", { kind: "test", state: "refused", reason: "gave_up", detail: "421 later", value: LONG }),
      ],
    },
    act: async (page) => {
      await press(0, 0)(page);
      await page.getByText("421 later").waitFor();
    },
  },
  "settings of a contact": {
    path: "/contacts",
    scene: { contacts: [contact("c1", { value: LONG })] },
    act: async (page) => {
      await press(0, 1)(page);
      await inDialog(page);
    },
  },
  "settings of a Pushover contact, with errors": {
    path: "/contacts",
    scene: { contacts: manyContacts().filter(({ channel }) => channel === "pushover") },
    act: async (page) => {
      await press(0, 1)(page);
      await page.locator("[role=dialog] input[type=time]").first().fill("06:45");
      await page.locator("[role=dialog] button[type=submit]").click();
      await page.locator('[role=dialog] [aria-invalid="true"]').waitFor();
    },
  },
  "a webhook's new secret": {
    path: "/contacts",
    scene: { contacts: manyContacts().filter(({ id }) => id === "c10") },
    act: async (page) => {
      await press(0, 2)(page);
      await page.getByRole("dialog").locator("button").last().click();
      await page.locator("[role=dialog] input[readonly]").waitFor();
    },
  },
  "contacts before removing one": {
    path: "/contacts",
    scene: { contacts: [contact("c1", { value: LONG })] },
    act: async (page) => {
      await press(0, 2)(page);
      await inDialog(page);
    },
  },
  "contacts with the last one of an address": {
    path: "/contacts",
    scene: {
      contacts: [contact("c1", { value: LONG, usedBy: [{ associationId: "a1", address: LONG }] })],
      answers: {
        "DELETE /api/contacts/c1": {
          status: 409,
          body: { code: "CONTACT_IS_LAST", fields: { [LONG]: "CONTACT_IS_LAST" } },
        },
      },
    },
    act: async (page) => {
      await press(0, 2)(page);
      await page.getByRole("dialog").locator("button").last().click();
      await page.locator("[role=dialog] li").waitFor();
    },
  },
  "test-alerts with one of everything": { path: "/test-alerts", scene: everything() },
  "test-alerts without a contact of the kind": {
    path: "/test-alerts",
    scene: { instance, contacts: [ownContact()] },
    act: async (page) => {
      await page.locator("main fieldset input[type=checkbox]").nth(2).check();
      await page.locator("main button[type=submit]").click();
      await page.locator('main [aria-invalid="true"], main .mantine-InputWrapper-error').first().waitFor();
    },
  },
  "test-alerts with what became of them": {
    path: "/test-alerts",
    scene: {
      instance,
      contacts: manyContacts(),
      deliveries: manyDeliveries().map((one, index) => ({
        ...one,
        kind: "test",
        contactId: `c${[1, 7, 8, 10][index]}`,
      })),
    },
    act: async (page) => {
      await page.locator("main button[type=submit]").click();
      await page.locator("#test-results").waitFor();
      await page.locator("main section li").first().waitFor();
    },
  },
  "dashboard with addresses that nobody is told about": {
    path: "/dashboard",
    scene: { contacts: [contact("c1", { state: "broken", usedBy: [{ associationId: "a3", address: LONG }] })] },
  },
  "dashboard with contacts that need something": { path: "/dashboard", scene: { contacts: manyContacts() } },
  "an alert with all its messages": {
    path: "/alerts?alert=b1",
    scene: { deliveries: manyDeliveries() },
    act: async (page) => {
      await openFolds(page.getByRole("dialog"));
      await page.getByRole("dialog").getByText("gone@").waitFor();
      // When the emergency was seen, next to when it was sent.
      const seen = page.getByRole("dialog").locator("li[data-state=accepted]").nth(1);
      await seen.locator("time").nth(1).waitFor();
    },
  },
};
