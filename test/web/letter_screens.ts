import type { Screen } from "./screen.ts";

const failed = { status: 500, body: { code: "GENERIC" as const } };

/** Letters to companies, in every state. */
export const LETTER_SCREENS: Record<string, Screen> = {
  letter: { path: "/letters/b1", act: (page) => page.locator("[data-letter]").waitFor() },
  "letter that could not be prepared": {
    path: "/letters/b1",
    scene: { answers: { "GET /api/alerts/b1/letter": failed } },
  },
  letters: { path: "/letters" },
  "letters without any": { path: "/letters", scene: { letters: [] } },
  "letters with a complaint": {
    path: "/letters",
    act: async (page) => {
      await page.locator("main button[aria-expanded=false]").click();
      await page.locator("[data-letter]").waitFor();
    },
  },
  "letters that failed": { path: "/letters", scene: { answers: { "GET /api/letters": failed } } },
};
