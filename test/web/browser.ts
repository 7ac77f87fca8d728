import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { collectViolations, sharedBrowser } from "../support/browser.ts";
import { serveSite } from "./site.ts";

/** `prepare` is called before the page is opened. */
type VisitOptions = BrowserContextOptions & { prepare?: (page: Page) => Promise<unknown> };

/**
 * As shipped; or with accents on all words of `locales/` and with React's own checks, which make a page a third slower.
 */
type Mode = "production" | "pseudo";

/**
 * React's development build compares attributes literally. Scripts set the styles of a prerendered page because of the
 * policy, after which they are formatted differently; `drawn_test.ts` compares their meaning. Other differences cause
 * other messages.
 */
const STYLES_READ_DIFFERENTLY = "A tree hydrated but some attributes of the server rendered HTML didn't match";

/** Built once for all test files of the process. */
const built = new Map<Mode, Promise<string>>();

/** The folder of the built front end. */
export function builtSite(mode: Mode = "production"): Promise<string> {
  const folder = built.get(mode) ?? build(mode);
  built.set(mode, folder);
  return folder;
}

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

/** The built front end with the server's policy and a fake API, and a browser. */
export async function openSite(mode: Mode = "production") {
  const site = serveSite(await builtSite(mode));

  /** One window, whose pages share storage and cache; its console errors are collected in `complaints`. */
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
        // Some scenes include a failing call, which the browser logs itself.
        if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
          complaints.push(message.text());
      });
      await prepare?.(page);
      await page.goto(site.origin + path, { waitUntil });
      return page;
    }
    return { context, complaints, open, leave: () => context.close() };
  }

  /** Opens a page in a separate window. */
  async function visit(path: string, { prepare, ...options }: VisitOptions = {}) {
    const { complaints, open, leave } = await room(options);
    return { page: await open(path, prepare), complaints, leave };
  }

  return { site, room, visit, close: () => site.close() };
}

/** Waits until the page shows its own heading, not the document's first screen, and has loaded its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator("#root:not([data-drawn]) h1").waitFor();
  await page.waitForFunction(() => document.querySelector(".mantine-Skeleton-root") === null);
}
