import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { LANGUAGES, localeOf } from "../../src/shared/language.ts";
import { manifestOf } from "../../web/build/installable.ts";
import { openSite, settled } from "./browser.ts";

const PUBLIC = join(import.meta.dirname, "../../web/public");
const fileOf = (path: string) => readFileSync(join(PUBLIC, path));

/** Width and height from a PNG's first chunk. */
function sizeOf(png: Buffer): string {
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(opened.site.origin + path, { headers });

/** A page with an active service worker, as from the second visit on. */
async function visited(language: string): Promise<Awaited<ReturnType<typeof opened.visit>>> {
  opened.site.set({ level: "unauthenticated" });
  const visit = await opened.visit(`/${language}/login`, { serviceWorkers: "allow" });
  await settled(visit.page);
  await visit.page.evaluate(() => navigator.serviceWorker.ready);
  return visit;
}

const cachesOf = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { names, paths: kept.flat().map(({ url }) => new URL(url).pathname) };
  });

describe("The manifest", () => {
  test.each([...LANGUAGES])("in %s contains what an operating system needs, in that language", (language) => {
    const manifest = manifestOf(language) as Record<string, string> & { shortcuts: { name: string; url: string }[] };
    expect(manifest).toMatchObject({
      id: "/",
      start_url: "/dashboard",
      scope: "/",
      display: "standalone",
      lang: localeOf(language),
    });
    expect(manifest.short_name?.length).toBeLessThanOrEqual(12);
    expect(manifest.description?.length).toBeGreaterThan(40);
    for (const colour of [manifest.background_color, manifest.theme_color]) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
    for (const { name, url } of manifest.shortcuts) {
      expect(name).not.toContain(".");
      expect(url).toStartWith("/");
    }
    const english = manifestOf("en");
    if (language !== "en") expect(manifest.description).not.toBe(english.description as string);
  });

  test("has icons that exist, in the stated sizes, for every purpose, and small", () => {
    type Icon = { src: string; sizes: string; type: string; purpose: string };
    const { icons } = manifestOf("en") as { icons: Icon[] };
    for (const { src, sizes } of icons.filter(({ type }) => type === "image/png")) {
      expect({ src, size: sizeOf(fileOf(src)) }).toEqual({ src, size: sizes });
      expect(fileOf(src).length).toBeLessThan(40_000);
    }
    const offered = icons.map(({ sizes, purpose }) => `${purpose} ${sizes}`);
    for (const wanted of ["any 192x192", "any 512x512", "maskable 192x192", "maskable 512x512"])
      expect(offered).toContain(wanted);
    expect(sizeOf(fileOf("apple-touch-icon.png"))).toBe("180x180");
    expect(sizeOf(fileOf("social.png"))).toBe("1200x630");
    expect(fileOf("social.png").length).toBeLessThan(120_000);
    expect([...fileOf("favicon.ico").subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0]);
  });

  test("is served with its type and linked by each page in its language, and the browser can parse it", async () => {
    for (const language of LANGUAGES) {
      const html = await (await get(`/${language}/login`)).text();
      expect(html).toContain(`<link rel="manifest" href="/manifest-${language}.webmanifest"`);
      const answer = await get(`/manifest-${language}.webmanifest`);
      expect(answer.headers.get("Content-Type")).toBe("application/manifest+json");
      expect(await answer.json()).toEqual(manifestOf(language));
    }
    opened.site.set({ level: "unauthenticated" });
    const { page, complaints, leave } = await opened.visit("/de/login");
    await settled(page);
    const devtools = await page.context().newCDPSession(page);
    const { errors, url } = await devtools.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(url).toEndWith("/manifest-de.webmanifest");
    expect(complaints).toEqual([]);
    await leave();
  }, 30_000);
});

