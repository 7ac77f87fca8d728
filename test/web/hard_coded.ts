import type { Page } from "playwright-core";
import { CHATS } from "../../src/shared/chats.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import { LETTER_COUNTRIES } from "../../src/shared/letters.ts";
import { CURRENCIES } from "../../src/shared/plans.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import { DIRECTORIES } from "../../src/shared/services.ts";

/** Texts that are the same in every language: names, a key, the format of a code. */
const NAMES = [
  PRODUCT,
  "Alt",
  "xxxxx",
  "Chrome",
  "Telegram",
  "Pushover",
  "Google",
  "GitHub",
  "Microsoft",
  "Stripe",
  "Have I Been Pwned",
  ...Object.values(DIRECTORIES).map(({ name }) => name),
  "XposedOrNot",
  ...Object.values(CHATS).map(({ name }) => name),
  "ada",
  "grace",
];

/** Texts provided by the platform: dates, languages by their own names, money, countries. */
function platformWords(language: Language): string {
  const days = Array.from({ length: 366 }, (_, day) =>
    new Date(Date.UTC(2024, 0, 1 + day)).toLocaleString(language, {
      dateStyle: "full",
      timeStyle: "long",
      timeZone: "UTC",
    }),
  );
  const short = days.map((_, day) =>
    new Date(Date.UTC(2024, 0, 1 + day)).toLocaleDateString(language, { dateStyle: "medium" }),
  );
  const tongues = LANGUAGES.flatMap((code) =>
    [code, language].map((spoken) => new Intl.DisplayNames(spoken, { type: "language" }).of(code)),
  );
  const spans = (["always", "auto"] as const).flatMap((numeric) => {
    const relative = new Intl.RelativeTimeFormat(language, { numeric });
    return (["second", "minute", "hour", "day", "month", "year"] as const).flatMap((unit) =>
      [-2, -1, 0, 1, 2].map((count) => relative.format(count, unit)),
    );
  });
  const currency = new Intl.DisplayNames(language, { type: "currency" });
  const region = new Intl.DisplayNames(language, { type: "region" });
  return [
    ...[...days, ...short, ...tongues, ...spans],
    ...LETTER_COUNTRIES.map((code) => region.of(code)),
    ...CURRENCIES.map((code) => currency.of(code)),
  ].join(" ");
}

/** Everything visible or announced on a page, including text marked as being in another language. */
export function textsOf(page: Page, { inForeignTongues = true } = {}): Promise<string[]> {
  return page.evaluate((all) => {
    const spoken = ["aria-label", "placeholder", "title", "alt", "aria-description", "aria-roledescription"];
    const found = [document.title];
    for (const element of document.querySelectorAll("body *")) {
      if (element.closest("script, style, noscript, svg, code, pre, [translate=no], [aria-hidden=true]")) continue;
      const tongue = element.closest("[lang]")?.getAttribute("lang");
      if (!all && tongue !== document.documentElement.lang) continue;
      for (const name of spoken) found.push(element.getAttribute(name) ?? "");
      for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? "");
    }
    return found;
  }, inForeignTongues);
}

/**
 * Words of a page in the pseudo-locale that are not from `locales/`, so they are hard-coded. `told` is the server's
 * content, which users wrote.
 */
export async function hardCodedWords(page: Page, told: string, language: Language): Promise<string[]> {
  // The browser names time zones differently from the server.
  const zones = await page.evaluate(() => Intl.supportedValuesOf("timeZone").join(" "));
  const known = `${told} ${NAMES.join(" ")} ${platformWords(language)} ${zones}`.toLowerCase();
  const words = (await textsOf(page)).flatMap((text) => text.match(/[a-z]{3,}/gi) ?? []);
  return [...new Set(words)].filter((word) => !/^(.)\1+$/.test(word) && !known.includes(word.toLowerCase()));
}
