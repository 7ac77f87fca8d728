import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { findChromium } from "./tools.ts";

const QUIET = [
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Promise<Browser> | undefined;

/** A separate browser with additional arguments. */
export async function launchBrowser(args: string[] = []): Promise<Browser> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error("No Chromium: install one, or name it in CHROMIUM_PATH");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", ...QUIET, ...args] });
}

/** The browser shared by this test process; it exits with the process. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= (async () => {
    const launched = await launchBrowser();
    // A test that times out closes the browser; the next test starts a new one.
    launched.on("disconnected", () => {
      browser = undefined;
    });
    return launched;
  })();
  return browser;
}

/** Adds content security policy violations of a context's pages to `violations`. */
export async function collectViolations(context: BrowserContext, violations: string[]): Promise<void> {
  await context.exposeFunction("reportViolation", (text: string) => violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener(
      "securitypolicyviolation",
      ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
        const { reportViolation } = window as unknown as { reportViolation(text: string): void };
        reportViolation(`${violatedDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
      },
    );
  });
}
