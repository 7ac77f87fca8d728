import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { removeDirectory, startProduct } from "../e2e/product.ts";
import { sharedBrowser } from "../support/browser.ts";
import { median, round, spreadOf, tell } from "./figures.ts";
import { loadPage, type PageLoad, slowPage, tryForm } from "./page_load.ts";

const PATH = "/en/login";
/** Plain text from the same server: the lower bound for our pages. */
const EMPTY = "/robots.txt";
const EMAIL = "first-page@example.com";

/**
 * The maximum waiting times and transfer sizes: milliseconds and thousands of bytes. "Usable" is more than listening: a
 * login, submitted as soon as the form is visible, was answered by the server with an error message. This includes the
 * network round trip and the server's password hash. When the app has hydrated is reported separately (`app_ms`).
 */
const BOUNDS = { lcp: 900, usable: 2500, kilobytes: 180, requests: 8, next: 80 };

async function onProduct(work: (url: string) => Promise<void>): Promise<void> {
  const product = await startProduct({ BILLING: "off" });
  await work(product.url);
  await product.stop();
  removeDirectory(product.dataDir);
  await (await sharedBrowser()).close();
}

/** A user with a wrong password. */
function trial(round: number) {
  const words = JSON.parse(readFileSync(join(import.meta.dir, "../../locales/en/errors.json"), "utf8"));
  return {
    typed: { Email: `nobody-${round}@example.com`, Password: "Wrong-horse-7" },
    said: words.CREDENTIALS_INVALID,
  };
}

/** The login with an empty cache, on a slow network and processor. */
export function firstPage(rounds: number): Promise<void> {
  return onProduct(async (url) => {
    const pages: PageLoad[] = [];
    const empty: number[] = [];
    const usable: number[] = [];
    for (let i = 0; i < rounds; i++) {
      pages.push(await loadPage(url + PATH, "form"));
      empty.push((await loadPage(url + EMPTY, "paint")).lcp);
      usable.push(await tryForm(url + PATH, trial(i)));
    }
    const middle = (name: keyof PageLoad) => Math.round(median(pages.map((page) => page[name])));
    const [fcp_ms, lcp_ms, app_ms] = [middle("fcp"), middle("lcp"), middle("app")];
    const usable_ms = Math.round(median(usable));
    const [kilobytes, scripts] = [round(middle("bytes") / 1000, 1), round(middle("scripts") / 1000, 1)];
    const shift = Math.max(...pages.map((page) => page.shift));
    const requests = middle("requests");
    const ratios = pages.map(({ lcp }, i) => lcp / (empty[i] ?? 0));
    const isSoon = Math.max(fcp_ms, lcp_ms) <= BOUNDS.lcp && usable_ms <= BOUNDS.usable && shift === 0;
    const isSmall = kilobytes <= BOUNDS.kilobytes && requests <= BOUNDS.requests;
    tell({
      line: "first-page",
      fcp_ms,
      lcp_ms,
      usable_ms,
      app_ms,
      empty_ms: Math.round(median(empty)),
      ratio: round(median(ratios)),
      spread: round(spreadOf(ratios)),
      shift: round(shift, 4),
      kilobytes,
      scripts,
      requests,
      bound: BOUNDS,
      pass: isSoon && isSmall,
    });
  });
}

/** What the dashboard loads beyond the login, for a user who logs in: the same browser continues. */
export function nextPage(): Promise<void> {
  return onProduct(async (url) => {
    const client = await signIn(url, EMAIL, async () => {
      const [mail] = await mailbox(url);
      return mail && codeIn(mail.text);
    });
    const { page, traffic, close } = await slowPage();
    await page.goto(url + PATH, { waitUntil: "networkidle" });
    const [name = "", value = ""] = client.cookie().split("=");
    await page.context().addCookies([{ name, value, url }]);
    traffic.reset();
    const from = performance.now();
    // As after the code: the app itself navigates to the next page.
    await page.evaluate(() => {
      history.replaceState(null, "", "/en/dashboard");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    await page.locator("h1", { hasText: "Dashboard" }).waitFor();
    const shown_ms = Math.round(performance.now() - from);
    await traffic.quiet();
    const [kilobytes, scripts] = [round(traffic.bytes() / 1000, 1), round(traffic.bytes("Script") / 1000, 1)];
    const pass = kilobytes <= BOUNDS.next;
    tell({ line: "next-page", shown_ms, kilobytes, scripts, requests: traffic.requests(), bound: BOUNDS.next, pass });
    await close();
  });
}
