import type { Scene } from "./fake_api.ts";
import { down, freshStatus, impaired, serviceNotice } from "./fake_service_status.ts";
import type { Screen } from "./screen.ts";

const PATH = "/service-status";
const stranger: Partial<Scene> = { level: "unauthenticated" };
const failed = { "GET /api/service-status": { status: 500, body: { code: "GENERIC" as const } } };

/** The status page, and its notice on other pages. */
export const SERVICE_STATUS_SCREENS: Record<string, Screen> = {
  "service-status": { path: PATH, scene: stranger },
  "service-status of somebody signed in": { path: PATH },
  "service-status with one of every trouble": { path: PATH, scene: { ...stranger, serviceStatus: impaired() } },
  "service-status before anything was measured": { path: PATH, scene: { ...stranger, serviceStatus: freshStatus() } },
  "service-status with its days opened": {
    path: PATH,
    scene: stranger,
    act: async (page) => {
      for (const summary of await page.locator("summary").all()) await summary.click();
    },
  },
  "service-status while it loads": {
    path: PATH,
    scene: stranger,
    prepare: (page) => page.route("**/api/service-status", () => undefined),
    waits: true,
  },
  "login with a notice": { path: "/login", scene: { ...stranger, serviceNotice: serviceNotice() } },
  "dashboard with a notice": { path: "/dashboard", scene: { serviceNotice: serviceNotice() } },
  "service-status while all is down": { path: PATH, scene: { ...stranger, serviceStatus: down() } },
  "service-status that failed": { path: PATH, scene: { ...stranger, answers: failed } },
};
