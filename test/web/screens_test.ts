import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { ACCOUNT_SCREENS } from "./account_screens.ts";
import { openSite, settled } from "./browser.ts";
import { type Scene, scene as usualScene } from "./fake_api.ts";

type Screen = {
  path: string;
  scene?: Partial<Scene>;
  prepare?: (page: Page) => Promise<unknown>;
  act?: (page: Page) => Promise<unknown>;
};

const stranger: Partial<Scene> = { level: "unauthenticated" };
const unsubscribe = { purpose: "unsubscribe", value: "b•••@example.org", state: "active", language: "en" };
const strong: Partial<Scene> = {
  ...{ level: "partial", methods: ["passkey", "authenticator", "recovery_code"] },
  answers: { "POST /api/verify-passkey/options": { status: 200, body: { challenge: "AAAA", allowCredentials: [] } } },
};
const grace = { firstName: "Grace", lastName: "Hopper", email: "grace.brewster.murray.hopper@subdomain.example.org" };
const usedLink = { status: 410, body: { code: "RESET_LINK_INVALID" } };

const SCREENS: Record<string, Screen> = {
  login: { path: "/login", scene: stranger },
  "login with providers": {
    path: "/login",
    scene: { ...stranger, instance: { ...usualScene().instance, providers: ["google", "github", "microsoft"] } },
  },
  "login refused": {
    path: "/login",
    scene: { ...stranger, answers: { "POST /api/login": { status: 401, body: { code: "CREDENTIALS_INVALID" } } } },
    act: async (page) => {
      await page.locator("input[type=email]").fill("alice@example.com");
      await page.locator("input[type=password]").fill("wrong");
      await page.locator("button[type=submit]").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  register: { path: "/register", scene: stranger, act: (page) => page.locator("button[type=submit]").click() },
  "forgot-password": { path: "/forgot-password", scene: stranger },
  "forgot-password with the link sent": {
    path: "/forgot-password",
    scene: stranger,
    act: async (page) => {
      await page.locator("input[type=email]").fill("alice@example.com");
      await page.locator("button[type=submit]").click();
      await page.locator("h1 + div strong").waitFor();
    },
  },
  "reset-password": {
    path: "/reset-password#t=token",
    scene: stranger,
    act: (page) => page.locator("button[type=submit]").click(),
  },
  "reset-password with a used link": {
    path: "/reset-password#t=token",
    scene: { ...stranger, answers: { "POST /api/reset-password/check": usedLink } },
    act: (page) => page.getByRole("alert").waitFor(),
  },
  "verify-code": { path: "/verify-code", scene: { level: "partial", resendAfter: 42 } },
  "verify-code with an app": {
    path: "/verify-code",
    scene: { ...strong, methods: ["authenticator", "recovery_code"] },
  },
  "verify-code with a passkey that was refused": {
    path: "/verify-code",
    scene: strong,
    act: (page) => page.locator("p[role=alert]").waitFor(),
  },
  "verify-code with a recovery code": {
    path: "/verify-code",
    scene: strong,
    act: async (page) => {
      await page.locator("fieldset button").last().click();
      await page.locator("input[placeholder]").fill("wrong");
      await page.locator("button[type=submit]").click();
    },
  },
  "verify-code after too many wrong codes": {
    path: "/verify-code",
    scene: {
      level: "partial",
      answers: { "POST /api/verify-code": { status: 403, body: { code: "PASSWORD_RESET_REQUIRED" } } },
    },
    act: async (page) => {
      await page.locator("input[type=tel]").first().click();
      await page.keyboard.type("123456");
      await page.getByRole("alert").waitFor();
    },
  },
  "sign-in with a provider's refusal": {
    path: "/sign-in/google?error=access_denied",
    scene: stranger,
    act: (page) => page.getByRole("alert").waitFor(),
  },
  "sign-in that waits for the provider": {
    path: "/sign-in/google?code=c&state=waits",
    scene: stranger,
    prepare: (page) => page.route("**/finish", () => undefined),
    act: (page) => page.getByRole("status").waitFor(),
  },
  "register from a provider": {
    path: "/sign-in/google?code=c&state=s",
    scene: {
      ...stranger,
      answers: {
        "POST /api/providers/google/finish": { status: 200, body: { outcome: "no_account", profile: grace } },
      },
    },
    act: (page) => page.locator("h1 + div strong").waitFor(),
  },
  "confirm-email": { path: "/confirm-email#t=token", scene: stranger },
  "confirm-email while signed in": {
    path: "/confirm-email#t=token",
    act: async (page) => {
      await page.locator("main .mantine-Button-root").last().click();
      await page.locator("main a[href$=profile]").waitFor();
    },
  },
  "confirm-email with a used link": {
    path: "/confirm-email#t=token",
    scene: {
      ...stranger,
      answers: { "POST /api/email-change/inspect": { status: 410, body: { code: "EMAIL_LINK_INVALID" } } },
    },
    act: (page) => page.getByRole("alert").waitFor(),
  },
  dashboard: { path: "/dashboard" },
  "dashboard without addresses": { path: "/dashboard", scene: { associations: [], alerts: [] } },
  "dashboard with the bell open": {
    path: "/dashboard",
    act: (page) => page.locator("header [aria-controls][aria-expanded=false]:not(.mantine-Burger-root)").click(),
  },
  "dashboard before removing": { path: "/dashboard", act: (page) => page.locator("main li button").first().click() },
  "new-track": {
    path: "/new-track",
    act: async (page) => {
      await page.locator("fieldset input:not([type=checkbox])").first().fill("no-address");
      await page.locator("button[type=submit]").click();
    },
  },
  alerts: { path: "/alerts" },
  "alerts with one open": { path: "/alerts?alert=b3", act: (page) => page.getByRole("dialog").waitFor() },
  "alerts that failed": {
    path: "/alerts",
    scene: { answers: { "GET /api/alerts": { status: 500, body: { code: "GENERIC" } } } },
  },
  ...ACCOUNT_SCREENS,
  "manage-contact": { path: "/manage-contact#t=token", scene: stranger },
  "manage-contact to stop": {
    path: "/manage-contact#t=token",
    scene: { ...stranger, answers: { "POST /api/contact-links/inspect": { status: 200, body: unsubscribe } } },
  },
  "terms-service": { path: "/terms-service", scene: stranger },
  "error-page": { path: "/error-page?err=USER_INSUFFICIENT" },
};

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

async function show({ path, scene, prepare, act }: Screen, language: string, width: number) {
  opened.site.set(scene);
  const visit = await opened.visit(`/${language}${path}`, {
    viewport: { width, height: 800 },
    ...(prepare && { prepare }),
  });
  await settled(visit.page);
  await act?.(visit.page);
  return visit;
}

async function barriers(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]).setLegacyMode(true);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

describe.each(Object.entries(SCREENS))("screen %s", (_, screen) => {
  test("it keeps to the content security policy and is accessible, light and dark", async () => {
    const { page, complaints, leave } = await show(screen, "en", 1440);
    expect(await barriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "dark");
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  }, 60_000);

  test("it needs no sideways scrolling at 320 pixels in a long language", async () => {
    const { page, complaints, leave } = await show(screen, "de", 320);
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(excess).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  }, 60_000);
});

test("the collector of violations notices a style that the policy refuses", async () => {
  const { page, complaints, leave } = await show({ path: "/login", scene: stranger }, "en", 1440);
  await page.evaluate(() => document.head.appendChild(document.createElement("style")).append("b { color: red }"));
  await page.waitForTimeout(0);
  expect(complaints.join()).toContain("style-src");
  await leave();
}, 60_000);
