import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import type { Scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const LONG = "x".repeat(5000);
const OUTSIDE: Partial<Scene> = { level: "unauthenticated" };
const acts = () => opened.site.requests.filter(({ call }) => !/^GET|bell\/seen|reset-password\/check/.test(call));

type Try = { fill: Record<string, string>; says: string[] };
type Form = { path: string; scene?: Partial<Scene>; send: string; tries: Record<string, Try> };

/** Invalid input, and the messages that then appear at the fields. */
const FORMS: Form[] = [
  {
    path: "/en/register",
    scene: OUTSIDE,
    send: "Create account",
    tries: {
      empty: {
        fill: { "First name": "", "Last name": " ", Email: "", Password: "" },
        says: ["First name is required.", "Last name is required.", "Email is required.", "Password is required."],
      },
      "too long": {
        fill: { "First name": LONG, "Last name": "Archer", Email: `${LONG}@example.com`, Password: "Correct-horse-7" },
        says: ["This name is too long. Please shorten it.", "Please enter a valid email."],
      },
      "of the wrong kind": {
        fill: {
          "First name": "https://evil.example",
          "Last name": "Archer",
          Email: "alice at example",
          Password: "short",
        },
        says: [
          "This name contains a link or characters that aren’t allowed.",
          "Please enter a valid email.",
          "too short",
        ],
      },
    },
  },
  {
    path: "/en/login",
    scene: OUTSIDE,
    send: "Log in",
    tries: {
      empty: { fill: { Email: "", Password: "" }, says: ["Email is required.", "Password is required."] },
      "of the wrong kind": { fill: { Email: "🔔", Password: "🔔" }, says: ["Please enter a valid email."] },
      "too long": { fill: { Email: `${LONG}@example.com`, Password: "x" }, says: ["Please enter a valid email."] },
    },
  },
  {
    path: "/en/forgot-password",
    scene: OUTSIDE,
    send: "Send the link",
    tries: {
      empty: { fill: { Email: "" }, says: ["Email is required."] },
      "from right to left": { fill: { Email: "مرحبا" }, says: ["Please enter a valid email."] },
      "too long": { fill: { Email: `${LONG}@example.com` }, says: ["Please enter a valid email."] },
    },
  },
  {
    path: "/en/reset-password#t=abc-_1",
    scene: OUTSIDE,
    send: "Change password",
    tries: {
      empty: { fill: { "New password": "", "Confirm password": "" }, says: ["Password is required."] },
      "too long": {
        fill: { "New password": `Aa1!${LONG}`, "Confirm password": `Aa1!${LONG}` },
        says: ["This password is too long. It can have at most 128 characters."],
      },
      "of the wrong kind": { fill: { "New password": "🔔", "Confirm password": "مرحبا" }, says: ["too short"] },
    },
  },
  {
    path: "/en/new-track",
    send: "Send the invitation",
    tries: {
      empty: { fill: { "Email address": "" }, says: ["Email address is required."] },
      "of the wrong kind": { fill: { "Email address": "carol@" }, says: ["Please enter a valid email."] },
      "with emoji": { fill: { "Email address": "🔔@🔔" }, says: ["Please enter a valid email."] },
      "too long": { fill: { "Email address": `${LONG}@example.com` }, says: ["Please enter a valid email."] },
    },
  },
  {
    path: "/en/new-track?several",
    send: "Check the list",
    tries: {
      empty: { fill: { Addresses: " \n " }, says: ["Email address is required."] },
      "too long": {
        fill: { Addresses: LONG.repeat(13) },
        says: ["That’s too many: you can add up to 1,000 addresses at once."],
      },
    },
  },
  {
    path: "/en/profile-edit",
    send: "Save changes",
    tries: {
      empty: {
        fill: { "First name": "", "Last name": "" },
        says: ["First name is required.", "Last name is required.", "Unable to save changes"],
      },
      "too long": {
        fill: { "First name": LONG, "Company name · Optional": LONG },
        says: ["This name is too long. Please shorten it."],
      },
      "of the wrong kind": {
        fill: { "First name": "www.evil.example/x" },
        says: ["This name contains a link or characters that aren’t allowed."],
      },
    },
  },
];

async function fill(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values))
    await page.locator("main").getByLabel(label, { exact: true }).first().fill(value);
}