describe("The offline page", () => {
  test.each([
    ["en", "Breachbell can’t be reached"],
    ["fr", "Breachbell est injoignable"],
    ["de", "Breachbell ist nicht erreichbar"],
    ["it", "Breachbell non è raggiungibile"],
    ["es", "No se puede acceder a Breachbell"],
    ["pt", "Não é possível aceder ao Breachbell"],
  ] as const)(
    "appears in %s when the server is down, and leads back when it is up",
    async (language, title) => {
      const { page, complaints, leave } = await visited(language);
      const cut = page.context();
      await cut.setOffline(true);
      await page.goto(`${opened.site.origin}/${language}/alerts?page=2`);
      await page.getByRole("heading", { name: title }).waitFor();
      expect(await page.title()).toBe(`${title} · Breachbell`);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(localeOf(language));
      expect(await page.getByRole("heading").count()).toBe(1);
      const button = page.getByRole("button");
      expect(await button.evaluate((it) => getComputedStyle(it).backgroundColor)).toBe("rgb(36, 85, 214)");
      const loadedAgain = page.waitForEvent("load");
      await button.click();
      await loadedAgain;
      await page.getByRole("heading", { name: title }).waitFor();
      // Online again: the page polls, and shows the requested page.
      await cut.setOffline(false);
      await page.locator("input[type=email]").waitFor();
      expect(complaints).toEqual([]);
      await leave();
    },
    60_000,
  );

  test("appears when the connection is refused, in the stored language if the URL has none", async () => {
    const own = await openSite();
    own.site.set({ level: "unauthenticated" });
    const { page, leave } = await own.visit("/it/login", { serviceWorkers: "allow" });
    await settled(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await own.close();
    await page.goto(`${own.site.origin}/dashboard`);
    await page.getByRole("heading", { name: "Breachbell non è raggiungibile" }).waitFor();
    // The browser does not report that the server is up again: the page polls.
    await page.route("**/api/instance", (route) => route.fulfill({ json: {} }));
    await page.waitForEvent("load");
    await leave();
  }, 60_000);

  test("is all that is cached: no page, no API response", async () => {
    const { page, leave } = await visited("en");
    await page.reload();
    await settled(page);
    await page.evaluate(() => fetch("/api/instance"));
    const { names, paths } = await cachesOf(page);
    expect(names).toHaveLength(1);
    expect(paths.toSorted()).toEqual(["/favicon.svg", "/offline.css", "/offline.html", "/offline.js", "/theme.js"]);
    await page.context().setOffline(true);
    expect(await page.evaluate(() => fetch("/api/instance").then(String, () => "refused"))).toBe("refused");
    await leave();
  }, 60_000);

  test("is replaced by the next build's, and removed by a build without one", async () => {
    const { page, leave } = await visited("en");
    await page.evaluate(async () => {
      await (await caches.open("offline-of-an-older-build")).add("/favicon.svg");
      const registration = await navigator.serviceWorker.getRegistration();
      await registration?.unregister();
    });
    await page.reload();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => (await caches.keys()).length === 1);
    expect((await cachesOf(page)).names).not.toContain("offline-of-an-older-build");
    await page.route(/\/en\/login$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('name="offline-page"', 'name="none"'),
      });
    });
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister());
    await page.reload();
    await page.waitForFunction(async () => (await caches.keys()).length === 0);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
    await leave();
  }, 60_000);

  test("has a service worker that is always revalidated, with the whole site as scope", async () => {
    const worker = await get("/offline_worker.js");
    expect(worker.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect(worker.headers.get("Cache-Control")).toBe("no-cache");
    const source = await worker.text();
    expect(source).toMatch(/const NAME = "offline-[0-9a-f]{12}"/);
    expect((await get("/offline.html")).headers.get("Cache-Control")).toBe("no-cache");
  });
});

describe("Public previews of a page", () => {
  test("each page has a description in its language, for previews that load from our server only", async () => {
    const html = await (await get("/fr/login")).text();
    expect(html).toContain('<html lang="fr"');
    expect(html).toContain('<meta property="og:locale" content="fr"');
    expect(html).toContain(`<meta property="og:description" content="${manifestOf("fr").description}"`);
    expect(html).not.toMatch(/__[A-Z_]+__/);
    expect((await get("/social.png")).headers.get("Content-Type")).toBe("image/png");
    const german = await (await get("/", { "Accept-Language": "de-CH,de;q=0.9,en;q=0.5" })).text();
    expect(german).toContain('<html lang="de">');
  });

  test("search engines may index public pages, and nothing else", async () => {
    const robotsOf = async (path: string) => {
      const answer = await get(path);
      return [answer.headers.get("X-Robots-Tag"), /name="robots" content="(\w+)"/.exec(await answer.text())?.[1]];
    };
    for (const path of ["/en/login", "/de/terms-service", "/pt/privacy-notice", "/es/service-status"])
      expect(await robotsOf(path)).toEqual([null, "index"]);
    for (const path of ["/en/dashboard", "/en/manage-invitation", "/en/screen-track/a@example.com", "/", "/en/login/x"])
      expect(await robotsOf(path)).toEqual(["noindex", "noindex"]);
    const rules = await (await get("/robots.txt")).text();
    expect(rules).toContain("Disallow: /api/");
  });
});
