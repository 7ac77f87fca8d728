import { afterAll, beforeAll, expect, test } from "bun:test";
import { openSite, settled } from "./browser.ts";
import { EVERY_SCREEN } from "./every_screen.ts";
import { fullAccount } from "./fake_account.ts";
import type { Scene } from "./fake_api.ts";
import { ROUTES } from "./walk_stops.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The accessibility tree, as an outline. */
async function treeOf(name: string, scene: Partial<Scene> = {}) {
  const { path, act, ...stop } = EVERY_SCREEN[name] ?? ROUTES.find((route) => route.name === name) ?? { path: "" };
  opened.site.set({ ...stop.scene, ...scene });
  const { page, leave } = await opened.visit(`/en${path}`, { viewport: { width: 1440, height: 900 } });
  await settled(page);
  await act?.(page);
  const tree = await page.locator("body").ariaSnapshot();
  await leave();
  return tree.split("\n").map((line) => line.trim());
}

/** Controls without a name, and images without a text alternative. */
function nameless(tree: string[]): string[] {
  return tree.filter((line) =>
    /^- (button|link|textbox|searchbox|combobox|checkbox|radio|slider|img|dialog|navigation|region)(?! ")[^"]*$/.test(
      line,
    ),
  );
}

const SCREENS = [
  ...["support", "suggestions", "service-status", "api-tokens", "developers", "contacts", "dashboard", "alerts"],
  ...["profile", "staff", "staff/users", "staff/users/:account_id", "staff/tickets", "staff/tickets/:reference"],
  ...["staff/incidents", "staff/mails", "staff/audit", "terms-service", "privacy-notice", "accept-terms", "error-page"],
];

test.each(SCREENS)(
  "%s gives every control a name, and is structured by landmarks",
  async (name) => {
    const tree = await treeOf(name);
    expect(nameless(tree)).toEqual([]);
    expect(tree.filter((line) => line.startsWith("- main"))).toHaveLength(1);
    expect(tree.filter((line) => /^- banner/.test(line))).toHaveLength(1);
    expect(tree.filter((line) => line.includes("[level=1]"))).toHaveLength(1);
  },
  60_000,
);

test("the check for names detects a button without one", () => {
  expect(nameless(["- button", '- button "Close"', "- img", "- textbox [disabled]", "- textbox: words"])).toEqual([
    ...["- button", "- img", "- textbox [disabled]", "- textbox: words"],
  ]);
});

test("a form with errors marks the invalid fields with their reasons, and announces that it was not sent", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/support");
  await settled(page);
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByRole("alert").getByText("Please check the form").waitFor();
  for (const [role, name, reason] of [
    ["textbox", "Subject", "Subject is required."],
    ["combobox", "Type", "Please choose a type."],
    ["textbox", "Description", "Description is required."],
  ] as const) {
    const field = page.getByRole(role, { name, exact: true });
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    const described = await field.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent),
    );
    expect(described).toContain(reason);
  }
  await leave();
}, 60_000);

test("expanded, selected and current elements are announced as such", async () => {
  expect(await treeOf("staff/tickets")).toContainEqual(expect.stringMatching(/^- combobox "Status"/));
  const bell = await treeOf("the bell");
  expect(bell).toContainEqual(expect.stringMatching(/^- button "Notifications" \[expanded\]/));
  expect(await treeOf("api-tokens while one is made")).toContainEqual(expect.stringContaining("[checked]"));
  const tokens = await treeOf("api-tokens", { account: fullAccount() });
  expect(tokens).toContainEqual(expect.stringMatching(/^- navigation "Breadcrumb"/));
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  const here = page.getByRole("navigation", { name: "Main navigation" }).locator("[aria-current=page]");
  expect(await here.allInnerTexts()).toEqual(["Dashboard"]);
  await leave();
}, 120_000);
