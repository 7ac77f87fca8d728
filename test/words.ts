// Prints every text of a language beside the English one, in the order of the screens and with the files that show it, so that
// a native speaker can read them all: `bun run words de`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isLanguage, LANGUAGES } from "../src/shared/language.ts";
import { placesOf, screens, topicsInReadingOrder } from "./support/text_places.ts";

const MOST_PLACES = 3;

const language = process.argv[2] ?? "";
if (!isLanguage(language)) {
  process.stderr.write(`Usage: bun run words <${LANGUAGES.join("|")}>\n`);
  process.exit(1);
}

const textsOf = (of: string, topic: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../locales/${of}/${topic}.json`), "utf8")) as Record<
    string,
    string
  >;

const pages = screens();
for (const topic of topicsInReadingOrder()) {
  const paths = pages.filter(({ topics }) => topics.includes(topic)).map(({ path }) => path);
  process.stdout.write(`\n# ${topic}${paths.length > 0 ? ` (${paths.join(", ")})` : ""}\n`);
  const translated = textsOf(language, topic);
  for (const [key, english] of Object.entries(textsOf("en", topic))) {
    const places = placesOf(topic, key).slice(0, MOST_PLACES);
    const lines = language === "en" ? [english] : [english, translated[key] ?? "(missing)"];
    process.stdout.write(`\n${key}${places.length > 0 ? `  ${places.join(" ")}` : ""}\n`);
    for (const line of lines) process.stdout.write(`  ${line.replaceAll("\n", "\n  ")}\n`);
  }
}
