// Visits every page in every language, light and dark, on a phone and a desktop, and lists everything that is wrong.
import { parseArgs } from "node:util";
import { isLanguage, LANGUAGES, type Language } from "../src/shared/language.ts";
import { everyLook, passingLooks, quickLooks } from "./web/walk_looks.ts";
import { ROUTES, STATES, type Stop } from "./web/walk_stops.ts";
import { walk } from "./web/walking.ts";

const HELP = `bun run walk [--only <path>] [--language <code>] [--quick] [--states] [--screenshots <folder>]
  --only         the pages whose path has these words in it; may be repeated
  --language     one of ${LANGUAGES.join(", ")}; may be repeated
  --quick        each page once light and once dark, in languages that take turns
  --states       every state of every screen instead of every page, in languages that take turns
  --screenshots  keeps a picture of each`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [""] },
    language: { type: "string", multiple: true, default: [...LANGUAGES] },
    quick: { type: "boolean", default: false },
    states: { type: "boolean", default: false },
    screenshots: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

function fail(text: string): never {
  console.error(text);
  process.exit(2);
}
if (values.help) fail(HELP);
const languages: Language[] = values.language.filter(isLanguage);
if (languages.length < values.language.length) fail(HELP);
const wanted = ({ name }: Stop) => values.only.some((part) => name.includes(part));
const stops = (values.states ? STATES : ROUTES).filter(wanted);
if (stops.length === 0) fail(`No page has “${values.only.join(", ")}” in its path`);

const looksAt = values.states ? passingLooks : values.quick ? quickLooks : everyLook;
const looks = looksAt(stops, languages);
const started = performance.now();
const found = await walk({
  looks,
  screenshots: values.screenshots,
  told: (done, wrong) => {
    for (const text of wrong) console.log(text);
    if (done % 50 === 0) console.log(`… ${done} of ${looks.length}`);
  },
});
const seconds = (performance.now() - started) / 1000;
console.log(
  `${looks.length} looks, ${seconds.toFixed(0)} s, ${(seconds / looks.length).toFixed(2)} s each, ${found.length} findings`,
);
process.exit(found.length === 0 ? 0 : 1);