test.each(FORMS)(
  "the form of $path shows the errors at the fields, sends nothing and keeps the input",
  async (form) => {
    opened.site.set(form.scene);
    const { page, complaints, leave } = await opened.visit(form.path);
    await settled(page);
    for (const { fill: values, says } of Object.values(form.tries)) {
      await fill(page, values);
      await page.locator("main").getByRole("button", { name: form.send }).first().click();
      for (const sentence of says) await page.locator("main").getByText(sentence).first().waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");
      for (const [label, value] of Object.entries(values))
        expect(await page.locator("main").getByLabel(label, { exact: true }).first().inputValue()).toBe(value);
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(excess).toBe(0);
    }
    expect(acts()).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  },
  60_000,
);

const CONTACTS: [method: string, list: string, error: string, typed: string[]][] = [
  [
    "Email",
    "Email addresses to notify",
    "Please enter a valid email.",
    ["alice@", "🔔@🔔", "مرحبا", `${LONG}@example.com`],
  ],
  ["Telegram", "Telegram usernames to notify", "Please enter a Telegram username", ["@bob", "🔔", "بوب", LONG]],
  ["Pushover", "Pushover user keys to notify", "Please enter a Pushover user key", ["tooshort", "🔔", "مرحبا", LONG]],
  ["ntfy", "ntfy topics to notify", "Please enter a topic", ["../topic", "🔔", "موضوع", LONG]],
  [
    "Webhook",
    "Webhooks to notify",
    "Please enter an address that starts with https://",
    ["http://example.com/hook", "🔔", "مرحبا", `https://example.com/${LONG}`],
  ],
];

test.each(CONTACTS)(
  "an invalid %s contact is marked with its error at once, is not sent, and can be corrected",
  async (method, list, error, typed) => {
    opened.site.set();
    opened.site.stage.instance.channels = ["email", "telegram", "pushover", "ntfy", "webhook"];
    const { page, complaints, leave } = await opened.visit("/en/update-track/a1");
    await settled(page);
    await page.getByLabel(method, { exact: true }).check();
    const field = page.getByRole("combobox", { name: list });
    for (const contact of typed) {
      await field.fill(contact);
      await field.press("Enter");
      await page.getByText(error).waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText(error).waitFor();
      await page.locator("[data-invalid]").getByText(contact, { exact: true }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.locator("[data-invalid]").getByRole("button").click();
    }
    expect(acts()).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  },
  60_000,
);

test("names in emoji and in right-to-left scripts are shown in their own direction, and sent as typed", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/profile-edit");
  await settled(page);
  const names = { "First name": "שירה", "Last name": "الحسن 🔔", "Company name · Optional": "חברה 🏢" };
  await fill(page, names);
  const first = page.getByLabel("First name", { exact: true });
  expect(await first.evaluate((field) => getComputedStyle(field).direction)).toBe("rtl");
  await page.locator("main").getByRole("button", { name: "Save changes" }).first().click();
  await page.waitForURL("**/en/profile");
  expect(acts()).toEqual([
    {
      call: "PUT /api/profile",
      body: expect.objectContaining({ firstName: "שירה", lastName: "الحسن 🔔", companyName: "חברה 🏢" }),
    },
  ]);
  await leave();
}, 30_000);

test("a right-to-left name does not reverse the sentence around it", async () => {
  opened.site.set();
  const { monitoring } = opened.site.stage;
  opened.site.stage.monitoring = { ...monitoring, managedBy: { name: "נועה" }, associationId: null };
  const { page, leave } = await opened.visit("/en/screen-track/alice@example.com");
  await page.getByText("Managed by \u2068נועה\u2069", { exact: true }).waitFor();
  await leave();
}, 30_000);
