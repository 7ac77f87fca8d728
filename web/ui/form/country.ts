import { useSyncExternalStore } from "react";
import { type Country, isCountry } from "../../../src/shared/advice.ts";

const STORAGE_KEY = "selectedCountry";
/** Stored when none of the listed countries was chosen. */
const ELSEWHERE = "elsewhere";

const ZONES: Record<Country, readonly string[]> = {
  CH: ["Europe/Zurich"],
  DE: ["Europe/Berlin", "Europe/Busingen"],
  ES: ["Europe/Madrid", "Africa/Ceuta", "Atlantic/Canary"],
  FR: ["Europe/Paris"],
  GB: ["Europe/London", "Europe/Belfast"],
  IT: ["Europe/Rome"],
  PT: ["Europe/Lisbon", "Atlantic/Madeira", "Atlantic/Azores"],
  US: [
    ...["New_York", "Detroit", "Chicago", "Menominee", "Denver", "Boise", "Phoenix", "Los_Angeles", "Anchorage"],
    ...["Juneau", "Sitka", "Metlakatla", "Yakutat", "Nome", "Adak"],
  ].map((city) => `America/${city}`),
};
const PARTS_OF_THE_US = /^(America\/(Indiana|Kentucky|North_Dakota)\/|US\/|Pacific\/Honolulu$)/;

type Browser = { timeZone: string | undefined; languages: readonly string[] };

/**
 * Guesses the country. The time zone is more reliable than the language: many browsers outside the United States use
 * `en-US`. Languages count only where the time zone belongs to no country.
 */
export function guessCountry({ timeZone = "", languages }: Browser): Country | undefined {
  if (PARTS_OF_THE_US.test(timeZone)) return "US";
  const home = (Object.keys(ZONES) as Country[]).find((country) => ZONES[country].includes(timeZone));
  if (home !== undefined || !/^(Etc\/.*|UTC|GMT)?$/.test(timeZone)) return home;
  const region = languages.map((tag) => /[-_]([a-z]{2})\b/i.exec(tag)?.[1]).find((found) => found !== undefined);
  const country = region?.toUpperCase();
  return isCountry(country) ? country : undefined;
}

/** The stored choice, or else the guess. */
export function countryOf(stored: string | null, browser: Browser): Country | undefined {
  if (isCountry(stored)) return stored;
  return stored === ELSEWHERE ? undefined : guessCountry(browser);
}

function current(): Country | undefined {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return countryOf(localStorage.getItem(STORAGE_KEY), { timeZone, languages: navigator.languages });
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function choose(country: Country | undefined): void {
  localStorage.setItem(STORAGE_KEY, country ?? ELSEWHERE);
  for (const listener of listeners) listener();
}

/** The country whose authorities and phone numbers the advice names, and a setter; stored only in this browser. */
export function useCountry(): [Country | undefined, (country: Country | undefined) => void] {
  return [useSyncExternalStore(subscribe, current), choose];
}
