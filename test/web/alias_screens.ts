import type { Screen } from "./screen.ts";

const failed = { status: 500, body: { code: "GENERIC" as const } };
const used = { status: 410, body: { code: "LINK_INVALID" as const } };
const stranger = { level: "unauthenticated" as const };

/** Aliases of an own address, in every state. */
export const ALIAS_SCREENS: Record<string, Screen> = {
  aliases: { path: "/update-track/a1", act: (page) => page.getByText(/^games@/).waitFor() },
  "aliases without any": { path: "/update-track/a1", scene: { aliases: [] } },
  "aliases that failed": {
    path: "/update-track/a1",
    scene: { answers: { "GET /api/associations/a1/aliases": failed } },
  },
  "aliases from a service": {
    path: "/update-track/a1",
    act: async (page) => {
      await page.locator("section select").selectOption("simplelogin");
      await page.locator("input[type=password]").waitFor();
    },
  },
  "confirm-alias": { path: "/confirm-alias#t=token", scene: stranger },
  "confirm-alias with half a link": { path: "/confirm-alias", scene: stranger },
  "confirm-alias with a used link": {
    path: "/confirm-alias#t=token",
    scene: { ...stranger, answers: { "POST /api/aliases/inspect": used } },
  },
  "confirm-alias that failed": {
    path: "/confirm-alias#t=token",
    scene: { ...stranger, answers: { "POST /api/aliases/inspect": failed } },
  },
  "confirm-alias done": {
    path: "/confirm-alias#t=token",
    scene: stranger,
    act: (page) => page.locator("[aria-live] button").click(),
  },
};
