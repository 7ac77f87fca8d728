import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import type { Page } from "playwright-core";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { contentSecurityPolicy } from "../../src/http/security.ts";
import { MAKES_STYLES, styleAsText } from "../../web/build/styles_as_text.ts";
import { TILE_COLOURS } from "../../web/ui/display/initial.ts";
import { collectViolations, sharedBrowser } from "../support/browser.ts";
import { MARKUP_ATTACKS } from "../support/markup_attacks.ts";
import { pngOf } from "../support/pictures.ts";
import { barriers } from "./inspect.ts";

const NONCE = "breachpartsnonce";
const LOGO = "/api/logos/0123456789abcdef0123456789abcdef.png";
const { html } = sanitizedDescriptions();
const catalogue: { Description: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../src/breaches/adapters/sources/bundled/bundled_catalogue.json"), "utf8"),
);

let site: ReturnType<typeof Bun.serve>;
const asked: string[] = [];

const STYLES_AS_TEXT: BunPlugin = {
  name: "styles-as-text",
  setup: (build) =>
    void build.onLoad({ filter: MAKES_STYLES }, ({ path }) => ({
      loader: "js",
      contents: styleAsText(readFileSync(path, "utf8")),
    })),
};

/** The two components in a production build, on a page with the product's own policy. */
async function serveParts(): Promise<ReturnType<typeof Bun.serve>> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dirname, "breach_parts_page.tsx")],
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
    plugins: [STYLES_AS_TEXT],
  });
  const files = new Map(built.outputs.map((file) => [`/page.${file.type.includes("css") ? "css" : "js"}`, file]));
  const page = `<!doctype html><html lang="en"><head><title>Parts</title>
    <link rel="stylesheet" href="/page.css"></head><body><h1>Parts</h1><data id="style-nonce" value="${NONCE}"></data><script type="module" src="/page.js"></script></body></html>`;
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const file = files.get(pathname);
      if (file) return new Response(file);
      if (pathname === LOGO)
        return new Response(new Uint8Array(pngOf(200, 60)), { headers: { "Content-Type": "image/png" } });
      if (pathname !== "/") return new Response("Not found", { status: 404 });
      const headers = { "Content-Type": "text/html", "Content-Security-Policy": contentSecurityPolicy(NONCE) };
      return new Response(page, { headers });
    },
  });
}

beforeAll(async () => {
  site = await serveParts();
}, 60_000);
afterAll(() => site.stop(true));

