import type { Language } from "../../src/shared/language.ts";
import type { Stop } from "./walk_stops.ts";
import { type Look, type Theme, WIDTHS } from "./walking.ts";

const THEMES: Theme[] = ["light", "dark"];

/** All combinations: each screen in each language, theme and width. */
export function everyLook(stops: Stop[], languages: Language[]): Look[] {
  return stops.flatMap((stop) =>
    languages.flatMap((language) =>
      THEMES.flatMap((theme) => WIDTHS.map((width) => ({ stop, language, theme, width }))),
    ),
  );
}

/** Each screen once, with rotating language, theme and width, so that neighbours differ in all of them. */
export function passingLooks(stops: Stop[], languages: Language[]): Look[] {
  return stops.map((stop, index) => ({
    stop,
    language: languages[index % languages.length] ?? "en",
    theme: THEMES[Math.floor(index / 2) % 2] ?? "light",
    width: WIDTHS[index % 2] ?? 1440,
  }));
}

/** Each screen light and dark, once at each width, in rotating languages. */
export function quickLooks(stops: Stop[], languages: Language[]): Look[] {
  return stops.flatMap((stop, index) =>
    THEMES.map((theme, place) => {
      const language = languages[(index + place * 3) % languages.length] ?? "en";
      return { stop, language, theme, width: WIDTHS[(index + place) % WIDTHS.length] ?? 1440 };
    }),
  );
}
