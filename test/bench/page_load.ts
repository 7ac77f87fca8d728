import type { CDPSession, Page } from "playwright-core";
import { sharedBrowser } from "../support/browser.ts";

/** Slow 4G, 150 ms there and back and 1.6 Mbit/s, in the figures that Lighthouse gives a browser for it: they hold for each request. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
};
const SLOWER_CPU = 4;

/** Times in milliseconds since the navigation began; sizes in bytes on the wire, with headers. */
export type PageLoad = {
  fcp: number;
  lcp: number;
  /** When the app has taken over the form: React listens to what is typed and pressed. */
  app: number;
  shift: number;
  bytes: number;
  scripts: number;
  requests: number;
};

type Seen = Pick<PageLoad, "lcp" | "shift" | "app">;

/** So long nothing is under way when a page has all it wants: milliseconds. */
const QUIET_MS = 1000;

/** Follows what a page fetches, from its beginning or from the last `reset`. */
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
    /** Unlike the browser's own word of it, which counts once for a document, also after a page that the app moved on to. */
    async quiet() {
      while (underWay.size > 0 || performance.now() - lastAt < QUIET_MS) await Bun.sleep(50);
    },
  };
}

/** Before any script of the page: what it paints and moves, and when its form is the app's. */
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
    // React leaves properties on the elements that it listens to.
    const form = document.querySelector("form");
    if (form && Object.keys(form).some((key) => key.startsWith("__reactProps"))) seen.app = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A telephone's window with an empty cache, on a slow network and processor. */
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

/** Loads one page without touching it, until its form is the app's or until it is painted. */
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

/** In the page: when a paragraph with these words has been painted. */
async function painted(words: string): Promise<number> {
  const nextFrame = () => new Promise(requestAnimationFrame);
  const isThere = () =>
    [...document.querySelectorAll("p")].some((each) => each.textContent === words && each.checkVisibility());
  while (!isThere()) await nextFrame();
  await nextFrame();
  return performance.now();
}

/** A form as somebody meets it: what is typed where, by its label, and what the server says to it in the end. */
export type Trial = { typed: Record<string, string>; said: string };

/**
 * When a form has been of use: filled in and sent by keyboard as soon as it can be seen, and its answer stands in the page. It
 * is sent once; a form that does not deal with it is of no use, however long one waits.
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
