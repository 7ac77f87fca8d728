import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { LANGUAGES, type Language, localeOf } from "../../src/shared/language.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import type { Scene } from "./fake_api.ts";
import { textsOf } from "./hard_coded.ts";
import { barriers, excessWidth } from "./inspect.ts";

/** The largest layout shift that people do not notice. */
const MOST_SHIFT = 0.05;

const ROOT = join(import.meta.dirname, "../../locales");
type Words = Map<string, string>;

function wordsOf(language: Language): Words {
  const words: Words = new Map();
  for (const file of readdirSync(join(ROOT, language))) {
    const texts: Record<string, string> = JSON.parse(readFileSync(join(ROOT, language, file), "utf8"));
    for (const [key, text] of Object.entries(texts)) words.set(`${basename(file, ".json")}:${key}`, text);
  }
  return words;
}
const ENGLISH = wordsOf("en");
/** What appears if a translation is missing: the key of the message. */
const KEYS = new Set([...ENGLISH.keys()].flatMap((key) => [key, key.slice(key.indexOf(":") + 1)]).filter(isNoWord));

function isNoWord(key: string): boolean {
  return /\w[.:_]\w/.test(key) && !key.includes(" ");
}

/** English sentences that have a translation in this language. */
function foreignWords(language: Language): Set<string> {
  const own = wordsOf(language);
  const said = new Set(own.values());
  const foreign = [...ENGLISH].filter(([key, text]) => own.get(key) !== text && !said.has(text));
  return new Set(foreign.map(([, text]) => text).filter((text) => text.split(" ").length > 2 && !/[{<]/.test(text)));
}
const FOREIGN = new Map(LANGUAGES.map((language) => [language, foreignWords(language)]));

async function untranslated(page: Page, language: Language): Promise<string[]> {
  const texts = (await textsOf(page, { inForeignTongues: false })).map((text) => text.trim());
  const found = texts.flatMap((text) => text.split(/\s+/).filter((word) => KEYS.has(word)));
  const foreign = texts.filter((text) => FOREIGN.get(language)?.has(text));
  return [...new Set([...found, ...foreign])].map((text) => `untranslated: ${text}`);
}

type Watched = typeof window & { shifts: { by: number; of: string }[] };

/** From now on layout shifts on each page of the window are recorded. */
export function watchShifts(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    const shifts: Watched["shifts"] = [];
    Object.assign(window, { shifts });
    let path = location.pathname;
    new PerformanceObserver((list) => {
      // Another page has replaced this one: differences between them are no layout shift.
      if (path !== location.pathname) {
        path = location.pathname;
        shifts.length = 0;
        return;
      }
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        const parts = sources.map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : "?"));
        if (!hadRecentInput) shifts.push({ by: value, of: parts.join(" ") });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The layout shifts so far, if they were large. */
export async function shifted(page: Page): Promise<string[]> {
  const shifts = await page.evaluate(async () => {
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (window as Watched).shifts;
  });
  const sum = shifts.reduce((before, { by }) => before + by, 0);
  if (sum <= MOST_SHIFT) return [];
  return [`layout shift ${sum.toFixed(3)}: ${shifts.map(({ by, of }) => `${by.toFixed(3)} ${of}`).join(" | ")}`];
}

type Meant = { origin: string; answers: Scene["answers"]; fails?: string[] | undefined };

/** Calls that fail although the scene does not intend it, and all requests to other sites. */
export function watchRequests(page: Page, { origin, answers, fails = [] }: Meant): string[] {
  const failed: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol.startsWith("http")) failed.push(`foreign request: ${request.url()}`);
  });
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText;
    // A page gives up what it no longer needs, as when it is left.
    if (why !== "net::ERR_ABORTED") failed.push(`failed request: ${request.url()} ${why}`);
  });
  page.on("response", (response) => {
    const call = `${response.request().method()} ${new URL(response.url()).pathname}`;
    if (response.status() >= 400 && !fails.includes(call) && answers[call]?.status !== response.status())
      failed.push(`failed request: ${call} ${response.status()}`);
  });
  return failed;
}

async function headed(page: Page, language: Language): Promise<string[]> {
  const { lang, title, headings } = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    title: document.title,
    headings: [...document.querySelectorAll("h1")].filter((one) => one.checkVisibility() && one.textContent).length,
  }));
  return [
    ...(lang === localeOf(language) ? [] : [`document language: ${lang}`]),
    ...(new RegExp(`[^ ] · ${PRODUCT}$`).test(title) ? [] : [`title: ${title}`]),
    ...(headings === 1 ? [] : [`main headings: ${headings}`]),
  ];
}

/** Everything that is wrong with the current page. */
export async function findings(page: Page, language: Language): Promise<string[]> {
  const excess = await excessWidth(page);
  return [
    ...(await headed(page, language)),
    ...(excess > 0 ? [`overflow: ${excess} pixels`] : []),
    ...(await untranslated(page, language)),
    ...(await barriers(page)),
  ];
}
