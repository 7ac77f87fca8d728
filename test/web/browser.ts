import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { serveSite } from "./site.ts";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

async function build(outDir: string): Promise<void> {
  const command = [
    "bunx",
    "vite",
    "build",
    "--config",
    "web/vite.config.ts",
    "--outDir",
    outDir,
    "--logLevel",
    "error",
  ];
  const built = Bun.spawn(command, { cwd: join(import.meta.dir, "../.."), stdout: "inherit", stderr: "inherit" });
  if ((await built.exited) !== 0) throw new Error("Cannot build the front end");
}

/** The built front end behind the server's policy and faked answers, and a browser to look at it. */
export async function openSite() {
  const folder = await mkdtemp(join(tmpdir(), "breachbell-web-"));
  await build(folder);
  const site = serveSite(folder);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });

  /** Opens a page; what the browser objects to is collected in `complaints`. */
  async function visit(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-GB", ...options });
    const page = await context.newPage();
    const complaints: string[] = [];
    await page.exposeFunction("reportViolation", (text: string) => complaints.push(text));
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
        const { reportViolation } = window as unknown as { reportViolation: (text: string) => void };
        reportViolation(`${violatedDirective} ${blockedURI} ${sourceFile}`);
      });
    });
    page.on("pageerror", (error) => complaints.push(`${error}`));
    page.on("console", (message) => {
      // A failing call is part of some scenes; the browser notes it by itself.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        complaints.push(message.text());
    });
    await page.goto(site.origin + path);
    return { page, complaints, leave: () => context.close() };
  }

  async function close() {
    await browser.close();
    await site.close();
    await rm(folder, { recursive: true });
  }
  return { site, visit, close };
}

/** Waits until a page shows its heading, and what it fetches in its place. */
export async function settled(page: Page): Promise<void> {
  await page.locator("h1").waitFor();
  await page.waitForFunction(() => document.querySelector(".mantine-Skeleton-root") === null);
}
