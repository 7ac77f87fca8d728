import type { Page } from "playwright-core";
import { LANGUAGES } from "../../src/shared/language.ts";
import { type Scene, scene } from "./fake_api.ts";
import { accounts, deadLetters, overview, STAFF_ID, staffAccount, staffActs, staffSettings } from "./fake_staff.ts";
import type { Screen } from "./screen.ts";

const given = (body: unknown) => ({ status: 200, body });
const MAIL = { subject: "Subject 0", preview: "Preview 0", text: "Text 0" };
const ACCOUNT = `/staff/users/${STAFF_ID}`;

/** A staff member, and an installation with one of everything. */
export const STAFF_ANSWERS: Scene["answers"] = {
  "GET /api/staff/overview": given(overview()),
  "GET /api/staff/dead-letters": given(deadLetters()),
  "GET /api/staff/accounts": given(accounts()),
  [`POST /api/staff/accounts/${STAFF_ID}/view`]: given(staffAccount()),
  "GET /api/staff/settings": given(staffSettings()),
  "POST /api/staff/tests/email": given({ outcome: "accepted" }),
  "GET /api/staff/acts": given(staffActs()),
  ...Object.fromEntries(
    LANGUAGES.flatMap((language) => [
      [`GET /api/staff/mails/alert/${language}`, given(MAIL)],
      [`GET /api/staff/mails/alert/${language}/html`, given("<p>Text 0</p>")],
    ]),
  ),
  "GET /api/staff/mails": given({ mails: [{ kind: "alert", subject: "Subject 0" }] }),
};
const me: Scene["me"] = { ...scene().me, staff: true };
const staff = (answers: Scene["answers"] = {}) => ({ me, answers: { ...STAFF_ANSWERS, ...answers } });
const empty = { items: [], total: 0, pageSize: 50 };

function press(index: number) {
  return async (page: Page) => {
    await page.locator("main .mantine-Group-root button").nth(index).click();
    await page.getByRole("dialog").locator("textarea").first().waitFor();
  };
}

/** The operator's pages. */
export const STAFF_SCREENS: Record<string, Screen> = {
  "staff overview": { path: "/staff", scene: staff() },
  "staff overview without news": {
    path: "/staff",
    scene: staff({
      "GET /api/staff/overview": given({
        ...overview(),
        sources: [],
        channels: [],
        jobs: [],
        budgets: [],
        limits: [],
        database: { kind: "server", bytes: 48_300_000 },
        backups: { state: "off", lastAt: null },
      }),
      "GET /api/staff/dead-letters": given(empty),
    }),
  },
  "staff overview that failed": {
    path: "/staff",
    scene: staff({ "GET /api/staff/overview": { status: 500, body: { code: "GENERIC" } } }),
  },
  "staff accounts": { path: "/staff/users", scene: staff() },
  "staff accounts without any": {
    path: "/staff/users",
    scene: staff({ "GET /api/staff/accounts": given({ accounts: [], next: null }) }),
  },
  "staff account": { path: ACCOUNT, scene: staff() },
  "staff account, a plan given": { path: ACCOUNT, scene: staff(), act: press(0) },
  "staff account, deleted": { path: ACCOUNT, scene: staff(), act: press(3) },
  "staff account, the password asked for": {
    path: ACCOUNT,
    scene: staff({
      [`POST /api/staff/accounts/${STAFF_ID}/delete`]: { status: 403, body: { code: "REAUTHENTICATION_REQUIRED" } },
    }),
    async act(page) {
      await press(3)(page);
      await page.getByRole("dialog").locator("textarea").first().fill("123");
      await page.getByRole("dialog").locator("button[type=submit]").click();
      await page.locator("input[type=password]").waitFor();
    },
  },
  "staff audit": { path: "/staff/audit", scene: staff() },
  "staff audit without acts": {
    path: "/staff/audit",
    scene: staff({ "GET /api/staff/acts": given({ acts: [], next: null }) }),
  },
  "staff settings": { path: "/staff/settings", scene: staff() },
  "staff settings, a test made": {
    path: "/staff/settings",
    scene: staff(),
    async act(page) {
      await page.locator("main li button").first().click();
      await page.locator("main [role=status]:not(:empty)").waitFor();
    },
  },
  "staff mails": { path: "/staff/mails", scene: staff() },
};
