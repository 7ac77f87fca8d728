import type { BrowserContextOptions, Page } from "playwright-core";
import type { Language } from "../../src/shared/language.ts";
import { wordsIn } from "../e2e/words.ts";
import type { openSite } from "./browser.ts";
import { APP, heldBack, isListening } from "./held_back.ts";

type Opened = Awaited<ReturnType<typeof openSite>>;
type Options = BrowserContextOptions & { prepare?: (page: Page) => Promise<unknown> };

export const TYPED = { email: "ada@example.com", password: "Correct-horse-7" };

/** The login page in a language, without the app until `arrive` is called. */
export async function earlyLogin({ site, room }: Opened, language: Language, { prepare, ...options }: Options = {}) {
  const { open, complaints, leave } = await room(options);
  let go: () => void = () => undefined;
  const prepared = async (page: Page) => {
    await page.addInitScript(watchShifts);
    go = await heldBack(page, APP);
    await prepare?.(page);
  };
  const page = await open(`/${language}/login`, prepared, "commit");
  const say = wordsIn(language);
  const field = (key: string) => page.getByLabel(say(key), { exact: true });
  return {
    page,
    say,
    complaints,
    leave,
    email: field("field.email"),
    password: field("field.password"),
    submit: page.getByRole("button", { name: say("login.submit"), exact: true }),
    dialog: page.getByRole("dialog", { name: say("login.failed") }),
    async arrive() {
      if (await page.evaluate(isListening)) throw new Error("The app is there already");
      go();
      await page.waitForFunction(isListening);
    },
    focused: () => page.evaluate(() => document.activeElement?.getAttribute("data-path")),
    sent: () => site.requests.filter(({ call }) => call === "POST /api/login").map(({ body }) => body),
  };
}

/** Before any script of the page: records layout shifts. */
function watchShifts(): void {
  const moved: string[] = [];
  Object.assign(globalThis, { moved });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput) moved.push(JSON.stringify(entry));
  }).observe({ type: "layout-shift", buffered: true });
}