async function open(colorScheme: "light" | "dark" = "light") {
  const context = await (await sharedBrowser()).newContext({ colorScheme });
  const violations: string[] = [];
  const requests: string[] = [];
  await collectViolations(context, violations);
  const page = await context.newPage();
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => {
    violations.push(`dialog ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(site.url.href);
  await page.waitForFunction(() => "show" in window);
  const show = (shown: object) =>
    page.evaluate((given) => (window as unknown as { show(given: object): void }).show(given), shown);
  return { page, show, violations, requests, leave: () => context.close() };
}

describe("BreachLogo", () => {
  const logos = [
    { name: "Kept", title: "Kept", logo: LOGO },
    { name: "Gone", title: "Gone", logo: LOGO.replace("0", "f") },
    { name: "None", title: "None", logo: null },
  ];
  /** Finds and measures in one step, as a missing logo may be replaced by its initial at any time. */
  const sizesOf = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll("p > span")].map((part) => {
        const { width, height } = part.getBoundingClientRect();
        return `${width}x${height}`;
      }),
    );

  test("shows a stored logo uncropped, and the initial if there is none or it does not load, all in one size", async () => {
    const { page, show, violations, requests, leave } = await open();
    await show({ logos });
    const before = await sizesOf(page);
    expect(before).toEqual(["36x36", "52x52", "36x36", "52x52", "36x36", "52x52"]);
    await page.locator('[data-name="Gone"] img').first().waitFor({ state: "detached" });
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    expect(await sizesOf(page)).toEqual(before);
    const natural = await page.$$eval("img", (images) =>
      images.map((image) => [
        image.naturalWidth,
        image.width,
        image.height,
        image.alt,
        getComputedStyle(image).objectFit,
      ]),
    );
    expect(natural).toEqual([
      [200, 28, 28, "", "contain"],
      [200, 44, 44, "", "contain"],
    ]);
    expect(await page.locator('[data-name="Gone"]').textContent()).toBe("GoGo");
    expect(await page.locator('[data-name="None"] [aria-hidden="true"]').count()).toBe(2);
    expect(requests.filter((url) => new URL(url).origin !== site.url.origin)).toEqual([]);
    expect(violations).toEqual([]);
    await leave();
  }, 30_000);

  test("never requests an image from another origin", async () => {
    const { page, show, violations, leave } = await open();
    await show({ logos: [{ name: "Evil", title: "Evil", logo: "https://evil.example/x.png" }] });
    await page.locator('[data-name="Evil"] img').first().waitFor({ state: "detached" });
    expect(violations.join()).toContain("img-src https://evil.example/x.png");
    await leave();
  }, 30_000);

  test("has readable tiles, in every colour, light and dark", async () => {
    const many = Array.from({ length: 60 }, (_, number) => ({
      name: `n${number}`,
      title: `Title ${number}`,
      logo: null,
    }));
    for (const scheme of ["light", "dark"] as const) {
      const { page, show, leave } = await open(scheme);
      await show({ logos: many });
      await page.locator("[data-name=n59]").waitFor();
      const colours = await page.$$eval("p > span:first-child", (tiles) =>
        tiles.map((tile) => getComputedStyle(tile).backgroundColor),
      );
      expect(new Set(colours).size).toBe(TILE_COLOURS);
      // Hidden from assistive technology, so they are measured by this test.
      const ratios = await page.$$eval("p > span:first-child", (tiles) => {
        const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
        const luminance = (colour: string) => {
          const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
            const share = value / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        return tiles.map((tile) => {
          const { color, backgroundColor } = getComputedStyle(tile);
          const [one, other] = [luminance(color), luminance(backgroundColor)];
          return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        });
      });
      expect(Math.min(...ratios)).toBeGreaterThanOrEqual(4.5);
      await leave();
    }
  }, 30_000);
});

describe("SourceText", () => {
  test("shows the text of all 1,017 descriptions, and their https links", async () => {
    const { page, show, violations, leave } = await open();
    const texts = catalogue.map(({ Description }) => html(Description));
    await show({ texts });
    await page.waitForFunction((count) => document.querySelectorAll('main [lang="en"]').length === count, texts.length);
    const shown = await page.$$eval('main [lang="en"]', (parts) =>
      parts.map((part) => ({
        words: part.textContent,
        links: [...part.querySelectorAll("a")].map(({ href }) => href),
      })),
    );
    const expected = texts.map((text) => ({
      words: text
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&"),
      links: [...text.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&")),
    }));
    expect(shown).toEqual(expected);
    expect(
      await page.$$eval("main a", (links) => [
        ...new Set(links.map((link) => `${link.getAttribute("rel")} ${link.getAttribute("target")}`)),
      ]),
    ).toEqual(["noopener noreferrer nofollow _blank"]);
    expect(violations).toEqual([]);
    await leave();
  }, 60_000);

  test("blocks every attack, even without prior sanitising", async () => {
    for (const texts of [MARKUP_ATTACKS, MARKUP_ATTACKS.map(html)]) {
      const { page, show, violations, requests, leave } = await open();
      const before = requests.length;
      await show({ texts });
      await page.waitForFunction(
        (count) => document.querySelectorAll('main [lang="en"]').length === count,
        texts.length,
      );
      const tags = await page.$$eval("main [lang=en] *", (all) => [...new Set(all.map(({ localName }) => localName))]);
      const allowed = ["a", "em", "strong", "b", "i", "p", "br", "ul", "ol", "li"];
      expect(tags.filter((tag) => !allowed.includes(tag))).toEqual([]);
      const attributes = await page.$$eval("main [lang=en] *", (all) => [
        ...new Set(all.flatMap((element) => element.getAttributeNames())),
      ]);
      const known = ["class", "href", "rel", "target", "data-inherit", "data-underline"];
      expect(attributes.filter((name) => !known.includes(name))).toEqual([]);
      const links = await page.$$eval("main [lang=en] a", (all) =>
        all.map((link) => (link as HTMLAnchorElement).protocol),
      );
      expect(links.every((protocol) => protocol === "https:")).toBe(true);
      expect(requests.slice(before)).toEqual([]);
      // Unsanitised text is reported when it is parsed, outside the page, and nothing of it is shown.
      expect(violations.filter((text) => texts !== MARKUP_ATTACKS || text.startsWith("dialog"))).toEqual([]);
      await leave();
    }
  }, 60_000);

  test("is readable, light and dark", async () => {
    for (const scheme of ["light", "dark"] as const) {
      const { page, show, leave } = await open(scheme);
      await show({ texts: catalogue.slice(0, 50).map(({ Description }) => html(Description)) });
      await page.locator("main a").first().waitFor();
      expect(await barriers(page)).toEqual([]);
      await leave();
    }
  }, 60_000);
});
