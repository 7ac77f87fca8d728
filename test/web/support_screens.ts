import type { Page } from "playwright-core";
import { scene } from "./fake_api.ts";
import type { Screen } from "./screen.ts";

const STAFF = { me: { ...scene().me, staff: true } };
const LONG = "x".repeat(5000);
const send = (page: Page) => page.locator("main form button[type=submit]").click();

/** Writing to support, the user's own conversations, and the staff's. */
export const SUPPORT_SCREENS: Record<string, Screen> = {
  support: { path: "/support" },
  "support before it was used": { path: "/support", scene: { tickets: [] } },
  "support with everything wrong": {
    path: "/support",
    act: async (page) => {
      for (const name of ["firstName", "lastName"]) await page.locator(`main input[data-path=${name}]`).fill("");
      await page.locator("main textarea").first().fill(LONG);
      await send(page);
      await page.getByRole("alert").first().waitFor();
    },
  },
  "support after sending": {
    path: "/suggestions",
    act: async (page) => {
      await page.locator("main select").selectOption("critique");
      await page.locator("main textarea").first().fill("Fewer colours");
      await page.getByRole("checkbox").check();
      await send(page);
      await page.locator("main input[readonly]").waitFor();
    },
  },
  "support while the server is down": {
    path: "/support",
    scene: { answers: { "GET /api/profile": { status: 500, body: {} } } },
  },
  suggestions: { path: "/suggestions" },
  "staff/tickets": {
    path: "/staff/tickets",
    scene: STAFF,
    act: async (page) => {
      await page.locator("main select").first().selectOption("");
      await page.getByText("BB-3333-3333").waitFor();
    },
  },
  "staff/tickets without any": { path: "/staff/tickets", scene: { ...STAFF, tickets: [] } },
  "staff/tickets/:reference": { path: "/staff/tickets/BB-7K3F-92QX", scene: STAFF },
  "support conversation": { path: "/support?ticket=BB-7K3F-92QX" },
  "support conversation in long words": { path: "/support?ticket=BB-2222-2222" },
  "support conversation that is closed": { path: "/support?ticket=BB-3333-3333" },
  "support conversation that is nobody's": {
    path: "/support?ticket=BB-6666-6666",
    fails: ["GET /api/support/tickets/BB-6666-6666"],
  },
};
