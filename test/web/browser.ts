import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { collectViolations, sharedBrowser } from "../support/browser.ts";
import { serveSite } from "./site.ts";

/** `prepare` is called before the page is opened. */
type VisitOptions = BrowserContextOptions & { prepare?: (page: Page) => Promise<unknown> };

/** As shipped; or with accents on all words that come from `locales/` and with React’s own checks, which cost a page a third. */
type Mode = "production" | "pseudo";

/**
 * React's development build compares attributes letter by letter. The policy has the styles of a drawn page set by script,
 * after which they read differently; `drawn_test.ts` compares what they say. Other differences are complaints of other words.
 */
const STYLES_READ_DIFFERENTLY = "A tree hydrated but some attributes of the server rendered HTML didn't match";

/** Built once for all test files of the process. */
const built = new Map<Mode, Promise<string>>();

async function build(mode: Mode): Promise<string> {
  // The runner has built them for all its processes.
  const ready = mode === "pseudo" ? process.env.TEST_SITE_PSEUDO : process.env.TEST_SITE_PRODUCTION;
  if (ready) return ready;
  const outDir = mkdtempSync(join(tmpdir(), "breachbell-web-"));
  process.on("exit", () => rmSync(outDir, { recursive: true, force: true }));
  const command = [
    process.execPath,
    join(import.meta.dir, "../../node_modules/vite/bin/vite.js"),
    "build",
    "--config",
    "web/build/vite.config.ts",
    ...["--mode", mode],
    "--outDir",
    outDir,
    "--logLevel",
    "error",
  ];
  const env = { ...process.env, NODE_ENV: mode === "pseudo" ? "development" : "production" };
  const vite = Bun.spawn(command, { cwd: join(import.meta.dir, "../.."), env, stdout: "inherit", stderr: "inherit" });
  if ((await vite.exited) !== 0) throw new Error("Cannot build the front end");
  return outDir;
}

/** The built front end behind the server's policy and faked answers, and a browser to look at it. */
export async function openSite(mode: Mode = "production") {
  const folder = built.get(mode) ?? build(mode);
  built.set(mode, folder);
  const site = serveSite(await folder);

  /** One window, whose pages share storage and cache; what the browser objects to is collected in `complaints`. */
  async function room(options: BrowserContextOptions = {}) {
    const context = await (await sharedBrowser()).newContext({
      reducedMotion: "reduce",
      locale: "en-GB",
      serviceWorkers: "block",
      ...options,
    });
    const complaints: string[] = [];
    await collectViolations(context, complaints);
    async function open(
      path: string,
      prepare?: (page: Page) => Promise<unknown>,
      waitUntil: "load" | "commit" = "load",
    ): Promise<Page> {
      const page = await context.newPage();
      page.on("pageerror", (error) => complaints.push(`${error}`));
      page.on("console", (message) => {
        if (message.text().startsWith(STYLES_READ_DIFFERENTLY)) return;
        // A failing call is part of some scenes; the browser notes it by itself.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          complaints.push(message.text());
      });
      await prepare?.(page);
      await page.goto(site.origin + path, { waitUntil });
      return page;
    }
    return { context, complaints, open, leave: () => context.close() };
  }

  /** Opens a page in a window of its own. */
  async function visit(path: string, { prepare, ...options }: VisitOptions = {}) {
    const { complaints, open, leave } = await room(options);
    return { page: await open(path, prepare), complaints, leave };
  }

  return { site, room, visit, close: () => site.close() };
}

/** Waits until a page shows its own heading, not the document's first screen, and what it fetches in its place. */
export async function settled(page: Page): Promise<void> {
  await page.locator("#root:not([data-drawn]) h1").waitFor();
  await page.waitForFunction(() => document.querySelector(".mantine-Skeleton-root") === null);
}
