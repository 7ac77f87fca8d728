import type { CDPSession, Page } from "playwright-core";
import { sharedBrowser } from "../support/browser.ts";

/** Slow 4G, 150 ms round trip and 1.6 Mbit/s, as Lighthouse configures a browser for it: applied to each request. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};
const SLOWER_CPU = 4;

/** Times in milliseconds since the navigation started; sizes in bytes on the wire, with headers. */
export type PageLoad = {
  fcp: number;
  lcp: number;
  /** When the app has hydrated the form: React handles input and clicks. */
  app: number;
  shift: number;
  bytes: number;
  scripts: number;
  requests: number;
};

type Seen = Pick<PageLoad, "lcp" | "shift" | "app">;

/** A page has loaded everything if it was idle for this many milliseconds. */
const QUIET_MS = 1000;

/** Records what a page loads, from its start or from the last `reset`. */
async function watchTraffic(session: CDPSession) {
  const kinds = new Map<string, string>();
  const underWay = new Set<string>();
  let lastAt = performance.now();
  let fetched: { kind: string; bytes: number }[] = [];
  session.on("Network.requestWillBeSent", ({ requestId }) => underWay.add(requestId));
  for (const end of ["Network.loadingFinished", "Network.loadingFailed"] as const)
    session.on(end, ({ requestId }) => {
      underWay.delete(requestId);
      lastAt = performance.now();
    });
  session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    fetched.push({ kind: kinds.get(requestId) ?? "", bytes: encodedDataLength }),
  );
  await session.send("Network.enable");
  return {
    requests: () => fetched.length,
    bytes: (kind?: string) =>
      fetched.reduce((sum, each) => sum + (kind === undefined || each.kind === kind ? each.bytes : 0), 0),
    reset: () => {
      fetched = [];
      lastAt = performance.now();
    },
    /** Waits until nothing is loading, also after a client-side navigation, unlike the browser's own network-idle event. */
    async quiet() {
      while (underWay.size > 0 || performance.now() - lastAt < QUIET_MS) await Bun.sleep(50);
    },
  };
}

/** Before any script of the page: records its paints and layout shifts, and when its form is hydrated. */
function observe(): void {
  const seen: Seen = { lcp: 0, shift: 0, app: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.lcp = startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    // React adds properties to the elements that it handles.
    const form = document.querySelector("form");
    if (form && Object.keys(form).some((key) => key.startsWith("__reactProps"))) seen.app = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A phone's window with an empty cache, on a slow network and processor. */
export async function slowPage() {
  const context = await (await sharedBrowser()).newContext({ locale: "en-GB", viewport: { width: 412, height: 823 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const traffic = await watchTraffic(session);
  await session.send("Network.emulateNetworkConditions", SLOW_4G);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER_CPU });
  await page.addInitScript(observe);
  return { page, traffic, close: () => context.close() };
}

function seenBy(page: Page): Promise<Seen & { fcp: number }> {
  return page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: Seen };
    return { ...seen, fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0 };
  });
}

/** Loads one page without interaction, until its form is hydrated or it is painted. */
export async function loadPage(url: string, until: "form" | "paint"): Promise<PageLoad> {
  const { page, traffic, close } = await slowPage();
  await page.goto(url, { waitUntil: "load" });
  if (until === "form") await page.waitForFunction(() => (globalThis as unknown as { seen: Seen }).seen.app > 0);
  await page.waitForLoadState("networkidle");
  const seen = await seenBy(page);
  const loaded = { ...seen, bytes: traffic.bytes(), scripts: traffic.bytes("Script"), requests: traffic.requests() };
  await close();
  return loaded;
}

/** In the page: when a paragraph with this text was painted. */
async function painted(words: string): Promise<number> {
  const nextFrame = () => new Promise(requestAnimationFrame);
  const isThere = () =>
    [...document.querySelectorAll("p")].some((each) => each.textContent === words && each.checkVisibility());
  while (!isThere()) await nextFrame();
  await nextFrame();
  return performance.now();
}

/** A form as a user sees it: the input by label, and the server's final message. */
export type Trial = { typed: Record<string, string>; said: string };

/**
 * When a form was usable: filled in and submitted by keyboard as soon as it is visible, with the response shown on the
 * page. It is submitted once; a form that does not handle it counts as unusable, however long one waits.
 */
export async function tryForm(url: string, { typed, said }: Trial): Promise<number> {
  const { page, close } = await slowPage();
  await page.goto(url, { waitUntil: "commit" });
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.keyboard.press("Enter");
  const usable = await page.evaluate(painted, said);
  await close();
  return usable;
}
