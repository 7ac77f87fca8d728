import type { Page } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "../support/loopback_certificate.ts";
import { nextIp, openTarget, PUBLIC_URL, type Target } from "./target.ts";

/** A browser window with one page; `wrong` are dialogs and foreign pages that opened in it. */
export type Window = {
  page: Page;
  wrong: string[];
  /** Opens a URL, and waits until its page has loaded and is idle. */
  open(address: string): Promise<void>;
};
export type Chromium = {
  target: Target;
  /** Requests to other hosts. */
  elsewhere: string[];
  window(cookies?: Map<string, string>): Promise<Window>;
};

const PATIENCE_MS = 15_000;
const OWN_HOST = new URL(PUBLIC_URL).host;

/**
 * By https, as users do: every name resolves to this proxy, which passes our own requests on to one of the products.
 */
function serveEveryHost(target: Target, elsewhere: string[]) {
  const ip = nextIp();
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE },
    async fetch(request) {
      const { host, pathname, search } = new URL(request.url);
      if (host !== OWN_HOST) {
        elsewhere.push(request.url);
        return new Response("<script>alert(1)</script>", { headers: { "Content-Type": "text/html" } });
      }
      const headers = new Headers(request.headers);
      headers.set("X-Forwarded-For", ip);
      headers.set("Accept-Encoding", "identity");
      const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
      const url = `${target.products[0]?.url}${pathname}${search}`;
      return fetch(url, { method: request.method, headers, body, redirect: "manual" });
    },
  });
}

/**
 * Two running products and a browser that uses them under their public URL, and a hostile server for all other names.
 */
export async function inChromium<T>(work: (chromium: Chromium) => Promise<T>): Promise<T> {
  const target = await openTarget();
  const elsewhere: string[] = [];
  const server = serveEveryHost(target, elsewhere);
  const browser = await launchBrowser([
    "--ignore-certificate-errors",
    `--host-resolver-rules=MAP * 127.0.0.1:${server.port}`,
  ]);
  async function window(cookies = new Map<string, string>()): Promise<Window> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-GB" });
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: PUBLIC_URL, secure: true })));
    const wrong: string[] = [];
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on("dialog", (dialog) => {
      wrong.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on("page", () => wrong.push("another window"));
    page.on("framenavigated", (frame) => {
      const url = frame.url();
      if (url !== "about:blank" && new URL(url).origin !== PUBLIC_URL) wrong.push(`went to ${url}`);
    });
    return {
      page,
      wrong,
      async open(address) {
        // Not between two URLs that differ only in their fragment.
        await page.goto("about:blank");
        await page.goto(address);
        if ((await page.locator("#root").count()) > 0) await page.locator("#root:not([data-drawn]) h1").waitFor();
        await page.waitForLoadState("networkidle");
      },
    };
  }
  try {
    return await work({ target, elsewhere, window });
  } finally {
    await browser.close();
    await server.stop(true);
    await target.close();
  }
}
